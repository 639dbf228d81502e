"""Reorder a net's units so that it evaluates faster: python -m training.arrange NAME FILE

The second layer recomputes only pairs of neighbouring units whose activation differs from that of the position before
the roll. Self-play games show which units change together; those become neighbours. The net's values stay the same.
NAME is an entry of nets.toml, whose rules are played; the file is replaced.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from barpoint.engine.net import parse
from barpoint.native import core, core_rules
from barpoint.rules import Rules
from barpoint.variants import variant
from training.distil import positions_of
from training.recipe import RECIPES

GAMES = 60
MAX_REPLIES = 12
"""Maximum replies of one roll; otherwise rolls with many plays would outweigh all others."""


def changes(net: Any, rules: Rules, games: int = GAMES, seed: int = 1) -> npt.NDArray[np.bool_]:
    """[replies, units] whether a unit's activation after a play differs from that before the roll, seen by the other side."""
    random = np.random.default_rng(seed)
    positions = positions_of(net, rules, games, seed)
    results, starts, _ = core.results(
        core_rules(rules), positions, random.integers(0, len(rules.dice.rows), len(positions))
    )
    chosen = [first + random.permutation(last - first)[:MAX_REPLIES] for first, last in pairwise(starts)]
    before, after = (
        net.activations(np.ascontiguousarray(each[:, [*range(32, 64), *range(32)]]))
        for each in (positions, results[np.concatenate(chosen)])
    )
    return after != np.repeat(before, [len(some) for some in chosen], 0)


def neighbours(changed: npt.NDArray[np.bool_]) -> list[int]:
    """The order of units that puts those that change together side by side."""
    share = changed.astype(np.float32)
    together = np.triu(share.T @ share, 1)
    order = list[int]()
    left = set(range(changed.shape[1]))
    for pair in np.argsort(-together, axis=None, kind="stable"):
        one, other = divmod(int(pair), changed.shape[1])
        if one < other and one in left and other in left:
            order += (one, other)
            left -= {one, other}
            if not left:
                break
    return order


def pairs_changed(changed: npt.NDArray[np.bool_]) -> float:
    """The share of pairs of neighbours in which at least one changes."""
    return float((changed[:, ::2] | changed[:, 1::2]).mean())


def arranged(net: Any, rules: Rules, seed: int = 1) -> Any:
    """The same net with its units in that order."""
    changed = changes(net, rules, seed=seed)
    order = neighbours(changed)
    print(f"pairs that change: {pairs_changed(changed):.3f} -> {pairs_changed(changed[:, order]):.3f}")
    return net.arranged(np.array(order, np.int64))


if __name__ == "__main__":
    name, file = sys.argv[1], Path(sys.argv[2])
    file.write_bytes(arranged(parse(file.read_bytes()), variant(RECIPES[name].starts[0][0])).bytes())
