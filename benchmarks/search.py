"""Time of a search and the cost of its filters: python -m benchmarks.search [DECISIONS] [NAME]

Decisions are rolls of games that the net plays against itself at 0 plies, without forced plays. Plays: ranked with a
centred cube for money; positions: the cube decision before the roll. Processor milliseconds, one core.
Loss: millipoints a decision of the chosen play. The judge searches to the same depth, keeps every root play within 0.4
points of the best and prunes nothing inside; both choose inner replies by the net alone.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from barpoint.board import Position
from barpoint.chances import equities
from barpoint.engine import CubeState, Engine
from barpoint.engine.net import find_net, load
from barpoint.moves import outcome
from barpoint.native import core, core_rules, pack
from barpoint.rules import Rules
from barpoint.variants import variant

WIDE = 0.4

Decision = tuple[Position, tuple[int, ...]]


def decisions(rules: Rules, count: int, seed: int = 11) -> list[Decision]:
    """Positions of games, each with the roll to be played in it."""
    dice, engine, found, position = random.Random(seed), Engine(rules), [], rules.start
    weights = [row.weight for row in rules.dice.rows]
    while len(found) < count:
        row = dice.choices(rules.dice.rows, weights)[0]
        ranked = engine.rank(position, row.faces)
        if len(ranked) > 1 and dice.random() < 0.25:  # neighbouring positions of a game are correlated
            found.append((position, row.faces))
        position = ranked[0].play.next
        if outcome(rules, position) is not None:
            position = rules.start
    return found


def timed(work: Callable[[Decision], object], sample: list[Decision]) -> npt.NDArray[np.float64]:
    """[n] milliseconds of each."""
    found = []
    for decision in sample:
        began = time.process_time()
        work(decision)
        found.append(1000 * (time.process_time() - began))
    return np.array(found)


def losses(rules: Rules, engine: Engine, sample: list[Decision]) -> npt.NDArray[np.float64]:
    """[n] millipoints that the engine's choice loses in each, cubeless."""
    entry = find_net(rules)
    wide = core.Searcher(core_rules(rules), load(entry), tables=True)
    found = []
    for position, faces in sample:
        ranked, flat = engine.rank(position, faces), Engine(rules).rank(position, faces)
        judged = {item.play.result: item.equity for item in flat if item.loss < WIDE}
        for item in flat:
            if item.play.result in judged and outcome(rules, item.play.next) is None:
                packed = np.frombuffer(pack(item.play.next), np.uint8).reshape(1, 64)
                probabilities = wide.evaluate(packed, engine.plies)[:, -1]
                judged[item.play.result] = -float(equities(probabilities, rules.scoring.payments)[0])
        best = max(judged.values())
        found.append(1000 * (best - judged.get(ranked[0].play.result, best - WIDE)))
    return np.array(found)


def line(what: str, found: npt.NDArray[np.float64], unit: str) -> None:
    """Prints mean with its error, median and the slowest."""
    error = found.std(ddof=1) / np.sqrt(len(found))
    print(
        f"{what}: mean {found.mean():.2f} +- {error:.2f}, median {np.median(found):.2f}, largest {found.max():.1f} {unit}",
        flush=True,
    )


def main(count: int = 200, name: str = "backgammon") -> None:
    """Prints all results of one game."""
    rules = variant(name)
    sample = decisions(rules, count)
    for plies in (0, 1, 2):
        engine = Engine(rules, plies=plies)
        line(
            f"{name}, a play at {plies} plies",
            timed(lambda d, e=engine: e.rank(*d, cube=CubeState()), sample),  # type: ignore[misc]
            "ms",
        )
        line(f"{name}, a cube decision at {plies} plies", timed(lambda d, e=engine: e.cube(d[0]), sample), "ms")  # type: ignore[misc]
    for plies in (1, 2):
        found = losses(rules, Engine(rules, plies=plies), sample[: count // plies])
        line(f"{name}, loss by cutting at {plies} plies", found, "millipoints")


if __name__ == "__main__":
    main(*(int(word) if word.isdigit() else word for word in sys.argv[1:]))  # type: ignore[arg-type]
