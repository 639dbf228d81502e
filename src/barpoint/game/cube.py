"""The doubling cube: doubles, their answers, beavers and raccoons (S2-20 to S2-22, rulings 5.1)."""

from __future__ import annotations

from msgspec.structs import replace

from barpoint.game.allowed import doubling_barred, raising_barred, refusal
from barpoint.game.ending import finish
from barpoint.game.event import Beaver, Double, Event, Pass, Raccoon, Take
from barpoint.game.phase import Phase
from barpoint.game.state import Game


def double(game: Game, event: Double) -> Game:
    """The offer; it closes the doubler's window on the roll before (RC-14), and accepts what was played there."""
    if barred := doubling_barred(game, event.player):
        raise refusal(game, event, barred)
    return replace(
        game,
        phase=Phase.DOUBLED,
        resume=game.phase,
        cube=replace(game.cube, offered=2 * game.cube.value, raises=0, turned=True),
        rerollable_id=0,
        disputed=False,
        last=event,
    )


def take(game: Game, event: Take) -> Game:
    """The cube at the offered value belongs to the player who was doubled first."""
    _check_answer(game, event, event.player)
    cube = replace(game.cube, value=game.cube.offered, owner=1 - game.player, offered=0, raises=0)
    return replace(game, phase=game.resume, cube=cube, last=event)


def drop(game: Game, event: Pass) -> Game:
    """The game is lost at the stake before the last offer (D-14)."""
    _check_answer(game, event, event.player)
    points = game.cube.offered // 2
    cube = replace(game.cube, offered=0, raises=0)
    return finish(replace(game, cube=cube), event, 1 - event.player, points, 1, "pass")


def beaver(game: Game, event: Beaver) -> Game:
    """The player who was doubled doubles again, and keeps the cube."""
    if game.phase is Phase.DOUBLED and event.player == game.player:
        raise refusal(game, event, "only the player who was doubled may beaver")
    return _raise(game, event, event.player)


def raccoon(game: Game, event: Raccoon) -> Game:
    """The doubler doubles once more."""
    if game.phase is Phase.DOUBLED and event.player != game.player:
        raise refusal(game, event, "only the doubler may answer with a raccoon")
    return _raise(game, event, event.player)


def _raise(game: Game, event: Event, player: int) -> Game:
    _check_answer(game, event, player)
    if barred := raising_barred(game):
        raise refusal(game, event, barred)
    cube = replace(game.cube, offered=2 * game.cube.offered, raises=game.cube.raises + 1)
    return replace(game, cube=cube, last=event)


def _check_answer(game: Game, event: Event, player: int) -> None:
    if game.phase is not Phase.DOUBLED:
        raise refusal(game, event, "no double is pending")
    if player != game.actor:
        raise refusal(game, event, "the other player must answer")
