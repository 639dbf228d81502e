"""Learn the cube efficiency by position: python -m training.cube NAME FOLDER [--chunks 20] [--seed 1] [--publish]

NAME is an entry of src/barpoint/data/nets/nets.toml. Positions come from the net's own games; those that a table knows
are left out, those near a cube decision drawn more often. A search of two plies with the cube in the tree, which asks the present cube net where
it ends, values each for money or at a score drawn at random, with the cube wherever it may be: centred, ours or theirs, as it is and once it was
turned. A cube net (core/nets/cube_net.hpp) is fitted so that the mix of a dead and a live cube on the net's own probabilities comes nearest to
these values. What the search adds to the probabilities is subtracted first, since no efficiency can know it. All values are equities: a single
win at the present cube is +1. One chunk of labels is 1,000 games, two minutes of one core; FOLDER keeps finished chunks, and the same command
goes on after a stop. Labels depend on the present cube net: a further round needs a new FOLDER. The last chunk is held out. The fit takes two
minutes and is the same on every run.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from barpoint.atomic_file import replacing
from barpoint.engine.cube_info import CubeInfo, CubeState, Score
from barpoint.engine.net import NetEntry, entries, entry_named, load, load_cube_net, load_pruning_net
from barpoint.native import core, core_rules
from barpoint.rules import Rules
from barpoint.train.rare import rare_positions
from training.publish import publish_cube_net
from training.recipe import RECIPES

OUTPUTS: Final = 3
"""Of a cube net: the efficiency of a cube that is centred, ours, theirs."""

PLACES: Final = ("centred", "ours", "theirs", "ours once turned", "theirs once turned")
"""Of the cube, in the order of labels."""

TAKEN: Final = PLACES.index("theirs once turned")
"""The place of the cube after a double that is taken."""

CENTRED_SHARE: Final = 0.6
PLIES: Final = 2
GAMES: Final = 1000
RARE: Final = 0.1
EXPLORATION: Final = 0.1
HIDDEN: Final = (128, 32)
EPOCHS: Final = 60
BATCH: Final = 512
RATE: Final = 2e-3
MONEY_SHARE: Final = 0.5
LONGEST: Final = 12
"""Points that a side may need at a score."""

NEAR: Final = 0.3
"""Points between actions, by the net alone, within which all positions are labelled; of others FAR_SHARE are."""

FAR_SHARE: Final = 0.15
MOST: Final = 3.0
"""Points beyond which values are not labelled."""

CLOSE: Final = 0.2
"""Points between the cube actions up to which a decision is close and counts CLOSE_WEIGHT times."""

CLOSE_WEIGHT: Final = 3.0
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class CubeLabels:
    """Positions of players to act, uint8 [n, 64], at stakes of their own.

    probabilities [n, 2, 5] and sights [n, 2, 9] (core/nets/cube_net.hpp): by the net alone, with the present cube and with the next. money: [n].
    dead, live, values: [n, 5] by place of the cube, for a dead cube, for a live one and by the search; NaN for a centred cube where it is owned.
    """

    positions: npt.NDArray[np.uint8]
    probabilities: Floats
    sights: Floats
    money: npt.NDArray[np.bool_]
    dead: Floats
    live: Floats
    values: Floats


def drawn_stakes(draw: np.random.Generator) -> CubeInfo:
    """Cube and score of a player to act, who may double and can gain by it."""
    if draw.random() < MONEY_SHARE:
        return CubeInfo(CubeState())
    while True:
        us, them = (int(away) for away in draw.integers(1, LONGEST + 1, 2))
        cube = 1 if draw.random() < CENTRED_SHARE else int(draw.choice((2, 4)))
        if us > cube and (them > 1 or cube == 1):
            return CubeInfo(CubeState(cube, "us" if cube > 1 else None), Score(us, them))


def label(entry: NetEntry, rules: Rules, seed: int, chunk: int) -> CubeLabels:
    """The labels of one chunk of games."""
    draw = np.random.default_rng((seed, chunk))
    searcher = core.Searcher(
        core_rules(rules),
        load(entry),
        tables=True,
        pruning_net=load_pruning_net(entry),
        cube_net=load_cube_net(entry),
    )
    rows = []
    for position in drawn_positions(entry, rules, seed, chunk):
        info = drawn_stakes(draw)
        stakes, packed = info.core(), position.tobytes()
        _, _, values = searcher.cube_lesson(packed, 0, stakes, entry.cube_efficiency)
        if draw.random() >= (1.0 if is_near(values[2]) else FAR_SHARE):
            continue
        probabilities, sights, values = searcher.cube_lesson(packed, PLIES, stakes, entry.cube_efficiency)
        if np.nanmax(np.abs(values)) > MOST:
            continue  # a gammon is worth many times a plain win there, and one position would outweigh all others
        rows.append((position, probabilities, sights, info.score is None, *values))
    return CubeLabels(*(np.stack([row[i] for row in rows]) for i in range(len(fields(CubeLabels)))))


def is_near(values: Floats) -> bool:
    """Whether somebody may be about to double or pass, by these values [5] of the net alone."""
    centred, ours, theirs, _, take = values.tolist()
    stay = ours if np.isnan(centred) else centred
    return bool(min(abs(min(take, 1) - stay), abs(take - 1), abs(theirs + 1)) < NEAR)


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
    with replacing(file) as out:
        np.savez(out, **{field.name: getattr(labels, field.name) for field in fields(labels)})


def read(file: Path) -> CubeLabels:
    """Reads labels."""
    with np.load(file) as content:
        return CubeLabels(*(content[field.name] for field in fields(CubeLabels)))


@dataclass(frozen=True, slots=True)
class CubeTargets:
    """What a cube net is fitted to: inputs [n, 2, inputs], with the present cube and with the next; values [n, 5], by place of the cube, are
    `dead` + efficiency * `gain`; goal, 0 where `asked` is 0; weight [n, 1]. For a cube once turned, dead, gain and goal are halved.
    """

    inputs: Floats
    dead: Floats
    gain: Floats
    goal: Floats
    asked: Floats
    weight: Floats


SCALE: Final = np.array([1, 1, 1, 0.5, 0.5], np.float32)
"""By what values of labels are multiplied in targets: a cube once turned counts as much as the present one."""


def rows_of(labels: CubeLabels) -> tuple[npt.NDArray[np.uint8], Floats, Floats]:
    """What a cube net is asked: positions [2n, 64], probabilities [2n, 5] and sights [2n, 9], for the present cube and for the next in turn."""
    probabilities, sights = (each.reshape(-1, each.shape[2]) for each in (labels.probabilities, labels.sights))
    return np.repeat(labels.positions, 2, axis=0), probabilities, sights


def learned(net: core.CubeNet, labels: CubeLabels) -> Floats:
    """The efficiencies [n, 5] that a net says, by place of the cube."""
    return by_place(net.evaluate(*rows_of(labels)).astype(np.float32))


def targets(labels: CubeLabels) -> CubeTargets:
    """The targets of labels."""
    dead, live, goal = (SCALE * each for each in (labels.dead, labels.live, labels.values))
    asked = (~np.isnan(goal)).astype(np.float32)
    stay, take = labels.values[:, :2], labels.values[:, TAKEN:]
    close = ((np.abs(np.minimum(take, 1) - stay) < CLOSE) & (take > -2 * CLOSE)).any(axis=1)
    weight = np.where(close, CLOSE_WEIGHT, 1).astype(np.float32)[:, None]
    inputs = core.CubeNet.inputs(*rows_of(labels)).reshape(len(labels.positions), 2, -1)
    dead, gain, goal = (np.nan_to_num(each) for each in (dead, live - dead, goal))
    return CubeTargets(inputs, dead, gain, goal, asked, weight)


Layers = list[Floats]
"""Weights [inputs, outputs] of the first layer, its biases, those of the second, and of the output."""


def activations(layers: Layers, inputs: Floats) -> list[Floats]:
    """The inputs [n, inputs], the units of each hidden layer, and the efficiencies [n, 3] without bounds."""
    found = [inputs]
    for i in range(0, len(layers), 2):
        sums = found[-1] @ layers[i] + layers[i + 1]
        found.append(np.maximum(sums, 0) if i + 2 < len(layers) else sums)
    return found


def by_place(outputs: Floats) -> Floats:
    """[n, 5] by place of the cube from the outputs [2n, 3] of a cube net, for the present cube and for the next in turn."""
    both = outputs.reshape(-1, 2 * OUTPUTS)
    return np.concatenate([both[:, :OUTPUTS], both[:, OUTPUTS + 1 :]], axis=1)


def gradients(layers: Layers, data: CubeTargets, chosen: npt.NDArray[np.int64]) -> Layers:
    """Of half the mean squared error of the values and of what doubling gains."""
    found = activations(layers, data.inputs[chosen].reshape(-1, data.inputs.shape[2]))
    gain, asked = data.gain[chosen], data.asked[chosen]
    error = (data.dead[chosen] + gain * by_place(found[-1]) - data.goal[chosen]) * asked
    apart = (2 * error[:, TAKEN:] - error[:, :2]) * asked[:, :2]
    error[:, TAKEN] += 2 * apart.sum(axis=1)
    error[:, :2] -= apart
    slopes = error * data.weight[chosen] * gain / np.float32(len(chosen))
    # Nobody asks about a centred cube that was turned.
    slope = np.insert(slopes, OUTPUTS, 0, axis=1).reshape(-1, OUTPUTS)
    out: Layers = []
    for i in range(len(layers) - 2, -1, -2):
        out[:0] = [found[i // 2].T @ slope, slope.sum(axis=0)]
        slope = (slope @ layers[i].T) * (found[i // 2] > 0)
    return out


def fit(data: CubeTargets, seed: int, epochs: int = EPOCHS) -> Layers:
    """Fits a net with Adam, the rate falling to zero."""
    draw = np.random.default_rng(seed)
    sizes = (data.inputs.shape[2], *HIDDEN, OUTPUTS)
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
    """Points that a doubler and a taker lose who believe in other values. Values [n, 5] of targets, NaN where not asked about; a doubler may have
    a centred cube and one of their own, so there may be more losses of doublers than positions.
    """
    take, seen_take = 2 * values[:, TAKEN:], 2 * believed[:, TAKEN:]
    stay, seen = values[:, :2], believed[:, :2]
    doubled = np.minimum(take, 1)
    doubler = np.maximum(stay, doubled) - np.where(np.minimum(seen_take, 1) > seen, doubled, stay)
    taker = np.where(seen_take <= 1, np.maximum(0, take - 1), np.maximum(0, 1 - take))
    return doubler[~np.isnan(stay)].astype(np.float32), taker[:, 0].astype(np.float32)


def report(name: str, values: Floats, believed: Floats) -> None:
    """Prints errors of values by place, and the losses of those who decide by them."""
    rms = 1000 * np.sqrt(np.nanmean((believed - values) ** 2, axis=0))
    shown = ", ".join(f"{place} {each:.1f}" for place, each in zip(PLACES, rms, strict=True))
    parts = []
    for word, each in zip(("double", "take"), losses(values, believed), strict=True):
        parts.append(f"{word} {1000 * each.mean():.3f} +- {1000 * each.std() / np.sqrt(len(each)):.3f}")
    print(f"{name}: off by {shown}; lost {', '.join(parts)} (millipoints, {len(values)} positions)", flush=True)


def main() -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=[entry.name for entry in entries()])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--chunks", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--publish", action="store_true")
    said = parser.parse_args()
    entry = entry_named(said.name)
    rules = RECIPES[said.name].rules
    said.folder.mkdir(parents=True, exist_ok=True)
    found = []
    for chunk in range(said.chunks):
        file = said.folder / f"{said.seed}_{chunk}.npz"
        if not file.exists():
            save(label(entry, rules, said.seed, chunk), file)
        found.append(targets(read(file)))
        print(f"chunk {chunk}: {len(found[-1].goal)} positions", flush=True)
    held = read(said.folder / f"{said.seed}_{said.chunks - 1}.npz")
    names = [field.name for field in fields(CubeTargets)]
    data = CubeTargets(*(np.concatenate([getattr(each, name) for each in found[:-1]]) for name in names))
    net = net_of(fit(data, said.seed))
    goal = SCALE * held.values
    usual = np.array([core.cube_efficiency(position.tobytes(), entry.cube_efficiency) for position in held.positions])
    for words, rows in (("money", held.money), ("scores", ~held.money)):
        for name, efficiency in (("constant efficiency", usual[:, None]), ("learned efficiency", learned(net, held))):
            report(
                f"{words}, {name}", goal[rows], (found[-1].dead + efficiency * found[-1].gain).astype(np.float32)[rows]
            )
    (said.folder / "cube.net").write_bytes(net.bytes())
    if said.publish:
        print(publish_cube_net(said.name, net.bytes()))


if __name__ == "__main__":
    main()
