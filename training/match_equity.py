"""A match equity table of our own: python -m training.match_equity FILE [--length N] [--games N] [--plies P] [--threads N]

Scores are taken in the order of the points that both sides still need together, those after the Crawford game first, so that whatever a
game at a score leads to is known. The value of a score is that of the 30 ways in which a game begins: who won the opening
roll and with which numbers. Each is played with the best play by a search of P plies (2); --games rolls that out so many times besides,
with the cube, and its dice are those of the same opening at every score. FILE (.json, as those in src/barpoint/data/met) is written after
every score, and the same command goes on. At the end the table is compared with Kazaross-XG2, cell by cell.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec
import numpy as np

from barpoint.engine import Engine
from barpoint.engine.cube_info import CubeInfo, CubeState, Score
from barpoint.match import Met
from barpoint.variants import variant

OPENINGS: Final = [(high, low) for high in range(2, 7) for low in range(1, high)]

Value = Callable[[Score, tuple[int, int]], float]
"""Match winning chance of the side that begins with these faces."""


class MatchEquities(msgspec.Struct):
    """A table in the making, as its file holds it; None where a score is not known yet."""

    name: str
    description: str
    pre: list[list[float | None]]
    post: list[float | None]

    def met(self) -> Met:
        """As a table; what is not known yet is 0.5, and is not asked for."""
        pre = tuple(tuple(0.5 if chance is None else chance for chance in row) for row in self.pre)
        return Met(self.name, pre, tuple(0.5 if chance is None else chance for chance in self.post))

    def next_score(self) -> tuple[int, int, bool] | None:
        """What we and they need in the next score to be valued, and whether the Crawford game is over; None at the end."""
        if None in self.post:
            return self.post.index(None) + 1, 1, True
        length = len(self.pre)
        left = (
            (us, them) for us in range(1, length + 1) for them in range(1, us + 1) if self.pre[us - 1][them - 1] is None
        )
        found = min(left, key=lambda away: (sum(away), away), default=None)
        return None if found is None else (*found, False)

    def set(self, us: int, them: int, after_crawford: bool, chance: float) -> None:
        """Notes a value, for both sides."""
        if after_crawford:
            self.post[us - 1] = chance
        else:
            self.pre[us - 1][them - 1], self.pre[them - 1][us - 1] = chance, 1 - chance


def empty(length: int, description: str) -> MatchEquities:
    """A table of which only equal scores are known."""
    pre: list[list[float | None]] = [[0.5 if us == them else None for them in range(length)] for us in range(length)]
    return MatchEquities("Barpoint", description, pre, [0.5, *[None] * (length - 1)])


def chance_of(value: Value, score: Score) -> float:
    """The match winning chance before the opening roll, which each side wins as often."""
    theirs = Score(score.them, score.us, score.crawford, score.met)
    first = [value(score, faces) for faces in OPENINGS]
    second = [1 - value(theirs, faces) for faces in OPENINGS]
    return float(np.mean([*first, *second]))


def valued_by(engine: Engine, games: int) -> Value:
    """Values by search, or by rollouts of so many games of each opening."""
    start = engine.rules.start

    def value(score: Score, faces: tuple[int, int]) -> float:
        cube = None if score.crawford else CubeState()
        best = engine.rank(start, faces, cube=cube, score=score, limit=1)[0]
        equity = best.equity
        if games:
            seed = 10 * faces[0] + faces[1]
            rolled = engine.rollout_plays(start, faces, [best.play], cube=cube, score=score, trials=games, seed=seed)
            equity = rolled[0].rollout.equity.mean
        return CubeInfo(cube, score).to_value(equity)

    return value


def compared(ours: Met, other: Met) -> str:
    """How far two tables are apart, in percent of matches, up to the shorter one's length."""
    length = min(ours.length, other.length)
    lines = []
    for name, pairs in (
        ("before a game", [(us, them, False) for us in range(1, length + 1) for them in range(1, us)]),
        ("after the Crawford game", [(us, 1, True) for us in range(2, length + 1)]),
    ):
        apart = {pair: 100 * (ours.win(*pair) - other.win(*pair)) for pair in pairs}
        worst = max(apart, key=lambda pair: abs(apart[pair]))
        spread = float(np.sqrt(np.mean(np.square([*apart.values()]))))
        lines.append(
            f"{name}: {len(pairs)} scores, {spread:.2f} apart in the root of the mean square, in the mean "
            f"{np.mean([*apart.values()]):+.2f}; most at {worst[0]}-away {worst[1]}-away: "
            f"{100 * ours.win(*worst):.2f} and {100 * other.win(*worst):.2f}"
        )
    return "\n".join(lines)


def main(words: list[str]) -> None:
    """Makes or continues a table, and compares it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--length", type=int, default=15)
    parser.add_argument(
        "--games", type=int, default=0, help="of each of 30 openings at each score; 0 for the search alone"
    )
    parser.add_argument("--plies", type=int, default=2)
    parser.add_argument("--threads", type=int, default=1)
    said = parser.parse_args(words)
    how = f"rollouts of {30 * said.games} games" if said.games else "a search"
    table = empty(said.length, f"Made by Barpoint: every score by {how}, opening plays by {said.plies} plies.")
    if said.file.exists():
        table = msgspec.json.decode(said.file.read_bytes(), type=MatchEquities)
    engine = Engine(variant("backgammon"), plies=said.plies, threads=said.threads)
    while (score := table.next_score()) is not None:
        us, them, after_crawford = score
        crawford = them == 1 and not after_crawford
        chance = chance_of(valued_by(engine, said.games), Score(us, them, crawford, table.met()))
        table.set(us, them, after_crawford, round(chance, 5))
        said.file.write_bytes(msgspec.json.encode(table))
        print(f"{us}-away {them}-away{' after the Crawford game' * after_crawford}: {100 * chance:.2f}", flush=True)
    print(compared(table.met(), Met.load()))


if __name__ == "__main__":
    main(sys.argv[1:])
