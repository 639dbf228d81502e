"""A position that somebody has set up, from which a game begins."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from barpoint.board import Position
from barpoint.error import StakesError, check_kind
from barpoint.game import Cube, Game, Stakes
from barpoint.game.event import Face, PlayerIndex, PositionCounts, counts_of, position_of
from barpoint.game.fields import check_fields
from barpoint.language import N_
from barpoint.moves import outcome
from barpoint.rules import Rules


class StartingPosition(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Where a game begins instead of at the opening roll.

    counts: the position, seen by `player`, who is to roll, or to play `faces`. cube, owner: its value, and who alone may
    double. tokens: reroll tokens left of player 0 and 1; None for all of them. crawford: this is the Crawford game; False
    where a player needs one point means that it was played before.
    """

    counts: PositionCounts
    player: PlayerIndex = 0
    faces: Annotated[tuple[Face, ...], Meta(max_length=8)] = ()
    cube: Annotated[int, Meta(ge=1, le=1 << 62)] = 1
    owner: PlayerIndex | None = None
    tokens: tuple[int, int] | None = None
    crawford: bool = False

    def __post_init__(self) -> None:
        check_fields(self, N_("a position to begin in: %(error)s"))

    @classmethod
    def of(
        cls,
        position: Position,
        player: int = 0,
        *,
        faces: tuple[int, ...] = (),
        cube: int = 1,
        owner: int | None = None,
        tokens: tuple[int, int] | None = None,
        crawford: bool = False,
    ) -> StartingPosition:
        """That of a position seen by `player`, with the other fields as above; ArgumentError, StakesError."""
        check_kind("position", position, Position)
        return cls(counts_of(position), player, faces, cube, owner, tokens, crawford)

    @property
    def position(self) -> Position:
        """The position, seen by the player to act."""
        return position_of(self.counts)

    def other_seats(self) -> StartingPosition:
        """The same, with each player in the other's place."""
        return replace(
            self,
            player=1 - self.player,
            owner=None if self.owner is None else 1 - self.owner,
            tokens=None if self.tokens is None else self.tokens[::-1],
        )

    def game(self, rules: Rules, stakes: Stakes) -> Game:
        """The game that begins here; PositionError, IllegalEvent or StakesError where these rules do not allow it."""
        cube = Cube(self.cube, self.owner, turned=self.cube > 1 or self.owner is not None)
        game = Game.at(
            rules, self.position, self.player, stakes=stakes, faces=self.faces, cube=cube, tokens=self.tokens
        )
        if outcome(rules, self.position) is not None:
            raise StakesError("the game is over in the position where it would begin")
        return game
