"""Speed of the net: python -m benchmarks.evaluate

Static evaluations a second on one core. First one by one, from packed positions of random games, compared with gnubg-nn
where installed. Then as play needs them: every reply to every roll from positions of random games, move generation
included. Last, one play decision of the engine, by plies. Each result is the best of several runs, with their spread.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from itertools import islice

import numpy as np

from barpoint.board import Position
from barpoint.engine import Engine
from barpoint.engine.net import find_net, load
from barpoint.moves import legal_plays, outcome
from barpoint.native import core, core_rules, pack
from barpoint.variants import variant

RUNS = 5


def positions(count: int) -> list[Position]:
    """Positions of games with random plays."""
    rules, dice, found = variant("backgammon"), random.Random(1), []
    position = rules.start
    while len(found) < count:
        plays = legal_plays(rules, position, dice.choice(rules.dice.rows).faces)
        position = dice.choice(plays).next
        if outcome(rules, position) is not None:
            position = rules.start
        found.append(position)
    return found


def rates(work: Callable[[], int]) -> tuple[float, float]:
    """Best rate a processor second of several runs, and the worst as a share of it. work: returns how many units it
    did.
    """
    found = []
    for _ in range(RUNS):
        began = time.process_time()
        done = work()
        found.append(done / (time.process_time() - began))
    return max(found), min(found) / max(found)


def static(sample: list[Position]) -> None:
    """Evaluations a second, ours and gnubg-nn's."""
    rules = variant("backgammon")
    searcher = core.Searcher(core_rules(rules), load(find_net(rules)))
    packed = np.frombuffer(b"".join(map(pack, sample)), np.uint8).reshape(-1, 64)

    def ours() -> int:
        for _ in range(10):
            searcher.evaluate(packed, 0)
        return 10 * len(packed)

    entry = find_net(rules)
    net = load(entry)
    print(f"net {entry.file}: {net.hidden} units, {net.hidden2} in the second layer, inputs {net.inputs}, {core.isa()}")
    rate, spread = rates(ours)
    print(f"static evaluations, one by one: {rate:,.0f}/s (slowest run {spread:.0%})")
    few = sample[:300]
    rows = np.arange(len(rules.dice.rows))
    replies = sum(
        len(core.results(core_rules(rules), np.repeat(packed[i : i + 1], len(rows), 0), rows)[0])
        for i in range(len(few))
    )

    def occurring() -> int:
        for position in few:
            searcher.rolls(pack(position), 0)
        return replies

    rate, spread = rates(occurring)
    print(f"static evaluations, as they occur: {rate:,.0f}/s (slowest run {spread:.0%})")
    try:
        import gnubg_nn
    except ImportError:
        print("gnubg-nn is not installed")
        return
    # The engine caches evaluations (a repeated question is seven times as fast), so every run gets its own positions.
    boards = iter([[list(p.them.points[1:]), list(p.us.points[1:])] for p in positions(RUNS * len(sample))])

    def theirs() -> int:
        for board in islice(boards, len(sample)):
            gnubg_nn.probabilities(board, 0)
        return len(sample)

    rate, spread = rates(theirs)
    print(f"gnubg-nn probabilities, 0 plies: {rate:,.0f}/s (slowest run {spread:.0%})")


def decisions(sample: list[Position]) -> None:
    """Milliseconds for one ranked roll."""
    for plies, count in ((0, 200), (1, 20), (2, 2)):
        engine = Engine("backgammon", plies=plies)

        def work(engine: Engine = engine, count: int = count) -> int:
            for position in sample[:count]:
                engine.rank(position, (4, 2))
            return count

        rate, spread = rates(work)
        print(f"one ranked roll at {plies} plies: {1000 / rate:.2f} ms (slowest run {spread:.0%} as fast)")


def main() -> None:
    """Prints all results."""
    sample = positions(2000)
    static(sample)
    decisions(sample)


if __name__ == "__main__":
    main()
