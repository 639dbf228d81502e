"""The only door to the compiled core: values of ours in its packed form, and back.

A position is 64 bytes, us then them. A side is 26 counts, the hand, the dice (`Side.dice`), and the mask of pins as 4 bytes, low
one first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from struct import error
from typing import Final, SupportsIndex

import numpy as np
import numpy.typing as npt

from barpoint import _core
from barpoint.board import SIDE_BYTES, Position, Side
from barpoint.error import BarpointError, PositionError, RollError, UnknownVariant, check_kind
from barpoint.rules import Rules

core = _core
"""The module itself: every file above this one takes it from here."""


def _net_text(net: _core.Net) -> str:
    second = f"+{net.hidden2}" if net.hidden2 else ""
    phases = f", {net.phases} phases" if net.phases > 1 else ""
    tokens = ", with tokens" if net.states > 1 else ""
    return f"<Net of {net.inputs} inputs and {net.hidden}{second} units{phases}{tokens}>"


_core.Net.__repr__ = _net_text  # type: ignore[method-assign, assignment] # the core has no text of its own

POSITION_BYTES: Final = 2 * SIDE_BYTES.size

RollFaces = Sequence[int] | npt.NDArray[np.integer]
"""What the dice show, in any order."""

_INTEGERS: Final = {int}


def _pack_side(side: Side) -> bytes:
    try:
        return SIDE_BYTES.pack(*side.points, side.hand, side.dice, side.pinned)
    except error:
        raise PositionError("a count that is no whole number from 0 to 255") from None


def pack(position: Position) -> bytes:
    """The 64 bytes of a position; PositionError where a count does not fit a byte, ArgumentError for anything else."""
    try:
        return position.packed or _pack_side(position.us) + _pack_side(position.them)
    except AttributeError:
        check_kind("position", position, Position)
        raise


def unpack(packed: bytes) -> Position:
    """The position of 64 bytes; PositionError for any other number of them."""
    if len(packed) != POSITION_BYTES:
        raise PositionError(
            "%(count)s bytes; a position has %(position_bytes)s", count=len(packed), position_bytes=POSITION_BYTES
        )
    return Position.of_packed(packed)


@dataclass(frozen=True, slots=True)
class _Compiled:
    """Rules as the core has them. `source` is held so that its id stays its own."""

    source: Rules
    core: _core.Rules
    rows: dict[tuple[int, ...], int]


_by_id: Final[dict[int, _Compiled]] = {}
_MAX_KEPT = 1024
"""Rules kept by their identity; a program has a few dozen, and a test run that makes more only looks them up again."""


def _next_rows(rules: Rules) -> list[list[int]]:
    """For each row of the table of rolls, and each option of its last stage, the row that follows without being rolled; -1 for none."""
    rows = {row.faces: index for index, row in enumerate(rules.dice.rows)}
    return [
        [rows.get(rules.follow_ups.after(option), -1) for stage in row.stages[-1:] for option in stage]
        for row in rules.dice.rows
    ]


@lru_cache(maxsize=256)
def _core_of(rules: Rules) -> _core.Rules:
    movement, ending, scoring, rerolls = rules.movement, rules.ending, rules.scoring, rules.rerolls
    return _core.Rules(
        name=rules.name,
        start=_pack_side(rules.start.us),
        first_roll=rules.opening.first_roll.value,
        rows=[
            (
                list(row.faces),
                row.weight,
                [[list(option) for option in stage] for stage in row.stages],
                row.again,
                next_rows,
            )
            for row, next_rows in zip(rules.dice.rows, _next_rows(rules), strict=True)
        ],
        follow_once=rules.follow_ups.once,
        obligation=rules.dice.obligation.value,
        meeting=movement.meeting.value,
        block=movement.block,
        capture=movement.capture.value,
        bear_off=movement.bear_off.value,
        runner=movement.runner,
        quarter_limits=movement.quarter_limits,
        prime=movement.prime.value,
        hit_and_run=movement.hit_and_run,
        hit_before_home=movement.hit_before_home,
        leave=movement.leave,
        leave_two=movement.leave_two,
        lowest_while_entering=movement.lowest_while_entering,
        winner=ending.winner.value,
        start_pin_loses=ending.start_pin_loses,
        standstill_draws=ending.standstill_draws,
        gammon=scoring.gammon,
        backgammon=scoring.backgammon,
        per_checker=scoring.per_checker,
        rerolls=(
            rerolls.tokens,
            rerolls.own,
            rerolls.other,
            rerolls.early_call,
            rerolls.opening_cancellable,
            rerolls.double_after_cancel,
            rerolls.final_roll_cancellable,
        ),
        cube=rules.cube,
    )


def _compiled(rules: Rules) -> _Compiled:
    # Hashing rules walks the whole table of rolls; looking an object up by its id does not.
    found = _by_id.get(id(rules))
    if found is None:
        check_kind("rules", rules, Rules)
        rules.check_one_game()
        if len(_by_id) >= _MAX_KEPT:
            _by_id.clear()
        try:
            compiled = _core_of(rules)
        except BarpointError:
            raise
        except ValueError as problem:  # what no generator could follow, as Rules::derive() says it
            raise UnknownVariant("%(name)s: %(problem)s", name=rules.name, problem=problem) from None
        found = _Compiled(rules, compiled, {row.faces: index for index, row in enumerate(rules.dice.rows)})
        _by_id[id(rules)] = found
    return found


def core_rules(rules: Rules) -> _core.Rules:
    """The same rules as a value of the core."""
    return _compiled(rules).core


def faces_error(rules: Rules, found: object) -> RollError:
    """What is said of something that is not the faces of a roll."""
    example = (3, 1) if rules.dice.count == 2 else rules.dice.rows[-2].faces
    return RollError("%(faces)r are no faces; a roll is written as in %(example)s", faces=found, example=example)


def owed_error(rules: Rules, position: Position, found: object) -> RollError:
    """What is said of a roll where another one is owed."""
    return RollError(
        "%(found)s was asked for; the side to act plays %(owed)s next, without rolling it",
        found="-".join(map(str, found)) if isinstance(found, tuple) else found,
        owed="-".join(map(str, rules.owed_by(position.us))),
    )


def row_index(rules: Rules, faces: RollFaces) -> int:
    """The row of the table of rolls that these faces show, in any order; RollError for others and for what are no faces."""
    rows = _compiled(rules).rows
    try:
        row = rows[faces]  # type: ignore[index] # lists and arrays are looked up below
        if {*map(type, faces)} == _INTEGERS:  # 3.0 is found too
            return row
    except (KeyError, TypeError):
        pass
    found = faces.tolist() if isinstance(faces, np.ndarray) else faces
    if isinstance(found, str) or not isinstance(found, Sequence):
        raise faces_error(rules, faces)
    if not all(isinstance(face, SupportsIndex) for face in found):
        raise faces_error(rules, found)
    example = rules.dice.rows[-1].faces
    if not found:
        raise RollError("a roll is needed, such as %(example)s", example=example)
    try:
        return rows[tuple(sorted(found, reverse=True))]
    except KeyError:
        raise RollError(
            "no roll shows %(faces)r; the dice are %(dice)s, each 1 to %(sides)s, and the highest roll is %(example)s",
            faces=found,
            dice=f"{rules.dice.count}d{rules.dice.sides}",
            sides=rules.dice.sides,
            example="-".join(map(str, example)),
        ) from None
