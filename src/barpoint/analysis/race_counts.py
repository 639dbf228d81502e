"""Counts for a position: pips, effective pips, shots, and the race formulas of Thorp, Keith, Ward and Isight."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from msgspec import Struct

from barpoint.analysis.shots import shots
from barpoint.board import BAR, Position, Side
from barpoint.engine import bearoff
from barpoint.error import TableError
from barpoint.moves import in_contact
from barpoint.rules import Meeting, Rules, Winner

HOME: Final = 6

CLASSIC_CHECKERS: Final = 15
"""The formulas were fitted to races of fifteen checkers with two dice."""


class RaceCount(Struct, frozen=True):
    """What a race formula says. us, them: the adjusted counts. double, redouble, take: whether each is right."""

    name: str
    us: float
    them: float
    double: bool
    redouble: bool
    take: bool


class Counts(Struct, frozen=True):
    """Counts of a position for the player to act and the other side.

    pips: of both. effective: effective pip counts, from the exact table; None for a side that is not all home.
    wastage: the same less the pips. race: there is no contact. formulas: only in a race.
    shots: how many of `rolls` hit; answered: how many rolls of the other side would hit if they were to roll now.
    """

    pips: tuple[int, int]
    effective: tuple[float | None, float | None]
    wastage: tuple[float | None, float | None]
    race: bool
    shots: int
    answered: int
    rolls: int
    formulas: tuple[RaceCount, ...] = ()


def counts_of_position(rules: Rules, position: Position) -> Counts:
    """The counts of a position, seen by the player to act. Effective pips need a table that takes a second to make."""
    hits, rolls = shots(rules, position)
    answered, _ = shots(rules, position.flip())
    race = not in_contact(rules, position)
    effective = _effective(rules, position.us), _effective(rules, position.them)
    pips = position.us.pips, position.them.pips
    us, them = (None if each is None else round(each - count, 3) for each, count in zip(effective, pips, strict=True))
    formulas = (thorp(position), keith(position), ward(position), isight(position)) if race and _classic(rules) else ()
    return Counts(pips, effective, (us, them), race, hits, answered, rolls, formulas)


def _classic(rules: Rules) -> bool:
    """Whether the formulas were made for such races."""
    plain = rules.dice.sides == HOME and len(rules.dice.rows[0].stages) == 1
    opposite = rules.movement.meeting is Meeting.OPPOSITE
    same_aim = rules.ending.winner is Winner.FIRST_OFF and not rules.scoring.per_checker
    return plain and opposite and same_aim and rules.checkers == CLASSIC_CHECKERS


def _effective(rules: Rules, side: Side) -> float | None:
    if bearoff.home_index(side, min(rules.checkers, bearoff.MAX_CHECKERS)) is None:
        return None  # before the table is made, which takes a second
    try:
        return round(bearoff.OneSided.of(rules).effective_pips(side), 3)
    except TableError:
        return None


def _left(side: Side) -> int:
    return sum(side.points[1:])


def thorp(position: Position) -> RaceCount:
    """Thorp's count: two pips a checker, one for each on the ace, less one for each home point that is held.

    The count of the player to act grows by a tenth beyond 30. Double up to two more than the other side's, redouble up
    to one more; the other side takes from two less.
    """
    us, them = _thorp(position.us), _thorp(position.them)
    leader = us * Fraction(11, 10) if us > 30 else Fraction(us)
    return _said("Thorp", leader, Fraction(them), 2, 1, -2)


def _thorp(side: Side) -> int:
    return side.pips + 2 * _left(side) + side.points[1] - _held(side)


def keith(position: Position) -> RaceCount:
    """Keith's count: two pips for each checker beyond one on the ace, one beyond one on the deuce and beyond three on
    the three, one for each gap on four, five and six.

    The count of the player to act grows by a seventh, rounded down. Double up to four more than the other side's,
    redouble up to three more; the other side takes from two more.
    """
    us, them = _keith(position.us), _keith(position.them)
    return _said("Keith", Fraction(us + us // 7), Fraction(them), 4, 3, 2)


def _keith(side: Side) -> int:
    points = side.points
    gaps = sum(1 for count in points[4 : HOME + 1] if not count)
    return side.pips + 2 * max(0, points[1] - 1) + max(0, points[2] - 1) + max(0, points[3] - 3) + gaps


def isight(position: Position) -> RaceCount:
    """Isight (Axel Reichert, 2014): two pips for each checker beyond two on the ace, one beyond two on the deuce and beyond
    three on the three, one for each gap on four, five and six where the other side has none there; relative to the other
    side one for each checker more on the board and for each crossover more that brings checkers home.

    The count of the player to act grows by a sixth. Double up to six more than the other side's, redouble up to five
    more; the other side takes from two more.
    """
    us, them = _isight(position.us, position.them), _isight(position.them, position.us)
    return _said("Isight", us * Fraction(7, 6), Fraction(them), 6, 5, 2)


def _isight(side: Side, other: Side) -> int:
    points = side.points
    stacked = 2 * max(0, points[1] - 2) + max(0, points[2] - 2) + max(0, points[3] - 3)
    gaps = sum(1 for point in (4, 5, 6) if not points[point] and other.points[point])
    more = max(0, _left(side) - _left(other)) + max(0, _crossovers(side) - _crossovers(other))
    return side.pips + stacked + gaps + more


def _crossovers(side: Side) -> int:
    """Steps from quarter to quarter until all checkers are home."""
    return sum(count * ((point - 1) // HOME) for point, count in enumerate(side.points[1 : BAR + 1], start=1))


def ward(position: Position) -> RaceCount:
    """Ward's count: two pips for each checker beyond two on the ace, one beyond two on the deuce; relative to the other
    side two for each checker more on the board, a half for each more outside, less one for each home point more.

    The count of the player to act grows by a tenth. Double up to two more than the other side's, redouble up to one
    more. The other side may be behind by two pips in races of 50 pips and less, three of 75, four of 100 and more.
    """
    us, them = _ward(position.us, position.them), _ward(position.them, position.us)
    mean = Fraction(position.us.pips + position.them.pips, 2)
    behind = 2 + Fraction(min(Fraction(50), max(Fraction(0), mean - 50)), 25)
    return _said("Ward", us * Fraction(11, 10), them, 2, 1, -behind)


def _ward(side: Side, other: Side) -> Fraction:
    stacked = 2 * max(0, side.points[1] - 2) + max(0, side.points[2] - 2)
    held, outside = _held(side) - _held(other), _outside(side) - _outside(other)
    extra = 2 * max(0, _left(side) - _left(other)) + Fraction(max(0, outside), 2) - max(0, held)
    return side.pips + stacked + extra


def _held(side: Side) -> int:
    return sum(1 for count in side.points[1 : HOME + 1] if count)


def _outside(side: Side) -> int:
    return sum(side.points[HOME + 1 : BAR + 1])


def _said(name: str, us: Fraction, them: Fraction, double: int, redouble: int, take: Fraction | int) -> RaceCount:
    ahead = us - them
    return RaceCount(
        name,
        round(float(us), 2),
        round(float(them), 2),
        double=ahead <= double,
        redouble=ahead <= redouble,
        take=ahead >= take,
    )
