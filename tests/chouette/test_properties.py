"""Invariants of chouettes: whole random chouettes, and one as text for a reader."""

from __future__ import annotations

import itertools
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from barpoint.chouette import (
    Act,
    Chouette,
    ChouetteEvent,
    ChouetteTerms,
    event_from_dict,
    event_to_dict,
    kind_of,
    read_log,
    write_log,
)
from barpoint.chouette.rotation import order_of
from barpoint.error import FormatError, IllegalEvent
from barpoint.game import Double, Phase, PlayMade, Resign, Roll
from barpoint.game.event import event_to_dict as game_event_to_dict
from tests.support.chouettes import crowd
from tests.support.deep import DEEP

GOLDEN = Path(__file__).parents[1] / "golden"
WRITE = bool(os.environ.get("BARPOINT_WRITE_GOLDEN"))
GAMES = 20 if DEEP else 2

KINDS_OF_TABLES: dict[str, tuple[str, ChouetteTerms]] = {
    "a cube each": ("hypergammon", ChouetteTerms(beavers=3, automatic_doubles=1)),
    "one cube": ("hypergammon", ChouetteTerms(one_cube=True)),
    "half taken": ("roll-over+hypergammon", ChouetteTerms(half_taken=True, jacoby=False)),
    "no cube": ("acey-deucey", ChouetteTerms(cube=False, jacoby=False)),
    "backgammon": ("backgammon", ChouetteTerms()),
    "duodecagammon": ("roll-over+duodecagammon", ChouetteTerms(beavers=1)),
}


@pytest.mark.parametrize("name", KINDS_OF_TABLES)
@settings(max_examples=3, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_a_whole_chouette_keeps_its_ledger_its_line_and_its_one_board(name: str, seed: int) -> None:
    rules, terms = KINDS_OF_TABLES[name]
    for chouette in crowd(Chouette.start(rules, terms), seed, GAMES):
        assert sum(chouette.ledger) == 0
        assert len(set(chouette.present)) == len(chouette.present)
        if chouette.playing:
            assert chouette.waits_for or chouette.board.phase is Phase.OPENING
            boards = {
                (pair.game.position, pair.game.player, pair.game.tokens, pair.game.roll_id) for pair in chouette.running
            }
            assert len(boards) == 1
            assert chouette.captain is not None
            assert chouette.still_in(chouette.captain) or chouette.must_answer
        if terms.one_cube and not chouette.must_answer:
            assert len({pair.game.cube for pair in chouette.running}) <= 1
    assert Chouette.fold(chouette.rules, terms, chouette.events, audit=True) == chouette
    assert Chouette.fold(chouette.rules, terms, chouette.events) == chouette
    assert read_log(write_log(chouette), audit=True) == chouette


@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_after_each_game_everybody_is_in_line_once_and_the_box_changes_only_when_it_was_beaten(seed: int) -> None:
    before = Chouette.start("hypergammon", ChouetteTerms())
    for chouette in crowd(before, seed, 5, wild=0):
        if before.playing and not chouette.playing:
            done = chouette.finished[-1]
            assert sorted(chouette.line) == sorted(done.line)
            old = done.line[0]
            captain = dict(done.results)[done.captain]
            assert chouette.line[0] == (done.heir if done.heir is not None else old)
            if done.heir is not None:
                assert chouette.line[-1] == old
            else:
                assert captain.winner != 1
                assert chouette.line[-1] == done.captain
        before = chouette


def test_nothing_but_an_event_of_the_list_is_read_as_one() -> None:
    for found in ({}, {"kind": "act"}, {"kind": "roll", "player": 0}, {"kind": "join", "player": -1}, 7, None):
        with pytest.raises(FormatError, match="kinds: join, leave"):
            event_from_dict(found)
    event: ChouetteEvent = Act(Double(0), 3, (1, 2))
    assert event_from_dict(event_to_dict(event)) == event
    assert kind_of(event) == "double"


TAVLI = write_log(Chouette.start()).replace(b'"backgammon"', b'"tavli"', 1)
OVERFULL = write_log(Chouette.start()).replace(
    b'"events":[]',
    b'"events":[{"kind":"act","by":0,"event":{"kind":"play","player":0,"moves":[],"position":[[300],[]]}}]',
)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[1]",
        TAVLI,
        OVERFULL,
        '{"format":"barpoint-match"}',
        b"\xff",
        '{"rules":"x","rules_version":1,"terms":{},"events":[]}',
    ],
)
def test_what_is_no_log_of_a_chouette_is_refused(text: str | bytes) -> None:
    with pytest.raises(FormatError):
        read_log(text)


def test_a_log_that_cannot_have_happened_is_refused_by_the_number_of_its_event() -> None:
    log = write_log(Chouette.start()).replace(b'"events":[]', b'"events":[{"kind":"join","player":3}]')
    with pytest.raises(FormatError, match="event 0: join: player 3 is no newcomer"):
        read_log(log)


@settings(deadline=None)
@given(st.lists(st.lists(st.integers(1, 6), max_size=3).map(tuple), min_size=2, max_size=6).map(tuple))
def test_rolls_decide_an_order_only_when_each_was_needed(rolls: tuple[tuple[int, ...], ...]) -> None:
    places = order_of(rolls, 6)
    if places is None:
        return
    assert sorted(places) == list(range(len(rolls)))
    assert [rolls[place] for place in places] == sorted(rolls, reverse=True)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 500), player=st.integers(-1, 9), to=st.lists(st.integers(0, 9), max_size=3).map(tuple))
def test_whatever_is_refused_changes_nothing_and_says_what_is_allowed(
    seed: int, player: int, to: tuple[int, ...]
) -> None:
    chouettes = crowd(Chouette.start("hypergammon", ChouetteTerms()), seed, 1)
    chouette = list(itertools.islice(chouettes, 1 + seed % 60))[-1]
    for made in (Double(0), Double(1), Roll(0, (2, 1)), Roll(1, (2, 1)), Resign(0, 1), PlayMade(1, ())):
        try:
            chouette.apply(Act(made, player if player >= 0 else None, to))
        except IllegalEvent as error:
            said = str(error)
            assert said.startswith(kind_of(Act(made)))
            assert "allowed" in said


def cubes(chouette: Chouette) -> str:
    """The cubes of the games that are not over; "=" in the middle, "-" the box's, "+" the player's."""
    shown = ((pair.player, pair.game.cube) for pair in chouette.running)
    return " ".join(
        f"{player}:{cube.value}{'=-+'[0 if cube.owner is None else 1 + cube.owner]}" for player, cube in shown
    )


def told(before: Chouette, chouette: Chouette) -> str:
    """One line for the newest event, another where a game is over."""
    event = chouette.events[-1]
    shown = event_to_dict(event)
    if isinstance(event, Act):
        inner = {key: value for key, value in game_event_to_dict(event.event).items() if key != "position"}
        shown = {**inner, **{key: value for key, value in shown.items() if key in ("by", "to")}}
    text = f"{kind_of(event):9}" + " ".join(f"{key}={value}" for key, value in shown.items() if key != "kind")
    text += f" | {cubes(chouette)}" if cubes(chouette) != cubes(before) else ""
    if before.playing and not chouette.playing:
        done = chouette.finished[-1]
        results = ", ".join(
            f"{player} {result.how} {result.points:g} to {'box' if result.winner == 0 else 'team'}"
            for player, result in done.results
        )
        text += f"\n  game over: {results}\n  ledger {list(chouette.ledger)}, captain {done.captain}, heir {done.heir}"
        text += f", next line {list(chouette.line)}"
    return text


def test_a_whole_chouette_is_as_it_was_written_down() -> None:
    log, text = GOLDEN / "chouette.json", GOLDEN / "chouette.txt"
    if not log.exists() and WRITE:
        start = Chouette.start("hypergammon", ChouetteTerms(beavers=1, automatic_doubles=1))
        log.write_bytes(write_log(list(crowd(start, 44, 4, wild=0.04))[-1]))
    chouette = read_log(log.read_bytes(), audit=True)
    lines, now = [], Chouette.start(chouette.rules, chouette.terms)
    for event in chouette.events:
        before, now = now, now.apply(event)
        lines.append(told(before, now))
    found = "\n".join(lines) + "\n"
    if WRITE:
        text.write_text(found, encoding="utf-8")
    assert found == text.read_text(encoding="utf-8")
