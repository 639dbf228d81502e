"""Distils a pruning net from a big net: inside the search it preselects the replies that the big net evaluates."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from barpoint.error import check_kind
from barpoint.moves.batch import or_owed
from barpoint.native import core, core_rules
from barpoint.rules import Rules
from barpoint.train.gammon_states import MONEY, stakes, values_by_state
from barpoint.train.labels import TrainingLabels
from barpoint.train.rare import rare_positions
from barpoint.train.recipe import Recipe, check_least
from barpoint.train.stages import RARE, TrainingProgress, finished, fit

ROLLS: Final = 8  # rolls of each position whose replies are used
MAX_REPLIES: Final = 40  # replies of one roll
MAX_SAMPLES: Final = 12_000_000
REPLIES_A_GAME: Final = 600
"""Of a net's own games with at most so many replies in all; each has some sixty positions."""
RARE_SHARE: Final = 1 / 2
"""Share of the games that begin in rare positions, where the recipe has any: a search prunes in every position that people ask about."""

SIBLING_WEIGHT: Final = 800.0  # a pruning net need only say which plays of a roll are good (docs/decisions/0015)
LARGE: Final = 512  # units of nets whose pruning net has 96 instead of 32


def positions_of(net: core.Net, rules: Rules, games: int, seed: int, rare_share: float = 0.0) -> npt.NDArray[np.uint8]:
    """[n, 64] positions before rolls, from games that the net plays against itself; so many of them begin in rare positions."""
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
        rare=rare_positions(RARE, seed) if rare_share else None,
        rare_share=rare_share,
    )
    positions, _ = finished(job).labels()
    return positions


def replies_of(
    rules: Rules, positions: npt.NDArray[np.uint8], seed: int, most: int
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """[n, 64] positions after plays of some rolls, seen by the side that acts next, and [n] the number of the roll of each.

    About `most`, of positions drawn at random: they end with a roll, so that there are fewer than `MAX_REPLIES` more.
    """
    random = np.random.default_rng(seed)
    weights = np.array([row.weight for row in rules.dice.rows], float)
    found, rolls, number, count = list[npt.NDArray[np.uint8]](), list[npt.NDArray[np.int64]](), 0, 0
    positions = random.permutation(np.tile(positions, (ROLLS, 1)))
    for at in range(0, len(positions), 1000):
        part = positions[at : at + 1000]
        rows = random.choice(len(weights), len(part), p=weights / weights.sum())
        results, starts, again = core.results(core_rules(rules), part, or_owed(part, rows))
        chosen = [first + random.permutation(last - first)[:MAX_REPLIES] for first, last in pairwise(starts)]
        chosen = chosen[: 1 + int(np.searchsorted(count + np.cumsum([len(each) for each in chosen]), most))]
        rolls.append(np.repeat(np.arange(number, number + len(chosen)), [len(each) for each in chosen]))
        every = np.concatenate(chosen)
        turned = results[every]
        found.append(np.where(again[every, None], turned, turned[:, [*range(32, 64), *range(32)]]))
        number, count = number + len(chosen), count + len(every)
        if count >= most:
            break
    return np.concatenate(found), np.concatenate(rolls)


def replies_in_games(
    net: core.Net, rules: Rules, games: int, seed: int, most: int, rare_share: float = 0.0
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """`replies_of` the positions of games that the net plays against itself."""
    return replies_of(rules, positions_of(net, rules, games, seed, rare_share), seed, most)


def own_values(
    net: core.Net, recipe: Recipe, *, replies: int | None = None, tables: bool = True, seed: int = 1
) -> TrainingLabels:
    """Replies to rolls of games that the net plays against itself, with its own values; those to one roll are siblings.

    A small net learns from them to say the same; beside other labels, they hold a net where it is while those change it elsewhere.
    Their targets are float32 [n, net.states, 5] ([n, net.states, 3] where games pay by the checker): of a net whose states say which gammons count
    (`net.by_gammons`) all four, that of money last; of a net of a game with reroll tokens each token state.

    replies: about so many in all, at most those of a roll more for each start; by default those of `recipe.pruning_games` games. tables: exact databases answer where they can.
    """
    check_kind("net", net, core.Net)
    check_kind("recipe", recipe, Recipe)
    if replies is not None:
        check_least("replies", replies, 1)
    return _own_values(net, recipe, replies, tables, seed, money=False)


def _own_values(
    net: core.Net, recipe: Recipe, replies: int | None, tables: bool, seed: int, *, money: bool
) -> TrainingLabels:
    """`own_values`; money: of a net whose states say which gammons count, for money alone, which takes a quarter of the time."""
    parts = []
    for number, (rules, share) in enumerate(recipe.rules_of_starts()):
        rare = RARE_SHARE if recipe.rare and not number else 0.0
        if replies is None:
            games, most = max(round(recipe.pruning_games * share), 8), round(MAX_SAMPLES * max(share, 0.02))
        else:
            most = max(round(replies * share), 1)
            games = max(most // REPLIES_A_GAME, 8)
        samples, rolls = replies_in_games(net, rules, games, seed, most, rare)
        searcher = core.Searcher(core_rules(rules), net, tables=tables)
        if money and net.by_gammons:
            targets = searcher.evaluate(samples, 0, stakes(MONEY))
        else:
            targets = values_by_state(searcher, net, samples, 0)
        parts.append(TrainingLabels(samples, targets, rolls))
    return TrainingLabels.joined(parts)


def distil(
    net: core.Net,
    recipe: Recipe,
    *,
    hidden: int | None = None,
    epochs: int = 8,
    seed: int = 1,
    progress: TrainingProgress | None = None,
) -> core.Net:
    """The pruning net of a big one whose games start as the recipe says; its inputs are checker counts only.

    The small net learns the big one's `own_values`, where gammons count those for money, above all the differences between plays of a roll. hidden: its units; by default 96, for a net
    of fewer than 512 units 32.
    """
    check_kind("net", net, core.Net)
    check_kind("recipe", recipe, Recipe)
    learned = _own_values(net, recipe, None, True, seed, money=True)
    small = core.Net(
        inputs=core.PLAIN_INPUTS,
        hidden=hidden or (96 if net.hidden >= LARGE else 32),
        states=1 if net.by_gammons else net.states,
        per_checker=net.per_checker,
        seed=seed,
    )
    return fit(
        small,
        learned,
        epochs=epochs,
        batch=128,
        first_rate=4e-3,
        last_rate=5e-5,
        sibling_weight=SIBLING_WEIGHT,
        seed=seed,
        progress=progress,
    )
