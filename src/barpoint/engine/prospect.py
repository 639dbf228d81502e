"""A player's equity in a running game, and when to accept a resignation."""

from __future__ import annotations

from barpoint.engine.cube_info import cube_info_of
from barpoint.engine.decision import Evaluator
from barpoint.engine.decision_point import point_of
from barpoint.game.payment import resigned_points
from barpoint.match import Match


def prospect(engine: Evaluator, match: Match, player: int) -> float:
    """The player's equity if the game goes on, ignoring a resignation that is offered."""
    game = match.game
    point = point_of(match)
    equity = engine.rank(point, limit=1)[0].equity if game.faces else engine.equity(point)
    return equity if game.player == player else -equity


def resignation(engine: Evaluator, match: Match, player: int) -> float:
    """The player's equity if they accept the resignation that is offered."""
    game = match.game
    assert game.resigning is not None
    cube_info = cube_info_of(match, player, engine.met)
    return cube_info.to_equity(cube_info.of_points(resigned_points(game, *game.resigning)))
