"""The fit of the cube efficiency to rollouts."""

from __future__ import annotations

import numpy as np
import pytest

from barpoint.variants import variant
from training.cube_efficiency import GRID, Sample, fit, model

RULES = variant("backgammon")


def sample(efficiency: float, shift: float = 0.0) -> Sample:
    """Positions whose values are the model's at this efficiency, all too high by `shift`."""
    draw = np.random.default_rng(3)
    probabilities = np.zeros((60, 5), np.float32)
    probabilities[:, 0] = draw.uniform(0.3, 0.8, 60)
    probabilities[:, 1], probabilities[:, 3] = 0.2 * probabilities[:, 0], 0.2 * (1 - probabilities[:, 0])
    values = model(RULES, probabilities)[int(np.abs(GRID - efficiency).argmin())]
    return Sample(np.full(60, 150.0), np.full(60, True), probabilities, values + shift)


@pytest.mark.parametrize("efficiency", [0.25, 0.6, 0.8])
def test_the_fit_finds_the_efficiency_that_made_the_values(efficiency: float) -> None:
    found, error, missed = fit(RULES, sample(efficiency), np.full(60, True), seed=1)
    assert found == pytest.approx(efficiency, abs=0.003)
    assert error < 0.003
    assert missed == pytest.approx([0, 0, 0], abs=1e-9)


def test_what_the_fit_misses_is_the_mean_of_the_rollouts_less_the_model() -> None:
    _, _, missed = fit(RULES, sample(0.5, shift=0.001), np.full(60, True), seed=1)
    assert missed.sum() == pytest.approx(0.003, abs=0.002)
    assert missed.max() > 0
