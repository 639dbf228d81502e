"""A game as a value: its events, phases, cube, tokens and endings."""

from barpoint.game.allowed import legal_events
from barpoint.game.apply import apply, replay
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
    event_from_dict,
    event_to_dict,
    kind_of,
)
from barpoint.game.payment import in_digits
from barpoint.game.phase import Allowed, Cube, Phase, Result, RollRecord
from barpoint.game.stakes import MAX_CUBE, Stakes
from barpoint.game.state import Game

__all__ = [
    "MAX_CUBE",
    "Abort",
    "Accept",
    "Allowed",
    "Beaver",
    "Claim",
    "Correct",
    "Cube",
    "Double",
    "Event",
    "Game",
    "Keep",
    "Next",
    "Object",
    "Opening",
    "Pass",
    "Phase",
    "PlayMade",
    "Raccoon",
    "Reject",
    "Resign",
    "Result",
    "Roll",
    "RollRecord",
    "Rollover",
    "Settle",
    "Stakes",
    "Take",
    "Timeout",
    "Void",
    "event_from_dict",
    "event_to_dict",
    "in_digits",
    "kind_of",
]

# Game is below the steps that its events take, so the package binds them to it.
Game.apply = apply
Game.replay = replay
Game.legal_events = legal_events
