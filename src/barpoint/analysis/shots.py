"""How many rolls do something, such as hit: counted by the rules, without a net."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from barpoint.board import BAR, Position
from barpoint.moves import encode, legal_plays_batch, outcome
from barpoint.rules import Rules


def shots(rules: Rules, position: Position) -> tuple[int, int]:
    """(rolls that hit, all rolls) of the player to act, who has not rolled."""
    hits = rolls_that(rules, position, lambda results, before: results[:, 1, BAR] > before.them.points[BAR])
    return hits, sum(row.weight for row in rules.dice.rows)


def rolls_that(
    rules: Rules,
    position: Position,
    holds: Callable[[npt.NDArray[np.int8], Position], npt.NDArray[np.bool_]],
) -> int:
    """Of all rolls of the side to act, how many have a play after which something holds; results are seen by the mover."""
    if outcome(rules, position) is not None:
        return 0
    rows = rules.dice.rows
    every = np.repeat(encode([position.to_roll()]), len(rows), axis=0)
    results, offsets, _ = legal_plays_batch(rules, every, np.arange(len(rows)))
    found = holds(results, position)
    return sum(row.weight for row, a, b in zip(rows, offsets[:-1], offsets[1:], strict=True) if found[a:b].any())
