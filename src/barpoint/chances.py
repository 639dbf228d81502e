"""The outcome distribution of a game, as the net and the search give it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from barpoint.error import ArgumentError, check_kind
from barpoint.language import _, number, percent


@dataclass(frozen=True, slots=True)
class Chances:
    """Chances for the player to act, each 0..1 and nested: a gammon includes its backgammons.

    payments: points of a gammon and a backgammon.
    """

    win: float
    win_gammon: float
    win_backgammon: float
    lose_gammon: float
    lose_backgammon: float
    payments: tuple[int, int] = field(default=(2, 3), kw_only=True, repr=False)

    def __str__(self) -> str:
        return _(
            "win %(win)s (g %(win_gammon)s, bg %(win_backgammon)s)  lose g %(lose_gammon)s, bg %(lose_backgammon)s",
            win=percent(self.win, 1),
            win_gammon=percent(self.win_gammon, 1),
            win_backgammon=percent(self.win_backgammon, 1),
            lose_gammon=percent(self.lose_gammon, 1),
            lose_backgammon=percent(self.lose_backgammon, 1),
        )

    @property
    def equity(self) -> float:
        """Cubeless points a game."""
        gammons, backgammons = self.win_gammon - self.lose_gammon, self.win_backgammon - self.lose_backgammon
        gammon, backgammon = self.payments
        return 2 * self.win - 1 + (gammon - 1) * gammons + (backgammon - gammon) * backgammons

    @property
    def probabilities(self) -> tuple[float, float, float, float, float]:
        """win, win_gammon, win_backgammon, lose_gammon, lose_backgammon."""
        return self.win, self.win_gammon, self.win_backgammon, self.lose_gammon, self.lose_backgammon

    def flip(self) -> Chances:
        """The same chances seen by the other side."""
        return Chances(
            1 - self.win,
            self.lose_gammon,
            self.lose_backgammon,
            self.win_gammon,
            self.win_backgammon,
            payments=self.payments,
        )


@dataclass(frozen=True, slots=True)
class Margins:
    """For games that pay by the checker: chances and the mean number of points for the player to act.

    win: chance to win, 0..1.
    won_points, lost_points: mean points from games won and lost, each over all games (so equity is their difference).
    """

    win: float
    won_points: float
    lost_points: float

    def __str__(self) -> str:
        return _(
            "win %(win)s  points won %(won)s, points lost %(lost)s",
            win=percent(self.win, 1),
            won=number(self.won_points, 2),
            lost=number(self.lost_points, 2),
        )

    @property
    def probabilities(self) -> tuple[float, float, float]:
        """win, won_points, lost_points."""
        return self.win, self.won_points, self.lost_points

    @property
    def equity(self) -> float:
        """Points a game."""
        return self.won_points - self.lost_points

    def flip(self) -> Margins:
        """The same outcome seen by the other side."""
        return Margins(1 - self.win, self.lost_points, self.won_points)


def outcome_from(probabilities: Sequence[float], payments: tuple[int, int] = (2, 3)) -> Chances | Margins:
    """Chances of five numbers and what gammons and backgammons pay, or Margins of three."""
    return Margins(*probabilities) if len(probabilities) == 3 else Chances(*probabilities, payments=payments)


def payments_of(outcome: Chances | Margins) -> tuple[int, int]:
    """What gammons and backgammons pay in the game; the usual where points say it."""
    return outcome.payments if isinstance(outcome, Chances) else (2, 3)


def equities(
    probabilities: npt.NDArray[np.floating[Any]], payments: tuple[int, int] = (2, 3)
) -> npt.NDArray[np.floating[Any]]:
    """[n] cubeless equities, points a game for the side to act, of what `Engine.evaluate_array` gives.

    probabilities: floats [n, 5], fields of `Chances`, or [n, 3], of `Margins`; the result has their type. payments: points
    of a gammon and a backgammon. ArgumentError for another shape or type.
    """
    check_kind("probabilities", probabilities, np.ndarray)
    if not (np.issubdtype(probabilities.dtype, np.floating) and probabilities.ndim == 2) or (
        probabilities.shape[1] not in (3, 5)
    ):
        raise ArgumentError(
            "probabilities are %(dtype)s %(list)s; allowed: floats [n, 5], or [n, 3] where games pay by the checker",
            dtype=probabilities.dtype,
            list=list(probabilities.shape),
        )
    f = probabilities.T
    if len(f) == 3:
        return np.asarray(f[1] - f[2])
    gammon, backgammon = payments
    return np.asarray(2 * f[0] - 1 + (gammon - 1) * (f[1] - f[3]) + (backgammon - gammon) * (f[2] - f[4]))
