"""Teach a net whose gammons count: python -m training.gammons NAME FOLDER [--begin NET] [--games 12000] [--rounds 4] [--threads N] [--seed 1]

NAME is an entry of src/barpoint/data/nets/nets.toml without tokens; its net, or NET, gets four states of outputs, for games in which
gammons of neither side, of one or of both count (core/rules/payout.hpp), if it has not got them. In each round it plays games in each of these states against
itself. Every position gets an outcome target in the state of its game, and the output layer alone is fitted to them; the state in
which both sides' gammons count, which is that of money games, stays bit for bit as it is. A round takes two and a
half minutes of one core; later plays in a state come from the round before, so that one round is not enough. FOLDER keeps the net of each round, and the
same command goes on after a stop. Two runs with other seeds differ by a third of what they learn, so the mean of both
(`Net.towards(other, 0.5)`) is better. Printed are, for labels of other games, the root mean square errors of the equity of each state, by its
own outputs and by those for money, and how far these are apart.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from barpoint.engine.net import entries, entry_named, load, load_pruning_net, read_net
from barpoint.native import core, core_rules
from barpoint.train import Recipe, TrainingLabels, fit, label, publish
from barpoint.train.gammon_states import MONEY, WEIGHTS, stakes
from training.recipe import RECIPES

LABELS: Final[dict[str, Any]] = {"lambda_": 1.0, "exploration": 0.0, "scatter": 0.15, "siblings": 0}
FITTING: Final[dict[str, Any]] = {
    "epochs": 3,
    "batch": 256,
    "first_rate": 1e-3,
    "last_rate": 2e-5,
    "fixed_layers": 2,
}
HELD_GAMES: Final = 1500

NAMES: Final = ("of neither side", "own", "theirs", "of both sides")

Floats = npt.NDArray[np.float32]


def apart(net: core.Net, recipe: Recipe, labels: TrainingLabels) -> list[tuple[float, float, float]]:
    """Of each state, in points: the errors by the outputs for money and by its own, and how far these are apart, root mean square."""
    complete = (
        labels.boards.astype(np.int64).sum(2).min(1) == recipe.rules.checkers
    )  # others are of starts with fewer checkers
    positions, targets = labels.positions[complete], labels.targets[complete]
    searcher = core.Searcher(core_rules(recipe.rules), net)
    money = searcher.evaluate(positions, 0)[:, 0]
    found = []
    for state, weights in enumerate(WEIGHTS):
        values = searcher.evaluate(positions, 0, stakes(state))[:, 0]
        pairs = ((targets[:, state], money), (targets[:, state], values), (values, money))
        found.append(tuple(float(np.sqrt(np.nanmean(((one - two) @ weights) ** 2))) for one, two in pairs))
    return found  # type: ignore[return-value]


def learn(net: core.Net, pruning_net: core.Net | None, recipe: Recipe, games: int, seed: int, threads: int) -> core.Net:
    """One round: the net fitted to outcome targets of these games."""
    found = label(net, recipe, games, pruning_net=pruning_net, seed=seed, threads=threads)
    found.targets[:, MONEY] = np.nan
    return core.Net.parse(fit(net, found, seed=seed, threads=threads, **FITTING).bytes())


def main() -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "name", choices=[entry.name for entry in entries() if entry.tokens == "none" and not entry.per_checker]
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--begin", type=Path, help="a net instead of the entry's")
    parser.add_argument("--games", type=int, default=12_000)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    said = parser.parse_args()
    entry = entry_named(said.name)
    recipe, pruning_net = replace(RECIPES[said.name], **LABELS), load_pruning_net(entry)
    net = read_net(said.begin) if said.begin else load(entry)
    net = net if net.by_gammons else core.Net.parse(net.by_gammon_state().bytes())
    said.folder.mkdir(parents=True, exist_ok=True)
    for number in range(said.rounds):
        file, seed = said.folder / f"{said.seed}-round-{number + 1}.net", 1000 * said.seed + number
        if file.exists():
            net = read_net(file)
            continue
        net = learn(net, pruning_net, recipe, said.games, seed, said.threads)
        held = label(
            net, recipe, HELD_GAMES, first_game=said.games, pruning_net=pruning_net, seed=seed, threads=said.threads
        )
        for name, (before, now, between) in zip(NAMES, apart(net, recipe, held), strict=True):
            print(
                f"round {number + 1}, gammons {name}: off by {before:.4f} for money, {now:.4f} by its own, apart {between:.4f}",
                flush=True,
            )
        publish(net, file)
    publish(net, said.folder / "final.net")


if __name__ == "__main__":
    main()
