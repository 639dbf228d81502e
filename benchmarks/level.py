"""Error rate of each level but those that err like people (benchmarks/people.py): python -m benchmarks.level [DECISIONS] [GAME ...]

Mean loss a play decision, in millipoints, cubeless money, judged at 3-ply on positions of games that the net plays
against itself, without forced plays. Levels with random errors choose several times.
"""

from __future__ import annotations

import random
import sys

import numpy as np

from barpoint.board import Position
from barpoint.engine import Engine, Level, levels
from barpoint.moves import outcome
from barpoint.variants import variant

NAMES = ("backgammon", "roll-over", "duodecagammon")
JUDGE_PLIES = 3
DRAWS = 20
"""Choices for one position of a level with random errors."""


Decision = tuple[Position, tuple[int, ...], dict[Position, float]]
"""A position, a roll, and the value of each result to the mover."""


def decisions(name: str, count: int) -> list[Decision]:
    """Positions with a roll and the judge's value of every play."""
    rules, dice = variant(name), random.Random(5)
    engine, judge = Engine(rules), Engine(rules, plies=JUDGE_PLIES)
    found: list[Decision] = []
    position = rules.start
    while len(found) < count:
        row = dice.choices(rules.dice.rows, [row.weight for row in rules.dice.rows])[0]
        ranked = engine.rank(position, row.faces)
        if len(ranked) > 1 and dice.random() < 0.2:  # neighbouring positions of a game are correlated
            found.append((position, row.faces, {r.play.result: r.equity for r in judge.rank(position, row.faces)}))
        position = ranked[0].play.next
        if outcome(rules, position) is not None:
            position = rules.start
    return found


def losses(name: str, each: Level, sample: list[Decision]) -> list[float]:
    """[decisions] loss of a level in millipoints."""
    engine, noise, found = Engine(name, plies=each.plies, rollout=each.rollout), random.Random(7), []
    for position, faces, values in sample:
        ranked = engine.rank(position, faces)
        best, draws = max(values.values()), DRAWS if each.noise else 1
        chosen = [max(ranked, key=lambda item: item.equity + noise.gauss(0, each.noise or 1e-12)) for _ in range(draws)]
        found.append(float(np.mean([1000 * (best - values[item.play.result]) for item in chosen])))
    return found


def main(count: int = 300, *names: str) -> None:
    """Prints a line for every level of every game."""
    for name in names or NAMES:
        sample = decisions(name, count)
        for each in (one for one in levels() if not one.people):
            found = losses(name, each, sample)
            error = np.std(found, ddof=1) / np.sqrt(len(found))
            print(f"{name}, {each.name}: {np.mean(found):6.1f} +- {error:.1f} millipoints a decision", flush=True)


if __name__ == "__main__":
    main(*(int(word) if word.isdigit() else word for word in sys.argv[1:]))
