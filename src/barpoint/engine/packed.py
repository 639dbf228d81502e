"""Positions and figures as the core gives them, in arrays: turned to the other side, and their worth."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from barpoint.rules import Rules

Floats = npt.NDArray[np.float32]


def equities(rules: Rules, figures: Floats) -> Floats:
    """[n] cubeless points a game, from figures [n, 5], or [n, 3] where games pay by the checker."""
    f, scoring = figures.T, rules.scoring
    if scoring.per_checker:
        return np.asarray(f[1] - f[2])
    gammon, backgammon = scoring.gammon - 1, scoring.backgammon - scoring.gammon
    return np.asarray(2 * f[0] - 1 + gammon * (f[1] - f[3]) + backgammon * (f[2] - f[4]))


def flipped_figures(rules: Rules, figures: Floats) -> Floats:
    """The same figures seen by the other side."""
    order = (0, 2, 1) if rules.scoring.per_checker else (0, 3, 4, 1, 2)
    flipped = np.ascontiguousarray(figures[:, order])
    flipped[:, 0] = 1 - flipped[:, 0]
    return flipped


def turned(positions: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Packed positions [n, 64] seen by the other side."""
    return np.ascontiguousarray(positions[:, [*range(32, 64), *range(32)]])


def other_head(head: int) -> int:
    """The same markers as the other side's state of them has it."""
    return head >> 1 | (head & 1) << 1
