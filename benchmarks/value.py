"""Distance of the nets alone from rollouts: python -m benchmarks.value [POSITIONS] [KIND ...]

Positions before a roll, from games and from games that start in constructed positions of a kind. Our engine rolls out
their cubeless equity, 324 full games, so the comparison favours our side.
"""

from __future__ import annotations

import sys
from itertools import islice

import numpy as np

from barpoint.board import Position
from barpoint.engine import Engine
from benchmarks.head_to_head import spread
from benchmarks.judged.place import decisions
from benchmarks.peer.player import GnubgNn

TRIALS = 324
KINDS = ("game", "back game", "containment")


def rolled_out(kind: str, count: int) -> list[tuple[Position, float, float]]:
    """Positions of a kind, their equities, and the errors of these."""
    engine = Engine("backgammon")
    found = []
    for position, _ in islice(decisions(kind, 3), count):
        equity = engine.rollout(position, trials=TRIALS, seed=1).equity
        found.append((position, equity.mean, equity.error))
    return found


def main(count: int = 40, *kinds: str) -> None:
    """Prints all results."""
    ours = Engine("backgammon")
    nets = {"Barpoint": lambda position: ours.evaluate(position).equity}
    try:
        nets["gnubg-nn"] = GnubgNn(0).equity
    except ImportError as missing:
        print(f"{missing.name} is not installed")
    for kind in kinds or KINDS:
        positions = rolled_out(kind, count)
        judged = np.mean([error for _, _, error in positions])
        for name, equity in nets.items():
            mean, error = spread([abs(equity(position) - reference) for position, reference, _ in positions])
            print(
                f"{kind}, {name} 0-ply: off by {mean:.3f} +- {error:.3f} points; the rollouts' own error {judged:.3f}",
                flush=True,
            )


if __name__ == "__main__":
    main(*(int(word) if word.isdigit() else word for word in sys.argv[1:]))  # type: ignore[arg-type]
