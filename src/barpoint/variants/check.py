"""Refuses rules by which no game could be played: of a variant that somebody registers, and of compositions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from itertools import combinations
from typing import Final

from barpoint.dice import DiceRow
from barpoint.error import (
    BarpointError,
    PositionError,
    RollError,
    StakesError,
    UnknownVariant,
    brief,
    check_kind,
)
from barpoint.rules import Capture, FirstRoll, FollowUps, Movement, Rules, Scoring, Setup

MAX_CHECKERS: Final = 15
"""Of each side."""

MAX_PLAIN_ROLLS: Final = 3
"""Of each side: what a position has room for."""

MAX_STAGES: Final = 8
MAX_PLAYED: Final = 4
"""Parts of a roll that are played in turn, and numbers of each."""

MAX_WEIGHT: Final = 1 << 20
"""Of all rolls together."""

MAX_POINTS: Final = 32_767
"""That a game pays."""

PLAYABLE: Final = f"1 to {MAX_PLAYED} numbers from 1 to 6"
"""What is allowed as the numbers of a roll that are played."""

_RANGES: Final = (
    ("movement", "block", 1, 2),
    ("movement", "runner", 0, 23),
    ("movement", "leave", 0, MAX_CHECKERS),
    ("movement", "lowest_while_entering", 0, 24),
    ("rerolls", "tokens", 0, 127),
)
"""Fields with the least and the greatest number that they take."""


def check_rules(rules: Rules) -> None:
    """ArgumentError for a field of another kind, PositionError for the start, RollError for the dice, StakesError for the points,
    UnknownVariant for the other axes: for all that no game could be played by, and `native.core_rules` would refuse.
    """
    for axis in fields(Rules):
        _check_kinds(getattr(rules, axis.name))
    _check_setup(rules.setup)
    points = {point for point, _ in rules.setup.points}
    for point in sorted(points):
        if rules.movement.meeting.other(point) in points:
            raise PositionError("both sides stand on our point %(point)s", point=point)
    _check_rows(rules.dice.rows)
    _check_opening(rules)
    if not 0 <= rules.follow_ups.plain_rolls <= MAX_PLAIN_ROLLS:
        raise RollError(
            "%(count)s plain rolls; allowed: 0 to %(most)s", count=rules.follow_ups.plain_rolls, most=MAX_PLAIN_ROLLS
        )
    _check_scoring(rules.scoring)
    for name, key, least, most in _RANGES:
        if not least <= (value := getattr(getattr(rules, name), key)) <= most:
            allowed = f"{least} {'or' if most == least + 1 else 'to'} {most}"
            raise _refused(UnknownVariant, f"[{name}] {key}", value, allowed)
    _check_movement(rules)
    _check_follow_ups(rules)


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


def _check_rows(rows: tuple[DiceRow, ...]) -> None:
    """Every roll has a weight, and numbers that are played."""
    for row in rows:
        roll = "-".join(map(str, row.faces))
        if not isinstance(row.weight, int) or not 1 <= row.weight <= MAX_WEIGHT:
            raise _refused(RollError, f"[dice] weights {roll}", row.weight, f"1 to {MAX_WEIGHT}")
        if not 1 <= len(row.stages) <= MAX_STAGES:
            raise _refused(RollError, f"[dice] plays {roll}", row.stages, f"1 to {MAX_STAGES} parts")
        for stage in row.stages:
            if not stage:
                raise _refused(RollError, f"[dice] plays {roll}", row.stages, "one alternative or more in each part")
            for option in stage:
                if not playable(option):
                    raise _refused(RollError, f"[dice] plays {roll}", option, PLAYABLE)
    if (total := sum(row.weight for row in rows)) > MAX_WEIGHT:
        raise _refused(RollError, "[dice] weights, all together,", total, f"1 to {MAX_WEIGHT}")


def playable(numbers: tuple[int, ...]) -> bool:
    """Whether these can be the numbers of a roll that are played."""
    return 1 <= len(numbers) <= MAX_PLAYED and all(isinstance(number, int) and 1 <= number <= 6 for number in numbers)


def _check_movement(rules: Rules) -> None:
    for key, value, allowed in _complaints(rules, rules.movement):
        raise _refused(UnknownVariant, key, value, allowed)


def _complaints(rules: Rules, movement: Movement) -> Iterator[tuple[str, object, str]]:
    """The fields of movement and ending that do not go with each other or with the start; each with what is allowed."""
    block = 1 if movement.capture is Capture.NONE else 2
    if movement.block != block:
        yield "[movement] block", movement.block, f'{block} with capture = "{movement.capture}"'
    for key in ("hit_and_run", "hit_before_home"):
        if not getattr(movement, key) and movement.capture is not Capture.HIT:
            yield f"[movement] {key}", False, f'true with capture = "{movement.capture}"'
    if rules.ending.start_pin_loses and movement.capture is not Capture.PIN:
        yield "[ending] start_pin_loses", True, f'false with capture = "{movement.capture}"'
    entering = rules.start_point > 24
    if movement.runner and (entering or movement.runner >= rules.start_point):
        allowed = "0 where all checkers enter" if entering else f"0 to {rules.start_point - 1}, below the start point"
        yield "[movement] runner", movement.runner, allowed
    if movement.leave and entering:
        yield "[movement] leave", movement.leave, "0 where all checkers enter"
    for limit in movement.quarter_limits:
        match limit:
            case (int(low), int(high), int(most)) if 1 <= low <= high <= 24 and 0 <= most <= 24:
                continue
            case _:
                yield "[movement] quarter_limits", limit, "lowest and highest point, 1 to 24, and how many may be held"
    for number in movement.leave_two:
        if not (isinstance(number, int) and 1 <= number <= 6):
            yield "[movement] leave_two", number, "numbers from 1 to 6"


def _check_follow_ups(rules: Rules) -> None:
    """Rolls follow others where some first rolls are plain, and not without end."""
    follow_ups = rules.follow_ups
    after = _rows_after(rules, follow_ups)
    if follow_ups.plain_rolls and not any(after.values()):
        raise _refused(RollError, "[follow_ups] plain_rolls", follow_ups.plain_rolls, "0 where no roll follows another")
    while ends := [faces for faces, next_ in after.items() if not next_ & after.keys()]:
        for faces in ends:
            del after[faces]
    if after and not follow_ups.once:
        raise RollError(
            "[follow_ups] rolls: after %(roll)s they follow each other without end; that needs once = true",
            roll="-".join(map(str, next(iter(after)))),
        )


def _rows_after(rules: Rules, follow_ups: FollowUps) -> dict[tuple[int, ...], set[tuple[int, ...]]]:
    """By the faces of each roll, those of the rolls that follow it without being rolled."""
    return {
        row.faces: {follow_ups.after(option) for stage in row.stages[-1:] for option in stage} - {()}
        for row in rules.dice.rows
    }


def _refused(kind: type[BarpointError], place: str, value: object, allowed: str) -> BarpointError:
    return kind("%(place)s is %(value)s; allowed: %(allowed)s", place=place, value=brief(value), allowed=allowed)


def _check_scoring(scoring: Scoring) -> None:
    if not 1 <= scoring.gammon <= scoring.backgammon <= MAX_POINTS:
        raise StakesError(
            "a gammon pays %(gammon)s, a backgammon %(backgammon)s; allowed: 1 to %(most)s, and no less for a backgammon",
            gammon=scoring.gammon,
            backgammon=scoring.backgammon,
            most=MAX_POINTS,
        )
