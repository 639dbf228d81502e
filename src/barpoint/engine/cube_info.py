"""Cube and score, seen by the player to act, and the value of points there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import ceil
from types import NoneType
from typing import Final, Literal, TypeVar

from barpoint.error import StakesError, check_kind, whole_number
from barpoint.game import Game, Stakes
from barpoint.game.stakes import check_cube_value
from barpoint.language import N_
from barpoint.match import Match, Met
from barpoint.match.situation import Situation
from barpoint.native import core
from barpoint.rules import Rules

Owner = Literal["us", "them"] | None

NO_OPTIONS: Final = Stakes()
"""Money play without the Jacoby rule and beavers."""


@dataclass(frozen=True, slots=True)
class CubeState:
    """The doubling cube. owner: the player who may double; None when the cube is centred. StakesError for another owner."""

    value: int = 1
    owner: Owner = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", whole_number("value", self.value))
        if self.owner not in ("us", "them", None):
            raise StakesError("a cube's owner is %(owner)r; allowed: 'us', 'them' or None", owner=self.owner)


@dataclass(frozen=True, slots=True)
class Score:
    """A match score: points that the player to act and the other side still need.

    crawford: this is the Crawford game. With one side at 1 and crawford False, the Crawford game is over. met: the match
    equity table that counts; None for the standard one.
    """

    us: int
    them: int
    crawford: bool = False
    met: Met | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        for name in ("us", "them"):
            object.__setattr__(self, name, whole_number(name, getattr(self, name)))
        if self.us < 1 or self.them < 1:
            raise StakesError("away %(us)s and %(them)s; both sides need at least 1 point", us=self.us, them=self.them)


@dataclass(frozen=True, slots=True)
class CubeInfo:
    """Everything that decides the value of a game's end; GNU Backgammon's cubeinfo.

    cube: None in a game without one. score: None for money; a score so far apart that a game hardly changes the match winning
    chance becomes the nearest one at which it does (`_MIN_UNIT`). stakes: what was agreed; the Jacoby rule and beavers count here.
    may_double: the rules of the turn allow a double.
    """

    cube: CubeState | None = None
    score: Score | None = None
    stakes: Stakes = NO_OPTIONS
    may_double: bool = True

    def __post_init__(self) -> None:
        value = self.cube.value if self.cube else 1
        check_cube_value(value)
        if self.score and (self.stakes.jacoby or self.stakes.beavers):
            raise StakesError("Jacoby rule and beavers are for money play only")
        if self.score and max(self.score.us, self.score.them) > _ALWAYS_TOLD:
            object.__setattr__(self, "score", _told_apart(self.score, value))

    @property
    def cube_value(self) -> int:
        """Points for a single win."""
        return self.cube.value if self.cube else 1

    def flip(self) -> CubeInfo:
        """The same seen by the other side at its turn."""
        owners: dict[Owner, Owner] = {"us": "them", "them": "us", None: None}
        cube = self.cube and CubeState(self.cube.value, owners[self.cube.owner])
        score = self.score and replace(self.score, us=self.score.them, them=self.score.us)
        return CubeInfo(cube, score, self.stakes)

    def under(self, met: Met | None) -> CubeInfo:
        """The same with this match equity table, where the score names none itself."""
        if met is None or self.score is None or self.score.met is not None:
            return self
        return replace(self, score=replace(self.score, met=met))

    def answered(self, taken: float) -> tuple[float, bool]:
        """The doubler's equity if a double is answered as well as can be, and whether by a beaver. taken: if it is taken.

        After a beaver the doubler may still give up at the doubled stake.
        """
        beavered = max(2 * taken, -2.0)
        if self.stakes.beavers and self.score is None and beavered < taken:
            return beavered, True
        return taken, False

    def core(self) -> core.Stakes:
        """The same as a value of the core."""
        won, lost = _chances(self.score) if self.score else ((), ())
        cube = self.cube
        return core.Stakes(
            won=won,
            lost=lost,
            cube=self.cube_value,
            owner=0 if cube is None or cube.owner is None else 1 if cube.owner == "us" else -1,
            in_play=cube is not None and not (self.score and self.score.crawford),
            jacoby=self.stakes.jacoby and cube is not None,
            beavers=self.stakes.beavers > 0,
            may_double=self.may_double,
        )

    @property
    def gammons_count(self) -> tuple[bool, bool]:
        """Whether a gammon won, and one lost, changes more than a single game does at the present cube."""
        return self._counts(2)

    @property
    def backgammons_count(self) -> tuple[bool, bool]:
        """The same for a backgammon, which is to change more than a gammon does."""
        return self._counts(3)

    def _counts(self, level: int) -> tuple[bool, bool]:
        points, plain = self.core(), self.cube_value
        won, lost = (points.value(level * side * plain) != points.value((level - 1) * side * plain) for side in (1, -1))
        return won, lost

    def of_points(self, points: float) -> float:
        """The value of points won (lost when negative): points for money, match winning chance (MWC) at a score."""
        return self.core().value(points)

    @property
    def unit(self) -> float:
        """The value of a point at the present cube, as of a plain win against an even game."""
        return (self.of_points(self.cube_value) - self.of_points(-self.cube_value)) / 2

    def to_equity(self, value: float) -> float:
        """The equity of a value: a single win at the present cube is +1, a single loss -1."""
        won, lost = self.of_points(self.cube_value), self.of_points(-self.cube_value)
        if won == lost:
            raise StakesError("by this match equity table nothing depends on the game: it has no equity")
        return 2 * (value - lost) / (won - lost) - 1

    def to_value(self, equity: float) -> float:
        """The value of an equity: points for money, match winning chance (MWC) at a score."""
        won, lost = self.of_points(self.cube_value), self.of_points(-self.cube_value)
        return lost + (equity + 1) / 2 * (won - lost)


_ALWAYS_TOLD: Final = 64
"""Points that a side may need at most for its score to count as it is."""

_MIN_UNIT: Final = 1e-9
"""Difference in match winning chance between a game won and one lost below which rounding hides what plays lose. The standard table
has less than that from about 100 points on, against a side that needs a few."""


@lru_cache(maxsize=512)
def _told_apart(score: Score, cube_value: int) -> Score:
    """The score, with fewer points for the side that needs more where a game at this cube changes less than _MIN_UNIT.

    Odd numbers of points stay odd and even ones even: after the Crawford game, of two points a game the last may be free.
    """
    met, after = score.met or Met.load(), _after_crawford(score)

    def with_most(points: int) -> Score:
        return replace(score, us=min(score.us, points), them=min(score.them, points))

    def tells(one: Score) -> bool:
        won, lost = max(0, one.us - cube_value), max(0, one.them - cube_value)
        return met.win(won, one.them, after) - met.win(one.us, lost, after) >= _MIN_UNIT

    most = max(score.us, score.them)
    if tells(score):
        return score
    enough = min(score.us, score.them)
    while most - enough > 1:
        middle = (enough + most) // 2
        if tells(with_most(middle)):
            enough = middle
        else:
            most = middle
    return with_most(max(1, enough - (max(score.us, score.them) - enough) % 2))


def _after_crawford(score: Score) -> bool:
    """Whether the Crawford game is over after this one."""
    return score.crawford or 1 in (score.us, score.them)


@lru_cache(maxsize=512)
def _chances(score: Score) -> tuple[tuple[float, ...], tuple[float, ...]]:
    met, after = score.met or Met.load(), _after_crawford(score)
    won = tuple(met.win(score.us - points, score.them, after) for points in range(score.us + 1))
    lost = tuple(met.win(score.us, score.them - points, after) for points in range(score.them + 1))
    return won, lost


def cube_info_of(source: Match | Game, player: int, met: Met | None = None) -> CubeInfo:
    """Cube and score for a player: of the running game of a match, or of a single game for money.

    met: the match equity table of the score; None for the standard one.
    """
    game = source.game if isinstance(source, Match) else source
    cube = None
    if game.cube_in_play:
        cube = CubeState(game.cube.value, _owner(game.cube.owner, player))
    if isinstance(source, Game) or source.length == 0:
        return CubeInfo(cube, None, game.stakes) if cube else CubeInfo()
    away = max(1, ceil(source.away(player))), max(1, ceil(source.away(1 - player)))
    return CubeInfo(cube, Score(*away, source.crawford, met))


def cube_info_of_situation(situation: Situation, rules: Rules) -> CubeInfo:
    """Cube and score of a situation, for the player whose turn it is."""
    player = situation.player
    cube = CubeState(situation.cube, _owner(situation.owner, player)) if rules.cube else None
    away = situation.away
    score = None if away is None else Score(away[player], away[1 - player], situation.crawford)
    return CubeInfo(cube, score, Stakes(jacoby=situation.jacoby, beavers=int(situation.beavers)))


def _owner(owner: int | None, player: int) -> Owner:
    return None if owner is None else "us" if owner == player else "them"


def can_double(has_cube: bool, cube_info: CubeInfo) -> bool:
    """Whether the player to act may double. has_cube: of the rules."""
    if not has_cube or cube_info.cube is None or not cube_info.may_double:
        return False
    return cube_info.cube.owner != "them" and not (cube_info.score is not None and cube_info.score.crawford)


def check_can_double(has_cube: bool, cube_info: CubeInfo) -> None:
    """StakesError where the player to act may not double: there is nothing to roll out."""
    if not can_double(has_cube, cube_info):
        raise StakesError(N_("the player to act may not double here: no cube decision to roll out"))


def cube_infos(
    count: int,
    cube: CubeState | Sequence[CubeState | None] | None,
    score: Score | Sequence[Score | None] | None,
    stakes: Stakes | None,
    met: Met | None,
) -> list[CubeInfo]:
    """[count] of what is at stake in each of many positions. cube, score: of all, or one for each; StakesError, ArgumentError."""
    check_kind("stakes", stakes, Stakes, NoneType)
    cubes, scores = _of_each("cube", cube, CubeState, count), _of_each("score", score, Score, count)
    made: dict[tuple[CubeState | None, Score | None], CubeInfo] = {}
    for one in zip(cubes, scores, strict=True):
        if one not in made:
            made[one] = CubeInfo(*one, stakes or NO_OPTIONS).under(met)
    return [made[one] for one in zip(cubes, scores, strict=True)]


_One = TypeVar("_One", CubeState, Score)


def _of_each(name: str, given: _One | Sequence[_One | None] | None, kind: type[_One], count: int) -> list[_One | None]:
    if given is None or isinstance(given, kind):
        return [given] * count
    check_kind(name, given, kind, list, tuple, NoneType)
    assert not isinstance(given, CubeState | Score)
    each = list(given)
    for one in each:
        check_kind(f"each {name}", one, kind, NoneType)
    if len(each) != count:
        raise StakesError(
            "%(found)s values of %(name)s for %(count)s positions; allowed: one for all, or one for each",
            found=len(each),
            name=name,
            count=count,
        )
    return each


NO_GAIN: Final = 1e-6
"""Points, or match winning chance, within which two actions are equal: with a dead cube nothing but rounding tells them apart. Less where
a game changes the match by less than a thousandth.
"""


def cube_action(no_double: float, double_take: float, double_pass: float, cube_info: CubeInfo, beaver: bool) -> str:
    """The best cube action in words, from the values of no double, double/take and double/pass.

    Of equal values no double is best before a take, and a certain win before playing on.
    """
    double = min(double_take, double_pass)
    if not can_double(True, cube_info):
        return "no double"
    gain, least = double - no_double, NO_GAIN * min(1.0, 1000 * cube_info.unit)
    if gain < -least or (gain <= least and double_take < double_pass):
        return "too good" if no_double > double_pass and double_take >= double_pass else "no double"
    if double_pass < double_take:
        return "double/pass"
    return "double/beaver" if beaver else "double/take"
