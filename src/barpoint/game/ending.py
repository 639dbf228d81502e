"""Endings away from the board: final rolls that stand, resignations, settlements, time."""

from __future__ import annotations

from msgspec.structs import replace

from barpoint.game.allowed import refusal, resignation_levels
from barpoint.game.event import Abort, Accept, Claim, Event, Keep, Reject, Resign, Settle, Timeout
from barpoint.game.payment import checkers_left, points_for, resigned_level
from barpoint.game.phase import Phase, Result
from barpoint.game.state import Game
from barpoint.language import Word


def finish(game: Game, event: Event, winner: int | None, points: float, level: int, how: str) -> Game:
    """The game is over with this result."""
    result = Result(winner, points, level, how)
    return replace(
        game, phase=Phase.OVER, result=result, ended=None, rerollable_id=0, disputed=False, before=None, last=event
    )


def keep(game: Game, event: Keep) -> Game:
    """The roll that ended the game stands."""
    if game.phase is not Phase.PROVISIONAL_END or event.player != game.actor:
        raise refusal(game, event, "this player has no final roll to let stand")
    return _stand(game, event)


def _stand(game: Game, event: Event) -> Game:
    ended = game.ended
    assert ended is not None
    return finish(game, event, ended.winner, ended.points, ended.level, ended.how)


def resign(game: Game, event: Resign) -> Game:
    """The offer to lose; until it is answered nothing else may happen (RC-13)."""
    if event.player not in (0, 1) or game.phase not in (Phase.TO_ROLL, Phase.TO_PLAY):
        raise refusal(game, event, "nobody may resign now")
    levels = resignation_levels(game, event.player)
    if event.level not in levels:
        raise refusal(
            game,
            event,
            "level %(level)s may not be offered in this position, or not again; levels: %(allowed)s",
            level=event.level,
            allowed=", ".join(map(str, levels)) or Word("nothing"),
        )
    return replace(game, phase=Phase.RESIGNED, resume=game.phase, resigning=(event.player, event.level), last=event)


def accept(game: Game, event: Accept) -> Game:
    """The resignation ends the game."""
    player, level = _check_answer(game, event, event.player)
    level = resigned_level(game, player, level)
    return finish(replace(game, resigning=None), event, 1 - player, points_for(game, level), level, "resign")


def reject(game: Game, event: Reject) -> Game:
    """The game goes on where it was; the level may not be offered again until the position changes."""
    player, level = _check_answer(game, event, event.player)
    masks = list(game.rejected)
    masks[player] |= 1 << level
    return replace(game, phase=game.resume, resigning=None, rejected=(masks[0], masks[1]), last=event)


def _check_answer(game: Game, event: Event, player: int) -> tuple[int, int]:
    if game.phase is not Phase.RESIGNED or game.resigning is None:
        raise refusal(game, event, "no resignation is pending")
    if player != game.actor:
        raise refusal(game, event, "the other player must answer")
    return game.resigning


def settle(game: Game, event: Settle) -> Game:
    """Both have agreed on points instead of playing on (money only), or a transcript gives other points."""
    begun = game.phase not in (Phase.OPENING, Phase.OVER)
    if not game.stakes.transcript and not (game.stakes.money and begun):
        raise refusal(game, event, "only a money game that has begun can be settled")
    winner = None if event.points == 0 else 0 if event.points > 0 else 1
    points = abs(event.points)
    calm = replace(game, resigning=None, cube=replace(game.cube, offered=0, raises=0))
    return finish(calm, event, winner, int(points) if points == int(points) else points, 0, "settle")


def timeout(game: Game, event: Timeout) -> Game:
    """Out of time: the final roll stands (rulings 2.3, state E), or the game is lost at what the position still allows."""
    if event.player not in (0, 1) or game.over:
        raise refusal(game, event, "no clock runs for this player")
    if game.actor not in (None, event.player):
        raise refusal(game, event, "the other player is to act, and their clock runs")
    if game.phase is Phase.PROVISIONAL_END:
        return _stand(game, event)
    return _forfeit(game, event, event.player, "timeout")


def claim(game: Game, event: Claim) -> Game:
    """The other player has left: the final roll stands, or they lose as if out of time."""
    if event.player not in (0, 1) or game.over:
        raise refusal(game, event, "there is no game to claim")
    if game.phase is Phase.PROVISIONAL_END:
        if event.player == game.actor:
            raise refusal(game, event, "the game waits for this very player")
        return _stand(game, event)
    return _forfeit(game, event, 1 - event.player, "claim")


def _forfeit(game: Game, event: Event, loser: int, how: str) -> Game:
    left = checkers_left(game, loser)
    if game.rules.scoring.per_checker:
        level = left
    else:
        level = 2 if left == game.rules.checkers and game.rules.scoring.levels > 1 else 1
    cube = replace(game.cube, offered=0, raises=0)
    calm = replace(game, resigning=None, cube=cube)
    return finish(calm, event, 1 - loser, points_for(calm, level), level, how)


def abort(game: Game, event: Abort) -> Game:
    """Nothing was rolled and nothing is played."""
    if game.phase is not Phase.OPENING or game.opening_dice:
        raise refusal(game, event, "dice were already rolled")
    return finish(game, event, None, 0, 0, "abort")
