"""What a picture shows of a position, situation, game, match or play: the board, the dice, the cube and the tokens."""

from __future__ import annotations

from dataclasses import dataclass

from barpoint.board import Position
from barpoint.error import check_kind
from barpoint.game import Game
from barpoint.match import Match
from barpoint.match.situation import Situation
from barpoint.moves import Play
from barpoint.rules import Meeting

Drawable = Position | Situation | Game | Match | Play
"""What can be drawn."""


@dataclass(frozen=True, slots=True)
class DrawnScene:
    """What is on the table. position: seen by the player whose turn it is.

    cube: its value, None where there is none. own_cube: whether that player owns it; None while it is centred.
    tokens: reroll tokens of that player and of the other one; None in games without them.
    """

    position: Position
    meeting: Meeting = Meeting.OPPOSITE
    dice: tuple[int, ...] = ()
    cube: int | None = None
    own_cube: bool | None = None
    tokens: tuple[int, int] | None = None


def scene_of(source: Drawable) -> DrawnScene:
    """What is to be drawn; of a play the position it leads to. ArgumentError for anything else."""
    if isinstance(source, Position):
        return DrawnScene(source)
    if isinstance(source, Play):
        return DrawnScene(source.result)
    if isinstance(source, Situation):
        owner = None if source.owner is None else source.owner == source.player
        return DrawnScene(
            source.position, dice=source.dice, cube=None if source.crawford else source.cube, own_cube=owner
        )
    check_kind("the position to draw", source, Position, Situation, Game, Match, Play)
    game = source.game if isinstance(source, Match) else source
    return DrawnScene(
        game.position,
        game.rules.movement.meeting,
        game.faces,
        game.cube.value if game.cube_in_play else None,
        None if game.cube.owner is None else game.cube.owner == game.player,
        (game.tokens[game.player], game.tokens[1 - game.player]) if game.rules.rerolls.tokens else None,
    )
