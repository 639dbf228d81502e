"""Fit the cube efficiency to cubeful rollouts: python -m training.cube_efficiency VARIANT [POSITIONS] [SEED]

Positions come from the net's own games, evenly over all rolls. Each is played out once with the cube centred or owned
by either side, and once cubeless on the same dice, with variance reduction. The difference between the net and the
cubeless games is subtracted as well, since both share it. The fit chooses the efficiency at which the model of
core/search/cube.hpp comes nearest to the results, by least squares; errors are from resampling positions.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from barpoint.engine.cube_info import CubeInfo, CubeState
from barpoint.engine.net import find_net, load
from barpoint.engine.playout import RolloutSettings, RolloutStart, Specification, play_block
from barpoint.native import core, core_rules, unpack
from barpoint.rules import Rules
from barpoint.variants import variant

OWNERS = (None, "us", "them")
GRID = np.linspace(0, 1, 41)
RESAMPLES = 200

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Sample:
    """Positions with the results of rollouts.

    pips: of the player to act. contact: [n]. probabilities: [n, 5] by 1 ply. values: [n, 3] with a cube, by owner,
    minus the difference between the cubeless game and the probabilities.
    """

    pips: Floats
    contact: npt.NDArray[np.bool_]
    probabilities: npt.NDArray[np.float32]
    values: Floats


def positions(rules: Rules, count: int, seed: int) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32], int]:
    """`count` positions of self-play with their probabilities and their token state."""
    settings = {"scatter": 0.0, "exploration": 0.0, "lambda_": 0.6, "longest": 400}
    job = core.start_labelling(
        load(find_net(rules)),
        starts=[(core_rules(rules), 1.0)],
        seed=seed,
        first_game=0,
        games=max(16, count // 12),
        threads=1,
        **settings,  # type: ignore[arg-type]
    )
    while not job.wait(1):
        pass
    packed, probabilities = job.labels()
    chosen = np.random.default_rng(seed).permutation(len(packed))[:count]
    state = 3 if rules.rerolls.tokens else 0
    return packed[chosen], np.ascontiguousarray(probabilities[chosen, state]), state


def sample(rules: Rules, count: int, seed: int) -> Sample:
    """Rolls each position out under every owner of the cube."""
    packed, probabilities, state = positions(rules, count, seed)
    stakes = (CubeInfo(), *(CubeInfo(CubeState(1, owner)) for owner in OWNERS))  # type: ignore[arg-type]
    points = np.array([2, 1, 1, -1, -1], np.float32)
    pips, contact, values = [], [], []
    for number, (one, seen) in enumerate(zip(packed, probabilities, strict=True)):
        position = unpack(one.tobytes())
        starts = tuple(RolloutStart(position, state, cube_info) for cube_info in stakes)
        specification = Specification(rules, starts, RolloutSettings(seed=seed, stratified=False, tables=True))
        value = play_block(specification, number, 1)[:, 0, -1]
        values.append(value[1:] - (value[0] - (float(points @ seen) - 1)))
        rear = [max(p for p in range(26) if side.points[p] or p == 0) for side in (position.us, position.them)]
        contact.append(sum(rear) > 25)
        pips.append(sum(p * n for p, n in enumerate(position.us.points)))
    return Sample(np.array(pips, float), np.array(contact), probabilities, np.array(values))


def model(rules: Rules, probabilities: npt.NDArray[np.float32]) -> Floats:
    """[grid, n, 3] the model's value of each position for every efficiency of the grid, by owner."""
    out = np.empty((len(GRID), len(probabilities), len(OWNERS)))
    for i, owner in enumerate(OWNERS):
        stakes = CubeInfo(CubeState(1, owner)).core()  # type: ignore[arg-type]
        for j, efficiency in enumerate(GRID):
            out[j, :, i] = core.cube_values(
                core_rules(rules), probabilities, [float(efficiency)] * len(probabilities), stakes
            )[:, 3]
    return out


def lowest(errors: Floats) -> float:
    """The efficiency of least error, interpolated between grid points by a parabola."""
    at = int(np.argmin(errors))
    if at in (0, len(GRID) - 1):
        return float(GRID[at])
    below, here, above = errors[at - 1 : at + 2]
    return float(GRID[at] + (GRID[1] - GRID[0]) * (below - above) / (2 * (below - 2 * here + above)))


def fit(rules: Rules, found: Sample, chosen: npt.NDArray[np.bool_], seed: int) -> tuple[float, float, Floats]:
    """Efficiency and its error for the chosen positions, and the model's mean residual there, by owner."""
    probabilities, rolled = found.probabilities[chosen], found.values[chosen]
    values = model(rules, np.ascontiguousarray(probabilities))
    squares = ((values - rolled) ** 2).sum(axis=2)  # [grid, n]
    efficiency = lowest(squares.sum(axis=1))
    draw = np.random.default_rng(seed)
    drawn = [
        lowest(squares[:, draw.integers(0, len(probabilities), len(probabilities))].sum(axis=1))
        for _ in range(RESAMPLES)
    ]
    nearest = int(np.abs(GRID - efficiency).argmin())
    return efficiency, float(np.std(drawn)), (rolled - values[nearest]).mean(axis=0)


def main(name: str, count: int = 2000, seed: int = 1) -> None:
    """Prints a line for each phase."""
    rules = variant(name)
    found = sample(rules, count, seed)
    race = ~found.contact
    phases = {"contact": found.contact, "race": race, "race, short": race & (found.pips < 70)}
    phases["race, long"] = race & (found.pips >= 70)
    for phase, chosen in phases.items():
        if chosen.sum() < 30:
            print(f"{name}, {phase}: {chosen.sum()} positions are too few")
            continue
        efficiency, error, miss = fit(rules, found, chosen, seed)
        words = ", ".join(f"{owner or 'centred'} {each:+.4f}" for owner, each in zip(OWNERS, miss, strict=True))
        print(
            f"{name}, {phase}: cube efficiency {efficiency:.3f} +- {error:.3f} from {chosen.sum()} positions; missed by {words}",
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
