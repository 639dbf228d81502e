"""Fit how alive the cube is from cubeful rollouts: python -m training.cube_life VARIANT [POSITIONS] [SEED]

Positions come from the net's own games, evenly over all rolls. Each is played out once with the cube centred, owned by
either side, and once without a cube on the same dice; the luck of every roll is taken off. What the games without a cube
say beyond the net is taken off as well, since both share it. The life is that with which the model of core/search/cube.hpp
comes nearest to what the games gave, by least squares; errors are from resampling positions.
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
    """Positions with what rollouts gave.

    pips: of the player to act. contact: [n]. figures: [n, 5] by looking a roll ahead. worths: [n, 3] with a cube, by
    owner, less what the game without a cube gave beyond the figures.
    """

    pips: Floats
    contact: npt.NDArray[np.bool_]
    figures: npt.NDArray[np.float32]
    worths: Floats


def positions(rules: Rules, count: int, seed: int) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32], int]:
    """So many positions of self-play with their figures, and the state of the markers they are looked at in."""
    settings = {"scatter": 0.0, "stray": 0.0, "lambda_": 0.6, "longest": 400}
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
    packed, figures = job.labels()
    chosen = np.random.default_rng(seed).permutation(len(packed))[:count]
    head = 3 if rules.rerolls.tokens else 0
    return packed[chosen], np.ascontiguousarray(figures[chosen, head]), head


def sample(rules: Rules, count: int, seed: int) -> Sample:
    """Roll each position out under every owner of the cube."""
    packed, figures, head = positions(rules, count, seed)
    stakes = (CubeInfo(), *(CubeInfo(CubeState(1, owner)) for owner in OWNERS))  # type: ignore[arg-type]
    points = np.array([2, 1, 1, -1, -1], np.float32)
    pips, contact, worths = [], [], []
    for number, (one, seen) in enumerate(zip(packed, figures, strict=True)):
        position = unpack(one.tobytes())
        starts = tuple(RolloutStart(position, head, cube_info) for cube_info in stakes)
        specification = Specification(rules, starts, RolloutSettings(seed=seed, stratified=False, tables=True))
        worth = play_block(specification, number, 1)[:, 0, -1]
        worths.append(worth[1:] - (worth[0] - (float(points @ seen) - 1)))
        rear = [max(p for p in range(26) if side.points[p] or p == 0) for side in (position.us, position.them)]
        contact.append(sum(rear) > 25)
        pips.append(sum(p * n for p, n in enumerate(position.us.points)))
    return Sample(np.array(pips, float), np.array(contact), figures, np.array(worths))


def model(rules: Rules, figures: npt.NDArray[np.float32]) -> Floats:
    """[grid, n, 3] what the model gives each position for every life of the grid, by owner."""
    out = np.empty((len(GRID), len(figures), len(OWNERS)))
    for i, owner in enumerate(OWNERS):
        stakes = CubeInfo(CubeState(1, owner)).core()  # type: ignore[arg-type]
        for j, life in enumerate(GRID):
            out[j, :, i] = core.cube_values(core_rules(rules), figures, [float(life)] * len(figures), stakes)[:, 3]
    return out


def lowest(errors: Floats) -> float:
    """The life of the least error, between the points of the grid by a parabola."""
    at = int(np.argmin(errors))
    if at in (0, len(GRID) - 1):
        return float(GRID[at])
    below, here, above = errors[at - 1 : at + 2]
    return float(GRID[at] + (GRID[1] - GRID[0]) * (below - above) / (2 * (below - 2 * here + above)))


def fit(rules: Rules, found: Sample, chosen: npt.NDArray[np.bool_], seed: int) -> tuple[float, float, Floats]:
    """Life and its error for the chosen positions, and the mean miss of the model there, by owner."""
    figures, worths = found.figures[chosen], found.worths[chosen]
    values = model(rules, np.ascontiguousarray(figures))
    squares = ((values - worths) ** 2).sum(axis=2)  # [grid, n]
    life = lowest(squares.sum(axis=1))
    draw = np.random.default_rng(seed)
    drawn = [lowest(squares[:, draw.integers(0, len(figures), len(figures))].sum(axis=1)) for _ in range(RESAMPLES)]
    nearest = int(np.abs(GRID - life).argmin())
    return life, float(np.std(drawn)), (worths - values[nearest]).mean(axis=0)


def main(name: str, count: int = 2000, seed: int = 1) -> None:
    """A line for each phase."""
    rules = variant(name)
    found = sample(rules, count, seed)
    race = ~found.contact
    phases = {"contact": found.contact, "race": race, "race, short": race & (found.pips < 70)}
    phases["race, long"] = race & (found.pips >= 70)
    for phase, chosen in phases.items():
        if chosen.sum() < 30:
            print(f"{name}, {phase}: {chosen.sum()} positions are too few")
            continue
        life, error, miss = fit(rules, found, chosen, seed)
        words = ", ".join(f"{owner or 'centred'} {each:+.4f}" for owner, each in zip(OWNERS, miss, strict=True))
        print(
            f"{name}, {phase}: life {life:.3f} +- {error:.3f} from {chosen.sum()} positions; missed by {words}",
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
