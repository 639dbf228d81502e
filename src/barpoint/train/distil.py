"""Distils a pruning net from a big net: inside the search it preselects the replies that the big net evaluates."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from barpoint.native import core, core_rules
from barpoint.rules import Rules
from barpoint.train.labels import TrainingLabels
from barpoint.train.recipe import Recipe
from barpoint.train.stages import TrainingProgress, finished, fit

ROLLS: Final = 2  # rolls of each position whose replies are used
MAX_REPLIES: Final = 200  # replies of one roll
MAX_SAMPLES: Final = 600_000


def positions_of(net: core.Net, rules: Rules, games: int, seed: int) -> npt.NDArray[np.uint8]:
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


def own_values(net: core.Net, recipe: Recipe, *, seed: int = 1) -> TrainingLabels:
    """Replies in `recipe.pruning_games` games that the net plays against itself, with its own values.

    A small net learns from them to say the same; beside other labels, they hold a net where it is while those change it elsewhere.
    """
    samples, targets = [], []
    for rules, share in recipe.rules_of_starts():
        found = replies_of(rules, positions_of(net, rules, max(round(recipe.pruning_games * share), 8), seed), seed)
        samples.append(np.ascontiguousarray(found[: round(MAX_SAMPLES * max(share, 0.02))]))
        targets.append(core.Searcher(core_rules(rules), net, tables=True).evaluate(samples[-1], 0))
    return TrainingLabels(np.concatenate(samples), np.concatenate(targets))


def distil(
    net: core.Net,
    recipe: Recipe,
    *,
    hidden: int = 32,
    epochs: int = 8,
    seed: int = 1,
    progress: TrainingProgress | None = None,
) -> core.Net:
    """The pruning net of a big one whose games start as the recipe says; its inputs are checker counts only.

    The small net learns the big one's `own_values`.
    """
    small = core.Net(
        inputs=core.PLAIN_INPUTS,
        hidden=hidden,
        states=1 if net.by_gammons else net.states,
        per_checker=net.per_checker,
        seed=seed,
    )
    return fit(
        small,
        own_values(net, recipe, seed=seed),
        epochs=epochs,
        first_rate=4e-3,
        last_rate=1e-4,
        seed=seed,
        progress=progress,
    )
