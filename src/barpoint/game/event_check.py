"""Checks an event where it is applied: what a game accepts, a log can hold."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from msgspec import Struct, ValidationError, convert
from msgspec.structs import asdict, astuple

from barpoint.error import NOT_ALLOWED, IllegalEvent, not_allowed
from barpoint.game.event import KINDS, Event
from barpoint.game.fields import field_kinds, fitted_fields, row

_NUMBERS: Final[dict[str, Any]] = {"player": int, "faces": tuple[int, ...], "roll_id": int, "level": int}
"""Fields of which any number is let through here: the game knows which it allows, and says so better."""

_ALLOWED: Final = {
    "player": "0 or 1",
    "faces": "whole numbers, as in (3, 1)",
    "moves": "(from, to, number) of each move; those of a Play are `play.moves`",
    "position": "None, or what the game has written",
    "again": "True or False",
    "ended": "None, or what the game has written",
    "illegal": "True or False",
    "roll_id": "the whole number of a roll",
    "level": "1, 2 or 3",
    "points": "numbers from -10**18 to 10**18",
    "voided": "True or False",
    "reason": "'cocked', 'on_checker' or 'premature'",
}

_FIELDS: Final = {
    event: {name: _NUMBERS.get(name, kind) for name, kind in field_kinds(event).items()} for event in KINDS
}
_ROWS: Final[dict[type, type[Struct]]] = {
    event: row(event.__name__, kinds) for event, kinds in _FIELDS.items() if kinds
}


def checked(event: Event) -> Event:
    """The event, its numbers as int and its lists and arrays as tuples; IllegalEvent for a field of another kind."""
    kind = type(event)
    if kind not in _ROWS:
        return event
    try:
        found = astuple(convert(astuple(event), _ROWS[kind]))
    except ValidationError:
        found = tuple(fitted_fields(_FIELDS[kind], asdict(event), partial(_refusal, event)).values())
    return kind(*found)


def _refusal(event: Event, name: str, _error: ValidationError) -> IllegalEvent:
    said = not_allowed(f"{KINDS[type(event)]}: {name}", getattr(event, name), _ALLOWED[name])
    return IllegalEvent(NOT_ALLOWED, **said)
