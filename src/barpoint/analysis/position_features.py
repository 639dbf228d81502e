"""What a player looks for in a position: blots, points, anchors, primes, shots, effective pips and the race formulas."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from barpoint.analysis.race_counts import RaceCount, counts_of_position
from barpoint.board import BAR, HAND, OFF, Position, Side
from barpoint.engine.decision_point import decision_point
from barpoint.game import Game
from barpoint.match import Match
from barpoint.match.situation import Situation
from barpoint.moves import PositionArray, check_position
from barpoint.moves.batch import SIDE_COLUMNS, packed_rows
from barpoint.rules import Rules
from barpoint.variants import rules_of

HOME: Final = 6


class SideFeatures(Struct, frozen=True):
    """The features of one side. Points are its own, the rearmost first.

    effective_pips: of a bear-off, from the exact table, None for a side that is not all home; wastage: the same less
    the pips. blots: points with a single free checker. made: points that it blocks. anchors: those in the other side's
    home. home: those in its own. prime: the longest row of made points. shots: of `Features.rolls`, those that hit if it
    were to roll now.
    """

    pips: int
    effective_pips: float | None
    wastage: float | None
    blots: tuple[int, ...]
    made: tuple[int, ...]
    anchors: tuple[int, ...]
    home: tuple[int, ...]
    prime: tuple[int, ...]
    bar: int
    off: int
    shots: int


class PointsHeld(NamedTuple):
    """Blots and points of one side, its own numbers, as in `SideFeatures`."""

    blots: tuple[int, ...]
    made: tuple[int, ...]
    anchors: tuple[int, ...]
    home: tuple[int, ...]
    prime: tuple[int, ...]


class Features(Struct, frozen=True):
    """The features of a position, for the side to act and the other side. `str` is a table of them.

    race: no contact is left. rolls: all rolls, by weight; 36 of two dice. formulas: of Thorp, Keith and Ward, and Isight, in races
    of fifteen checkers with two dice.
    """

    us: SideFeatures
    them: SideFeatures
    race: bool
    rolls: int
    formulas: tuple[RaceCount, ...] = ()

    def __str__(self) -> str:
        rows = [(name, getattr(self.us, name), getattr(self.them, name)) for name in SideFeatures.__struct_fields__]
        rows += [(each.name, each.us, each.them) for each in self.formulas]
        told = [("", "us", "them"), *((name.replace("_", " "), _told(us), _told(them)) for name, us, them in rows)]
        wide = max(len(us) for _, us, _ in told)
        lines = [f"{name:<14}  {us:<{wide}}  {them}".rstrip() for name, us, them in told]
        return "\n".join([*lines, f"{self.rolls} rolls, {'a race' if self.race else 'in contact'}"])


def _told(value: object) -> str:
    """A number, or points; a dash for none."""
    if isinstance(value, tuple):
        return " ".join(map(str, value)) or "–"
    return "–" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def features(source: Position | Situation | Game | Match, rules: Rules | str = "backgammon") -> Features:
    """The features of a position, before the roll.

    rules: of a position or situation; games and matches have their own. PositionError for a position that they forbid.
    """
    if isinstance(source, Game | Match):
        rules = source.rules
    known = rules_of(rules)
    position = decision_point(known, source).position
    check_position(known, position)
    counts = counts_of_position(known, position)
    shots = counts.shots, counts.answered
    found = [
        _side(known, side, counts.effective[number], counts.wastage[number], shots[number])
        for number, side in enumerate((position.us, position.them))
    ]
    return Features(found[0], found[1], counts.race, counts.rolls, counts.formulas)


COUNTED: Final = np.dtype([("pips", "<i2"), *((name, "u1") for name in (*PointsHeld._fields, "bar", "off"))])
"""What `features_array` has of a side: its pips, and how many points, or checkers on the bar and borne off, of `SideFeatures`."""


def features_array(positions: PositionArray, rules: Rules | str = "backgammon") -> npt.NDArray[np.void]:
    """[n, 2] of COUNTED: of many positions the features of the side to act, then of the other, each as a number.

    positions: int8 [n, 2, 32], as `encode` makes them. What needs rolls or exact tables, `shots` and `effective_pips`, is left
    out. PositionError for another shape or type.
    """
    known = rules_of(rules)
    masks = np.ascontiguousarray(packed_rows(positions).reshape(-1, 2, SIDE_COLUMNS)[..., -4:]).view("<u4")
    points = np.arange(1, BAR)
    counts = positions[..., 1:BAR]
    free = np.where(masks >> points & 1, 0, counts)
    made = free >= known.movement.block
    found = np.zeros(counts.shape[:2], COUNTED)
    found["pips"] = counts.astype(np.int16) @ points + BAR * (
        positions[..., BAR].astype(np.int16) + positions[..., HAND]
    )
    if known.movement.block > 1:
        found["blots"] = (free == 1).sum(axis=-1)
    found["made"] = made.sum(axis=-1)
    behind = np.array([known.movement.meeting.other(int(point)) <= HOME for point in points])
    found["anchors"], found["home"] = made[..., behind].sum(axis=-1), made[..., :HOME].sum(axis=-1)
    row = np.zeros(counts.shape[:2], np.uint8)
    for point in points:
        row = (row + 1) * made[..., point - 1].astype(np.uint8)
        found["prime"] = np.maximum(found["prime"], row)
    found["bar"], found["off"] = positions[..., BAR], positions[..., OFF]
    return found


def _side(rules: Rules, side: Side, effective: float | None, wastage: float | None, shots: int) -> SideFeatures:
    return SideFeatures(
        pips=side.pips,
        effective_pips=effective,
        wastage=wastage,
        **points_held(rules, side)._asdict(),
        bar=side.points[BAR],
        off=side.points[0],
        shots=shots,
    )


def points_held(rules: Rules, side: Side) -> PointsHeld:
    """What one side holds of the board."""
    points = range(BAR - 1, 0, -1)
    free = {point: 0 if side.pinned >> point & 1 else side.points[point] for point in points}
    made = tuple(point for point in points if free[point] >= rules.movement.block)
    return PointsHeld(
        blots=tuple(point for point in points if free[point] == 1) if rules.movement.block > 1 else (),
        made=made,
        anchors=tuple(point for point in made if rules.movement.meeting.other(point) <= HOME),
        home=tuple(point for point in made if point <= HOME),
        prime=_longest_row(made),
    )


def _longest_row(points: tuple[int, ...]) -> tuple[int, ...]:
    """The longest row of neighbouring points, the rearmost of several."""
    best: tuple[int, ...] = ()
    row: tuple[int, ...] = ()
    for point in points:
        row = (*row, point) if row and row[-1] == point + 1 else (point,)
        best = max(best, row, key=len)
    return best
