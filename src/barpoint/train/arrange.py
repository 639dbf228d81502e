"""Reorders a net's units so that it evaluates faster.

The second layer recomputes only pairs of neighbouring units whose activation differs from that of the position before
the roll. Self-play games show which units change together; those become neighbours. The net's values stay the same.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from barpoint.moves.batch import or_owed
from barpoint.native import core, core_rules
from barpoint.rules import Rules
from barpoint.train.distil import positions_of

GAMES: Final = 60
MAX_REPLIES: Final = 12
"""Maximum replies of one roll; otherwise rolls with many plays would outweigh all others."""


def changes(net: core.Net, rules: Rules, games: int = GAMES, seed: int = 1) -> npt.NDArray[np.bool_]:
    """[replies, units] whether a unit's activation after a play differs from that before the roll, seen by the other side."""
    random = np.random.default_rng(seed)
    positions = positions_of(net, rules, games, seed)
    rows = or_owed(positions, random.integers(0, len(rules.dice.rows), len(positions)))
    results, starts, _ = core.results(core_rules(rules), positions, rows)
    chosen = [first + random.permutation(last - first)[:MAX_REPLIES] for first, last in pairwise(starts)]
    before, after = (
        net.activations(np.ascontiguousarray(each[:, [*range(32, 64), *range(32)]]))
        for each in (positions, results[np.concatenate(chosen)])
    )
    different: npt.NDArray[np.bool_] = after != np.repeat(before, [len(some) for some in chosen], 0)
    return different


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


def arranged(net: core.Net, rules: Rules, seed: int = 1) -> core.Net:
    """The same net with its units in that order, of a net with two hidden layers."""
    return net.arranged(np.array(neighbours(changes(net, rules, seed=seed)), np.int64))
