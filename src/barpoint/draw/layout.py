"""Coordinates of everything on a drawn board. A checker is 100 units across, a point as wide and five checkers tall."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from barpoint.board import BAR, HAND, OFF, Position
from barpoint.rules import Meeting

CHECKER: Final = 100.0
POINT: Final = 5 * CHECKER
GAP: Final = 1.5 * CHECKER
FRAME: Final = 26.0
BAND: Final = 44.0
TRAY: Final = 112.0
TABLE: Final = 6 * CHECKER
SLAB: Final = POINT / 15

NEAR: Final = 0
FAR: Final = 1


@dataclass(frozen=True, slots=True)
class Seat:
    """The centre of a checker; `flat` when it lies on its edge in a tray."""

    x: float
    y: float
    flat: bool = False


@dataclass(frozen=True, slots=True)
class Layout:
    """The board of two sides, the near one at the bottom with its home on the right (S4-6), or mirrored (S2-2).

    meeting: where a near point lies on the far side's path.
    hands: room for checkers that have not yet entered.
    """

    meeting: Meeting = Meeting.OPPOSITE
    mirrored: bool = False
    hands: bool = False

    @classmethod
    def of(cls, position: Position, meeting: Meeting, mirrored: bool) -> Layout:
        """A layout with room for everything in a position."""
        return cls(meeting, mirrored, hands=bool(position.us.hand or position.them.hand))

    @property
    def left_column(self) -> bool:
        """Whether anything lies to the left of the playing area."""
        return self.hands or not all(self.home_on_right(side) for side in (NEAR, FAR))

    @property
    def right_column(self) -> bool:
        """Whether anything lies to the right of the playing area."""
        return self.hands or any(self.home_on_right(side) for side in (NEAR, FAR))

    @property
    def table_left(self) -> float:
        """The x where the playing area begins."""
        return FRAME + (TRAY + FRAME if self.left_column else 0)

    @property
    def bar_left(self) -> float:
        """The x where the bar begins."""
        return self.table_left + TABLE

    @property
    def table_right(self) -> float:
        """The x where the right half of the playing area begins."""
        return self.bar_left + CHECKER

    @property
    def width(self) -> float:
        """The width of the whole board."""
        return self.table_right + TABLE + FRAME + (TRAY + FRAME if self.right_column else 0)

    @property
    def height(self) -> float:
        """The height of the whole board."""
        return self.bottom + BAND

    @property
    def top(self) -> float:
        """The y where the upper points begin."""
        return BAND

    @property
    def bottom(self) -> float:
        """The y where the lower points begin."""
        return BAND + 2 * POINT + GAP

    @property
    def middle(self) -> float:
        """The y halfway between the rows."""
        return BAND + POINT + GAP / 2

    def cell(self, point: int) -> tuple[int, bool]:
        """Column 0..11 from the left of a near point, and whether it is in the upper row."""
        upper = point > 12
        column = point - 13 if upper else 12 - point
        return (11 - column if self.mirrored else column), upper

    def shared(self, side: int, point: int) -> int:
        """A side's own point in near numbering."""
        return point if side == NEAR else self.meeting.other(point)

    def home_on_right(self, side: int) -> bool:
        """Whether a side bears off to the right."""
        return self.cell(self.shared(side, 1))[0] > 5

    def at_top(self, side: int) -> bool:
        """Whether a side's tray is in the upper half; where both bear off from one quarter, far's is opposite."""
        near, own = self.cell(1)[1], self.cell(self.shared(side, 1))[1]
        return not near if side == FAR and own == near else own

    def point_left(self, point: int) -> float:
        """The x where a near point begins."""
        column, _ = self.cell(point)
        return self.table_left + column * CHECKER + (CHECKER if column > 5 else 0)

    def seat(self, side: int, place: int, index: int, count: int) -> Seat:
        """The centre of the checker `index` of `count` that stand on a side's point 0..26; beyond five they overlap."""
        if 1 <= place <= 24:
            point = self.shared(side, place)
            step = min(CHECKER, (POINT - CHECKER) / max(1, count - 1))
            reach = CHECKER / 2 + index * step
            return Seat(self.point_left(point) + CHECKER / 2, self._from_edge(self.cell(point)[1], reach))
        if place == BAR:
            step = min(CHECKER, 320 / max(1, count - 1))
            reach = CHECKER * 1.15 + index * step
            up = side == NEAR  # the half in which they enter
            return Seat(self.bar_left + CHECKER / 2, self.middle - reach if up else self.middle + reach)
        slab = min(SLAB, POINT / max(15, count))
        y = self._from_edge(self.at_top(side), slab * (index + 0.5))
        return Seat(self.tray_left(side, place) + TRAY / 2, y, flat=True)

    def tray_left(self, side: int, place: int) -> float:
        """The y where a side's tray (place 0) or hand (place 26) begins; they lie at opposite ends of the board."""
        assert place in (OFF, HAND)
        right = self.home_on_right(side) == (place == OFF)
        return self.table_right + TABLE + FRAME if right else FRAME

    def dice_middle(self, side: int) -> float:
        """The x of the middle of a side's dice: to that side's right."""
        return (self.table_right if side == NEAR else self.table_left) + TABLE / 2

    def _from_edge(self, up: bool, reach: float) -> float:
        return self.top + reach if up else self.bottom - reach
