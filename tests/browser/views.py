"""Views as a server sends them, for hand-written positions, with turn graphs from a small generator.

The generator knows only the movement of backgammon (bar first, two checkers block, one is hit, bearing off from home),
which is enough for the board's tests: the board itself knows no rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

View = dict[str, Any]
Points = list[int]
OFF, BAR, HAND = 0, 25, 26
OPPOSITE = [0, *(25 - point for point in range(1, 25))]
FAR_CORNER = [0, *((point + 11) % 24 + 1 for point in range(1, 25))]
START = {24: 2, 13: 5, 8: 3, 6: 5}


def side(counts: dict[int, int], checkers: int = 15) -> dict[str, Any]:
    """A side from counts by place (25 bar, 26 hand); the other checkers are borne off."""
    points = [0] * 26
    for place, count in counts.items():
        if place != HAND:
            points[place] = count
    hand = counts.get(HAND, 0)
    points[OFF] = checkers - sum(points[1:]) - hand
    return {"points": points, "hand": hand, "pinned": []}


def _steps(points: Points, hand: int, rival: Points, number: int) -> Iterator[tuple[int, int, int]]:
    """(from, to, effect) of every move by a number."""
    sources = [BAR] if points[BAR] else [*([HAND] if hand else []), *(p for p in range(24, 0, -1) if points[p])]
    highest = BAR if hand or points[BAR] else max((p for p in range(1, 25) if points[p]), default=0)
    for source in sources:
        target = 25 - number if source == HAND else source - number
        if target <= 0:
            if highest <= 6 and (target == 0 or source == highest):
                yield source, OFF, 0
        elif rival[25 - target] < 2:
            yield source, target, rival[25 - target]


class Graph:
    """All ways to play the alternatives; nodes by the position and the numbers played."""

    def __init__(self, mover: dict[str, Any], rival: dict[str, Any], alternatives: list[list[int]]) -> None:
        self.nodes: list[list[Any]] = []
        self.known: dict[Any, int] = {}
        self.alternatives = alternatives
        self.visit(list(mover["points"]), mover["hand"], list(rival["points"]), ())
        best = max(sum(numbers) for numbers in self.ends.values())
        self.prune({node for node, numbers in self.ends.items() if sum(numbers) == best})

    def visit(self, points: Points, hand: int, rival: Points, played: tuple[int, ...]) -> int:
        key = (tuple(points), hand, tuple(rival), played)
        if key in self.known:
            return self.known[key]
        index = self.known[key] = len(self.nodes)
        self.nodes.append([0, []])
        for number in sorted({n for left in self.left(played) for n in left}, reverse=True):
            for source, target, hit in _steps(points, hand, rival, number):
                mine, theirs = list(points), list(rival)
                if source != HAND:
                    mine[source] -= 1
                mine[target] += 1
                if hit:
                    theirs[25 - target] -= 1
                    theirs[BAR] += 1
                after = self.visit(mine, hand - (source == HAND), theirs, tuple(sorted((*played, number))))
                self.nodes[index][1].append([source, target, number, hit, after])
        return index

    def left(self, played: tuple[int, ...]) -> Iterator[list[int]]:
        for numbers in self.alternatives:
            rest = list(numbers)
            if all(number in rest and rest.remove(number) is None for number in played):
                yield rest

    @property
    def ends(self) -> dict[int, tuple[int, ...]]:
        return {node: key[3] for key, node in self.known.items() if not self.nodes[node][1]}

    def prune(self, wanted: set[int]) -> None:
        """Keeps the paths to the wanted ends, and lets the turn end there."""
        alive = set(wanted)
        while True:
            more = {
                n for n, (_, edges) in enumerate(self.nodes) if n not in alive and any(e[4] in alive for e in edges)
            }
            if not more:
                break
            alive |= more
        for node, header in enumerate(self.nodes):
            header[0] = int(node in wanted)
            header[1] = [edge for edge in header[1] if edge[4] in alive]


def roll(*faces: int) -> dict[str, Any]:
    """The dice of a roll by near: two cubes."""
    numbers = [faces[0]] * 4 if faces[0] == faces[1] else list(faces)
    return {"kind": "2d6", "faces": list(faces), "of": "near", "alternatives": [numbers]}


SPLITS = {
    9: [[6, 3], [5, 4], [3, 3, 3]], 8: [[6, 2], [5, 3], [4, 4]], 4: [[3, 1], [2, 2]], 11: [[6, 5]], 12: [[6, 6], [4, 4, 4]],
}  # fmt: skip


def roll_twelve(face: int) -> dict[str, Any]:
    """The dice of a roll by near: one die with twelve sides."""
    return {"kind": "1d12", "faces": [face], "of": "near", "alternatives": SPLITS[face]}


def pips(points: Points, hand: int) -> int:
    return sum(place * count for place, count in enumerate(points)) + 25 * hand


def view(
    near: dict[int, int] | None = None,
    far: dict[int, int] | None = None,
    dice: dict[str, Any] | None = None,
    made: list[list[int]] | None = None,
    allowed: list[dict[str, Any]] | None = None,
    **more: Any,
) -> View:
    """A whole view. With dice of near it is near's turn to play them, and the view has the graph."""
    checkers = more.pop("checkers", 15)
    mine = side(START if near is None else near, checkers)
    theirs = side(START if far is None else far, checkers)
    turn = None
    if dice and dice["of"] == "near":
        turn = {"nodes": Graph(mine, theirs, dice["alternatives"]).nodes, "made": made or []}
        allowed = [{"kind": "play"}, *(allowed or [])]
    return {
        "near": mine, "far": theirs, "meets": OPPOSITE, "to_act": "near", "phase": "rolled" if dice else "turn",
        "dice": dice, "opening_roll": None, "turn": turn, "cube": {"value": 1, "owner": None, "offered": None}, "tokens": None,
        "allowed": allowed or [], "labels": {"near": "You", "far": "Barpoint"},
        "pips": {"near": pips(mine["points"], mine["hand"]), "far": pips(theirs["points"], theirs["hand"])},
        "score": {"near": 0, "far": 0, "length": 3, "crawford": False}, "last": None, "result": None, **more,
    }  # fmt: skip
