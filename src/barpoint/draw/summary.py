"""What `str` gives of positions, situations, games, matches and turns: the board in letters, beside it whose turn it is, roll, cube and score; in English."""

from __future__ import annotations

from barpoint.board import Position
from barpoint.draw.scene import points_of_both, scene_of
from barpoint.draw.text import board, plain
from barpoint.game import Game
from barpoint.match import Match
from barpoint.match.situation import Situation
from barpoint.moves import Turn
from barpoint.rules import Meeting


def summary(source: Position | Situation | Game | Match | Turn) -> str:
    """The lines of `board`; the player whose turn it is is X, at the bottom.

    A position and a situation do not know their rules and are drawn as backgammon, with a note where that cannot be.
    """
    scene = scene_of(source)
    facts = [] if isinstance(source, Position) else _facts(source, scene.dice)
    drawn = plain(board(scene.position, meeting=scene.meeting or Meeting.OPPOSITE, beside=facts))
    if scene.meeting is None and (points := points_of_both(scene.position)):
        drawn += f"\n both sides on {', '.join(map(str, points))}: this is a game in one direction, drawn as backgammon"
    return drawn


def _facts(source: Situation | Game | Match | Turn, dice: tuple[int, ...]) -> list[str]:
    if isinstance(source, Turn):
        return [f"roll {'-'.join(map(str, dice))}", f"played {source.text or '–'}"]
    game: Situation | Game
    score: tuple[float, float]
    if isinstance(source, Situation):
        score, length, game = source.score, source.length, source
    elif isinstance(source, Match):
        score, length, game = source.score, source.length, source.game
    else:
        score, length, game = (0, 0), 0, source
    value, owner = (game.cube, game.owner) if isinstance(game, Situation) else (game.cube.value, game.cube.owner)
    facts = [f"player {game.player} is X", f"roll {'-'.join(map(str, dice)) or '–'}"]
    if isinstance(game, Situation) or game.cube_in_play:
        facts.append(f"cube {value}, {'in the middle' if owner is None else f'of player {owner}'}")
    if isinstance(game, Game):
        facts.append(str(game.phase.value).replace("_", " "))
    if not isinstance(source, Game):
        facts.append(f"{score[0]:g} : {score[1]:g} {f'of {length}' if length else 'for money'}")
    return facts
