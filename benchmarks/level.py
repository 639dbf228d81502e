"""What each level loses: python -m benchmarks.level [DECISIONS]

Mean loss a play decision, in thousandths of a point, cubeless money, as two plies see it, on positions of games that
the strongest level plays against itself; forced plays are left out.
"""

from __future__ import annotations

import random
import sys

import numpy as np

from barpoint.board import Position
from barpoint.engine import Engine, levels
from barpoint.moves import outcome
from barpoint.variants import variant

NAMES = ("backgammon", "roll-over", "duodecagammon")
JUDGE_PLIES = 2


def decisions(name: str, count: int) -> list[tuple[Position, tuple[int, ...], dict[Position, float]]]:
    """Positions with a throw and what each result is worth to the mover, by two plies."""
    rules, dice = variant(name), random.Random(5)
    engine, judge = Engine(rules), Engine(rules, plies=JUDGE_PLIES)
    found: list[tuple[Position, tuple[int, ...], dict[Position, float]]] = []
    position = rules.start
    while len(found) < count:
        row = dice.choices(rules.dice.rows, [row.weight for row in rules.dice.rows])[0]
        ranked = engine.rank(position, row.faces)
        if len(ranked) > 1 and dice.random() < 0.2:  # neighbours in one game say much the same
            found.append((position, row.faces, {r.play.result: r.equity for r in judge.rank(position, row.faces)}))
        position = ranked[0].play.next
        if outcome(rules, position) is not None:
            position = rules.start
    return found


def main(count: int = 100) -> None:
    """A line for every level of every game."""
    for name in NAMES:
        sample = decisions(name, count)
        for level in levels():
            engine, noise, losses = Engine(name, plies=level.plies), random.Random(7), []
            for position, faces, worth in sample:
                ranked = engine.rank(position, faces)
                chosen = max(ranked, key=lambda item: item.equity + noise.gauss(0, level.noise or 1e-12))
                losses.append(1000 * (max(worth.values()) - worth[chosen.play.result]))
            error = np.std(losses, ddof=1) / np.sqrt(len(losses))
            print(f"{name}, {level.name}: {np.mean(losses):6.1f} +- {error:.1f} thousandths a decision", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
