"""Every event that a match accepts can be written, read again and hashed; everything else is refused when it is applied."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest
from msgspec.structs import fields, replace

from barpoint.error import IllegalEvent
from barpoint.game import (
    Abort,
    Accept,
    Beaver,
    Claim,
    Correct,
    Double,
    Event,
    Game,
    Keep,
    Next,
    Object,
    Opening,
    Pass,
    PlayMade,
    Raccoon,
    Reject,
    Resign,
    Roll,
    Rollover,
    Settle,
    Take,
    Timeout,
    Void,
    kind_of,
)
from barpoint.match import Match, MatchTerms
from barpoint.match.log import read_log, write_log

MONEY = Match.start(0, beavers=2)
BEGUN = MONEY.apply(Opening((3, 1)))
PLAYED = BEGUN.apply(PlayMade(0, ((8, 5, 3), (6, 5, 1))))
DOUBLED = PLAYED.apply(Double(1))
BEAVERED = DOUBLED.apply(Beaver(0))
RESIGNED = PLAYED.apply(Resign(1, 2))
OVER = DOUBLED.apply(Pass(0))
BY_HAND = Match.start(0, manual=True).apply(Opening((3, 1)))
DISPUTED = BY_HAND.apply(PlayMade(0, ((24, 22, 2),)))
TO_CORRECT = DISPUTED.apply(Object(1))
TOKENS = Match.start(0, "roll-over").apply(Opening((3, 1))).apply(PlayMade(0, ((8, 5, 3), (6, 5, 1))))

ACCEPTED: dict[type, tuple[Match, Event]] = {
    type(event): (match, event)
    for match, event in (
        (MONEY, Opening((3, 1))),
        (PLAYED, Roll(1, (6, 5))),
        (BEGUN, PlayMade(0, ((8, 5, 3), (6, 5, 1)))),
        (TOKENS.apply(Roll(1, (6, 5))), Rollover(0, 2)),
        (PLAYED, Double(1)),
        (DOUBLED, Take(0)),
        (DOUBLED, Pass(0)),
        (DOUBLED, Beaver(0)),
        (BEAVERED, Raccoon(1)),
        (PLAYED, Resign(1, 1)),
        (RESIGNED, Accept(0)),
        (RESIGNED, Reject(0)),
        (PLAYED, Settle(2)),
        (PLAYED, Timeout(1)),
        (PLAYED, Claim(0)),
        (OVER, Abort(voided=True)),
        (BY_HAND, Void(1, 1)),
        (DISPUTED, Object(1)),
        (TO_CORRECT, Correct(0, ((8, 5, 3), (6, 5, 1)))),
        (OVER, Next()),
    )
}
"""An event of every kind but Keep, which no test here comes to, and a match that accepts it."""

JUNK = (None, "x", 3.5, float("nan"), [3, 1], [[8, 5, 3]], np.array([3, 1]), np.array([6.0, 5.0]), np.int64(1), True)


def values_for(value: object) -> tuple[object, ...]:
    """Junk, and the value itself as lists, as arrays and as numbers of another library."""
    same = np.array(value) if isinstance(value, tuple | int) else value
    return (*JUNK, same, same.tolist() if isinstance(same, np.ndarray) else same)


def test_the_table_has_every_event() -> None:
    assert {*ACCEPTED, Keep} == set(get_args(Event))
    for match, event in ACCEPTED.values():
        assert len(match.apply(event).events) == len(match.events) + 1


@pytest.mark.parametrize("kind", ACCEPTED, ids=lambda kind: kind.__name__)
def test_whatever_a_field_holds_is_refused_or_survives_in_a_log(kind: type) -> None:
    match, event = ACCEPTED[kind]
    for field in fields(kind):
        for found in values_for(getattr(event, field.name)):
            asked = replace(event, **{field.name: found})
            try:
                after = match.apply(asked)
            except IllegalEvent:
                continue
            back = read_log(write_log(after))
            assert (back, hash(back)) == (after, hash(after))
            assert Match.fold(match.rules, match.terms, (*match.events, asked)) == after


@pytest.mark.parametrize("kind", ACCEPTED, ids=lambda kind: kind.__name__)
def test_numbers_and_sequences_of_other_libraries_make_the_same_match(kind: type) -> None:
    match, event = ACCEPTED[kind]
    for field in fields(kind):
        value = getattr(event, field.name)
        if isinstance(value, int | tuple) and not isinstance(value, bool):
            for alike in values_for(value)[len(JUNK) :]:
                assert match.apply(replace(event, **{field.name: alike})) == match.apply(event)


@pytest.mark.parametrize(
    ("match", "event", "says"),
    [
        (MONEY, Opening((3.5, 1)), r"faces is \(3.5, 1\) \(tuple\); allowed: whole numbers"),  # type: ignore[arg-type]
        (MONEY, Opening(None), r"faces is None \(NoneType\); allowed: whole numbers"),  # type: ignore[arg-type]
        (PLAYED, Roll(1, (6.0, 5.0)), r"faces is \(6.0, 5.0\)"),  # type: ignore[arg-type]
        (PLAYED, Roll(1, "31"), r"roll: faces is '31' \(str\); allowed: whole numbers, as in \(3, 1\)$"),  # type: ignore[arg-type]
        (PLAYED, Double("1"), r"double: player is '1' \(str\); allowed: 0 or 1$"),  # type: ignore[arg-type]
        (PLAYED, Settle("x"), r"settle: points is 'x' \(str\); allowed: numbers from"),  # type: ignore[arg-type]
        (PLAYED, Settle(1e300), "settle: points is 1e\\+300"),
        (PLAYED, Resign(1, 4), "level 4 may not be offered in this position, or not again; levels: 1, 2, 3"),
        (BY_HAND, PlayMade(0, ((24, 22, 1000),)), "play: moves is"),
        (OVER, Abort("x"), r"abort: voided is 'x' \(str\); allowed: True or False$"),  # type: ignore[arg-type]
    ],
)
def test_what_was_found_and_what_is_allowed_is_said(match: Match, event: Event, says: str) -> None:
    with pytest.raises(IllegalEvent, match=says):
        match.apply(event)


def test_what_a_transcript_settles_is_checked_too() -> None:
    over = Match.start(terms=MatchTerms(length=3, transcript=True)).apply(Opening((3, 1))).apply(Claim(0))
    settled = Match.start(terms=MatchTerms(length=0, transcript=True)).apply(Opening((3, 1))).apply(Settle(1))
    assert over.over
    assert settled.apply(Settle(np.int64(2))).events[-1] == Settle(2)
    with pytest.raises(IllegalEvent, match="points is 'x'"):
        settled.apply(Settle("x"))  # type: ignore[arg-type]


def test_a_game_checks_its_events_as_a_match_does() -> None:
    game = Game.start("backgammon")
    assert game.apply(Opening([3, 1])).last == Opening((3, 1))  # type: ignore[arg-type]
    with pytest.raises(IllegalEvent, match=f"{kind_of(Opening((3, 1)))}: faces is 'x'"):
        game.replay(Opening("x"))  # type: ignore[arg-type]
