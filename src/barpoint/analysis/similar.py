"""The positions nearest to another one, by how far checkers must travel to make one of the other.

That is the earth mover's distance of each side's checkers, in pips, both sides added; borne off counts as point 0, the bar as
25, the hand as 26. On a line it is the sum of differences of cumulative counts, which makes it cheap: a
collection keeps them place by place, a byte each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from barpoint.board import Position
from barpoint.error import PositionError

PLACES: Final = 27
SUMS: Final = 2 * (PLACES - 1)
"""Cumulative counts of a position; the last one of each side is the number of its checkers, alike in all."""

BLOCK: Final = 1 << 15
"""Positions that are compared at a time: their sums stay in the cache of a core."""

FURTHEST: Final = np.iinfo(np.uint16).max


@dataclass(frozen=True, slots=True)
class Nearest:
    """Positions by distance. indices: [k] in the collection, the nearest first. pips: [k] how far checkers travel."""

    indices: npt.NDArray[np.intp]
    pips: npt.NDArray[np.int64]


class PositionCollection:
    """Many positions to look for near ones in. It takes 53 bytes a position."""

    def __init__(self, positions: npt.NDArray[np.int8], classes: npt.NDArray[np.uint8]) -> None:
        """positions: int8 [n, 2, 27], counts by place, whoever decides first. classes: uint8 [n]; only positions of the same
        class are compared. PositionError for other shapes."""
        if positions.shape[1:] != (2, PLACES) or classes.shape != positions.shape[:1]:
            raise PositionError("positions are [n, 2, 27] and classes [n]")
        self._classes = classes
        self._sums = np.empty((SUMS, len(positions)), np.uint8)
        for first in range(0, len(positions), BLOCK):
            block = slice(first, first + BLOCK)
            self._sums[:, block] = _sums(positions[block])
        self._most = int(self._sums.max(initial=0))

    def __len__(self) -> int:
        return len(self._classes)

    @property
    def nbytes(self) -> int:
        """Bytes of memory that it takes."""
        return self._sums.nbytes + self._classes.nbytes

    def nearest(self, position: npt.NDArray[np.int8], of_class: int, count: int) -> Nearest:
        """The nearest positions of a class, at most `count`; of equally near ones those that come first.

        position: int8 [2, 27].
        """
        wanted = _sums(position[None])[:, 0]
        most = max(self._most, int(wanted.max()))
        found = np.full(len(self), FURTHEST, np.uint16)
        for first in range(0, len(self), BLOCK):
            block = slice(first, first + BLOCK)
            found[block] = _distances(self._sums[:, block], wanted, most)
        found[self._classes != of_class] = FURTHEST
        length = min(count, int(np.count_nonzero(self._classes == of_class)))
        if not length:
            return Nearest(np.empty(0, np.intp), np.empty(0, np.int64))
        limit = np.partition(found, length - 1)[length - 1]
        near = np.flatnonzero(found <= limit)
        order = near[np.argsort(found[near], kind="stable")][:length]
        return Nearest(order, found[order].astype(np.int64))


def _sums(positions: npt.NDArray[np.int8]) -> npt.NDArray[np.uint8]:
    """uint8 [52, n]: the cumulative counts of positions int8 [n, 2, 27]."""
    summed = np.cumsum(positions, axis=2, dtype=np.uint8)[:, :, :-1]
    return np.ascontiguousarray(summed.reshape(len(positions), SUMS).T)


def _distances(sums: npt.NDArray[np.uint8], wanted: npt.NDArray[np.uint8], most: int) -> npt.NDArray[np.uint16]:
    """uint16 [n]: the distances of positions with these sums. most: the largest of them.

    Differences are added in bytes as long as they fit, then in uint16: four times as fast as in uint16 alone.
    """
    total, few = np.zeros(sums.shape[1], np.uint16), np.zeros(sums.shape[1], np.uint8)
    more, less = np.empty_like(few), np.empty_like(few)
    together = max(1, 255 // max(1, most))
    for number, (row, own) in enumerate(zip(sums, wanted, strict=True), start=1):
        np.maximum(row, own, out=more)
        np.minimum(row, own, out=less)
        more -= less
        few += more
        if number % together == 0:
            total += few
            few[:] = 0
    total += few
    return total


def counts_of_places(position: Position) -> npt.NDArray[np.int8]:
    """int8 [2, 27]: a position as a collection has it."""
    return np.array([(*side.points, side.hand) for side in (position.us, position.them)], np.int8)
