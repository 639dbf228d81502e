"""How many rolls hit, and which stage a game is in; counted by the rules, without a net."""

from __future__ import annotations

from typing import Final

import numpy as np

from barpoint.board import BAR, Position
from barpoint.moves import encode, legal_plays_batch, outcome
from barpoint.rules import Rules

_OPENING_TURNS: Final = 6
_HOME: Final = 6


def shots(rules: Rules, position: Position) -> tuple[int, int]:
    """(rolls that hit, all rolls) of the player to act, who has not rolled."""
    rows = rules.dice.rows
    total = sum(row.weight for row in rows)
    if outcome(rules, position) is not None:
        return 0, total
    every = np.repeat(encode([position]), len(rows), axis=0)
    results, offsets, _ = legal_plays_batch(rules, every, np.arange(len(rows)))
    hits = results[:, 1, BAR] > position.them.points[BAR]
    return sum(row.weight for row, a, b in zip(rows, offsets[:-1], offsets[1:], strict=True) if hits[a:b].any()), total


def stage_of(rules: Rules, position: Position, turn: int) -> str:
    """ "opening", "contact", "race" or "bear-off". turn: its number in the game, from 1."""
    us, them = position.us, position.them
    meets = rules.movement.meeting.other
    behind = us.rearmost
    blocked = any(them.points[point] and (point == BAR or meets(point) < behind) for point in range(1, BAR + 1))
    if them.hand or us.hand or blocked:
        return "opening" if turn <= _OPENING_TURNS else "contact"
    return "bear-off" if behind <= _HOME else "race"
