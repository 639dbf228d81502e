"""Which function handles which event: from a game to the next, refusing whatever may not happen now."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from barpoint.error import IllegalEvent, brief
from barpoint.game import cube, ending, manual, playing, rolling
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
from barpoint.game.event_check import checked
from barpoint.game.state import Game


def _next(game: Game, event: Next) -> Game:
    raise refusal(game, event, "a single game has no next game; a match has")


_STEPS: Final[Mapping[type, Callable[..., Game]]] = {
    Opening: rolling.opening,
    Roll: rolling.roll,
    PlayMade: playing.play,
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
    Correct: playing.correct,
    Next: _next,
}
"""The step of each kind of event."""

_RECORDED_STEPS: Final[Mapping[type, Callable[..., Game]]] = {
    **_STEPS,
    PlayMade: playing.play_as_recorded,
    Correct: playing.correct_as_recorded,
}
"""The steps of a replay: a play that keeps its position is not checked again."""


def apply(game: Game, event: Event) -> Game:
    """The game after the event; IllegalEvent says what was found and what is allowed."""
    return _step(_STEPS, event)(game, checked(event))


def replay(game: Game, event: Event) -> Game:
    """As `apply`, but a play that keeps its position is taken at its word, whatever the rules say today; its fields are not checked."""
    recorded = isinstance(event, PlayMade | Correct) and event.position is not None
    return _step(_RECORDED_STEPS, event)(game, event if recorded else checked(event))


def _step(steps: Mapping[type, Callable[..., Game]], event: Event) -> Callable[..., Game]:
    step = steps.get(type(event))
    if step is None:
        raise IllegalEvent(
            "%(found)s (%(kind)s) is no event; allowed: values such as Roll(player, (3, 1)), of the kinds %(kinds)s; "
            "a play or its text goes to `play`, as in match.play('8/5 6/5')",
            found=brief(event),
            kind=type(event).__name__,
            kinds=", ".join(kind.__name__ for kind in steps),
        )
    return step
