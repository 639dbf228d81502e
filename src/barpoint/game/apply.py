"""What each event does to a game: one function from value to value, refusing whatever may not happen now."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from barpoint.game import cube, ending, manual, rolling
from barpoint.game.allowed import refusal
from barpoint.game.event import (
    Abort,
    Accept,
    Beaver,
    Claim,
    Correct,
    Double,
    Event,
    Keep,
    Next,
    Object,
    Opening,
    Pass,
    PlayMade,
    Raccoon,
    Reject,
    Resign,
    Roll,
    Rollover,
    Settle,
    Take,
    Timeout,
    Void,
)
from barpoint.game.playing import correct, play
from barpoint.game.state import Game


def _next(game: Game, event: Next) -> Game:
    raise refusal(game, event, "one game has no next; a match has")


_STEPS: Final[dict[type, Callable[..., Game]]] = {
    Opening: rolling.opening,
    Roll: rolling.roll,
    Rollover: rolling.rollover,
    Double: cube.double,
    Take: cube.take,
    Pass: cube.drop,
    Beaver: cube.beaver,
    Raccoon: cube.raccoon,
    Keep: ending.keep,
    Resign: ending.resign,
    Accept: ending.accept,
    Reject: ending.reject,
    Settle: ending.settle,
    Timeout: ending.timeout,
    Claim: ending.claim,
    Abort: ending.abort,
    Void: manual.void,
    Object: manual.demand,
    Next: _next,
}


def apply(game: Game, event: Event, recorded: bool = False) -> Game:
    """The game after the event; IllegalEvent says what was found and what is allowed.

    recorded: a play that keeps its position is taken at its word instead of being checked.
    """
    if isinstance(event, PlayMade):
        return play(game, event, recorded)
    if isinstance(event, Correct):
        return correct(game, event, recorded)
    return _STEPS[type(event)](game, event)
