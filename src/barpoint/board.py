"""Values of the board: one side's checkers, and both sides as the player to act sees them.

Every side counts on its own path: 0 is borne off, 1..24 are its own point numbers, 25 is its bar.
Where one side's point lies on the other's path is data of the rules (`rules.Movement.meeting`), not of the position.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import mul
from typing import ClassVar, Final

OFF: Final = 0
BAR: Final = 25
HAND: Final = 26
"""As a move's source only: a checker that has not yet entered the board."""


@dataclass(frozen=True, slots=True)
class Side:
    """One side's checkers.

    points: [26] counts on the side's own path, 0 borne off, 1..24 points, 25 bar.
    hand: checkers that have not yet entered.
    pinned: bit mask over the side's own points; bit p says that its single checker on p is pinned there.
    """

    points: tuple[int, ...]
    hand: int = 0
    pinned: int = 0

    @classmethod
    def of(cls, checkers: dict[int, int], hand: int = 0, pinned: int = 0) -> Side:
        """A side from {point: count}; point 0 is borne off and 25 the bar."""
        return cls(tuple(checkers.get(point, 0) for point in range(26)), hand, pinned)

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


@dataclass(frozen=True, slots=True)
class Position:
    """Both sides, seen by the player to act: `us` is to act."""

    us: Side
    them: Side

    def flip(self) -> Position:
        """The same checkers seen by the other side."""
        return Position(self.them, self.us)

    _repr_svg_: ClassVar[Callable[[Position], str]]
    """A picture for notebooks, drawn as opposite-ways backgammon; `draw` is above this file, and binds itself."""
