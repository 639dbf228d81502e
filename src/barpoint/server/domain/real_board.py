"""Entering moves from a real board: any checker may go anywhere; the play is judged when it is finished (S2-25)."""

from __future__ import annotations

from itertools import combinations
from typing import Final

from barpoint.board import Position
from barpoint.error import IllegalMove, PositionError
from barpoint.game.event import MoveMade
from barpoint.game.manual import carry, hand_effect, hand_moves
from barpoint.moves.turn import LATER, Edge
from barpoint.rules import Rules

HIGHEST: Final = 24
"""Largest number of pips noted for a move; it shows how far a checker went and is not counted."""

MAX_TAKEN_BACK: Final = 5
"""Up to this number of moves, any subset may be taken back; beyond it, only one at a time."""

Nodes = tuple[tuple[bool, tuple[Edge, ...]], ...]
"""(may be committed, edges) for each node, as in the graph of a turn."""


def free_moves(rules: Rules, position: Position, made: tuple[MoveMade, ...]) -> tuple[Edge, ...]:
    """Every move that can be made by hand after those made, as edges of a turn that lead to a later node."""
    here = carry(rules, position, made)
    return tuple((source, target, _pips(source, target), hit, LATER) for source, target, hit in hand_moves(rules, here))


def _pips(source: int, target: int) -> int:
    return min(HIGHEST, max(1, abs(source - target)))


def hand_path(rules: Rules, position: Position, made: tuple[MoveMade, ...]) -> Nodes:
    """A graph of the moves made and of what remains when some are taken back; it has no further moves."""
    edges: list[dict[MoveMade, Edge]] = [{}]
    for kept in (made, *_without(made)):
        try:
            carry(rules, position, kept)
        except (IllegalMove, PositionError):
            continue
        node = 0
        for index, move in enumerate(kept):
            if move not in edges[node]:
                effect = hand_effect(rules, carry(rules, position, kept[:index]), move)
                edges[node][move] = (*move, effect, len(edges))
                edges.append({})
            node = edges[node][move][4]
    return tuple((False, tuple(known.values())) for known in edges)


def _without(made: tuple[MoveMade, ...]) -> list[tuple[MoveMade, ...]]:
    fewest = 0 if len(made) <= MAX_TAKEN_BACK else len(made) - 1
    return [kept for count in range(len(made) - 1, fewest - 1, -1) for kept in combinations(made, count)]
