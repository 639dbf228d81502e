"""Levels of play, from beginner to the strongest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from barpoint.error import UnknownVariant


@dataclass(frozen=True, slots=True)
class Level:
    """How well a bot plays.

    about: what kind of player that is. plies: search depth. noise: standard deviation of a random error in the equity
    of every option, in points, chosen so that each level loses about half of the one before. loss: points lost a checker-play
    decision of standard backgammon, measured by benchmarks/level.py.
    """

    name: str
    about: str
    plies: int
    noise: float
    loss: float

    @property
    def line(self) -> str:
        """One line about the level, with its error rate."""
        millipoints = 1000 * self.loss
        shown = f"{millipoints:.0f}" if millipoints >= 1 else "below 1"
        return f"{self.about} Error rate: {shown} millipoints a decision."


_LEVELS: Final = (
    Level("beginner", "Has learned the moves and not much more.", 0, 0.40, 0.113),
    Level("novice", "Sees the good plays, judges them loosely.", 0, 0.22, 0.069),
    Level("casual", "Knows the game, misses a lot.", 0, 0.12, 0.038),
    Level("club", "A steady player with some slips.", 0, 0.07, 0.020),
    Level("tournament", "Slips now and then.", 0, 0.035, 0.0091),
    Level("strong", "The net itself, without slips.", 0, 0.0, 0.0015),
    Level("expert", "Searches one roll ahead.", 1, 0.0, 0.0007),
    Level("strongest", "Searches two rolls ahead.", 2, 0.0, 0.0001),
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
