"""Distil a pruning net from a big net: inside the search it preselects the replies that the big net evaluates.

python -m training.distil NAME [--hidden 32] [--out FILE]

NAME is an entry of nets.toml. Self-play games of its net give positions. The big net evaluates the replies to some
rolls from them, and the small net, whose inputs are checker counts only, learns these values. Takes about a minute. The
small net is published as the entry's pruning net, or written to FILE instead.
"""

from __future__ import annotations

import argparse
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from barpoint.engine.net import entries, load
from barpoint.native import core, core_rules
from barpoint.rules import Rules
from barpoint.variants import variant
from training.publish import publish_pruning_net
from training.recipe import RECIPES, Recipe

ROLLS = 2  # rolls of each position whose replies are used
MAX_REPLIES = 200  # replies of one roll
MAX_SAMPLES = 600_000


def finished(job: Any) -> Any:
    """Waits for the job; Ctrl-C stops it."""
    try:
        while not job.wait(0.5):
            pass
    except KeyboardInterrupt:
        job.stop()
        raise
    return job


def positions_of(net: Any, rules: Rules, games: int, seed: int) -> npt.NDArray[np.uint8]:
    """[n, 64] positions before rolls, from games that the net plays against itself."""
    job = core.start_labelling(
        net,
        starts=[(core_rules(rules), 1.0)],
        scatter=0.5,
        exploration=0.1,
        lambda_=0.6,
        longest=400,
        seed=seed,
        first_game=0,
        games=games,
        threads=1,
    )
    positions, _ = finished(job).labels()
    return positions


def replies_of(rules: Rules, positions: npt.NDArray[np.uint8], seed: int) -> npt.NDArray[np.uint8]:
    """[n, 64] positions after plays of some rolls, seen by the side that acts next; in random order."""
    random = np.random.default_rng(seed)
    weights = np.array([row.weight for row in rules.dice.rows], float)
    found = []
    for _ in range(ROLLS):
        rows = random.choice(len(weights), len(positions), p=weights / weights.sum())
        for at in range(0, len(positions), 1000):
            results, starts, again = core.results(core_rules(rules), positions[at : at + 1000], rows[at : at + 1000])
            chosen = np.concatenate(
                [first + (random.permutation(last - first)[:MAX_REPLIES]) for first, last in pairwise(starts)]
            )
            turned = results[chosen]
            turned = np.where(again[chosen, None], turned, turned[:, [*range(32, 64), *range(32)]])
            found.append(turned[random.random(len(turned)) < 0.6])
    return random.permutation(np.concatenate(found))


def distil(net: Any, recipe: Recipe, hidden: int = 32, epochs: int = 8, seed: int = 1) -> Any:
    """The small net for a big one whose games start as the recipe says."""
    samples, targets = [], []
    for start, share in recipe.starts:
        rules = variant(start)
        found = replies_of(rules, positions_of(net, rules, max(round(recipe.pruning_games * share), 8), seed), seed)
        samples.append(np.ascontiguousarray(found[: round(MAX_SAMPLES * max(share, 0.02))]))
        targets.append(core.Searcher(core_rules(rules), net, tables=True).evaluate(samples[-1], 0))
    small = core.Net(
        inputs=core.PLAIN_INPUTS, hidden=hidden, token_states=net.token_states, per_checker=net.per_checker, seed=seed
    )
    job = core.start_fitting(
        small,
        np.concatenate(samples),
        np.concatenate(targets),
        epochs=epochs,
        batch=64,
        first_rate=4e-3,
        last_rate=1e-4,
        seed=seed,
    )
    finished(job)
    print(f"{sum(map(len, samples)):,} replies, error of the chance to win {job.error:.4f}")
    return job.net()


def main() -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=[entry.name for entry in entries()])
    parser.add_argument("--hidden", type=int, default=32)
    parser.add_argument("--out", type=Path)
    said = parser.parse_args()
    net = load(next(entry for entry in entries() if entry.name == said.name))
    data = distil(net, RECIPES[said.name], said.hidden).bytes()
    if said.out:
        said.out.write_bytes(data)
    else:
        print(publish_pruning_net(said.name, data))


if __name__ == "__main__":
    main()
