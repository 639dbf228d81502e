"""Positions, legal plays and results of many games as numpy arrays.

An array of positions is int8 [n, 2, 32]: first the side to act, then the other. Of a side: 0 borne off, 1..24 its own
points, 25 its bar, 26 checkers still to enter, 27 `Side.dice` (0 but where rolls follow others), 28..31 the mask of its
pinned checkers, lowest byte first.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from barpoint.board import SIDE_BYTES, Position
from barpoint.error import PositionError, RollError, check_kind
from barpoint.moves.complaint import position_error
from barpoint.native import core, core_rules, pack, row_index
from barpoint.rules import Rules
from barpoint.variants import rules_of

PositionArray = npt.NDArray[np.int8]
"""[n, 2, 32], as above."""

REROLL: Final = -1
"""A policy's choice instead of a play: the roller spends a token, and rolls again."""

SIDE_COLUMNS: Final = SIDE_BYTES.size
"""Columns of one side in an array of positions."""

DICE_BYTE: Final = 27
"""The column of `Side.dice` of the side to act."""


class PlaysBatch(NamedTuple):
    """The results of many rolls.

    results: int8 [m, 2, 32] seen by the mover; those of pair i are results[offsets[i]:offsets[i + 1]], never none.
    offsets: int64 [n + 1]. again: bool [m], the mover rolls again.
    """

    results: PositionArray
    offsets: npt.NDArray[np.int64]
    again: npt.NDArray[np.bool_]

    def __eq__(self, other: object) -> bool:  # arrays have no one truth
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other


class OutcomesBatch(NamedTuple):
    """How games ended in many positions, seen by the side that would act next.

    over: bool [n]. winner: int8 [n], 1 that side, -1 the other, 0 drawn or not over. level: int8 [n], 1 single,
    2 gammon, 3 backgammon, 0 drawn or not over. points: int16 [n], won with the cube at 1.
    """

    over: npt.NDArray[np.bool_]
    winner: npt.NDArray[np.int8]
    level: npt.NDArray[np.int8]
    points: npt.NDArray[np.int16]

    def __eq__(self, other: object) -> bool:  # arrays have no one truth
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other


def encode(positions: Iterable[Position]) -> PositionArray:
    """int8 [n, 2, 32]: the positions as an array of their own; PositionError where a count does not fit."""
    check_kind("positions", positions, Iterable)
    packed = b"".join(map(pack, positions))
    return np.frombuffer(packed, np.int8).reshape(-1, 2, SIDE_COLUMNS).copy()


def decode(array: PositionArray) -> list[Position]:
    """The positions of an int8 array [n, 2, 32]; PositionError for another shape or type, or a negative count."""
    rows = packed_rows(array)
    if (array[..., :27] < 0).any():
        raise PositionError("a negative count; counts are 0 to 127")
    return [Position.of_packed(row.tobytes()) for row in rows]


def flip(array: PositionArray) -> PositionArray:
    """int8 [n, 2, 32]: the same positions seen by the other side; PositionError for another shape or type."""
    packed_rows(array)
    return np.ascontiguousarray(array[:, ::-1])


def packed_rows(array: PositionArray) -> npt.NDArray[np.uint8]:
    """uint8 [n, 64], as the core has positions, without a copy where possible; PositionError for another shape or type."""
    if not isinstance(array, np.ndarray) or array.dtype != np.int8 or array.shape[1:] != (2, SIDE_COLUMNS):
        found = f"{array.dtype} {list(array.shape)}" if isinstance(array, np.ndarray) else type(array).__name__
        raise PositionError(
            "positions are %(found)s; they are int8 [n, 2, %(side_columns)s]", found=found, side_columns=SIDE_COLUMNS
        )
    return np.ascontiguousarray(array).view(np.uint8).reshape(len(array), 2 * SIDE_COLUMNS)


def array_of(packed: npt.NDArray[np.uint8]) -> PositionArray:
    """int8 [n, 2, 32] of positions as the core has them, uint8 [n, 64], without a copy."""
    return packed.view(np.int8).reshape(-1, 2, SIDE_COLUMNS)


def allowed_rows(rules: Rules, array: PositionArray) -> npt.NDArray[np.uint8]:
    """As `packed_rows`, also PositionError for the first position that these rules do not allow."""
    packed = packed_rows(array)
    complaint = core.first_complaint(core_rules(rules), packed)
    if complaint is not None:
        row, said = complaint
        raise PositionError("position %(row)s: %(said)s", row=row, said=position_error(said))
    return packed


def roll_rows(rules: Rules, rolls: npt.ArrayLike, positions: int | None = None) -> npt.NDArray[np.int64]:
    """int64 [n]: the rows of rules.dice.rows that these rolls show.

    rolls: integers, [n] rows themselves, or [n, dice] faces in any order. positions: how many positions the rolls are
    for, one each. RollError for rolls that these dice cannot show, and for another number of them.
    """
    check_kind("rules", rules, Rules)
    found = np.asarray(rolls)
    if found.ndim not in (1, 2) or (found.size and not np.issubdtype(found.dtype, np.integer)):
        raise RollError(
            "rolls are %(dtype)s %(list)s; they are integers, [n] rows or [n, dice] faces",
            dtype=found.dtype,
            list=list(found.shape),
        )
    if positions is not None and len(found) != positions:
        raise RollError(
            "%(count)s rolls for %(positions)s positions; each position has one", count=len(found), positions=positions
        )
    if found.ndim == 1:
        rows = found.astype(np.int64)
        count = len(rules.dice.rows)
        if rows.size and not 0 <= rows.min() <= rows.max() < count:
            wrong = rows[(rows < 0) | (rows >= count)][0]
            raise RollError("row %(found)s; rows of these dice are 0 to %(last)s", found=wrong, last=count - 1)
        return rows
    distinct, where = np.unique(found, axis=0, return_inverse=True)
    known = [row_index(rules, tuple(faces)) for faces in distinct.tolist()]
    return np.array(known, np.int64)[where.reshape(-1)]


def or_owed(packed: npt.NDArray[np.uint8], rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """int64 [n]: these rows, but in positions, uint8 [n, 64], in which a row is owed that one."""
    owed = packed[:, DICE_BYTE].astype(np.int64) >> 2
    return np.where(owed, owed - 1, rows)


def legal_plays_batch(rules: Rules | str, positions: PositionArray, rolls: npt.ArrayLike) -> PlaysBatch:
    """The results of many rolls at once; those of one roll in the order of `legal_plays`.

    rules: these, or a name. positions: int8 [n, 2, 32], seen by the mover. rolls: integers, [n] rows of rules.dice.rows, or [n, dice] faces.
    PositionError and RollError for other shapes, types or values.
    """
    rules, packed = rules_of(rules), packed_rows(positions)
    rows = roll_rows(rules, rolls, len(packed))
    try:
        results, offsets, again = core.results(core_rules(rules), packed, rows)
    except ValueError as problem:
        raise PositionError(str(problem)) from None
    except IndexError:
        raise RollError("a position in which another roll is owed") from None
    return PlaysBatch(array_of(results), offsets, again)


def outcomes(rules: Rules | str, positions: PositionArray) -> OutcomesBatch:
    """Whether and how the game is over in each position, int8 [n, 2, 32], seen by the side that would act next. rules: these, or a name."""
    return OutcomesBatch(*core.outcomes(core_rules(rules_of(rules)), packed_rows(positions)))


@dataclass(frozen=True, slots=True, eq=False)
class BatchTurns:
    """A roll of each of n games in progress, and its m plays. Arrays are read-only and may be kept.

    positions: int8 [n, 2, 32] before the roll, the roller first.
    rows: int64 [n] of rules.dice.rows. results: int8 [m, 2, 32] seen by the roller; game i has results[offsets[i]:offsets[i + 1]].
    offsets: int64 [n + 1]. again: bool [m], the roller rolls once more after that play.
    games: int64 [n] numbers of the games. players: int8 [n] who rolled, 0 the one who began.
    may_reroll: bool [n], the roller may answer REROLL. tokens: int8 [n, 2] reroll tokens left, the roller's first.
    """

    rules: Rules
    positions: PositionArray
    rows: npt.NDArray[np.int64]
    results: PositionArray
    offsets: npt.NDArray[np.int64]
    again: npt.NDArray[np.bool_]
    games: npt.NDArray[np.int64]
    players: npt.NDArray[np.int8]
    may_reroll: npt.NDArray[np.bool_]
    tokens: npt.NDArray[np.int8]

    def __repr__(self) -> str:
        return f"<BatchTurns of {self.rules.name}, {len(self)} rolls, {len(self.results)} plays>"

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """int64 [n]: the number of plays of each game, at least one."""
        return np.diff(self.offsets)

    def chosen(self, choices: npt.NDArray[np.int64]) -> PositionArray:
        """int8 [n, 2, 32]: the results of the chosen plays, seen by the roller; of REROLL the position before the roll."""
        found = self.results[self.offsets[:-1] + np.maximum(choices, 0)]
        found[choices == REROLL] = self.positions[choices == REROLL]
        return found

    def only(self, wanted: npt.NDArray[np.bool_]) -> BatchTurns:
        """The turns of some of the games; wanted: bool [n]."""
        counts = self.counts
        rows = np.repeat(wanted, counts)
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts[wanted])])
        return BatchTurns(
            self.rules,
            self.positions[wanted],
            self.rows[wanted],
            self.results[rows],
            offsets,
            self.again[rows],
            self.games[wanted],
            self.players[wanted],
            self.may_reroll[wanted],
            self.tokens[wanted],
        )
