"""What the ID of a position in a game describes: the board, the dice, the cube and the score."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, ClassVar, Final

from msgspec import Meta

from barpoint.board import Position
from barpoint.error import FormatError, StakesError, brief, check_kind
from barpoint.game import MAX_CUBE, Game, Phase, in_digits
from barpoint.game.event import Face, PlayerIndex, counts_of
from barpoint.game.fields import fit_fields
from barpoint.match.match import Match
from barpoint.match.starting_position import StartingPosition
from barpoint.match.terms import MatchTerms
from barpoint.rules import Rules


class Offer(StrEnum):
    """The cube action that waits for an answer."""

    NONE = "none"
    DOUBLE = "double"
    BEAVER = "beaver"
    RACCOON = "raccoon"


class GameState(StrEnum):
    """The state of a game, in the order of GNU's match ID."""

    NONE = "none"  # no game has begun
    PLAYING = "playing"
    OVER = "over"
    RESIGNED = "resigned"
    DROPPED = "dropped"


CubeValue = Annotated[int, Meta(ge=1, le=MAX_CUBE)]
WholePoints = Annotated[int, Meta(ge=0)]


@dataclass(frozen=True, slots=True)
class Situation:
    """A position in a game in a match. Players are 0 and 1; in an XGID player 1 is at the bottom.

    position: seen by `player`, even while the other one must answer a double.
    player: whose turn it is, the owner of the dice.
    actor: who must act now.
    dice: faces, highest first; () before the roll.
    cube: its value, 1 or more; while a double is pending the value before it.
    owner: who owns the cube; None when it is centred.
    length: points of the match; 0 for money.
    score: points of player 0 and player 1.
    crawford: this is the Crawford game.
    jacoby, beavers: in force; money only.
    offer: the cube action that `actor` must answer.
    resignation: 0, or the level 1..3 of the resignation that `actor` must answer.
    cube_limit: the maximum value of the cube, MAX_CUBE where nothing limits it.
    StakesError for a value that there is none of, such as a cube that is no power of two. Which position and which dice the rules allow is
    checked where they are used.
    """

    position: Position
    player: PlayerIndex = 1
    actor: PlayerIndex = 1
    dice: Annotated[tuple[Face, ...], Meta(max_length=8)] = ()
    cube: CubeValue = 1
    owner: PlayerIndex | None = None
    length: WholePoints = 0
    score: tuple[WholePoints, WholePoints] = (0, 0)
    crawford: bool = False
    jacoby: bool = False
    beavers: bool = False
    offer: Offer = Offer.NONE
    resignation: Annotated[int, Meta(ge=0, le=3)] = 0
    state: GameState = GameState.PLAYING
    cube_limit: CubeValue = MAX_CUBE

    def __post_init__(self) -> None:
        check_kind("position", self.position, Position)
        fit_fields(self, lambda name, _error: self._refusal(name))
        for name in ("cube", "cube_limit"):
            if getattr(self, name) & (getattr(self, name) - 1):
                raise self._refusal(name)
        object.__setattr__(self, "dice", tuple(sorted(self.dice, reverse=True)))
        if self.length and self.state is GameState.PLAYING and max(self.score) >= self.length:
            raise StakesError(
                "score %(first)s-%(second)s in a match to %(length)s points that still goes on",
                first=self.score[0],
                second=self.score[1],
                length=self.length,
            )

    def _refusal(self, name: str) -> StakesError:
        return StakesError(
            "%(name)s of a situation is %(found)s; allowed: %(allowed)s",
            name=name,
            found=brief(getattr(self, name)),
            allowed=_ALLOWED[name],
        )

    _repr_svg_: ClassVar[Callable[[Situation], str | None]]
    _text_: ClassVar[Callable[[Situation], str]]
    """A picture for notebooks, and the same in letters, bound by `draw`."""

    def __str__(self) -> str:
        return self._text_()

    @property
    def position_of_actor(self) -> Position:
        """The position seen by the player who must act now."""
        return self.position if self.actor == self.player else self.position.flip()

    @property
    def away(self) -> tuple[int, int] | None:
        """Points that player 0 and player 1 still need; None for money."""
        if not self.length:
            return None
        return self.length - self.score[0], self.length - self.score[1]


_ALLOWED: Final = {
    "player": "0 or 1",
    "actor": "0 or 1",
    "dice": "what the dice show, as in (3, 1), or ()",
    "cube": "powers of two up to 2**62",
    "owner": "0, 1 or None",
    "length": "points from 0, which is money",
    "score": "points from 0 of player 0 and player 1",
    "crawford": "True or False",
    "jacoby": "True or False",
    "beavers": "True or False",
    "offer": ", ".join(Offer),
    "resignation": "0 to 3",
    "state": ", ".join(GameState),
    "cube_limit": "powers of two up to 2**62",
}


def situation_of(state: Match | Game) -> Situation:
    """The situation of a game, alone as money or in its match, as far as IDs can express it. Before the start player 0
    counts as the one to act.

    FormatError for a score that is not whole, ArgumentError for anything but a game or match.
    """
    check_kind("state", state, Match, Game)
    game = state.game if isinstance(state, Match) else state
    match = state if isinstance(state, Match) else None
    score = match.score if match else (0, 0)
    if any(points != int(points) for points in score):
        raise FormatError(
            "score %(first)s-%(second)s; IDs hold whole points",
            first=in_digits(score[0]),
            second=in_digits(score[1]),
        )
    pending = game.phase is Phase.DOUBLED
    return Situation(
        position=game.position,
        player=game.player,
        actor=game.player if game.actor is None else game.actor,
        dice=game.faces,
        cube=game.cube.value,
        owner=game.cube.owner,
        length=match.length if match else 0,
        score=(int(score[0]), int(score[1])),
        crawford=match is not None and match.crawford,
        jacoby=game.stakes.jacoby,
        beavers=game.stakes.beavers > 0,
        offer=(Offer.DOUBLE, Offer.BEAVER, Offer.RACCOON)[min(game.cube.raises, 2)] if pending else Offer.NONE,
        resignation=game.resigning[1] if game.resigning else 0,
        state=_state_of(game),
        cube_limit=game.stakes.cube_limit,
    )


def match_at(situation: Situation, rules: Rules | str = "backgammon") -> Match:
    """The match that goes on from a situation, as if its first game had begun there.

    A double or resignation that waits for its answer is taken back. PositionError, IllegalEvent or StakesError where these
    rules do not allow the position, the roll, the cube or the score, or the game is over; ArgumentError for anything but a
    Situation, as `parse_id` gives it.
    """
    check_kind("situation", situation, Situation)
    begins_at = StartingPosition(
        counts=counts_of(situation.position),
        player=situation.player,
        faces=situation.dice,
        cube=situation.cube,
        owner=situation.owner,
        crawford=situation.crawford,
    )
    terms = MatchTerms(
        length=situation.length,
        jacoby=situation.jacoby,
        beavers=int(situation.beavers),
        cube_limit=max(situation.cube_limit, situation.cube),
        first_score=situation.score,
        begins_at=begins_at,
    )
    return Match.start(rules=rules, terms=terms)


def _state_of(game: Game) -> GameState:
    if game.result is None:
        return GameState.PLAYING
    return {"pass": GameState.DROPPED, "resign": GameState.RESIGNED}.get(game.result.how, GameState.OVER)
