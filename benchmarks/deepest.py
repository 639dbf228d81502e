"""The deepest level beside two and three plies on our own judged decisions: python -m benchmarks.deepest [EVERY [FIRST]]

EVERY: one of so many decisions is taken, beginning with number FIRST. Prints the loss of each, the difference to two plies on
the same decisions, and processor time. The judge is a rollout with the same net whose own error is some 0.006 points a
play, so differences below 0.001 cannot be seen; benchmarks/loss.py says how the set is judged.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np

from barpoint.board import Position
from barpoint.engine import Engine
from benchmarks.judged.store import read
from benchmarks.loss import losses, shown
from benchmarks.peer.player import Clock, CubeWorth


class Asked(Clock):
    """An engine as a player. longest: seconds of its longest decision. rolled: decisions that were rolled out."""

    def __init__(self, name: str, engine: Engine) -> None:
        self.name, self.plies, self.engine = name, engine.plies, engine
        self.longest, self.rolled = 0.0, 0

    def _counted(self, before: float, rolled: bool) -> None:
        self.longest = max(self.longest, self.seconds - before)
        self.rolled += rolled

    def play(self, position: Position, faces: Sequence[int]) -> Position:
        """See Player."""
        before = self.seconds
        best = self.timed(lambda: self.engine.rank(position, faces, limit=1))[0]
        self._counted(before, best.error is not None)
        return best.play.result

    def cube(self, position: Position) -> CubeWorth:
        """See Player."""
        before = self.seconds
        found = self.timed(lambda: self.engine.cube(position))
        self._counted(before, found.errors is not None)
        return found.no_double, found.double_take, found.double_pass


def main(every: int = 1, first: int = 0) -> None:
    """Prints a line for each engine, of plays and of cubes."""
    sample = read()[first::every]
    players = [
        Asked("2-ply", Engine(plies=2)),
        Asked("3-ply", Engine(plies=3)),
        Asked("rollout", Engine(rollout=True)),
    ]
    for player in players:  # the bear-off tables are made before any clock runs
        player.engine.equity(Position(sample[0].position.us, sample[0].position.us))
    for word in ("plays", "cubes"):
        part = [judged for judged in sample if bool(judged.faces) == (word == "plays")]
        known: list[float] = []
        for player in players:
            player.seconds, player.decisions, player.longest, player.rolled = 0.0, 0, 0.0, 0
            found = [loss for judged in part for loss in losses(player, judged)]
            known = known or found
            paired = shown((np.array(found) - np.array(known)).tolist())
            mean = 1000 * player.seconds / max(1, player.decisions)
            print(
                f"{len(part)} {word}, {player.name:<8} {shown(found)} millipoints, to 2-ply {paired}; "
                f"{mean:.0f} ms, at most {1000 * player.longest:.0f}; {player.rolled} rolled out",
                flush=True,
            )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
