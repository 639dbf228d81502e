"""Levels of play, from beginner to the strongest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from barpoint.error import UnknownVariant


@dataclass(frozen=True, slots=True)
class Level:
    """How well a bot plays.

    plies: throws looked ahead. noise: standard deviation of what it adds to the equity of every choice, in points.
    """

    name: str
    line: str
    plies: int
    noise: float


_LEVELS: Final = (
    Level("beginner", "Sees what is there, judges it loosely.", 0, 0.25),
    Level("casual", "Knows the game, misses much.", 0, 0.10),
    Level("club", "A steady player with some slips.", 0, 0.04),
    Level("strong", "The net itself, without slips.", 0, 0.0),
    Level("strongest", "Looks a throw ahead.", 1, 0.0),
)


def levels() -> tuple[Level, ...]:
    """All levels, weakest first."""
    return _LEVELS


def level(name: str) -> Level:
    """The level of that name."""
    for each in _LEVELS:
        if each.name == name:
            return each
    raise UnknownVariant(f"no level is called {name!r}; known: {', '.join(each.name for each in _LEVELS)}")
