"""Learn the cube efficiency by position: python -m training.cube NAME FOLDER [--chunks 20] [--seed 1] [--publish]

NAME is an entry of src/barpoint/data/nets/nets.toml. Positions come from the net's own games; those that a table knows
are left out, those near a cube decision drawn more often. Each is valued by a search of two plies with the cube in the
tree, for money or at a score drawn at random, with the cube centred, owned or on the other side. A cube net (core/nets/cube_net.hpp) is fitted so
that the mix of a dead and a live cube on the net's own probabilities comes nearest to these values. What the search adds to the
probabilities is subtracted first, since no efficiency can know it. All values are equities: a single win at the present cube is +1. One chunk of
labels is 1,000 games, two minutes of one core; FOLDER keeps finished chunks, and the same command goes on after a stop. The last chunk is held out.
The fit takes a minute and is the same on every run.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from barpoint.engine.cube_info import CubeInfo, CubeState, Score
from barpoint.engine.net import NetEntry, entries, load, load_pruning_net
from barpoint.native import core, core_rules
from barpoint.rules import Rules
from barpoint.train.rare import rare_positions
from training.publish import publish_cube_net
from training.recipe import RECIPES

OWNERS: Final = {None: 0, "us": 1, "them": -1}
PLACES: Final = ("centred", "ours", "theirs", "theirs after our double")
"""Of the cube, in the order of the outputs of a cube net."""

OWNER_SHARES: Final = {None: 0.45, "us": 0.3, "them": 0.25}
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
THEIRS_SHARE: Final = 0.5
"""Of positions in which the other side owns the cube, so that there is nothing to decide, this share is labelled."""

MOST: Final = 3.0
"""Points beyond which values are not labelled."""

CLOSE: Final = 0.2
"""Points between the cube actions up to which a decision is close and counts CLOSE_WEIGHT times."""

CLOSE_WEIGHT: Final = 3.0
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class CubeLabels:
    """Positions of players to act, uint8 [n, 64], at stakes of their own.

    probabilities [n, 5] and sights [n, 9] (core/nets/cube_net.hpp): by the net alone. owners: int8 [n], of the cube: 0 nobody, 1 the player to
    act, -1 the other side. money: [n]. dead, live, values: [n, 2] of no double and of double/take, for a dead cube, for a live one and by the
    search; where the other side owns the cube, only no double means something.
    """

    positions: npt.NDArray[np.uint8]
    probabilities: Floats
    sights: Floats
    owners: npt.NDArray[np.int8]
    money: npt.NDArray[np.bool_]
    dead: Floats
    live: Floats
    values: Floats


def drawn_stakes(draw: np.random.Generator) -> CubeInfo:
    """Cube and score of a player to act; whoever may double can gain by it."""
    owner = list(OWNERS)[draw.choice(len(OWNERS), p=[*OWNER_SHARES.values()])]
    if draw.random() < MONEY_SHARE:
        return CubeInfo(CubeState(1, owner))
    while True:
        us, them = (int(away) for away in draw.integers(1, LONGEST + 1, 2))
        cube = int(draw.choice((2, 4))) if owner else 1
        doubler, other = (them, us) if owner == "them" else (us, them)
        if doubler > cube and (other > 1 or owner is None):
            return CubeInfo(CubeState(cube, owner), Score(us, them))


def label(entry: NetEntry, rules: Rules, seed: int, chunk: int) -> CubeLabels:
    """The labels of one chunk of games."""
    draw = np.random.default_rng((seed, chunk))
    searcher = core.Searcher(core_rules(rules), load(entry), tables=True, pruning_net=load_pruning_net(entry))
    rows = []
    for position in drawn_positions(entry, rules, seed, chunk):
        info = drawn_stakes(draw)
        stakes, packed = info.core(), position.tobytes()
        assert info.cube is not None
        _, _, values = searcher.cube_lesson(packed, 0, stakes, entry.cube_efficiency)
        if draw.random() >= wanted_share(info.cube, *values[2].tolist()):
            continue
        probabilities, sights, values = searcher.cube_lesson(packed, PLIES, stakes, entry.cube_efficiency)
        if np.abs(values).max() > MOST:
            continue  # a gammon is worth many times a plain win there, and one position would outweigh all others
        rows.append((position, probabilities, sights, np.int8(OWNERS[info.cube.owner]), info.score is None, *values))
    return CubeLabels(*(np.stack([row[i] for row in rows]) for i in range(len(fields(CubeLabels)))))


def wanted_share(cube: CubeState, stay: float, take: float) -> float:
    """Of positions with these values of no double and of double/take by the net alone, the share to label."""
    if cube.owner == "them":
        return THEIRS_SHARE
    return 1.0 if min(abs(min(take, 1) - stay), abs(take - 1)) < NEAR else FAR_SHARE


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


@dataclass(frozen=True, slots=True)
class CubeTargets:
    """What a cube net is fitted to: inputs [n, inputs]; values [n, 4], by place of the cube, are `dead` + efficiency * `gain`; goal, 0 where
    `asked` is 0; weight [n, 1]. After our double it is half the value of double/take.
    """

    inputs: Floats
    dead: Floats
    gain: Floats
    goal: Floats
    asked: Floats
    weight: Floats


def by_place(labels: CubeLabels, pair: Floats) -> Floats:
    """[n, 4] from values of no double and of double/take, [n, 2]; NaN for places that were not asked about."""
    stay, take = pair[:, 0], pair[:, 1]
    columns = [np.where(labels.owners == owner, stay, np.nan) for owner in OWNERS.values()]
    doubled = np.where(labels.owners < 0, np.nan, take / 2)
    return np.stack([*columns, doubled], axis=1).astype(np.float32)


def targets(labels: CubeLabels) -> CubeTargets:
    """The targets of labels."""
    dead, live, goal = (by_place(labels, pair) for pair in (labels.dead, labels.live, labels.values))
    asked = (~np.isnan(goal)).astype(np.float32)
    stay, take = labels.values.T
    close = (np.abs(np.minimum(take, 1) - stay) < CLOSE) & (take > -2 * CLOSE) & (labels.owners >= 0)
    weight = np.where(close, CLOSE_WEIGHT, 1).astype(np.float32)[:, None]
    inputs = core.CubeNet.inputs(labels.positions, labels.probabilities, labels.sights)
    dead, gain, goal = (np.nan_to_num(each) for each in (dead, live - dead, goal))
    return CubeTargets(inputs, dead, gain, goal, asked, weight)


Layers = list[Floats]
"""Weights [inputs, outputs] of the first layer, its biases, those of the second, and of the output."""


def activations(layers: Layers, inputs: Floats) -> list[Floats]:
    """The inputs, the units of each hidden layer, and the efficiencies [n, 4] without bounds."""
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
    apart = (2 * error[:, 3:] - error[:, :2]) * asked[:, :2]
    error[:, 3] += 2 * apart.sum(axis=1)
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
    sizes = (data.inputs.shape[1], *HIDDEN, len(PLACES))
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
    """Points that a doubler and a taker lose who believe in other values, of each label in which there is a decision. Values [n, 4], NaN where
    not asked about.
    """
    decided = ~np.isnan(values[:, 3])
    values, believed = values[decided], believed[decided]
    centred = ~np.isnan(values[:, 0])
    stay, seen = (np.where(centred, each[:, 0], each[:, 1]) for each in (values, believed))
    take, seen_take = 2 * values[:, 3], 2 * believed[:, 3]
    doubled = np.minimum(take, 1)
    doubler = np.maximum(stay, doubled) - np.where(np.minimum(seen_take, 1) > seen, doubled, stay)
    taker = np.where(seen_take <= 1, np.maximum(0, take - 1), np.maximum(0, 1 - take))
    return doubler.astype(np.float32), taker.astype(np.float32)


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
    entry = next(entry for entry in entries() if entry.name == said.name)
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
    goal = by_place(held, held.values)
    usual = np.array([core.cube_efficiency(position.tobytes(), entry.cube_efficiency) for position in held.positions])
    learned = net.evaluate(held.positions, held.probabilities, held.sights).astype(np.float32)
    for words, rows in (("money", held.money), ("scores", ~held.money)):
        for name, efficiency in (("constant efficiency", usual[:, None]), ("learned efficiency", learned)):
            report(
                f"{words}, {name}", goal[rows], (found[-1].dead + efficiency * found[-1].gain).astype(np.float32)[rows]
            )
    (said.folder / "cube.net").write_bytes(net.bytes())
    if said.publish:
        print(publish_cube_net(said.name, net.bytes()))


if __name__ == "__main__":
    main()
