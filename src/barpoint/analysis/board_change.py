"""What a play changes on the board: hits, points made and given up, anchors, checkers that escape or are out of play.

Points are numbers on the mover's path. Positions after a play are seen by the mover, as a `DecisionOption` has them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from barpoint.analysis.shots import rolls_that, shots
from barpoint.board import BAR, OFF, Position
from barpoint.game.event import MoveMade
from barpoint.moves import in_contact
from barpoint.rules import Rules

HOME: Final = 6
FIRST_ANCHOR: Final = 18
"""Points from here on are anchors: the other side's bar point and home."""

POINT_WORTH: Final = {1: 0.5, 2: 2.0, 3: 3.0, 4: 4.5, 5: 5.0, 6: 5.0, 7: 4.0, 8: 2.5, 9: 2.0, 10: 1.5}
"""How much a point blocks and covers, as strong players rank them; others count nothing."""

ANCHOR_WORTH: Final = {18: 4.5, 19: 3.0, 20: 5.0, 21: 4.0, 22: 3.0, 23: 2.0, 24: 1.0}
"""The same for anchors: the higher ones, nearer to freedom, are better."""

DEEP: Final = 2
"""Checkers from here down have no part in the game any more, unless they close a point."""


@dataclass(frozen=True)
class BoardChange:
    """A play: the position before it and after it, both seen by the mover, and its moves."""

    rules: Rules
    before: Position
    after: Position
    moves: tuple[MoveMade, ...]

    @cached_property
    def hits(self) -> tuple[int, ...]:
        """Points where it hits, the highest first."""
        if self.after.them.points[BAR] <= self.before.them.points[BAR]:
            return ()
        meets = self.rules.movement.meeting.other
        was, stays = self.before.them.points, self.after.them.points
        return tuple(point for point in range(24, 0, -1) if was[meets(point)] == 1 and not stays[meets(point)])

    @cached_property
    def made_points(self) -> frozenset[int]:
        """Points of two and more that were none before."""
        return self._held(self.after) - self._held(self.before)

    @cached_property
    def broken_points(self) -> frozenset[int]:
        """Points of two and more that are none any more."""
        return self._held(self.before) - self._held(self.after)

    @staticmethod
    def _held(position: Position) -> frozenset[int]:
        return frozenset(point for point in range(1, BAR) if position.us.points[point] > 1)

    @cached_property
    def shots(self) -> tuple[int, int]:
        """(rolls of the other side that hit, all rolls)."""
        return shots(self.rules, self.after.flip())

    @property
    def blots(self) -> int:
        """Single checkers on the board."""
        return sum(count == 1 for count in self.after.us.points[1:BAR])

    @cached_property
    def back_pips(self) -> int:
        """Pips that it moves checkers which stood on the other side's bar point or behind it."""
        return sum(source - target for source, target in runs(self.moves) if source >= FIRST_ANCHOR)

    @property
    def back_hits(self) -> bool:
        """Whether a checker from there hits."""
        places = {target for source, target, _ in self.moves}
        return any(point in places and point > 12 for point in self.hits)

    @property
    def deep(self) -> int:
        """Checkers on points that are too deep to matter."""
        return sum(self.after.us.points[1 : DEEP + 1])

    @property
    def off(self) -> int:
        """Checkers that it bears off."""
        return self.after.us.points[OFF] - self.before.us.points[OFF]

    @property
    def contact(self) -> bool:
        """Whether some checker still has to pass one of the other side after it."""
        return in_contact(self.rules, self.after)

    @cached_property
    def point_rolls(self) -> int:
        """Rolls with which the mover would make a good new point, were it their turn again."""
        held = self._held(self.after)
        wanted = [point for point, worth in POINT_WORTH.items() if worth > 2 and point not in held]

        def makes(results: npt.NDArray[np.int8], _: Position) -> npt.NDArray[np.bool_]:
            return np.asarray((results[:, 0, wanted] > 1).any(axis=1))

        return rolls_that(self.rules, self.after, makes)

    @cached_property
    def dances(self) -> int:
        """Rolls of the other side that leave a checker on the bar."""
        _, total = self.shots
        return total - rolls_that(self.rules, self.after.flip(), lambda results, _: results[:, 0, BAR] == 0)


def runs(moves: tuple[MoveMade, ...]) -> list[tuple[int, int]]:
    """(from, to) of each checker that moved, from where it first stood; the hand counts as the bar."""
    found: list[tuple[int, int]] = []
    for source, target, _ in sorted(moves, key=lambda move: -move[0]):
        start = min(source, BAR)
        before = next((one for one in found if one[1] == start), None)
        if before is not None:
            found.remove(before)
        found.append((start if before is None else before[0], target))
    return found
