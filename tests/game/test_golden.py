"""Whole matches as text (tests/golden): what each event has done, to be read by people and compared by the test.

The log beside a text is what was played, and is audited. After a change of rules or of what a game shows, write the
texts again with BARPOINT_WRITE_GOLDEN=1 and read the difference; where a log is missing, a new match is played.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from barpoint import dice
from barpoint.board import BAR, OFF, Side
from barpoint.driver import play_match
from barpoint.game import Event, Game, Phase, PlayMade, kind_of
from barpoint.game.event import event_to_dict
from barpoint.match import Match, read_log, write_log
from barpoint.moves import find_play
from tests.support.games import Sensible

FOLDER = Path(__file__).parents[1] / "golden"
WRITE = bool(os.environ.get("BARPOINT_WRITE_GOLDEN"))

MATCHES: dict[str, tuple[str, dict[str, bool | int]]] = {
    "backgammon": ("backgammon", {"length": 3}),
    "money": ("backgammon", {"length": 0, "jacoby": True, "beavers": 3, "automatic_doubles": 1}),
    "roll-over": ("roll-over", {"length": 3}),
    "cancelgammon": ("cancelgammon", {"length": 2}),
    "duodecagammon": ("duodecagammon", {"length": 2}),
    "roll-over-duodecagammon": ("roll-over+duodecagammon", {"length": 2}),
    "roll-over-hypergammon": ("roll-over+hypergammon", {"length": 9, "cube": False}),
    "nackgammon": ("nackgammon", {"length": 1}),
    "hypergammon": ("hypergammon", {"length": 5}),
    "longgammon": ("longgammon", {"length": 1}),
    "acey-deucey": ("acey-deucey", {"length": 1}),
    "european-acey-deucey": ("european-acey-deucey", {"length": 1}),
    "tabula": ("tabula", {"length": 1}),
    "dutch": ("dutch", {"length": 2}),
    "plakoto": ("plakoto", {"length": 1}),
    "fevga": ("fevga", {"length": 1}),
    "moultezim": ("moultezim", {"length": 1}),
    "narde": ("narde", {"length": 1}),
    "gul-bara": ("gul-bara", {"length": 2}),
    "gioul": ("gioul", {"length": 2}),
    "portes": ("portes", {"length": 2}),
    "tapa": ("tapa", {"length": 1}),
    "tavli": ("tavli", {"length": 3}),
    "bulgarian-tabla": ("bulgarian-tabla", {"length": 4}),
    "misere": ("misere", {"length": 2}),
    "manual": ("roll-over+hypergammon", {"length": 2, "manual": True}),
}


def new_match(name: str) -> Match:
    rules, options = MATCHES[name]
    for match in play_match(
        Match.start(rules=rules, **options),
        Sensible(81, boldness=0.4),
        Sensible(82, boldness=0.4),
        dice=dice.seeded(len(name)),
    ):
        if match.terms.money and len(match.finished) == 3:
            break
    return match


def checkers(side: Side) -> str:
    places = [f"{point}:{side.points[point]}" for point in range(24, 0, -1) if side.points[point]]
    if side.hand:
        places.insert(0, f"hand:{side.hand}")
    if side.points[BAR]:
        places.insert(0, f"bar:{side.points[BAR]}")
    if side.points[OFF]:
        places.append(f"off:{side.points[OFF]}")
    if side.pinned:
        places.append("pinned:" + ",".join(str(point) for point in range(25) if side.pinned >> point & 1))
    if side.owed:
        places.append(f"owes row {side.owed - 1}")
    return " ".join(places)


def say(event: Event, before: Game) -> str:
    """The event in one line, its player first."""
    if isinstance(event, PlayMade):
        text = (
            "against the rules"
            if event.illegal
            else str(find_play(before.rules, before.position, before.faces, event.moves))
        )
        return f"{event.player} play {text}{', and again' if event.again else ''}"
    fields = event_to_dict(event)
    more = " ".join(
        f"{fields[key]}" for key in ("faces", "throw", "reason", "level", "points", "moves") if key in fields
    )
    return f"{fields.get('player', '-')} {kind_of(event)} {more}".rstrip()


def describe(match: Match) -> Iterator[str]:
    """A match as lines: each event, and what it has left on the table."""
    yield f"{match.rules.name}, {match.length} points"
    state = Match.start(rules=match.rules, terms=match.terms)
    shown: tuple[Side, Side] | None = None
    for number, event in enumerate(match.events, start=1):
        before, state = state, state.replay(event)
        game = state.game
        yield f"{number:4} {say(event, before.game)}"
        sides = game.side(0), game.side(1)
        if sides != shown:
            yield from (f"       player {player}: {checkers(sides[player])}" for player in (0, 1))
            shown = sides
        yield f"       {cube_and_dice(game)}"
        if game.result is not None:
            yield f"       {game.result.winner} wins {game.result.points} ({game.result.how}), score {state.score}"
    yield f"winner {state.winner}"


def cube_and_dice(game: Game) -> str:
    """Who is to act, the dice, the cube and the tokens."""
    cube = (
        "" if not game.cube_in_play else f", cube {game.cube.value} of {game.cube.owner}, offered {game.cube.offered}"
    )
    tokens = (
        f", tokens {game.tokens[0]} {game.tokens[1]}, rerollable {game.rerollable_id}"
        if game.rules.rerolls.tokens
        else ""
    )
    waiting = f"{game.phase}" if game.phase is Phase.OVER else f"{game.phase} of {game.actor}"
    return f"{waiting}, dice {game.faces}{cube}{tokens}"


@pytest.mark.parametrize("name", MATCHES)
def test_a_recorded_match_reads_as_it_did(name: str):
    log, text = FOLDER / f"{name}.json", FOLDER / f"{name}.txt"
    if WRITE and not log.exists():
        log.write_bytes(write_log(new_match(name)).replace(b'},{"kind"', b'},\n{"kind"') + b"\n")
    match = read_log(log.read_bytes(), audit=True)
    found = "\n".join(describe(match)) + "\n"
    if WRITE:
        text.write_text(found, encoding="utf-8")
    assert found == text.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", MATCHES)
def test_the_recorded_matches_are_played_out(name: str):
    match = read_log((FOLDER / f"{name}.json").read_bytes())
    assert match.over or (match.terms.money and len(match.finished) == 3)


def test_together_they_show_every_kind_of_event_of_play():
    kinds = {kind_of(event) for name in MATCHES for event in read_log((FOLDER / f"{name}.json").read_bytes()).events}
    assert kinds >= {
        "opening", "roll", "play", "rollover", "keep", "double", "take", "pass", "beaver",
        "resign", "accept", "reject", "next", "void",
    }  # fmt: skip
