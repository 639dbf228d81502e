"""Levels of play, from beginner to the strongest, and those that err as people do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from barpoint.error import OptionError
from barpoint.language import N_, _, number


@dataclass(frozen=True, slots=True)
class Level:
    """How well a bot plays.

    title: what players call it. about: what kind of player that is. plies: search depth. noise: standard deviation of a random error in the equity
    of every option, in points, chosen so that each level loses about half of the one before. loss: points lost a checker-play
    decision of standard backgammon, measured by benchmarks/level.py. rollout: close decisions are rolled out, which takes
    up to seconds. people: it errs as people do (people.py), instead of by noise; loss is then what its name says.
    """

    name: str
    about: str
    plies: int
    noise: float
    loss: float
    title: str = ""
    rollout: bool = False
    people: bool = False

    @property
    def pr(self) -> float:
        """The performance rating that its losses mean: half the millipoints lost a decision, 0 for perfect play."""
        return 500 * self.loss

    @property
    def line(self) -> str:
        """One line about the level, with its PR."""
        if self.pr < 1:
            return _("%(about)s PR below 1.", about=_(self.about))
        return _("%(about)s PR about %(pr)s.", about=_(self.about), pr=number(self.pr, 0))


_LEVELS: Final = (
    Level("beginner", N_("Has learned the moves and not much more."), 0, 0.40, 0.113, N_("Beginner")),
    Level("novice", N_("Sees good plays and misjudges many: for your first games."), 0, 0.22, 0.069, N_("Novice")),
    Level("casual", N_("Plays at home now and then, and misses a lot."), 0, 0.12, 0.038, N_("Casual player")),
    Level("club", N_("Plays steadily, with some slips."), 0, 0.07, 0.020, N_("Club player")),
    Level("tournament", N_("Slips now and then, and punishes your errors."), 0, 0.035, 0.0091, N_("Tournament player")),
    Level("strong", N_("Plays like the best people."), 0, 0.0, 0.0015, N_("Expert")),
    Level("expert", N_("Searches one roll ahead."), 1, 0.0, 0.0007, N_("World class")),
    Level("master", N_("Searches two rolls ahead."), 2, 0.0, 0.0001, N_("Grandmaster")),
    Level(
        "strongest", N_("Searches two rolls ahead, and rolls out what is close."), 2, 0.0, 0.0001, N_("Strongest"), True
    ),
)


_PEOPLE: Final = tuple(
    Level(f"pr-{pr}", about, 0, 0.0, pr / 500, title, people=True)
    for pr, about, title in (
        (20, N_("Errs like people who know the moves and the first ideas."), N_("Beginner, PR 20")),
        (15, N_("Errs like people who play now and then."), N_("Casual player, PR 15")),
        (11, N_("Errs like people who play often and have not studied."), N_("Regular player, PR 11")),
        (8, N_("Errs like good players of a club."), N_("Club player, PR 8")),
        (6, N_("Errs like people who play tournaments."), N_("Tournament player, PR 6")),
        (4, N_("Errs like experts among people."), N_("Expert, PR 4")),
    )
)
"""Levels that err as people do: one row each. training/people.py sets how well they play."""

_ALL: Final = tuple(sorted((*_LEVELS, *_PEOPLE), key=lambda each: -each.loss))


def levels() -> tuple[Level, ...]:
    """All levels, weakest first."""
    return _ALL


def level(name: str) -> Level:
    """The level of that name."""
    for each in _ALL:
        if each.name == name:
            return each
    raise OptionError(
        N_("no level is called %(name)r; known: %(allowed)s"), name=name, allowed=", ".join(one.name for one in _ALL)
    )
