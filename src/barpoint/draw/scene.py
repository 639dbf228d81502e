"""What a picture shows of a position, situation, game, match, play or turn: the board, the dice, the cube and the tokens."""

from __future__ import annotations

from dataclasses import dataclass, replace

from barpoint.board import Position
from barpoint.error import check_kind
from barpoint.game import Game
from barpoint.match import Match
from barpoint.match.situation import Situation
from barpoint.moves import Play, Turn
from barpoint.rules import Meeting

Drawable = Position | Situation | Game | Match | Play | Turn
"""What can be drawn."""


@dataclass(frozen=True, slots=True)
class DrawnScene:
    """What is on the table. position: seen by the player whose turn it is.

    meeting: where the sides' paths meet; None where the source does not know its rules. cube: its value, None where there
    is none. own_cube: whether that player owns it; None while it is centred.
    tokens: reroll tokens of that player and of the other one; None in games without them.
    """

    position: Position
    meeting: Meeting | None = None
    dice: tuple[int, ...] = ()
    cube: int | None = None
    own_cube: bool | None = None
    tokens: tuple[int, int] | None = None

    def flip(self) -> DrawnScene:
        """The same seen by the other player."""
        return replace(
            self,
            position=self.position.flip(),
            own_cube=None if self.own_cube is None else not self.own_cube,
            tokens=None if self.tokens is None else (self.tokens[1], self.tokens[0]),
        )


def scene_of(source: Drawable) -> DrawnScene:
    """What is to be drawn; of a play the position it leads to, of a turn the one after its moves. ArgumentError for anything else."""
    if isinstance(source, Position):
        return DrawnScene(source)
    if isinstance(source, Play):
        return DrawnScene(source.result)
    if isinstance(source, Situation):
        owner = None if source.owner is None else source.owner == source.player
        return DrawnScene(
            source.position, dice=source.dice, cube=None if source.crawford else source.cube, own_cube=owner
        )
    if isinstance(source, Turn):
        return DrawnScene(source.position, source.rules.movement.meeting, source.faces)
    check_kind("the position to draw", source, Position, Situation, Game, Match, Play, Turn)
    game = source.game if isinstance(source, Match) else source
    return DrawnScene(
        game.position,
        game.rules.movement.meeting,
        game.faces,
        game.cube.value if game.cube_in_play else None,
        None if game.cube.owner is None else game.cube.owner == game.player,
        (game.tokens[game.player], game.tokens[1 - game.player]) if game.rules.rerolls.tokens else None,
    )


def points_of_both(position: Position) -> list[int]:
    """Points of `us` on which both sides stand and none is pinned, as never where the sides move in opposite directions."""
    us, them, other = position.us, position.them, Meeting.OPPOSITE.other
    return [
        point
        for point in range(1, 25)
        if us.points[point]
        and them.points[other(point)]
        and not (us.pinned >> point & 1 or them.pinned >> other(point) & 1)
    ]
