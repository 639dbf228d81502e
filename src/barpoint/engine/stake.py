"""What a decision is for: cube and score, seen by the player to act, and what points are worth there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from typing import Final, Literal

from barpoint.board import Position
from barpoint.error import StakesError
from barpoint.game import Game
from barpoint.match import Match, Met
from barpoint.native import core

Owner = Literal["us", "them"] | None

MAX_CUBE: Final = 1 << 15


@dataclass(frozen=True, slots=True)
class CubeState:
    """The doubling cube. owner: who alone may double; None when it is in the middle."""

    value: int = 1
    owner: Owner = None


@dataclass(frozen=True, slots=True)
class Score:
    """A match score: points that the player to act and the other side still need.

    crawford: this is the Crawford game. With one side at 1 and crawford False the Crawford game has been played.
    """

    us: int
    them: int
    crawford: bool = False

    def __post_init__(self) -> None:
        if self.us < 1 or self.them < 1:
            raise StakesError(f"away {self.us} and {self.them}; both sides need at least 1 point")


@dataclass(frozen=True, slots=True)
class Stake:
    """All that decides what the end of a game is worth.

    cube: None in a game without one. score: None for money. may_double: the rules of the turn allow it.
    """

    cube: CubeState | None = None
    score: Score | None = None
    jacoby: bool = False
    beavers: int = 0
    may_double: bool = True

    def __post_init__(self) -> None:
        value = self.cube.value if self.cube else 1
        if not 1 <= value <= MAX_CUBE or value & (value - 1):
            raise StakesError(f"a cube of {value}; it is a power of two up to {MAX_CUBE}")
        if self.score and (self.jacoby or self.beavers):
            raise StakesError("Jacoby rule and beavers are for money play only")

    @property
    def value(self) -> int:
        """Points that a plain win pays."""
        return self.cube.value if self.cube else 1

    def flip(self) -> Stake:
        """The same seen by the other side at its turn."""
        owners: dict[Owner, Owner] = {"us": "them", "them": "us", None: None}
        cube = self.cube and CubeState(self.cube.value, owners[self.cube.owner])
        score = self.score and Score(self.score.them, self.score.us, self.score.crawford)
        return Stake(cube, score, self.jacoby, self.beavers)

    def core(self) -> core.Stakes:
        """The same as a value of the core."""
        won, lost = _chances(self.score) if self.score else ((), ())
        cube = self.cube
        return core.Stakes(
            won=won,
            lost=lost,
            cube=self.value,
            owner=0 if cube is None or cube.owner is None else 1 if cube.owner == "us" else -1,
            in_play=cube is not None and not (self.score and self.score.crawford),
            jacoby=self.jacoby and cube is not None,
            beavers=self.beavers > 0,
            may_double=self.may_double,
        )

    @property
    def gammons_count(self) -> tuple[bool, bool]:
        """Whether a gammon won, and one lost, changes more than a plain game does at the present cube."""
        value = self.core()
        won, lost = (value.worth(2 * side * self.value) != value.worth(side * self.value) for side in (1, -1))
        return won, lost

    def normal(self, worth: float) -> float:
        """A worth as equity: a plain win at the present cube is +1, a plain loss -1 (rulings 5.5)."""
        value = self.core()
        won, lost = value.worth(self.value), value.worth(-self.value)
        return 2 * (worth - lost) / (won - lost) - 1

    def worth(self, equity: float) -> float:
        """The worth that an equity stands for: points for money, the chance to win the match at a score."""
        value = self.core()
        won, lost = value.worth(self.value), value.worth(-self.value)
        return lost + (equity + 1) / 2 * (won - lost)


@lru_cache(maxsize=512)
def _chances(score: Score) -> tuple[tuple[float, ...], tuple[float, ...]]:
    met = Met.load()
    after = score.crawford or 1 in (score.us, score.them)  # the Crawford game is over by then
    won = tuple(met.win(score.us - points, score.them, after) for points in range(score.us + 1))
    lost = tuple(met.win(score.us, score.them - points, after) for points in range(score.them + 1))
    return won, lost


def stake_of(source: Match | Game, player: int) -> Stake:
    """What a game is for, seen by a player: the running game of a match, or a single game for money."""
    game = source.game if isinstance(source, Match) else source
    cube = None
    if game.cube_in_play:
        owner: Owner = None if game.cube.owner is None else "us" if game.cube.owner == player else "them"
        cube = CubeState(game.cube.value, owner)
    if isinstance(source, Game) or source.length == 0:
        return Stake(cube, None, game.stakes.jacoby, game.stakes.beavers) if cube else Stake()
    away = max(1, ceil(source.away(player))), max(1, ceil(source.away(1 - player)))
    return Stake(cube, Score(*away, source.crawford))


@dataclass(frozen=True, slots=True)
class Moment:
    """A game in progress as the engine is asked about it: seen by the player whose turn it is.

    position: before the roll on the table is played. faces: of that roll, () when there is none.
    """

    position: Position
    faces: tuple[int, ...]
    tokens: tuple[int, int]
    stake: Stake


def moment_of(source: Match | Game) -> Moment:
    """The moment at which a game or the running game of a match stands."""
    game = source.game if isinstance(source, Match) else source
    tokens = game.tokens[game.player], game.tokens[1 - game.player]
    return Moment(game.position, game.faces, tokens, stake_of(source, game.player))


def may_turn(has_cube: bool, stake: Stake) -> bool:
    """Whether the player to act may double. has_cube: of the rules."""
    if not has_cube or stake.cube is None or not stake.may_double:
        return False
    return stake.cube.owner != "them" and not (stake.score is not None and stake.score.crawford)


def cube_action(stay: float, take: float, drop: float, stake: Stake, beaver: bool) -> str:
    """The right action in words, from what no double, double/take and double/pass are worth."""
    double = min(take, drop)
    if not may_turn(True, stake):
        return "no double"
    if stay > double or (stay == double and take < drop):  # what is won in any case is won at once
        return "too good" if stay > drop and take >= drop else "no double"
    if drop < take:
        return "double/pass"
    return "double/beaver" if beaver else "double/take"
