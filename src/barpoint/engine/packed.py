"""Equities of arrays of outcome probabilities, in the core's form."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from barpoint import chances
from barpoint.rules import Rules

Floats = npt.NDArray[np.float32]


def equities(rules: Rules, probabilities: Floats) -> Floats:
    """[n] cubeless points a game, from probabilities [n, 5], or margins [n, 3] where the rules score by the checker."""
    found: Floats = chances.equities(probabilities, (rules.scoring.gammon, rules.scoring.backgammon))
    return found
