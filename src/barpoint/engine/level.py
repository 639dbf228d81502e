"""Levels of play, from beginner to the strongest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from barpoint.error import UnknownVariant


@dataclass(frozen=True, slots=True)
class Level:
    """How well a bot plays.

    about: what kind of player that is. plies: rolls looked ahead. noise: standard deviation of what it adds to the equity
    of every choice, in points. loss: measured points lost a play decision of standard backgammon (benchmarks/level.py).
    """

    name: str
    about: str
    plies: int
    noise: float
    loss: float

    @property
    def line(self) -> str:
        """One line about the level, with what it loses."""
        thousandths = 1000 * self.loss
        shown = f"{thousandths:.0f}" if thousandths >= 1 else "less than 1"
        return f"{self.about} Loses {shown} thousandths of a point a decision."


_LEVELS: Final = (
    Level("beginner", "Has learned the moves and not much more.", 0, 0.40, 0.113),
    Level("novice", "Sees what is there, judges it loosely.", 0, 0.22, 0.069),
    Level("casual", "Knows the game, misses much.", 0, 0.12, 0.038),
    Level("club", "A steady player with some slips.", 0, 0.07, 0.020),
    Level("tournament", "Slips now and then.", 0, 0.035, 0.0091),
    Level("strong", "The net itself, without slips.", 0, 0.0, 0.0015),
    Level("expert", "Looks a roll ahead.", 1, 0.0, 0.0007),
    Level("strongest", "Looks two rolls ahead.", 2, 0.0, 0.0001),
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
