"""Rollouts: positions, plays and cube actions played out many times, with the standard error of every result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from typing import Final, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from barpoint.engine.cube_info import CubeInfo
from barpoint.engine.decision import Outcome_co, OutcomeProbabilities, cubeless_note, outcome_maker
from barpoint.engine.playout import Games, RolloutSettings
from barpoint.language import ngettext, number, percent
from barpoint.moves import Play
from barpoint.rules import Scoring

OutcomeT = TypeVar("OutcomeT", bound=OutcomeProbabilities)

Series = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and its standard error, which stratified rolls make slightly too large."""

    mean: float
    error: float

    def interval(self, errors: float = 1.96) -> tuple[float, float]:
        """The ends of the interval of so many standard errors on each side; 1.96 for one that holds the true mean 95 times in 100."""
        return self.mean - errors * self.error, self.mean + errors * self.error

    def __str__(self) -> str:
        return f"{number(self.mean, 3, sign=True)} ± {number(self.error, 3)}"

    @classmethod
    def of(cls, values: Series) -> Estimate:
        """From one number per game; sums are exact, so the order of games does not matter."""
        count = len(values)
        if not count:
            return cls(float("nan"), float("nan"))
        mean = fsum(values) / count
        if count == 1:
            return cls(mean, float("inf"))
        return cls(mean, sqrt(fsum((values - mean) ** 2) / (count - 1) / count))


@dataclass(frozen=True, slots=True)
class Rollout(Generic[Outcome_co]):
    """The result of a rollout, for the player who had to act.

    equity: with the cube and at the score of the rollout, a single win at the present cube is +1; mwc: the same as
    match winning chance, None for money. cubeful: whether both sides had a cube. cubeless: points a game of the outcomes
    alone, which is the equity where there is neither cube nor score. chances, errors: their means
    and the standard errors of these; a game that a pass ends counts with the net's chances at that point.
    settings.trials: games asked for; trials: games played.
    """

    trials: int
    equity: Estimate
    cubeless: Estimate
    chances: Outcome_co
    errors: Outcome_co
    settings: RolloutSettings
    mwc: Estimate | None = None
    cubeful: bool | None = None

    def __str__(self) -> str:
        mwc = "" if self.mwc is None else f"  mwc {percent(self.mwc.mean, 2)} ± {percent(self.mwc.error, 2)}"
        games = ngettext("%(num)s game", "%(num)s games", self.trials)
        cubeless = f"\nwithout cube {self.cubeless}" if self.cubeful or mwc else ""
        return f"equity {self.equity}{mwc}{cubeless_note(self.cubeful)}{cubeless}\n{self.chances}\n{games}"


@dataclass(frozen=True, slots=True)
class RolledPlay(Generic[Outcome_co]):
    """A play rolled out. loss: against the best one, with the error of the difference on the same dice."""

    play: Play
    rollout: Rollout[Outcome_co]
    loss: Estimate

    def __str__(self) -> str:
        loss = f" ({Estimate(-self.loss.mean, self.loss.error)})" if self.loss.mean else ""
        return f"{self.play}  {self.rollout.equity}{loss}  {self.rollout.chances}"


@dataclass(frozen=True, slots=True)
class RolledCube(Generic[Outcome_co]):
    """Cube actions rolled out on the same dice. double_take: beavered where that is the better answer.

    gain: of a double that is taken, over not doubling.
    """

    no_double: Rollout[Outcome_co]
    double_take: Rollout[Outcome_co]
    double_pass: float
    gain: Estimate
    action: str

    def __str__(self) -> str:
        return (
            f"no double {self.no_double.equity}\ndouble/take {self.double_take.equity} ({self.gain})\n"
            f"double/pass {number(self.double_pass, 3, sign=True)}\nright: {self.action}"
        )


USUAL: Final = Scoring()
"""A gammon counts two points, a backgammon three."""


@dataclass(frozen=True, slots=True)
class Perspective:
    """Turns the games of one start into results for the player who asked. flipped: the other side is to act at the
    start.
    """

    cube_info: CubeInfo
    flipped: bool = False
    scoring: Scoring = USUAL

    def values(self, games: Games) -> Series:
        """[n] in points, or as match winning chances."""
        value = games[:, -1]
        if not self.flipped:
            return value
        return 1 - value if self.cube_info.score else -value

    def equities(self, games: Games) -> Series:
        """[n] with a single win at the present cube as +1."""
        nothing = self.cube_info.to_equity(0.0)
        return nothing + (self.cube_info.to_equity(1.0) - nothing) * self.values(games)

    def probabilities(self, games: Games) -> list[Series]:
        """Each field of `Chances` or `Margins` as [n]."""
        columns = [games[:, i] for i in range(3 if self.scoring.per_checker else 5)]
        if not self.flipped:
            return columns
        order = (0, 2, 1) if self.scoring.per_checker else (0, 3, 4, 1, 2)
        return [1 - columns[0], *(columns[i] for i in order[1:])]

    def rollout(self, games: Games, settings: RolloutSettings, kind: type[OutcomeT]) -> Rollout[OutcomeT]:
        """The means of the games and their errors. kind: Chances or Margins."""
        columns = self.probabilities(games)
        estimates = [Estimate.of(column) for column in columns]
        make = outcome_maker(kind, self.scoring)
        return Rollout(
            len(games),
            Estimate.of(self.equities(games)),
            Estimate.of(make(*columns).equity),
            make(*(each.mean for each in estimates)),
            make(*(each.error for each in estimates)),
            settings,
            Estimate.of(self.values(games)) if self.cube_info.score else None,
            self.cube_info.cube is not None,
        )


StopRule = Callable[[list[Series]], Sequence[int]]
"""Receives the equities of every game so far, by start; returns the starts that still need games."""


def play_stop_rule(settings: RolloutSettings) -> StopRule:
    """Drops plays that are clearly behind; stops when one is left or every error is small enough."""

    def still_to_roll(equities: list[Series]) -> Sequence[int]:
        count = max(map(len, equities))
        alive = [i for i, series in enumerate(equities) if len(series) == count]
        estimates = {i: Estimate.of(equities[i]) for i in alive}
        if settings.stop_error and all(estimate.error <= settings.stop_error for estimate in estimates.values()):
            return ()
        if settings.stop_clear and len(equities) > 1:
            best = max(alive, key=lambda i: estimates[i].mean)
            alive = [i for i in alive if i == best or not _clear(equities[best] - equities[i], settings.stop_clear)]
            if len(alive) == 1:
                return ()
        return alive

    return still_to_roll


def cube_stop_rule(settings: RolloutSettings, double_pass: float, cube_info: CubeInfo) -> StopRule:
    """The same for no double and double/take, which run together until both decisions are clear."""

    def still_to_roll(equities: list[Series]) -> Sequence[int]:
        stay, take = equities
        taken = fsum(take) / len(take)
        answered, beaver = cube_info.answered(taken)
        take = answered / taken * take if beaver else take
        if settings.stop_error and max(Estimate.of(stay).error, Estimate.of(take).error) <= settings.stop_error:
            return ()
        passed = answered > double_pass
        doubled = stay - double_pass if passed else stay - take
        clear = settings.stop_clear
        if clear and all(_clear(part, clear) or _clear(-part, clear) for part in (doubled, take - double_pass)):
            return ()
        return (0, 1)

    return still_to_roll


def _clear(ahead: Series, errors: float) -> bool:
    found = Estimate.of(ahead)
    return found.mean > 0 and found.mean >= errors * found.error
