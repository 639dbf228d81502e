"""Learn the cube efficiency by position: python -m training.cube NAME FOLDER [--chunks 10] [--seed 1] [--publish]

NAME is an entry of src/barpoint/data/nets/nets.toml. Positions come from the net's own games; those that a table knows
are left out, those near a cube decision drawn more often. Each is valued by a search of two plies with the cube in the
tree, for the cube centred or owned, and on the other side. A cube net (core/nets/cube_net.hpp) is fitted so that the
mix of a dead and a live cube on the net's own probabilities comes nearest to these values. What the search adds to the
probabilities is subtracted first, since no efficiency can know it. One chunk of labels is 1,000 games, two minutes of
one core; FOLDER keeps finished chunks, and the same command goes on after a stop. The last chunk is held out. The fit
takes a minute and is the same on every run.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from barpoint.engine.cube_info import CubeInfo, CubeState
from barpoint.engine.net import NetEntry, entries, load, load_pruning_net
from barpoint.native import core, core_rules
from barpoint.rules import Rules
from barpoint.train.rare import rare_positions
from training.publish import publish_cube_net
from training.recipe import RECIPES

OWNERS: Final = (None, "us", "them")
PLIES: Final = 2
GAMES: Final = 1000
RARE: Final = 0.1
EXPLORATION: Final = 0.1
HIDDEN: Final = (64, 32)
EPOCHS: Final = 60
BATCH: Final = 512
RATE: Final = 2e-3
CLOSE: Final = 0.2
"""Points between the cube actions up to which a decision is close and counts CLOSE_WEIGHT times."""

CLOSE_WEIGHT: Final = 3.0
POINTS: Final = np.array([2, 1, 1, -1, -1], np.float32)

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class CubeLabels:
    """Positions of players to act: uint8 [n, 64], their probabilities [n, 5] by the net alone and by the search, and
    values [n, 3] of rolling now by owner of the cube, at 1; NaN where the owner was not asked about.
    """

    positions: npt.NDArray[np.uint8]
    probabilities: Floats
    searched: Floats
    values: Floats


def label(entry: NetEntry, rules: Rules, seed: int, chunk: int) -> CubeLabels:
    """The labels of one chunk of games."""
    draw = np.random.default_rng((seed, chunk))
    net, pruning_net = load(entry), load_pruning_net(entry)
    positions = drawn_positions(entry, rules, seed, chunk)
    searcher = core.Searcher(core_rules(rules), net, tables=True, pruning_net=pruning_net)
    probabilities = np.ascontiguousarray(searcher.evaluate(positions, 0)[:, 0])
    equity = probabilities @ POINTS - 1
    window = (equity > 0.2) & (equity < 1.15)
    kept = draw.random(len(positions)) < np.where(window, 1.0, np.where(np.abs(equity) < 1.3, 0.35, 0.1))
    positions, probabilities = positions[kept], probabilities[kept]
    stakes = [CubeInfo(CubeState(1, owner)).core() for owner in ("us", None)]
    searched, values = np.empty_like(probabilities), np.full((len(positions), 3), np.nan, np.float32)
    for i, position in enumerate(positions):
        owner = (i + 1) % 2  # one search values a double, and the cube either centred or owned
        seen, cubes = searcher.cube(position.tobytes(), PLIES, stakes[i % 2], entry.cube_efficiency)
        searched[i], values[i, owner], values[i, 2] = seen[0], cubes[0, 0], cubes[0, 1] / 2
    return CubeLabels(positions, probabilities, searched, values)


def drawn_positions(entry: NetEntry, rules: Rules, seed: int, chunk: int) -> npt.NDArray[np.uint8]:
    """Distinct positions of a chunk of games that no table knows with the cube."""
    job = core.start_labelling(
        load(entry),
        starts=[(core_rules(rules), 1.0)],
        seed=seed,
        first_game=chunk * GAMES,
        games=GAMES,
        threads=1,
        scatter=0.0,
        exploration=EXPLORATION,
        lambda_=0.3,
        longest=400,
        pruning_net=load_pruning_net(entry),
        rare=rare_positions(300, seed * 1000 + chunk),
        rare_share=RARE,
    )
    while not job.wait(1):
        pass
    positions, _ = job.labels()
    known = ~np.isnan(core.cube_races(core_rules(rules), positions, 0)[:, 0])
    return np.unique(positions[~known], axis=0)


def save(labels: CubeLabels, file: Path) -> None:
    """Writes labels atomically."""
    part = file.with_suffix(".part.npz")
    np.savez(part, **{field.name: getattr(labels, field.name) for field in fields(labels)})
    part.rename(file)


def read(file: Path) -> CubeLabels:
    """Reads labels."""
    with np.load(file) as content:
        return CubeLabels(*(content[field.name] for field in fields(CubeLabels)))


def values_at(rules: Rules, probabilities: Floats, efficiency: list[float]) -> Floats:
    """[n, 3] the model's value of rolling now by owner, for a cube efficiency of each position."""
    columns = []
    for owner in OWNERS:
        stakes = CubeInfo(CubeState(1, owner)).core()  # type: ignore[arg-type]
        columns.append(core.cube_values(core_rules(rules), probabilities, efficiency, stakes)[:, 0])
    return np.stack(columns, axis=1).astype(np.float32)


@dataclass(frozen=True, slots=True)
class CubeTargets:
    """What a cube net is fitted to: inputs [n, inputs]; values [n, 3] are `dead` + efficiency * `gain`; goal, 0 where
    `asked` is 0; weight [n, 1].
    """

    inputs: Floats
    dead: Floats
    gain: Floats
    goal: Floats
    asked: Floats
    weight: Floats


def targets(entry: NetEntry, rules: Rules, labels: CubeLabels) -> CubeTargets:
    """The targets of labels."""
    probabilities, count = labels.probabilities, len(labels.positions)
    dead, live = (values_at(rules, probabilities, [each] * count) for each in (0.0, 1.0))
    usual = [core.cube_efficiency(position.tobytes(), entry.cube_efficiency) for position in labels.positions]
    better = values_at(rules, labels.searched, usual) - values_at(rules, probabilities, usual)
    goal = labels.values - better
    asked = (~np.isnan(goal)).astype(np.float32)
    goal = np.nan_to_num(goal)
    doubled, stay = 2 * goal[:, 2], goal[:, :2].sum(axis=1)  # one of two is asked about
    close = (np.abs(np.minimum(doubled, 1) - stay) < CLOSE) & (doubled > -CLOSE)
    weight = np.where(close, CLOSE_WEIGHT, 1).astype(np.float32)[:, None]
    return CubeTargets(core.CubeNet.inputs(labels.positions, probabilities), dead, live - dead, goal, asked, weight)


Layers = list[Floats]
"""Weights [inputs, outputs] of the first layer, its biases, those of the second, and of the output."""


def activations(layers: Layers, inputs: Floats) -> list[Floats]:
    """The inputs, the units of each hidden layer, and the efficiencies [n, 3] without bounds."""
    found = [inputs]
    for i in range(0, len(layers), 2):
        sums = found[-1] @ layers[i] + layers[i + 1]
        found.append(np.maximum(sums, 0) if i + 2 < len(layers) else sums)
    return found


def gradients(layers: Layers, data: CubeTargets, chosen: npt.NDArray[np.int64]) -> Layers:
    """Of half the mean squared error of the values and of what doubling gains."""
    found = activations(layers, data.inputs[chosen])
    gain, asked = data.gain[chosen], data.asked[chosen]
    error = (data.dead[chosen] + gain * found[-1] - data.goal[chosen]) * asked
    apart = (2 * error[:, 2:] - error[:, :2]) * asked[:, :2]
    error[:, 2] += 2 * apart.sum(axis=1)
    error[:, :2] -= apart
    slope = error * data.weight[chosen] * gain / np.float32(len(chosen))
    out: Layers = []
    for i in range(len(layers) - 2, -1, -2):
        out[:0] = [found[i // 2].T @ slope, slope.sum(axis=0)]
        slope = (slope @ layers[i].T) * (found[i // 2] > 0)
    return out


def fit(data: CubeTargets, seed: int, epochs: int = EPOCHS) -> Layers:
    """Fits a net with Adam, the rate falling to zero."""
    draw = np.random.default_rng(seed)
    sizes = (data.inputs.shape[1], *HIDDEN, len(OWNERS))
    spreads = (0.13, np.sqrt(2 / HIDDEN[0]), 0.3 / np.sqrt(HIDDEN[1]))
    layers: Layers = []
    for before, after, spread in zip(sizes, sizes[1:], spreads, strict=False):
        layers += [draw.normal(0, spread, (before, after)).astype(np.float32), np.zeros(after, np.float32)]
    layers[-1] += np.float32(0.7)
    means, squares = [np.zeros_like(each) for each in layers], [np.zeros_like(each) for each in layers]
    steps = max(1, epochs * (len(data.inputs) // BATCH))
    for step in range(steps):
        at = step % max(1, len(data.inputs) // BATCH)
        if at == 0:
            order = draw.permutation(len(data.inputs))
        rate = RATE * (1 - step / steps)
        for i, slope in enumerate(gradients(layers, data, order[at * BATCH : (at + 1) * BATCH])):
            means[i] += np.float32(0.1) * (slope - means[i])
            squares[i] += np.float32(0.001) * (slope**2 - squares[i])
            mean, square = means[i] / (1 - 0.9 ** (step + 1)), squares[i] / (1 - 0.999 ** (step + 1))
            layers[i] -= (rate * mean / (np.sqrt(square) + 1e-8)).astype(np.float32)
    return layers


def net_of(layers: Layers) -> core.CubeNet:
    """The net of fitted layers."""
    first, first_bias, second, second_bias, output, output_bias = layers
    second, output = (np.ascontiguousarray(each.T) for each in (second, output))
    return core.CubeNet(first, first_bias, second, second_bias, output, output_bias)


def losses(values: Floats, believed: Floats) -> tuple[Floats, Floats]:
    """[n] points that a doubler and a taker lose who believe in other values; of labels, NaN where not asked about."""
    centred = ~np.isnan(values[:, 0])
    stay, seen = (np.where(centred, each[:, 0], each[:, 1]) for each in (values, believed))
    take, seen_take = 2 * values[:, 2], 2 * believed[:, 2]
    doubled = np.minimum(take, 1)
    doubler = np.maximum(stay, doubled) - np.where(np.minimum(seen_take, 1) > seen, doubled, stay)
    taker = np.where(seen_take <= 1, np.maximum(0, take - 1), np.maximum(0, 1 - take))
    return doubler.astype(np.float32), taker.astype(np.float32)


def report(name: str, values: Floats, believed: Floats) -> None:
    """Prints errors of values by owner, and the losses of those who decide by them."""
    rms = 1000 * np.sqrt(np.nanmean((believed - values) ** 2, axis=0))
    shown = ", ".join(f"{owner or 'centred'} {each:.1f}" for owner, each in zip(OWNERS, rms, strict=True))
    parts = []
    for word, each in zip(("double", "take"), losses(values, believed), strict=True):
        parts.append(f"{word} {1000 * each.mean():.3f} +- {1000 * each.std() / np.sqrt(len(each)):.3f}")
    print(f"{name}: off by {shown}; lost {', '.join(parts)} (millipoints, {len(values)} positions)", flush=True)


def main() -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=[entry.name for entry in entries()])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--chunks", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--publish", action="store_true")
    said = parser.parse_args()
    entry = next(entry for entry in entries() if entry.name == said.name)
    rules = RECIPES[said.name].rules
    said.folder.mkdir(parents=True, exist_ok=True)
    found = []
    for chunk in range(said.chunks):
        file = said.folder / f"{said.seed}_{chunk}.npz"
        if not file.exists():
            save(label(entry, rules, said.seed, chunk), file)
        found.append(targets(entry, rules, read(file)))
        print(f"chunk {chunk}: {len(found[-1].goal)} positions", flush=True)
    held = read(said.folder / f"{said.seed}_{said.chunks - 1}.npz")
    names = [field.name for field in fields(CubeTargets)]
    data = CubeTargets(*(np.concatenate([getattr(each, name) for each in found[:-1]]) for name in names))
    net = net_of(fit(data, said.seed))
    usual = [core.cube_efficiency(position.tobytes(), entry.cube_efficiency) for position in held.positions]
    report("constant efficiency", held.values, values_at(rules, held.probabilities, usual))
    learned = net.evaluate(held.positions, held.probabilities).astype(np.float32)
    report("learned efficiency", held.values, found[-1].dead + learned * found[-1].gain)
    (said.folder / "cube.net").write_bytes(net.bytes())
    if said.publish:
        print(publish_cube_net(said.name, net.bytes()))


if __name__ == "__main__":
    main()
