"""The rules of a game as plain values along a few axes.

What belongs to the stakes (Jacoby, beavers, automatic doubles, Crawford) is no rule and stands in `game.stakes`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from barpoint.board import Position, Side
from barpoint.dice import TWO_DICE, Combination, DiceKind, DiceRow
from barpoint.error import OptionError, check_kind, whole_number

RULES_VERSION: Final = 1
"""Kept in every log; raised when a ruling changes what is legal."""


@dataclass(frozen=True, slots=True)
class Setup:
    """Where each side begins; both sides alike.

    points: (own point, checkers) pairs, or {own point: checkers}, which becomes pairs. ArgumentError for another kind.
    hand: checkers that have yet to enter; entering them is never compulsory while another move exists.
    """

    points: tuple[tuple[int, int], ...] = ((24, 2), (13, 5), (8, 3), (6, 5))
    hand: int = 0

    def __post_init__(self) -> None:
        check_kind("points", self.points, tuple, Mapping)
        if isinstance(self.points, Mapping):
            object.__setattr__(self, "points", tuple(self.points.items()))
        object.__setattr__(self, "hand", whole_number("hand", self.hand))

    @classmethod
    def of(cls, checkers: Mapping[int, int], hand: int = 0) -> Setup:
        """A start from {own point: checkers}, as `Side.of` takes them."""
        check_kind("checkers", checkers, Mapping)
        return cls(tuple(checkers.items()), hand)


class FirstRoll(StrEnum):
    """What the winner of the opening roll plays first."""

    OPENING_ROLL = "opening_roll"  # the numbers of both players' dice
    OWN_NUMBER = "own_number"  # the number of their own die alone
    AGAIN = "again"  # a new roll of their own


@dataclass(frozen=True, slots=True)
class OpeningRule:
    """How a game begins: each player rolls one die, ties are rolled again, the higher starts."""

    first_roll: FirstRoll = FirstRoll.OPENING_ROLL


class Obligation(StrEnum):
    """How much of a roll must be played when it may be used in several ways."""

    GLOBAL = "global"  # over all alternatives: a complete one if any, else the largest sum of numbers (DG-4, DG-5)
    PER_OPTION = (
        "per_option"  # the player fixes any alternative freely, then must play as much of it as possible (DG-6)
    )
    MOST_NUMBERS = "most_numbers"  # over all alternatives: a complete one if any, else the most numbers, and of these the largest sum (4.12)


@dataclass(frozen=True, slots=True)
class Dice:
    """The table of rolls, as `barpoint.dice` makes them, and what must be played of one. ArgumentError for another kind."""

    rows: tuple[DiceRow, ...] = TWO_DICE
    obligation: Obligation = Obligation.GLOBAL

    def __post_init__(self) -> None:
        check_kind("rows", self.rows, tuple)
        for row in self.rows:
            check_kind("a row", row, DiceRow)

    @property
    def sides(self) -> int:
        """Sides of one die."""
        return max(row.faces[0] for row in self.rows)

    @property
    def count(self) -> int:
        """Dice of one roll."""
        return len(self.rows[0].faces)

    @property
    def kind(self) -> DiceKind:
        """What players see rolling."""
        kinds: dict[int, DiceKind] = {1: "1d12", 3: "3d6"}
        return kinds.get(self.count, "2d6")


@dataclass(frozen=True, slots=True)
class FollowUps:
    """Rolls that are played without being rolled, by a side that has played the one before completely (rulings 4.10).

    rolls: pairs: the numbers that were played last, highest first, and the faces of the roll that follows them.
    plain_rolls: the first rolls of each side that none follows, at most 3. once: a roll that follows is itself followed by none.
    """

    rolls: tuple[tuple[Combination, tuple[int, ...]], ...] = ()
    plain_rolls: int = 0
    once: bool = False

    def after(self, numbers: Combination) -> tuple[int, ...]:
        """The roll that follows; () for none. numbers: in any order."""
        return dict(self.rolls).get(tuple(sorted(numbers, reverse=True)), ())

    def missing_from(self, dice: Dice) -> tuple[tuple[int, ...], ...]:
        """Rolls named here that these dice cannot show, then numbers that end none of their rolls."""
        shown = {row.faces for row in dice.rows}
        last = {
            tuple(sorted(option, reverse=True)) for row in dice.rows for stage in row.stages[-1:] for option in stage
        }
        return (
            *(faces for _, faces in self.rolls if faces not in shown),
            *(numbers for numbers, _ in self.rolls if numbers not in last),
        )


class Meeting(StrEnum):
    """Where own point p lies on the other side's path."""

    OPPOSITE = "opposite"  # 25 - p: the sides travel in opposite directions
    FAR_CORNER = "far_corner"  # (p + 11) % 24 + 1: the same way round, from opposite corners
    SAME = "same"  # p: the same way from the same quarter

    def other(self, point: int) -> int:
        """The other side's number of own point 1..24."""
        match self:
            case Meeting.OPPOSITE:
                return 25 - point
            case Meeting.FAR_CORNER:
                return (point + 11) % 24 + 1
            case Meeting.SAME:
                return point


class Capture(StrEnum):
    """What happens to a single enemy checker that is landed on."""

    HIT = "hit"  # it goes to its bar
    PIN = "pin"  # it stays beneath and cannot move while it is covered
    NONE = "none"  # it cannot be landed on (needs block 1)


class BearOff(StrEnum):
    """Which number bears a checker off."""

    HIGHEST = "highest"  # the exact one, or a larger one from the highest occupied point
    EXACT = "exact"  # the exact one only


class Prime(StrEnum):
    """Limits on six points in a row, judged after every single move."""

    FREE = "free"
    NEVER_BEFORE_ALL = "never_before_all"  # not directly in front of the one point on which all enemy checkers stand
    ENEMY_AHEAD = "enemy_ahead"  # only where some enemy checker is ahead of them on its path


@dataclass(frozen=True, slots=True)
class Movement:
    """How checkers move.

    block: so many enemy checkers close a point; a pinned checker's captor closes it alone.
    runner: 0, or the own point that a first checker must have reached (it or a lower one) before a second leaves the start.
    quarter_limits: (lowest, highest, most): at most so many of these own points may be held, judged after every single move.
    hit_and_run: a checker that has hit in its own home may move on with the same roll.
    hit_before_home: a side may hit before one of its checkers stands in its home or is borne off; where it may not, a single
        enemy checker closes its point until then.
    leave: so many checkers at most leave the start point with one roll; 0 for any number. leave_two: doubles of these numbers
        with which two may leave while all of them still stand there.
    lowest_while_entering: 0, or the lowest own point that a checker may reach while another one is in the hand.
    """

    meeting: Meeting = Meeting.OPPOSITE
    block: int = 2
    capture: Capture = Capture.HIT
    bear_off: BearOff = BearOff.HIGHEST
    runner: int = 0
    quarter_limits: tuple[tuple[int, int, int], ...] = ()
    prime: Prime = Prime.FREE
    hit_and_run: bool = True
    hit_before_home: bool = True
    leave: int = 0
    leave_two: tuple[int, ...] = ()
    lowest_while_entering: int = 0


class Winner(StrEnum):
    """Who wins."""

    FIRST_OFF = "first_off"
    LAST_OFF = "last_off"


@dataclass(frozen=True, slots=True)
class Ending:
    """How a game ends.

    start_pin_loses: a side whose last checker on its start point is pinned there loses a gammon, once the other side
        has no free checker left on its own start point; when both are pinned so, the game is drawn.
    standstill_draws: the game is drawn where a turn ends and no number of any roll lets either side move again.
    """

    winner: Winner = Winner.FIRST_OFF
    start_pin_loses: bool = False
    standstill_draws: bool = False


@dataclass(frozen=True, slots=True)
class Scoring:
    """What a won game pays, in points with the cube at 1.

    gammon: the loser has borne off nothing. backgammon: and has a checker on the bar, in the hand or in the winner's home (D-1).
    per_checker: instead, one point for every checker the loser has not borne off.
    """

    gammon: int = 2
    backgammon: int = 3
    per_checker: bool = False

    @property
    def payments(self) -> tuple[int, int]:
        """Points of a gammon and a backgammon, as `chances.equities` takes them."""
        return self.gammon, self.backgammon

    @property
    def levels(self) -> int:
        """How many kinds of win there are: 1, with gammons 2, with backgammons 3; 1 where every checker counts."""
        if self.per_checker or self.gammon == 1:
            return 1
        return 2 if self.backgammon == self.gammon else 3


@dataclass(frozen=True, slots=True)
class Rerolls:
    """The right to have a roll rerolled (rulings 2.6).

    tokens: reroll tokens each side has at the start of a game.
    own, other: a token rerolls one's own, the other side's roll.
    early_call: the other side's roll may be rerolled before its play is finished.
    opening_cancellable: also an opening roll that is itself played.
    double_after_cancel: the side that must roll again may double first.
    final_roll_cancellable: the loser may have the roll that ended the game rerolled.
    """

    tokens: int = 0
    own: bool = False
    other: bool = False
    early_call: bool = True
    opening_cancellable: bool = True
    double_after_cancel: bool = False
    final_roll_cancellable: bool = True


@dataclass(frozen=True, slots=True)
class GameSequence:
    """Games that a match plays in turn, each by rules of its own; () where every game is played by the same rules.

    games: names of the rules, all with the same dice and opening; after the last the first comes again. The other axes of
        `Rules` are the first one's.
    winner_starts: whoever has won a game begins the next one without an opening roll, until a game is drawn.
    """

    games: tuple[str, ...] = ()
    winner_starts: bool = False


Axis = Setup | OpeningRule | Dice | FollowUps | Movement | Ending | Scoring | Rerolls | GameSequence | bool


@dataclass(frozen=True, slots=True, repr=False)
class Rules:
    """Everything that decides what is legal and what a game pays. Its name says how to get it again."""

    name: str = "backgammon"
    setup: Setup = Setup()
    opening: OpeningRule = OpeningRule()
    dice: Dice = Dice()
    follow_ups: FollowUps = FollowUps()
    movement: Movement = Movement()
    ending: Ending = Ending()
    scoring: Scoring = Scoring()
    rerolls: Rerolls = Rerolls()
    cube: bool = True
    sequence: GameSequence = GameSequence()

    def __repr__(self) -> str:
        return f"variant({self.name!r})"

    @property
    def start(self) -> Position:
        """The position a game begins with."""
        side = replace(Side.of(dict(self.setup.points), self.setup.hand), plain_rolls=self.follow_ups.plain_rolls)
        return Position(side, side)

    def check_one_game(self) -> None:
        """OptionError for rules whose games take turns, where those of one position are needed."""
        if self.sequence.games:
            raise OptionError(
                "%(name)s plays %(games)s in turn; name one of them",
                name=self.name,
                games=", ".join(self.sequence.games),
            )

    def owed_by(self, side: Side) -> tuple[int, ...]:
        """The faces of the roll that a side plays next without rolling it; () where it rolls, or owes no row of these dice."""
        return self.dice.rows[side.owed - 1].faces if 0 < side.owed <= len(self.dice.rows) else ()

    @property
    def checkers(self) -> int:
        """Checkers of each side."""
        return sum(count for _, count in self.setup.points) + self.setup.hand

    @property
    def start_point(self) -> int:
        """The rearmost own point of the start, 25 when all checkers begin in the hand."""
        return max((point for point, _ in self.setup.points), default=25)
