"""Every compatible composition of the catalogue, every option, and rules beyond the catalogue."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import combinations
from typing import Final

from barpoint.dice import THREE_DICE, TWO_DICE, DiceRow
from barpoint.error import VariantsClash
from barpoint.rules import (
    BearOff,
    Capture,
    Dice,
    Ending,
    FollowUps,
    Meeting,
    Movement,
    Obligation,
    Rules,
    Scoring,
    Setup,
    Variant,
    Winner,
)
from barpoint.variants import clash, variant, variants


def compositions() -> Iterator[Rules]:
    """The rules of every compatible set of catalogue entries, each entry plain or with one option changed."""
    seen: set[Rules] = set()
    for parts in _compatible([header for header in variants() if header.axes]):
        name = "+".join(header.name for header in parts) or "backgammon"
        options = [
            {choice.name: value} for header in parts for choice in header.options for value in list(choice.values)[1:]
        ]
        for said in ({}, *options):
            with suppress(VariantsClash):
                seen.add(variant(name, **said))
    yield from sorted(seen, key=lambda rules: rules.name)
    yield variant("duodecagammon", include_3_3=True, per_option=True)
    yield variant("hypergammon+duodecagammon", checkers=5, include_3_3=True, per_option=True)


def _compatible(entries: list[Variant]) -> Iterator[tuple[Variant, ...]]:
    """Every set of entries of which no two clash."""
    clashes = {(one.name, other.name) for one, other in combinations(entries, 2) if clash(one, other)}
    sets: list[tuple[Variant, ...]] = [()]
    for entry in entries:
        sets += [(*others, entry) for others in sets if not any((one.name, entry.name) in clashes for one in others)]
    yield from sets


def play_axes(rules: Rules) -> Rules:
    """The same rules with everything that affects neither moves nor endings reset to backgammon's."""
    plain = Rules()
    return replace(
        rules, name="", opening=plain.opening, rerolls=plain.rerolls, cube=plain.cube, sequence=plain.sequence
    )


def _cascade() -> tuple[DiceRow, ...]:
    """After a double, every higher double is played too (4.10)."""
    return tuple(
        replace(row, stages=tuple(((number,) * 4,) for number in range(row.faces[0], 7)))
        if row.faces[0] == row.faces[1]
        else row
        for row in TWO_DICE
    )


def _european() -> tuple[DiceRow, ...]:
    """After a double, the complementary double and another roll follow (4.3)."""
    return tuple(
        replace(row, stages=(((row.faces[0],) * 4,), ((7 - row.faces[0],) * 4,)), again=True)
        if row.faces[0] == row.faces[1]
        else row
        for row in TWO_DICE
    )


BEYOND: Final[dict[str, Rules]] = {
    "three dice by the largest sum": Rules(
        setup=Setup((), hand=15),
        dice=Dice(THREE_DICE),
        movement=Movement(meeting=Meeting.SAME, bear_off=BearOff.EXACT),
    ),
    "two dice, all enter first, opposite ways": Rules(
        setup=Setup(((13, 2),), hand=3), movement=Movement(lowest_while_entering=13)
    ),
    "narde without its head": Rules(
        setup=Setup(((24, 15),)),
        movement=Movement(meeting=Meeting.FAR_CORNER, block=1, capture=Capture.NONE),
    ),
    "moultezim with both quarters limited": Rules(
        setup=Setup(((24, 15),)),
        movement=Movement(
            meeting=Meeting.FAR_CORNER,
            block=1,
            capture=Capture.NONE,
            runner=12,
            quarter_limits=((7, 12, 4), (19, 24, 5)),
        ),
    ),
    "gul bara of three": Rules(
        setup=Setup(((24, 3),)),
        dice=Dice(_cascade()),
        movement=Movement(meeting=Meeting.FAR_CORNER, block=1, capture=Capture.NONE),
    ),
    "gioul of three": Rules(
        setup=Setup(((24, 3),)),
        dice=Dice(_cascade()),
        movement=Movement(block=1, capture=Capture.NONE),
    ),
    "follow-ups of three that hit, from the second roll on": Rules(
        setup=Setup(((24, 3),)),
        follow_ups=FollowUps((((2, 1), (6, 6)), ((6, 6, 6, 6), (3, 2))), plain_rolls=1),
    ),
    "european acey-deucey of five": Rules(
        setup=Setup((), hand=5),
        dice=Dice(_european()),
        movement=Movement(bear_off=BearOff.EXACT),
        scoring=Scoring(per_checker=True),
    ),
    "acey-deucey of three": replace(variant("acey-deucey"), name="", setup=Setup((), hand=3)),
    "acey-deucey of four, part on the board": replace(variant("acey-deucey"), name="", setup=Setup(((13, 2),), hand=2)),
    "no hit before home, the same way round": Rules(
        setup=Setup(((24, 3), (9, 2))), movement=Movement(meeting=Meeting.FAR_CORNER, hit_before_home=False)
    ),
    "no hit and run at home, the same way round": Rules(
        setup=Setup(((24, 3), (9, 2))), movement=Movement(meeting=Meeting.FAR_CORNER, hit_and_run=False)
    ),
    "no hit and run at home with many stages": replace(
        variant("acey-deucey"), name="", setup=Setup(((8, 2),), hand=2), movement=Movement(hit_and_run=False)
    ),
    "standstill where nothing is hit": Rules(
        setup=Setup(((24, 3), (12, 3))),
        movement=Movement(block=1, capture=Capture.NONE, bear_off=BearOff.EXACT),
        ending=Ending(standstill_draws=True),
    ),
    "pins the same way round": Rules(
        setup=Setup(((24, 15),)),
        movement=Movement(meeting=Meeting.FAR_CORNER, capture=Capture.PIN, bear_off=BearOff.EXACT),
        ending=Ending(start_pin_loses=True),
    ),
    "hits the same way round": Rules(
        setup=Setup(((24, 10),), hand=5),
        movement=Movement(meeting=Meeting.FAR_CORNER, capture=Capture.HIT),
    ),
    "each option by itself, misère": Rules(
        dice=Dice(variant("duodecagammon(include_3_3)").dice.rows, Obligation.PER_OPTION),
        ending=Ending(winner=Winner.LAST_OFF),
    ),
}
"""Rules beyond the catalogue, to show that the axes can express the other games of rulings 4."""
