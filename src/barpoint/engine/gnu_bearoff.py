"""Reads GNU Backgammon's bear-off databases (.bd): turns of one side, and races of two (docs/formats.md)."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from math import comb
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from barpoint.board import Position, Side
from barpoint.error import TableError

HEADER_BYTES: Final = 40
MAX_BYTES: Final = 4_000_000_000
"""Maximum size of a database; the largest known one, of two sides with eleven checkers, has 1.2 GB."""

MAX_TURNS: Final = 32
"""Turns that a distribution has room for."""

_SIGNATURE = re.compile(rb"gnubg-(OS|TS)-(\d\d)-(\d\d)-([01])(?:-([01])-([01]))?x*\n")
_UNITS: Final = 65_535
"""Counts that make a probability of 1; half of them, an equity of 0."""

Words = npt.NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class GnuOneSided:
    """How many turns a side needs to bear off, and to bear off its first checker.

    points, checkers: sides that are covered: at most so many checkers, all of them on the lowest points.
    """

    points: int
    checkers: int
    _index: npt.NDArray[np.uint32]
    _shapes: npt.NDArray[np.uint8]
    _words: Words

    def covers(self, side: Side) -> bool:
        """Whether the database has this side."""
        return _covers(side, self.points, self.checkers)

    def turns(self, side: Side) -> npt.NDArray[np.float64]:
        """[32] the probability that the side needs so many turns; TableError where the database does not cover it."""
        return self._distribution(side, 0)

    def first(self, side: Side) -> npt.NDArray[np.float64]:
        """[32] the probability that its first checker is off after so many turns; TableError where it is not covered."""
        return self._distribution(side, 1)

    def mean(self, side: Side) -> float:
        """The mean number of turns; TableError where the database does not cover the side."""
        return float(self.turns(side) @ np.arange(MAX_TURNS))

    def _distribution(self, side: Side, part: int) -> npt.NDArray[np.float64]:
        row = _row(side, self.points, self.checkers)
        shape = self._shapes[row]
        at = int(self._index[row]) + part * int(shape[0])
        count, skipped = (int(number) for number in shape[2 * part : 2 * part + 2])
        if skipped + count > MAX_TURNS or at + count > len(self._words):
            raise TableError("the entry of %(row)s in this database is damaged", row=row)
        found = np.zeros(MAX_TURNS)
        found[skipped : skipped + count] = self._words[at : at + count] / _UNITS
        return found


@dataclass(frozen=True, slots=True)
class GnuTwoSided:
    """Races of two sides, money play: what the one to roll wins in points for each on the cube.

    points, checkers: of each side, as in `GnuOneSided`. has_cube: equities with a cube are in it too.
    """

    points: int
    checkers: int
    has_cube: bool
    _words: Words

    def covers(self, position: Position) -> bool:
        """Whether the database has this position."""
        return all(_covers(side, self.points, self.checkers) for side in (position.us, position.them))

    def equity(self, position: Position) -> float:
        """Equity without a cube, from -1 to 1; TableError where the database does not cover the position."""
        return self._equity(position, 0)

    def cubeful(self, position: Position) -> tuple[float, float, float]:
        """Equities of rolling without a double now, the cube owned by the roller, in the middle, owned by the other.

        They are in points of the cube, without the Jacoby rule. TableError where the database has none.
        """
        if not self.has_cube:
            raise TableError("this database has no equities with a cube")
        owned, centred, other = (self._equity(position, part) for part in (1, 2, 3))
        return owned, centred, other

    def _equity(self, position: Position, part: int) -> float:
        sides = comb(self.points + self.checkers, self.points)
        rows = [_row(side, self.points, self.checkers) for side in (position.us, position.them)]
        parts = 4 if self.has_cube else 1
        word = int(self._words[(rows[0] * sides + rows[1]) * parts + part])
        return word * 2 / _UNITS - 1


def read_gnu_bearoff(path: str | os.PathLike[str]) -> GnuOneSided | GnuTwoSided:
    """Reads a database as gnubg and makebearoff write it; TableError for what is none, OSError when it cannot be read."""
    return parse_gnu_bearoff(_bytes(Path(path)))


def parse_gnu_bearoff(data: bytes) -> GnuOneSided | GnuTwoSided:
    """Parses the contents of a database; TableError for what is none."""
    said = _SIGNATURE.match(data[:HEADER_BYTES])
    if said is None or said.end() != HEADER_BYTES:
        raise TableError("no bear-off database of GNU Backgammon: it begins with %(start)r", start=bytes(data[:12]))
    points, checkers = int(said[2]), int(said[3])
    if not 1 <= points <= 24 or not 1 <= checkers <= 15:
        raise TableError(
            "%(points)s points and %(checkers)s checkers; allowed: 24 and 15", points=points, checkers=checkers
        )
    sides, flags = comb(points + checkers, points), tuple(flag == b"1" for flag in said.groups()[3:])
    body = data[HEADER_BYTES:]
    if said[1] == b"TS":
        _check(len(body), 2 * sides * sides * (4 if flags[0] else 1))
        return GnuTwoSided(points, checkers, flags[0], np.frombuffer(body, "<u2"))
    has_first, packed, normal = flags
    if normal:
        raise TableError("a database of means and deviations; only whole distributions are read")
    return (
        _packed(points, checkers, sides, body, has_first)
        if packed
        else _plain(points, checkers, sides, body, has_first)
    )


def _packed(points: int, checkers: int, sides: int, body: bytes, has_first: bool) -> GnuOneSided:
    """Each side has 8 bytes (with gammons) that say where its words stand and which turns they are of."""
    width = 8 if has_first else 6
    if len(body) < sides * width or (len(body) - sides * width) % 2:
        _check(len(body), sides * width)
    table = np.frombuffer(body, np.uint8, sides * width).reshape(sides, width)
    index = np.ascontiguousarray(table[:, :4]).view("<u4")[:, 0]
    shapes = np.zeros((sides, 4), np.uint8)
    shapes[:, : width - 4] = table[:, 4:]
    return GnuOneSided(points, checkers, index, shapes, np.frombuffer(body, "<u2", offset=sides * width))


def _plain(points: int, checkers: int, sides: int, body: bytes, has_first: bool) -> GnuOneSided:
    """Each side has 32 words, with gammons 64."""
    width = MAX_TURNS * (2 if has_first else 1)
    _check(len(body), 2 * sides * width)
    shapes = np.zeros((sides, 4), np.uint8)
    shapes[:, 0] = MAX_TURNS
    shapes[:, 2] = MAX_TURNS if has_first else 0
    return GnuOneSided(points, checkers, np.arange(sides, dtype=np.uint32) * width, shapes, np.frombuffer(body, "<u2"))


def _bytes(path: Path) -> bytes:
    if path.stat().st_size > MAX_BYTES:
        raise TableError("a file of more than %(bytes)s bytes", bytes=MAX_BYTES)
    return path.read_bytes()


def _check(found: int, needed: int) -> None:
    if found != needed:
        raise TableError("%(found)s bytes after the header; its numbers need %(needed)s", found=found, needed=needed)


def _covers(side: Side, points: int, checkers: int) -> bool:
    counts = side.points[1:]
    return not side.hand and not any(counts[points:]) and sum(counts) <= checkers


def _row(side: Side, points: int, checkers: int) -> int:
    """The place of a side: the combinatorial number of its checkers, counted from the highest point down."""
    if not _covers(side, points, checkers):
        raise TableError(
            "the database covers at most %(checkers)s checkers on %(points)s points", checkers=checkers, points=points
        )
    row = beyond = 0
    for place in range(1, points + 1):
        beyond += side.points[points + 1 - place]
        row += comb(place - 1 + beyond, place)
    return row
