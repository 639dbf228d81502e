"""How many rolls hit, counted by the rules, without a net."""

from __future__ import annotations

import numpy as np

from barpoint.board import BAR, Position
from barpoint.moves import encode, legal_plays_batch, outcome
from barpoint.rules import Rules


def shots(rules: Rules, position: Position) -> tuple[int, int]:
    """(rolls that hit, all rolls) of the player to act, who has not rolled."""
    rows = rules.dice.rows
    total = sum(row.weight for row in rows)
    if outcome(rules, position) is not None:
        return 0, total
    every = np.repeat(encode([position.to_roll()]), len(rows), axis=0)
    results, offsets, _ = legal_plays_batch(rules, every, np.arange(len(rows)))
    hits = results[:, 1, BAR] > position.them.points[BAR]
    return sum(row.weight for row, a, b in zip(rows, offsets[:-1], offsets[1:], strict=True) if hits[a:b].any()), total
