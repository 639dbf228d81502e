"""Whole matches, with and without what was learned for them: python -m benchmarks.match_games [--without W] [--length N] [--pairs N]
[--executor E] [--workers N] [--file F]

Both sides are our net without search. One has all that was learned; the other is without W: "cube", the cube net, with Janowski's constant
efficiencies instead; "gammons", the outputs for games in which gammons count for one side or none, with those for money instead; or "both" (the default). Pairs of
matches to N points (7) on the same dice with the seats exchanged, with the Crawford rule. Each game has its own dice, and begins with an opening
roll. Results are luck-adjusted in match winning chances: of every roll its best play's value beyond the mean over all rolls is subtracted, by the
side with all, at the score and cube where it is; rolls that come in both matches of a pair cancel out. E is one of docs/cluster.md; the same
matches are played on each. Ctrl-C stops at once and prints what stands; with --file finished matches are kept, and the same command goes on.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Final

from barpoint.engine import Score
from barpoint.engine.executors import add_executor_options, executor_chosen, in_order
from barpoint.engine.result_file import ResultFile
from benchmarks.head_to_head import spread
from benchmarks.peer.cube_player import ENTRY, OPENING_ROWS, CubePlayer, OwnCube, Roll, one_game

BLOCK: Final = 20
"""Pairs in one task of an executor."""

LENGTHS: Final = range(2, 26)

Shares = list[tuple[float, float]]
"""Of each pair: the share of its matches that the side with all won, as played and luck-adjusted."""

WITHOUT: Final = {
    "cube": "the cube net",
    "gammons": "the outputs by gammons",
    "both": "the cube net and the outputs by gammons",
}
"""What the other side may be without, in words."""


@cache
def players(without: str) -> tuple[OwnCube, OwnCube]:
    """With all, and without one of WITHOUT; made once in a process."""
    return OwnCube(learned=True), OwnCube(learned=without == "gammons", gammons=without == "cube")


def after_game(score: Score, points: int) -> Score | None:
    """The score once player 0 has won these points, or lost them if negative; None when the match is over."""
    us, them = score.us - max(points, 0), score.them - max(-points, 0)
    if min(us, them) < 1:
        return None
    return Score(us, them, crawford=1 in (us, them) and 1 not in (score.us, score.them))


def one_match(seated: Sequence[CubePlayer], length: int, seed: str) -> tuple[bool, list[Roll]]:
    """Whether player 0 has won, and the rolls of all games."""
    score, rolls = Score(length, length), list[Roll]()
    for game in range(2 * length):
        dice = random.Random(f"{seed} {game}")
        opening = dice.randrange(2), dice.choice(OPENING_ROWS)
        points, more = one_game(seated, dice, score, opening)
        rolls += more
        after = after_game(score, points)
        if after is None:
            return points > 0, rolls
        score = after
    raise AssertionError("a match ends when both sides could have won it")


def pair_of_matches(without: str, length: int, number: int) -> tuple[float, float]:
    """The share of a pair's two matches that the side with all won, as played and luck-adjusted."""
    ours, other = players(without)
    won, rolls = one_match((ours, other), length, f"{length} {number}")
    lost, other_rolls = one_match((other, ours), length, f"{length} {number}")
    share = (won + 1 - lost) / 2
    apart = Counter(rolls)
    apart.subtract(other_rolls)  # player 0 is the side with all in the first match, the other one in the second
    lucky = sum(times * ours.luck(roll) * (1 if roll.player == 0 else -1) for roll, times in apart.items() if times)
    return share, share - lucky / 2


def pairs_of_matches(without: str, length: int, first: int, count: int) -> Shares:
    """So many pairs, from this number on."""
    return [pair_of_matches(without, length, number) for number in range(first, first + count)]


def played(
    without: str, length: int, blocks: int, executor: Executor | None = None, file: Path | None = None
) -> Iterator[Shares]:
    """All blocks in order, those that the file holds first; the others are kept there too."""
    kept = ResultFile(file, (ENTRY.file, ENTRY.cube_net, ENTRY.cube_efficiency, without, length, BLOCK))
    yield from kept.results[:blocks]
    left = [(without, length, block * BLOCK, BLOCK) for block in range(len(kept.results), blocks)]
    with closing(in_order(executor, pairs_of_matches, left)) as found:
        for shares in found:
            kept.add(shares)
            yield shares


def result(without: str, length: int, shares: Shares) -> str:
    """What the pairs say, in words."""
    (raw, raw_error), (mean, error) = (spread([100 * pair[which] for pair in shares]) for which in (0, 1))
    return (
        f"{length}-point matches, {2 * len(shares):,}: our net wins {mean:.2f} % +- {error:.2f} against itself without {WITHOUT[without]}, "
        f"luck-adjusted (as played {raw:.2f} +- {raw_error:.2f})"
    )


def main(words: Sequence[str]) -> None:
    """Plays matches and prints the share that the side with all wins."""
    parser = argparse.ArgumentParser("python -m benchmarks.match_games")
    parser.add_argument("--without", choices=WITHOUT, default="both", help="what the other side plays without")
    parser.add_argument("--length", type=int, default=7)
    parser.add_argument("--pairs", type=int, default=1000, help=f"pairs of matches, a multiple of {BLOCK}")
    add_executor_options(parser)
    parser.add_argument("--file", type=Path, help="keeps finished matches")
    asked = parser.parse_args(words)
    if asked.length not in LENGTHS or asked.pairs < 2:
        parser.error(f"--length is {LENGTHS[0]} to {LENGTHS[-1]}, --pairs at least 2")
    shares: Shares = []
    with executor_chosen(asked) as executor:
        try:
            for block in played(asked.without, asked.length, -(-asked.pairs // BLOCK), executor, asked.file):
                shares += block
                print(f"\r{result(asked.without, asked.length, shares)}  ", end="", file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            print("\nstopped", file=sys.stderr)
    if shares:
        print(result(asked.without, asked.length, shares), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
