"""Random matches of every composition, with every kind of event, written to every format and read back.

What comes back is compared with what was written event by event, as plain values, without the comparison that the writers use.
"""

from __future__ import annotations

import os
from collections import Counter
from random import Random
from typing import Final

import msgspec
import pytest

from barpoint.dice import seeded
from barpoint.driver import next_event, play_match
from barpoint.error import IllegalEvent, StakesError
from barpoint.game import Abort, Claim, Event, Object, Phase, PlayMade, Settle, Timeout, event_to_dict
from barpoint.match import Match, MatchTerms
from barpoint.moves import legal_plays
from barpoint.record import Book, format_book, parse_book
from barpoint.rules import Rules
from tests.support.compositions import compositions
from tests.support.deep import DEEP
from tests.support.games import AnythingAllowed, Sensible

MATCHES: Final = 500 if DEEP else 24
MAX_EVENTS: Final = 120
SEED: Final = int(os.environ.get("BARPOINT_SEED", "0"))
NAMED: Final = [rules for rules in compositions() if "checkers=5" not in rules.name]


def random_terms(random: Random, rules: Rules) -> MatchTerms:
    """Terms with a random choice of everything they can hold; those that contradict each other are drawn again."""
    while True:
        length = random.choice((0, 0, 0, 0, 1, 2, 3, 5, 7, 25))
        money = length == 0
        said = {
            "length": length,
            "stake": random.choice((1, 1, 0, 25, 2**40)),
            "cube": random.random() < 0.85,
            "crawford": random.random() < 0.7,
            "holland": random.random() < 0.3,
            "jacoby": money and random.random() < 0.5,
            "beavers": random.choice((0, 1, 3, 3, 3)) if money else 0,
            "automatic_doubles": random.choice((0, 1, 5)) if money else 0,
            "cube_limit": random.choice((2**62, 2**62, 1, 2, 64)),
            "manual": random.random() < 0.3,
            "dice_on_checkers_count": random.random() < 0.1,
            "transcript": random.random() < 0.2,
            "first_score": (random.randrange(max(1, length)), random.randrange(max(1, length))),
        }
        try:
            terms = MatchTerms(**said)  # type: ignore[arg-type]
            Match.start(rules=rules, terms=terms)
        except StakesError:
            continue
        return terms


def rare_event(match: Match, random: Random) -> Event:
    """An event that no player chooses by themselves; it may be illegal now."""
    game, player = match.game, random.randrange(2)
    if game.disputed and random.random() < 0.7:
        return Object(1 - player if game.actor is None else game.actor)
    if game.stakes.manual and game.faces and random.random() < 0.7:  # stops early: it stands unless somebody objects
        return PlayMade(game.player, random.choice(legal_plays(game.rules, game.position, game.faces)).moves[:-1])
    points = random.choice((-4, -0.5, 0, 0.25, 3, 2**60 + 1))
    return random.choice((Timeout(player), Claim(player), Settle(points), Abort(), Abort()))


def random_match(number: int, seed: int = SEED) -> Match:
    """A match of at most MAX_EVENTS events; number and seed decide everything."""
    random = Random(f"{seed} {number}")
    rules = NAMED[number % len(NAMED)] if number % 2 else random.choice(NAMED)
    match = Match.start(rules=rules, terms=random_terms(random, rules))
    player = Sensible if random.random() < 0.4 else AnythingAllowed
    boldness = random.choice((0.02, 0.1, 0.4))
    players = player(number, boldness), player(number + 1, boldness)
    dice, rarity = seeded(number), random.choice((0.0, 0.02, 0.1))
    last = random.choice((3, 20, MAX_EVENTS))
    while len(match.events) < last and not match.over:
        if random.random() < rarity:
            try:
                match = match.apply(rare_event(match, random))
                continue
            except IllegalEvent:
                pass
        match = match.apply(next_event(match, players, dice))
    return match


def told(match: Match) -> dict[str, object]:
    """Everything about a match, as plain values; a play by where it led, since spellings of one play differ."""
    events = []
    for event in match.events:
        said = event_to_dict(event)
        if said.get("position") is not None:
            said.pop("moves", None)
        events.append(said)
    game = match.game
    return {
        "rules": match.rules,
        "terms": msgspec.structs.asdict(match.terms),
        "events": events,
        "score": match.score,
        "results": [(one.result.winner, one.result.points, one.result.how, one.score) for one in match.finished],
        "crawford": [one.crawford for one in match.finished],
        "game": (game.position, game.phase, game.player, game.actor, game.faces, game.cube, game.tokens, game.result),
        "over": (match.over, match.winner),
    }


@pytest.mark.parametrize("suffix", [".json", ".mat", ".sgf"])
@pytest.mark.parametrize("number", range(MATCHES))
def test_a_random_match_comes_back_as_it_was(number: int, suffix: str) -> None:
    match = random_match(number)
    book = parse_book(format_book(Book(match, ("Anna", "Ben")), suffix), suffix, strict=True)
    assert told(book.match) == told(match)
    assert book.oddities == ()
    if suffix != ".json" and match.events:
        assert book.players == ("Anna", "Ben")


def test_the_random_matches_hold_every_kind_of_event() -> None:
    """Otherwise the test above would say less than it seems to."""
    seen: Counter[str] = Counter()
    for number in range(1600):
        seen.update(str(event_to_dict(event)["kind"]) for event in random_match(number, seed=0).events)
    assert set(seen) >= {
        "opening", "roll", "play", "rollover", "keep", "double", "take", "pass", "beaver", "raccoon", "resign", "accept",
        "reject", "settle", "timeout", "claim", "abort", "void", "object", "correct", "next",
    }  # fmt: skip


class Listed(AnythingAllowed):
    """Makes plays as `legal_plays` spells them, and moves checkers off where it can."""

    def event(self, match: Match, player: int) -> Event | None:
        game = match.game
        if game.phase is not Phase.TO_PLAY or game.actor != player:
            return super().event(match, player)
        plays = legal_plays(game.rules, game.position, game.faces)
        return PlayMade(player, max(plays, key=lambda one: (one.result.us.points[0], -one.result.us.rearmost)).moves)


@pytest.mark.parametrize("suffix", [".mat", ".txt", ".sgf"])
@pytest.mark.parametrize("name", ["backgammon", "hypergammon", "duodecagammon"])
def test_plays_as_bots_spell_them_come_back_move_by_move(name: str, suffix: str) -> None:
    """Bear-offs with more than is needed, and a last checker that leaves with one of two numbers, among them."""
    for seed in range(8):
        match = list(
            play_match(Match.start(length=3, rules=name), Listed(seed), Listed(seed + 100), dice=seeded(seed))
        )[-1]
        assert parse_book(format_book(Book(match), suffix), suffix, strict=True).match.events == match.events
