"""Legal plays a second on one core: the batch call, the core alone, one Python call at a time, and gnubg-nn.

Positions and rolls of random games of backgammon. Times are processor time, so that other work on the machine changes
little; each result is the median of its rounds, with the slowest and the fastest.
"""

from __future__ import annotations

import importlib
import statistics
import time
import timeit
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from barpoint.board import Position
from barpoint.moves import PositionArray, Turn, encode, flip, legal_plays, legal_plays_batch, outcomes
from barpoint.moves.turn import turn_graph
from barpoint.native import core, core_rules, pack, row_index, unpack
from barpoint.rules import Rules
from barpoint.variants import variant

PAIRS = 20_000
ROUNDS = 15
ROLLS = 100
"""Of each game, or of that and those after it."""


def random_games(rules: Rules, count: int, seed: int) -> tuple[PositionArray, npt.NDArray[np.int64]]:
    """Positions [count, 2, 32] and rows [count] of games with random legal plays."""
    random = np.random.default_rng(seed)
    weights = np.array([row.weight for row in rules.dice.rows], float)
    games = max(1, count // ROLLS)
    start = encode([rules.start])
    positions = np.repeat(start, games, axis=0)
    kept_positions, kept_rows = [positions[:0]], [np.zeros(0, np.int64)]
    while sum(len(rows) for rows in kept_rows) < count:
        rows = random.choice(len(weights), size=games, p=weights / weights.sum())
        kept_positions.append(positions)
        kept_rows.append(rows)
        results, offsets, _ = legal_plays_batch(rules, positions, rows)
        chosen = results[random.integers(offsets[:-1], offsets[1:])]
        positions = flip(chosen)
        positions[outcomes(rules, positions).over] = start
    order = random.permutation(sum(len(rows) for rows in kept_rows))[:count]
    return np.concatenate(kept_positions)[order], np.concatenate(kept_rows)[order]


def rates(work: Callable[[], int]) -> list[float]:
    """The rate of `work` a second, in each round."""
    work()
    found = []
    for _ in range(ROUNDS):
        begun = time.process_time()
        done = work()
        found.append(done / (time.process_time() - begun))
    return found


def line(name: str, found: list[float], unit: str) -> str:
    """Prints one line of the table."""
    middle, low, high = (f"{value:13,.0f}" for value in (statistics.median(found), min(found), max(found)))
    return f"{name:44}{middle} {unit:10} ({low.strip()} .. {high.strip()})"


def gnubg_calls(pairs: list[tuple[Position, tuple[int, ...]]]) -> Iterator[Callable[[], int]]:
    """The same positions with gnubg-nn, where it is installed."""
    try:
        gnubg: Any = importlib.import_module("gnubg_nn")
    except ImportError:
        return
    boards = [((them.points[1:], us.points[1:]), faces) for us, them, faces in ((p.us, p.them, f) for p, f in pairs)]

    def work() -> int:
        for board, faces in boards:
            gnubg.moves(board, *faces)
        return len(boards)

    yield work


def main() -> None:
    """Prints the results."""
    rules = variant()
    positions, rows = random_games(rules, PAIRS, seed=1)
    pairs = [
        (unpack(packed.tobytes()), rules.dice.rows[row].faces) for packed, row in zip(positions, rows, strict=True)
    ]
    results = len(legal_plays_batch(rules, positions, rows)[0])
    print(
        f"{PAIRS} positions of random games, {results / PAIRS:.1f} results each; CPU time, median of {ROUNDS} (range)"
    )

    def batch() -> int:
        legal_plays_batch(rules, positions, rows)
        return PAIRS

    found = rates(batch)
    print(line("legal_plays_batch", found, "calls/s"))
    print(line("", [rate * results / PAIRS for rate in found], "results/s"))

    def counted() -> int:
        return core.perft(core_rules(rules), pack(rules.start), 2)[0]

    print(line("core alone (perft 2 from the start)", rates(counted), "results/s"))

    def single() -> int:
        for position, faces in pairs[:1000]:
            legal_plays(rules, position, faces)
        return 1000

    print(line("legal_plays, with moves and values", rates(single), "calls/s"))
    for work in gnubg_calls(pairs):
        print(line("gnubg-nn moves()", rates(work), "calls/s"))
    for name in ("duodecagammon", "hypergammon", "acey-deucey", "plakoto", "fevga"):
        other = variant(name)
        asked = random_games(other, 2000, seed=2)

        def batch_of_other(other: Rules = other, asked: Any = asked) -> int:
            legal_plays_batch(other, *asked)
            return len(asked[1])

        print(line(f"legal_plays_batch, {name}", rates(batch_of_other), "calls/s"))
    for name, faces in (("backgammon", (1, 1)), ("backgammon", (6, 5)), ("acey-deucey", (2, 1))):
        print(graph_line(variant(name), faces))


def graph_line(rules: Rules, faces: tuple[int, ...]) -> str:
    """Size and time of the largest turn graph in random games; with a second stage, once the first is played."""
    random = np.random.default_rng(3)
    positions, _ = random_games(rules, 1000, seed=3)
    worst, graph_of_worst = 0, ""
    for packed in positions:
        turn = Turn(rules, unpack(packed.tobytes()), faces)
        while len(rules.dice.rows[row_index(rules, faces)].stages) > 1 and turn.next_moves() and len(turn.made) < 2:
            turn = turn.move(*turn.next_moves()[random.integers(len(turn.next_moves()))])
        edges = sum(len(edges) for _, edges in turn.graph.nodes)
        if edges > worst:
            asked = partial(turn_graph, rules, turn.start, faces, turn.made)
            # The least of five has no pause of the collector in it.
            took = min(timeit.repeat(asked, timer=time.process_time, number=1, repeat=5))
            worst = edges
            graph_of_worst = f"{len(turn.graph.nodes)} nodes, {edges} moves, {1000 * took:.1f} ms"
    return f"largest turn graph of 1000, {rules.name} {'-'.join(map(str, faces))}: {graph_of_worst}"


if __name__ == "__main__":
    main()
