"""Levels of play, from beginner to the strongest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from barpoint.error import UnknownVariant


@dataclass(frozen=True, slots=True)
class Level:
    """How well a bot plays.

    title: what players call it. about: what kind of player that is. plies: search depth. noise: standard deviation of a random error in the equity
    of every option, in points, chosen so that each level loses about half of the one before. loss: points lost a checker-play
    decision of standard backgammon, measured by benchmarks/level.py.
    """

    name: str
    about: str
    plies: int
    noise: float
    loss: float
    title: str = ""

    @property
    def pr(self) -> float:
        """The performance rating that its losses mean: half the millipoints lost a decision, 0 for perfect play."""
        return 500 * self.loss

    @property
    def line(self) -> str:
        """One line about the level, with its PR."""
        shown = f"about {self.pr:.0f}" if self.pr >= 1 else "below 1"
        return f"{self.about} PR {shown}."


_LEVELS: Final = (
    Level("beginner", "Has learned the moves and not much more.", 0, 0.40, 0.113, "Beginner"),
    Level("novice", "Sees good plays and misjudges many: for your first games.", 0, 0.22, 0.069, "Novice"),
    Level("casual", "Plays at home now and then, and misses a lot.", 0, 0.12, 0.038, "Casual player"),
    Level("club", "Plays steadily, with some slips.", 0, 0.07, 0.020, "Club player"),
    Level("tournament", "Slips now and then, and punishes your errors.", 0, 0.035, 0.0091, "Tournament player"),
    Level("strong", "Plays like the best people.", 0, 0.0, 0.0015, "Expert"),
    Level("expert", "Searches one roll ahead.", 1, 0.0, 0.0007, "World class"),
    Level("strongest", "Searches two rolls ahead.", 2, 0.0, 0.0001, "Strongest"),
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
