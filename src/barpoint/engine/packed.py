"""Equities of arrays of outcome probabilities, in the core's form."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from barpoint.rules import Rules

Floats = npt.NDArray[np.float32]


def equities(rules: Rules, probabilities: Floats) -> Floats:
    """[n] cubeless points a game, from probabilities [n, 5], or margins [n, 3] where the rules score by the checker."""
    f, scoring = probabilities.T, rules.scoring
    if scoring.per_checker:
        return np.asarray(f[1] - f[2])
    gammon, backgammon = scoring.gammon - 1, scoring.backgammon - scoring.gammon
    return np.asarray(2 * f[0] - 1 + gammon * (f[1] - f[3]) + backgammon * (f[2] - f[4]))
