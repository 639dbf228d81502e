"""Refuses rules by which no game could be played: of a variant that somebody registers, and of compositions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from itertools import combinations
from typing import Final

from barpoint.error import PositionError, RollError, StakesError, check_kind
from barpoint.rules import FirstRoll, Rules, Scoring, Setup

MAX_CHECKERS: Final = 15
"""Of each side."""

MAX_PLAIN_ROLLS: Final = 3
"""Of each side: what a position has room for."""


def check_rules(rules: Rules) -> None:
    """ArgumentError for a field of another kind, PositionError for the start, RollError for the dice, StakesError for the points."""
    for axis in fields(Rules):
        _check_kinds(getattr(rules, axis.name))
    _check_setup(rules.setup)
    points = {point for point, _ in rules.setup.points}
    for point in sorted(points):
        if rules.movement.meeting.other(point) in points:
            raise PositionError("both sides stand on our point %(point)s", point=point)
    _check_opening(rules)
    if not 0 <= rules.follow_ups.plain_rolls <= MAX_PLAIN_ROLLS:
        raise RollError(
            "%(count)s plain rolls; allowed: 0 to %(most)s", count=rules.follow_ups.plain_rolls, most=MAX_PLAIN_ROLLS
        )
    _check_scoring(rules.scoring)


def _check_kinds(axis: object) -> None:
    """ArgumentError unless every field is of the kind of its default."""
    if is_dataclass(axis):
        for field in fields(axis):
            check_kind(field.name, getattr(axis, field.name), type(field.default))


def _check_setup(setup: Setup) -> None:
    known = set()
    total = setup.hand
    for pair in setup.points:
        match pair:
            case (int(point), int(count)) if 1 <= point <= 24 and count > 0 and point not in known:
                known.add(point)
                total += count
            case _:
                raise PositionError(
                    "%(pair)s in a start; allowed: a point from 1 to 24, named once, and its checkers, 1 or more",
                    pair=pair,
                )
    if setup.hand < 0 or not 1 <= total <= MAX_CHECKERS:
        raise PositionError(
            "a start of %(total)s checkers, %(hand)s of them in the hand; a side has 1 to %(most)s",
            total=total,
            hand=setup.hand,
            most=MAX_CHECKERS,
        )


def _check_opening(rules: Rules) -> None:
    """The roll that begins a game shows two different faces, and is played where the rules say so."""
    if not rules.dice.rows:
        raise RollError("dice without a roll; a table of rolls has one or more")
    faces = range(max(rules.dice.sides, 2), 0, -1)
    needed: dict[FirstRoll, Iterable[tuple[int, ...]]] = {
        FirstRoll.OPENING_ROLL: combinations(faces, 2),
        FirstRoll.OWN_NUMBER: ((face,) for face in faces[:-1]),
        FirstRoll.AGAIN: (),
    }
    shown = {row.faces for row in rules.dice.rows}
    for roll in needed[rules.opening.first_roll]:
        if roll not in shown:
            raise RollError(
                "%(roll)s may begin a game, and no roll of these dice shows it; add it, or let the first player roll again "
                "(FirstRoll.AGAIN)",
                roll="-".join(map(str, roll)),
            )


def _check_scoring(scoring: Scoring) -> None:
    if not 1 <= scoring.gammon <= scoring.backgammon:
        raise StakesError(
            "a gammon pays %(gammon)s, a backgammon %(backgammon)s; allowed: 1 or more, and no less for a backgammon",
            gammon=scoring.gammon,
            backgammon=scoring.backgammon,
        )
