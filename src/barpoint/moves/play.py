"""Legal plays of a roll, one for each distinct result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from barpoint.board import Position
from barpoint.error import PositionError, RollError
from barpoint.moves.notation import Move, format_moves
from barpoint.native import core, core_rules, pack, row_index, unpack
from barpoint.rules import Rules


@dataclass(frozen=True, slots=True)
class Play:
    """The moves of a whole roll and their result. `str` gives the notation of rulings 7.7.

    moves: one way to the result, in an order in which they can be made; empty when nothing can be played.
    result: the position afterwards, seen by the mover.
    next: the same seen by the side that acts next, which is the mover again when `again`.
    again: the mover rolls again.
    effects: [len(moves)] the effect of each move: 0 nothing, 1 a hit, 2 a pin.
    """

    moves: tuple[Move, ...]
    result: Position
    next: Position
    again: bool = False
    effects: tuple[int, ...] = field(default=(), compare=False)

    def __str__(self) -> str:
        return format_moves(self.moves, self.effects)


def make_play(moves: tuple[Move, ...], effects: tuple[int, ...], result: Position, again: bool) -> Play:
    """A play of moves known to be legal."""
    return Play(moves, result, result if again else result.flip(), again, effects)


def legal_plays(rules: Rules, position: Position, faces: tuple[int, ...]) -> tuple[Play, ...]:
    """All plays of a roll, one for each distinct (result, again); the order depends on position and roll alone.

    position: seen by the mover. faces: as the dice show them, in any order.
    Raises RollError for faces these dice cannot show, PositionError for a position these rules do not allow.
    """
    found = _packed_plays(rules, position, faces)
    return tuple(make_play(moves, effects, unpack(result), again) for result, again, moves, effects in found)


def play_to(
    rules: Rules, position: Position, faces: tuple[int, ...], result: Position, again: bool = False
) -> Play | None:
    """The legal play that leads to this result, seen by the mover; None when there is none.

    Builds a Python value for this play only; a 2-1 of Acey-Deucey can have 60,000 plays. Raises as legal_plays.
    """
    wanted = pack(result), again
    for packed, rolls_again, moves, effects in _packed_plays(rules, position, faces):
        if (packed, rolls_again) == wanted:
            return make_play(moves, effects, result, again)
    return None


def plays_to(
    rules: Rules, position: Position, faces: tuple[int, ...], wanted: Sequence[tuple[bytes, bool]]
) -> tuple[Play, ...]:
    """The legal plays that lead to these (packed result seen by the mover, again), in the same order.

    KeyError when one has no play; otherwise raises as legal_plays.
    """
    left = set(wanted)
    found = {
        (packed, again): (moves, effects)
        for packed, again, moves, effects in _packed_plays(rules, position, faces)
        if (packed, again) in left
    }
    return tuple(make_play(*found[packed, again], unpack(packed), again) for packed, again in wanted)


def _packed_plays(
    rules: Rules, position: Position, faces: tuple[int, ...]
) -> list[tuple[bytes, bool, tuple[Move, ...], tuple[int, ...]]]:
    row = row_index(rules, faces)
    try:
        return core.plays(core_rules(rules), pack(position), row)
    except ValueError as problem:
        raise PositionError(str(problem)) from None


def format_play(play: Play) -> str:
    """The notation of a play, such as "bar/20*/19"."""
    return str(play)


def legal_plays_batch(
    rules: Rules, positions: npt.NDArray[np.uint8], rows: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """Results of many rolls at once, without a Python object for any of them: (results, offsets, again).

    positions: [n, 64] as native.pack has them, seen by the mover. rows: [n] indices into rules.dice.rows.
    results: [m, 64] seen by the mover; those of pair i are results[offsets[i]:offsets[i + 1]]. offsets: [n + 1].
    again: [m]. The order within a pair is stable, but not that of legal_plays.
    """
    positions = np.ascontiguousarray(positions, np.uint8)
    rows = np.ascontiguousarray(rows, np.int64)
    if positions.ndim != 2 or positions.shape[1] != 64 or rows.shape != positions.shape[:1]:
        raise PositionError(f"positions {positions.shape} and rows {rows.shape}; they are [n, 64] and [n]")
    try:
        return core.results(core_rules(rules), positions, rows)
    except IndexError:
        raise RollError(f"a row outside 0..{len(rules.dice.rows) - 1}") from None
    except ValueError as problem:
        raise PositionError(str(problem)) from None
