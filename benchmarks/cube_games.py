"""Money games with the cube, nets alone: python -m benchmarks.cube_games [GAMES]

Our net with its cube net, the same with the constants instead, and gnubg 0-ply; pairs of games on the same dice with the
seats exchanged, without Jacoby rule and beavers. Results are luck-adjusted: after every roll the benchmark subtracts
the difference between its best play and the mean over all rolls, by our net with the cube where it is.
"""

from __future__ import annotations

import random
import sys

from benchmarks.head_to_head import spread
from benchmarks.peer.cube_player import CubePlayer, OwnCube, one_game
from benchmarks.peer.gnubg import Gnubg


def adjusted_game(players: tuple[CubePlayer, CubePlayer], judge: OwnCube, seed: str) -> tuple[float, float]:
    """Points of player 0, who starts, as played and luck-adjusted. Doubles may open: they are luck too."""
    points, rolls = one_game(players, random.Random(seed))
    lucky = sum(judge.luck(roll) * (1 if roll.player == 0 else -1) for roll in rolls)
    return points, points - lucky


def meet(ours: CubePlayer, theirs: CubePlayer, games: int) -> list[float]:
    """Plays and prints one match-up; returns the luck-adjusted results of pairs."""
    judge, plain, adjusted = OwnCube(learned=True), [], []
    for pair in range(games // 2):
        first = adjusted_game((ours, theirs), judge, f"{pair}")
        second = adjusted_game((theirs, ours), judge, f"{pair}")
        plain.append((first[0] - second[0]) / 2)
        adjusted.append((first[1] - second[1]) / 2)
        if pair % 50 == 49:
            print(f"{2 * pair + 2} games: {spread(adjusted)}", file=sys.stderr, flush=True)
    (mean, error), (raw, raw_error) = spread(adjusted), spread(plain)
    print(
        f"{ours.name} v {theirs.name}, {games} games: {mean:+.4f} +- {error:.4f} points a game, luck-adjusted "
        f"(as played {raw:+.3f} +- {raw_error:.3f})",
        flush=True,
    )
    return adjusted


def main(games: int = 2000) -> None:
    """Plays all match-ups."""
    learned, constant = OwnCube(learned=True), OwnCube(learned=False)
    meet(learned, constant, games)
    try:
        gnubg = Gnubg(0)
    except FileNotFoundError as missing:
        print(missing)
        return
    with_net, without = meet(learned, gnubg, games), meet(constant, gnubg, games)
    mean, error = spread([one - other for one, other in zip(with_net, without, strict=True)])
    print(f"gained against gnubg by the cube net, on the same dice: {mean:+.4f} +- {error:.4f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
