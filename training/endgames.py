"""Teach a net the races that exact tables know: python -m training.endgames NAME OUT [--begin NET] [--races 600000] [--games 20000] [--passes 30] [--threads 2]

NAME is an entry of src/barpoint/data/nets/nets.toml whose net, or NET, has phases. Races have a second layer and outputs of their own there
(core/rules/phase.hpp), which alone are fitted: every position with contact keeps its value bit for bit. The positions are --races random ones of one
to six checkers a side, all home, whose exact values are in two-sided tables; a quarter as many of up to fifteen; as many of games with every number of checkers,
spread over the board; and the races of --games games of the net, so that nothing is lost there. Targets are those of a search of one ply that asks the tables. OUT is the file of the fitted net. Printed are
mean errors of the equity on labels that were not fitted, before and after, in each token or gammon state.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from barpoint.engine.net import entries, load, load_pruning_net, read_net
from barpoint.native import core, core_rules
from barpoint.rules import Rules, Setup
from barpoint.train import Recipe, TrainingLabels, fit, label, publish
from barpoint.train.gammon_states import MONEY, WEIGHTS, values_by_state
from training.few_checkers import positions_at
from training.recipe import RECIPES
from training.train import shown

HOME: Final = 6
"""Points of a home, and the most checkers a side of a two-sided table that search makes for itself."""
POINTS: Final = 24
RACE: Final = 0
"""The phase of positions without contact."""
PLAYING: Final = {"siblings": 0, "rare": 0.0, "lambda_": 0.0}
FITTING: Final = {"batch": 256, "first_rate": 1e-3, "last_rate": 1e-5, "fixed_layers": 1}
FITTED: Final = 0.95
"""The share of the labels that is fitted; the others judge."""

Positions = npt.NDArray[np.uint8]


def home_races(rules: Rules, count: int, most: int, seed: int) -> Positions:
    """[count, 64] packed: one to `most` checkers a side on random points of its home, the others borne off."""
    random = np.random.default_rng(seed)
    numbers = random.integers(1, most + 1, (count, 2))
    places = np.zeros((count, 2, rules.checkers), np.int64)  # 0: borne off
    for checker in range(most):
        here = checker < numbers
        places[here, checker] = random.integers(1, HOME + 1, int(here.sum()))
    return positions_at(places)


def spread_races(checkers: int, count: int, seed: int) -> Positions:
    """[about count, 64] packed: so many checkers a side, borne off or on points that those of the other side have behind them."""
    random = np.random.default_rng(seed)
    most = random.integers(POINTS // 4, POINTS * 3 // 4 + 1, count)
    places = random.integers(0, np.stack([most, POINTS - most], 1)[:, :, None] + 1, (count, 2, checkers))
    return positions_at(places)


def with_checkers(rules: Rules, checkers: int) -> Rules:
    """The rules of games in which each side has so many."""
    return replace(rules, setup=Setup(((HOME, checkers),)))


def races_of_games(net: core.Net, recipe: Recipe, games: int, pruning_net: core.Net | None, threads: int) -> Positions:
    """The races with all checkers of the rules, of games that the net plays against itself."""
    found = label(
        net,
        replace(recipe, **PLAYING),
        games,
        pruning_net=pruning_net,
        threads=threads,
        progress=partial(shown, "games"),
    ).positions
    complete = found.reshape(-1, 2, 32)[:, :, :27].sum(2, dtype=int).min(1) == recipe.rules.checkers
    return np.ascontiguousarray(found[complete & (net.phases_of(found) == RACE)])


def labelled(net: core.Net, rules: Rules, positions: Positions, threads: int) -> TrainingLabels:
    """The positions with their values by a search of one ply that asks the tables."""
    searcher = core.Searcher(core_rules(rules), net, tables=True, threads=threads)
    return TrainingLabels(positions, values_by_state(searcher, net, positions, 1))


def errors(net: core.Net, rules: Rules, labels: TrainingLabels) -> npt.NDArray[np.float64]:
    """[states] in points: the mean distance of the equity from that of the targets."""
    said = values_by_state(core.Searcher(core_rules(rules), net), net, labels.positions, 0)
    weights = WEIGHTS if net.by_gammons else WEIGHTS[MONEY:]
    found: npt.NDArray[np.float64] = np.abs(((said.astype(float) - labels.targets) * weights).sum(2)).mean(0)
    return found


def main() -> None:
    """Draws, labels, fits, writes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    named = {entry.name: entry for entry in entries()}
    parser.add_argument("name", choices=list(named))
    parser.add_argument("out", type=Path)
    parser.add_argument("--begin", type=Path, help="a net instead of the entry's")
    parser.add_argument("--races", type=int, default=600_000)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--passes", type=int, default=30)
    parser.add_argument("--threads", type=int, default=2)
    said = parser.parse_args()
    net = read_net(said.begin) if said.begin else load(named[said.name])
    recipe = RECIPES[said.name]
    rules, pruning_net = recipe.rules, load_pruning_net(named[said.name])
    kinds = {
        f"up to {HOME} checkers": (rules, home_races(rules, said.races, HOME, 1)),
        "all home": (rules, home_races(rules, said.races // 4, rules.checkers, 2)),
        "of games": (rules, races_of_games(net, recipe, said.games, pruning_net, said.threads)),
    }
    for checkers in range(1, rules.checkers + 1):
        spread = spread_races(checkers, said.races // 4 // rules.checkers, checkers)
        kinds[f"of {checkers} checkers"] = with_checkers(rules, checkers), spread
    parts = [labelled(net, under, each, said.threads).split(FITTED) for under, each in kinds.values()]
    fitted = fit(
        net,
        TrainingLabels.joined(known for known, _ in parts),
        epochs=said.passes,
        threads=said.threads,
        progress=partial(shown, "fit"),
        **FITTING,
    )
    publish(fitted, said.out)
    after = core.Net.parse(fitted.bytes())
    print()
    for (kind, (under, _)), (_, unseen) in zip(kinds.items(), parts, strict=True):
        before, now = (errors(each, under, unseen).round(4) for each in (net, after))
        print(f"{kind}: off by {before} before, {now} after")


if __name__ == "__main__":
    main()
