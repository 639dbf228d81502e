"""What a game in progress is worth to a player, and what a resignation offers him."""

from __future__ import annotations

from barpoint.engine.decision import Judge, Tokens
from barpoint.engine.stake import stake_of
from barpoint.game import Game
from barpoint.match import Match


def tokens_of(game: Game, player: int) -> Tokens:
    """The markers, the player's first."""
    return game.tokens[player], game.tokens[1 - player]


def prospect(engine: Judge, match: Match, player: int) -> float:
    """The player's equity if the game goes on, seen without a resignation that waits for its answer."""
    game = match.game
    turn = game.player
    tokens, stake = tokens_of(game, turn), stake_of(match, turn)
    if game.faces:
        equity = engine.rank_for(game.position, game.faces, stake, tokens, 1)[0].equity
    else:
        equity = engine.stand(game.position, stake, tokens)
    return equity if turn == player else -equity


def resignation(engine: Judge, match: Match, player: int) -> float:
    """What the player's equity becomes by accepting the resignation that waits for his answer."""
    game = match.game
    assert game.resigning is not None
    points = (1 if game.flat else game.resigning[1]) * game.cube.value
    if engine.rules.scoring.per_checker:
        points = game.side(1 - player).total - game.side(1 - player).points[0]
    stake = stake_of(match, player)
    return stake.normal(stake.core().worth(points))
