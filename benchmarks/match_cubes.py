"""What cube decisions lose at match scores: python -m benchmarks.match_cubes [MAX PLIES] [--judge COUNT] [--again]
[--executor E] [--workers N]

The set is benchmarks/data/match_cubes.tsv (made by benchmarks/judged/scores.py): close decisions of games that our net plays against
itself at twelve scores, judged by cubeful rollouts at the score with our own net, so the comparison favours our side. A cube counts
twice: whether to double, and whether to take. Losses are millipoints of normalised equity, in which a single win at the
present cube is +1; half of that is PR. Players are our engine, the same with constants instead of the cube net, the same with the net's probabilities for
money at every score, and gnubg. --judge first judges until each score has COUNT decisions, --again judges all anew by the present net; both can
be stopped, and go on.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence

import numpy as np

from barpoint.engine.executors import add_executor_options, executor_chosen
from benchmarks.head_to_head import spread
from benchmarks.judged.scores import SCORES, JudgedCube, judge_again, judge_more, read
from benchmarks.loss import cube_losses, shown
from benchmarks.peer.cube_player import ENTRY, CubePlayer, OwnCube
from benchmarks.peer.gnubg import Gnubg

Losses = list[list[float]]
"""Of each decision, in its points, those of the doubler and of the taker."""

PLAYERS: tuple[tuple[str, Callable[[int], CubePlayer]], ...] = (
    ("Barpoint", lambda plies: OwnCube(learned=True, plies=plies)),
    ("constants", lambda plies: OwnCube(learned=False, plies=plies)),
    ("as for money", lambda plies: OwnCube(learned=True, plies=plies, gammons=False)),
    ("gnubg", Gnubg),
)


def losses(player: CubePlayer, judged: JudgedCube) -> list[float]:
    """Of the doubler and of the taker."""
    return list(cube_losses(judged.no_double, judged.double_take, player.cube(judged.position, judged.info)))


def found_losses(sample: Sequence[JudgedCube], max_plies: int) -> dict[str, Losses]:
    """{name and depth: losses} of every player that is installed."""
    found: dict[str, Losses] = {}
    for name, make in PLAYERS:
        for plies in range(max_plies + 1):
            try:
                player = make(plies)
            except FileNotFoundError as missing:
                print(missing)
                break
            found[f"{name} {plies}-ply"] = [losses(player, judged) for judged in sample]
    return found


def total(part: Losses) -> str:
    """Mean loss with its error, and PR."""
    each = [loss for both in part for loss in both]
    return f"{shown(each)}, PR {500 * float(np.mean(each)):.2f}"


def report(sample: Sequence[JudgedCube], found: dict[str, Losses]) -> None:
    """Prints the losses of each player, over all and at each score."""
    error = 1000 * float(np.mean([judged.errors[2] for judged in sample]))
    print(
        f"{len(sample)} cubes at {len({judged.score for judged in sample})} scores; the judge's error of double/take against "
        f"no double: {error:.1f} on average; millipoints a decision; our net {ENTRY.file} with {ENTRY.cube_net}"
    )
    for name, part in found.items():
        print(f"{name:<18}{total(part)}")
    print(f"{'':<18}" + "".join(f"{name:>20}" for name in found))
    for score in SCORES:
        rows = [i for i, judged in enumerate(sample) if judged.score == score]
        if rows:
            parts = [[loss for i in rows for loss in part[i]] for part in found.values()]
            print(f"{score:<18}" + "".join(f"{shown(part):>20}" for part in parts))
    for name, other in (("the cube net", "constants"), ("the outputs by gammons", "as for money")):
        pairs = zip(found["Barpoint 0-ply"], found[f"{other} 0-ply"], strict=True)
        mean, error = spread([500 * (sum(without) - sum(all_)) for all_, without in pairs])  # two decisions each
        print(f"gained by {name}, 0-ply: {mean:.2f} +- {error:.2f} millipoints a decision")


def main(words: Sequence[str]) -> None:
    """Judges more if asked to, and prints all losses."""
    parser = argparse.ArgumentParser("python -m benchmarks.match_cubes")
    parser.add_argument("max_plies", nargs="?", type=int, default=2)
    judging = parser.add_mutually_exclusive_group()
    judging.add_argument("--judge", type=int, default=0, metavar="COUNT")
    judging.add_argument("--again", action="store_true", help="judges all anew")
    add_executor_options(parser)
    asked = parser.parse_args(words)
    if asked.judge or asked.again:
        with executor_chosen(asked) as executor:
            found = judge_again(executor) if asked.again else judge_more(asked.judge, executor=executor)
            for number, each in enumerate(found, 1):
                print(f"\r{number} judged, {each.score}  ", end="", file=sys.stderr, flush=True)
    sample = read()
    report(sample, found_losses(sample, asked.max_plies))


if __name__ == "__main__":
    main(sys.argv[1:])
