"""A proposition: a series of games for money that begin in positions somebody has set up, to find out who has the better side."""

from __future__ import annotations

from typing import Annotated, Final, Self

from msgspec import Meta, Struct

from barpoint.error import check_kind
from barpoint.game.fields import check_fields
from barpoint.language import N_
from barpoint.match.starting_position import StartingPosition

MAX_GAMES: Final = 1000
MAX_SPOT: Final = 64


class Proposition(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is played again and again.

    positions: where the games begin, in turn: one for all of them; two that differ in the seats when the players change sides; or, for
        play against play, the position after player 0 has made one and that after player 1 has made the other.
    games: how many are played; 0 until the players end the session.
    spot: points that each game gives to the player who is not to act where it begins, whoever wins; below 0 to the other one.
    plays: of play against play, those of player 0 and 1 in notation, for people; else ().
    """

    positions: Annotated[tuple[StartingPosition, ...], Meta(min_length=1, max_length=8)]
    games: Annotated[int, Meta(ge=0, le=MAX_GAMES)] = 0
    spot: Annotated[int, Meta(ge=-MAX_SPOT, le=MAX_SPOT)] = 0
    plays: Annotated[tuple[Annotated[str, Meta(max_length=200)], ...], Meta(max_length=2)] = ()

    def __post_init__(self) -> None:
        check_fields(self, N_("a proposition: %(error)s"))

    @classmethod
    def of(cls, position: StartingPosition, *, sides_change: bool = True, games: int = 0, spot: int = 0) -> Self:
        """A series from one position. sides_change: each player has either side in every other game. ArgumentError, StakesError."""
        check_kind("position", position, StartingPosition)
        return cls((position, position.other_seats()) if sides_change else (position,), games, spot)

    @property
    def sides_change(self) -> bool:
        """Whether the player who is to act where a game begins is not always the same."""
        return len({position.player for position in self.positions}) > 1

    def begins(self, game: int) -> StartingPosition:
        """Where a game begins; the first is game 0."""
        return self.positions[game % len(self.positions)]

    def spots(self, game: int) -> tuple[int, int]:
        """What a game gives player 0 and 1, whoever wins it."""
        acts = self.begins(game).player
        gets = 1 - acts if self.spot > 0 else acts
        return (abs(self.spot), 0) if gets == 0 else (0, abs(self.spot))

    def over(self, games: int) -> bool:
        """Whether the series is over after so many games."""
        return 0 < self.games <= games
