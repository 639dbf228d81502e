"""Values of the board: one side's checkers, and both sides as the player to act sees them.

Every side counts on its own path: 0 is borne off, 1..24 are its own point numbers, 25 is its bar.
Where one side's point lies on the other's path is data of the rules (`rules.Movement.meeting`), not of the position.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from operator import index, mul
from struct import Struct
from types import NoneType
from typing import ClassVar, Final

from barpoint.error import PositionError, brief, check_kind

OFF: Final = 0
BAR: Final = 25
HAND: Final = 26
"""As a move's source only: a checker that has not yet entered the board."""

_MOST: Final = {"hand": 255, "pinned": 2**32 - 1, "plain_rolls": 3, "owed": 63}
"""What a side counts beside its points, in the order of its fields, and the most that SIDE_BYTES has room for."""


@dataclass(frozen=True, slots=True, repr=False)
class Side:
    """One side's checkers.

    points: [26] counts on the side's own path, 0 borne off, 1..24 points, 25 bar.
    hand: checkers that have not yet entered.
    pinned: bit mask over the side's own points; bit p says that its single checker on p is pinned there.
    plain_rolls, owed: only under rules with `FollowUps`. So many rolls of this side are still followed by none; 1 + the row of
        the table of rolls that it plays next without rolling it, 0 where it rolls.
    Whole numbers of any kind, points in any sequence; kept as a tuple of int. PositionError for others.
    """

    points: tuple[int, ...]
    hand: int = 0
    pinned: int = 0
    plain_rolls: int = 0
    owed: int = 0

    @classmethod
    def of(cls, checkers: Mapping[int, int], hand: int = 0, pinned: int = 0) -> Side:
        """A side from {point: count}; point 0 is borne off and 25 the bar. PositionError for other points, and counts
        below zero."""
        check_kind("checkers", checkers, Mapping)
        return NO_CHECKERS.copy_with(checkers, hand=hand, pinned=pinned)

    def copy_with(
        self, checkers: Mapping[int, int] | None = None, *, hand: int | None = None, pinned: int | None = None
    ) -> Side:
        """This side with other counts on some points, {point: count}; PositionError as in `of`, ArgumentError for another
        kind of argument."""
        points = list(self.points)
        check_kind("checkers", checkers, Mapping, NoneType)
        for point, count in (checkers or {}).items():
            try:
                place, number = index(point), index(count)
            except TypeError:
                place = number = -1
            if not OFF <= place <= BAR or number < 0:
                raise PositionError(
                    "%(count)r checkers on point %(point)r; allowed: whole numbers from 0 on 0 (off), 1 to 24, 25 (bar)",
                    count=count,
                    point=point,
                )
            points[place] = number
        return Side(
            tuple(points),
            self.hand if hand is None else hand,
            self.pinned if pinned is None else pinned,
            self.plain_rolls,
            self.owed,
        )

    def __post_init__(self) -> None:
        try:
            points = tuple(bytes(tuple(self.points)))  # as a tuple first: the bytes of an array are its memory
        except (TypeError, ValueError):
            raise PositionError(
                "points of a side are %(found)s; allowed: 26 whole numbers from 0 to 255", found=brief(self.points)
            ) from None
        if len(points) != BAR + 1:
            raise PositionError(
                "%(count)s counts of a side; it has 26: off, the points 1 to 24, the bar", count=len(points)
            )
        _set_points(self, points)
        if (self.hand, self.pinned, self.plain_rolls, self.owed) != (0, 0, 0, 0):
            for (name, most), keep in zip(_MOST.items(), _set_numbers, strict=True):
                keep(self, _number(name, getattr(self, name), most))

    def __repr__(self) -> str:
        checkers = {point: count for point, count in enumerate(self.points) if count}
        more = [f", {name}={value}" for name, value in (("hand", self.hand), ("pinned", self.pinned)) if value]
        made = f"Side.of({checkers}{''.join(more)})"
        if not self.dice:
            return made
        return f"replace({made}, plain_rolls={self.plain_rolls}, owed={self.owed})"

    @property
    def dice(self) -> int:
        """`plain_rolls` and `owed` in one byte, as the compiled core has them."""
        return self.plain_rolls | self.owed << 2

    @property
    def total(self) -> int:
        """All checkers of the side, borne off and in hand included."""
        return sum(self.points) + self.hand

    @property
    def pips(self) -> int:
        """Pips still to go; a checker on the bar or in the hand counts 25."""
        on_board: int = sum(map(mul, self.points, range(26)))
        return on_board + BAR * self.hand

    @property
    def rearmost(self) -> int:
        """The highest own point (25 for bar or hand) that holds a checker; 0 when all are borne off."""
        if self.hand:
            return BAR
        return max((point for point in range(1, 26) if self.points[point]), default=OFF)


_new = object.__new__
_set_points, *_set_numbers = (vars(Side)[field.name].__set__ for field in fields(Side))
"""The slots themselves: a frozen class refuses an assignment."""


def _number(name: str, value: object, most: int) -> int:
    """The number as an int; PositionError where it is none or out of bounds."""
    try:
        number = index(value)  # type: ignore[arg-type] # that is asked here
    except TypeError:
        number = -1
    if not 0 <= number <= most:
        raise PositionError(
            "%(name)s of a side is %(value)r; allowed: whole numbers from 0 to %(most)s",
            name=name,
            value=value,
            most=most,
        )
    return number


def dice_of(byte: int) -> tuple[int, int]:
    """`plain_rolls` and `owed` of a side, from `Side.dice`."""
    return byte & 3, byte >> 2


NO_CHECKERS: Final = Side((0,) * (BAR + 1))

SIDE_BYTES: Final = Struct("<26BBBI")
"""A side as the compiled core has it: the counts, the hand, the dice, and the mask of pins, low byte first."""


def _unpacked(packed: bytes, start: int) -> Side:
    """The side whose bytes begin there, unchecked: the core makes positions by the million, and any bytes are a side."""
    *points, hand, dice, pinned = SIDE_BYTES.unpack_from(packed, start)
    side: Side = _new(Side)
    _set_points(side, tuple(points))
    for keep, number in zip(_set_numbers, (hand, pinned, *dice_of(dice)), strict=True):
        keep(side, number)
    return side


class _Packed:
    """What a position read from the core keeps: its bytes, from which the sides are made when they are first asked for."""

    __slots__ = ("_packed",)
    _packed: bytes
    _repr_svg_: ClassVar[Callable[[Position], str | None]]  # not in Position itself: msgspec would take it for a field
    """A picture for notebooks, drawn as opposite-ways backgammon; `draw` is above this file, and binds itself."""
    _text_: ClassVar[Callable[[Position], str]]
    """The same board in letters, as `str` gives it."""


@dataclass(frozen=True, slots=True)
class Position(_Packed):
    """Both sides, seen by the player to act: `us` is to act. `str` draws the board, with `us` as X at the bottom."""

    us: Side
    them: Side

    def __post_init__(self) -> None:
        if self.us.__class__ is not Side or self.them.__class__ is not Side:
            check_kind("us", self.us, Side)
            check_kind("them", self.them, Side)

    def copy_with(
        self, us: Mapping[int, int] | Side | None = None, them: Mapping[int, int] | Side | None = None
    ) -> Position:
        """This position with other checkers: a whole side, or {point: count} for some of its points.

        Every side counts on its own path. PositionError for points and counts that there are none; whether the rules
        allow the position is checked where it is used.
        """
        return Position(_changed(self.us, us), _changed(self.them, them))

    def __str__(self) -> str:
        return self._text_()

    @staticmethod
    def of_packed(packed: bytes) -> Position:
        """The position of 64 bytes, us then them, each as SIDE_BYTES; the caller has checked their number."""
        position = _new(Position)
        _set_packed(position, packed)
        return position

    @property
    def packed(self) -> bytes | None:
        """The 64 bytes it was made from; None where it was made from sides."""
        try:
            return self._packed
        except AttributeError:
            return None

    def __getattr__(self, name: str) -> Side:
        # Called only for what is not there yet.
        if name not in ("us", "them"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        side = _unpacked(self._packed, 0 if name == "us" else SIDE_BYTES.size)
        object.__setattr__(self, name, side)
        return side

    @property
    def pips(self) -> tuple[int, int]:
        """Pips still to go, of `us` and of `them`."""
        return self.us.pips, self.them.pips

    def to_roll(self) -> Position:
        """The same position where the side to act rolls: nothing is owed."""
        if not self.us.owed and not self.them.owed:
            return self
        return Position(replace(self.us, owed=0), replace(self.them, owed=0))

    def flip(self) -> Position:
        """The same checkers seen by the other side."""
        packed = self.packed
        if packed is None:
            return Position(self.them, self.us)
        return Position.of_packed(packed[SIDE_BYTES.size :] + packed[: SIDE_BYTES.size])


def _changed(side: Side, change: Mapping[int, int] | Side | None) -> Side:
    if isinstance(change, Side):
        return change
    check_kind("a side", change or {}, Mapping, Side)
    return side.copy_with(change)


_set_packed = vars(_Packed)["_packed"].__set__  # a slot itself, as those above
