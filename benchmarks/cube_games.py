"""Money games with the cube, nets alone: python -m benchmarks.cube_games [GAMES]

Our net with its cube net, the same with the constants instead, and gnubg 0-ply; pairs of games on the same dice with the
seats exchanged, without Jacoby rule and beavers. Results are luck-adjusted: after every roll the benchmark subtracts
the difference between its best play and the mean over all rolls, by our net with the cube where it is.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from typing import Final, Protocol

import numpy as np

from barpoint.board import Position
from barpoint.engine.cube_info import CubeInfo, CubeState, Owner
from barpoint.engine.net import find_net, load, load_cube_net, load_pruning_net
from barpoint.moves import outcome
from barpoint.native import core, core_rules, pack, unpack
from barpoint.variants import variant
from benchmarks.head_to_head import spread
from benchmarks.peer.gnubg import Gnubg
from benchmarks.peer.player import CubeWorth

RULES = variant("backgammon")
ENTRY = find_net(RULES)
OWNERS: Final[tuple[Owner, ...]] = (None, "us", "them")
STAKES = {owner: CubeInfo(CubeState(1, owner)).core() for owner in OWNERS}
ROLLED = {owner: CubeInfo(CubeState(1, owner), may_double=False).core() for owner in OWNERS}
WEIGHTS = np.array([row.weight for row in RULES.dice.rows]) / sum(row.weight for row in RULES.dice.rows)


class CubePlayer(Protocol):
    """Plays money games with the cube; positions and owners as the player to act sees them."""

    name: str

    def cube(self, position: Position, owner: Owner = None) -> CubeWorth:
        """Values with a cube at 1."""
        ...

    def play_with_cube(self, position: Position, faces: Sequence[int], owner: Owner) -> Position:
        """The position after its play, seen by the mover."""
        ...


class OwnCube:
    """Our net alone."""

    def __init__(self, learned: bool) -> None:
        self.name = "Barpoint 0-ply" if learned else "Barpoint 0-ply with constants"
        self._searcher = core.Searcher(
            core_rules(RULES),
            load(ENTRY),
            tables=True,
            pruning_net=load_pruning_net(ENTRY),
            cube_net=load_cube_net(ENTRY) if learned else None,
        )

    def cube(self, position: Position, owner: Owner = None) -> CubeWorth:
        """See CubePlayer. Of positions that tables know, exactly."""
        packed = pack(position)
        race = core.cube_races(core_rules(RULES), np.frombuffer(packed, np.uint8).reshape(1, 64), 0)[0]
        if not np.isnan(race[0]):
            _, _, _, theirs, owned, centred = race.tolist()
            return owned if owner == "us" else centred, 2 * theirs, 1.0
        row = self._searcher.cube(packed, 0, STAKES[owner], ENTRY.cube_efficiency)[1][0].tolist()
        return row[0], row[1], row[2]

    def play_with_cube(self, position: Position, faces: Sequence[int], owner: Owner) -> Position:
        """See CubePlayer."""
        row = next(i for i, row in enumerate(RULES.dice.rows) if tuple(row.faces) == tuple(faces))
        return self.best(position, row, owner)[1]

    def best(self, position: Position, row: int, owner: Owner) -> tuple[float, Position]:
        """The value of a roll at a cube of 1, and the position after its best play, seen by the mover."""
        found, values = self._searcher.candidate_values(pack(position), row, 0, ROLLED[owner], ENTRY.cube_efficiency)
        results, _, _, _, probabilities = found
        equity = probabilities[:, 0] @ np.array([2, 1, 1, -1, -1], np.float32)
        at = int(np.lexsort((-equity, -values[:, 0]))[0])
        return float(values[at, 0]), unpack(results[at].tobytes())

    def luck(self, position: Position, row: int, owner: Owner) -> float:
        """The luck of a roll for the roller, at a cube of 1."""
        values = np.array([self.best(position, each, owner)[0] for each in range(len(WEIGHTS))])
        return float(values[row] - WEIGHTS @ values)


def one_game(players: Sequence[CubePlayer], judge: OwnCube, seed: str) -> tuple[float, float]:
    """Points of player 0, who starts, as played and luck-adjusted. Doubles may open: they are luck too."""
    dice = random.Random(seed)
    position, turn, cube, lucky = RULES.start, 0, 1, 0.0
    owner: int | None = None
    first = True
    while True:
        sign = 1 if turn == 0 else -1
        if not first and owner in (None, turn):
            stay, take, _ = players[turn].cube(position, None if owner is None else "us")
            if min(take, 1.0) > stay:
                answer = players[1 - turn].cube(position, None if owner is None else "us")
                if answer[1] > 1:
                    return sign * cube, sign * cube - lucky
                cube, owner = 2 * cube, 1 - turn
        seen: Owner = None if owner is None else "us" if owner == turn else "them"
        row = dice.choices(range(len(WEIGHTS)), WEIGHTS)[0]
        lucky += sign * cube * judge.luck(position, row, seen)
        position = players[turn].play_with_cube(position, RULES.dice.rows[row].faces, seen).flip()
        if found := outcome(RULES, position):
            points = sign * cube * (-found.level if found.winner == "us" else found.level)
            return points, points - lucky
        turn, first = 1 - turn, False


def meet(ours: CubePlayer, theirs: CubePlayer, games: int) -> list[float]:
    """Plays and prints one match-up; returns the luck-adjusted results of pairs."""
    judge, plain, adjusted = OwnCube(learned=True), [], []
    for pair in range(games // 2):
        first = one_game((ours, theirs), judge, f"{pair}")
        second = one_game((theirs, ours), judge, f"{pair}")
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
