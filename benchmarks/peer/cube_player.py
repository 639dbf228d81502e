"""Players with the cube, for money and at match scores, and the games that two of them play."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Protocol

import numpy as np

from barpoint.board import Position
from barpoint.engine.arrays import best_first
from barpoint.engine.cube_info import CubeInfo, CubeState, Score, can_double
from barpoint.engine.net import find_net, load, load_cube_net, load_pruning_net
from barpoint.engine.race import race_cube
from barpoint.moves import outcome
from barpoint.native import core, core_rules, pack, row_index, unpack
from barpoint.variants import variant
from benchmarks.peer.player import CubeWorth

RULES: Final = variant("backgammon")
ENTRY: Final = find_net(RULES)
WEIGHTS: Final = np.array([row.weight for row in RULES.dice.rows]) / sum(row.weight for row in RULES.dice.rows)
OPENING_ROWS: Final = [i for i, row in enumerate(RULES.dice.rows) if len(set(row.faces)) > 1]
"""Rolls that may begin a game; each comes as often, for either side."""

core_stakes = lru_cache(maxsize=4096)(CubeInfo.core)


class CubePlayer(Protocol):
    """Plays with the cube; positions, cube and score are those of the player to act."""

    name: str

    def cube(self, position: Position, info: CubeInfo) -> CubeWorth:
        """Equities: a single win at the present cube is +1."""
        ...

    def play_with_cube(self, position: Position, faces: Sequence[int], info: CubeInfo) -> Position:
        """The position after its play, seen by the mover."""
        ...


@dataclass(frozen=True, slots=True)
class Roll:
    """A roll of a game. player: the roller; info: cube and score as they see them; opening: no double was possible."""

    player: int
    position: Position
    info: CubeInfo
    row: int
    opening: bool = False


class OwnCube:
    """Our engine. Plays are the net's alone at any depth.

    learned: with the cube net; otherwise with the constants. gammons: with what the net has learned for games in which gammons count for one
    side or none; otherwise with its probabilities for money at every score.
    """

    def __init__(self, learned: bool, plies: int = 0, gammons: bool = True) -> None:
        self.plies = plies
        self.name = (
            f"Barpoint {plies}-ply" + ("" if learned else " with constants") + ("" if gammons else " as for money")
        )
        self._opening_values: dict[CubeInfo, float] = {}
        self._searcher = core.Searcher(
            core_rules(RULES),
            load(ENTRY) if gammons else load(ENTRY).for_money(),
            tables=True,
            pruning_net=load_pruning_net(ENTRY),
            cube_net=load_cube_net(ENTRY) if learned else None,
        )

    def cube(self, position: Position, info: CubeInfo) -> CubeWorth:
        """See CubePlayer. Exact for money where tables know the position."""
        packed = pack(position)
        if exact := race_cube(core_rules(RULES), packed, 0, info):
            values = [exact.no_double, exact.double_take, exact.double_pass]
        else:
            values = self._searcher.cube(packed, self.plies, core_stakes(info), ENTRY.cube_efficiency)[1][0].tolist()
        return info.to_equity(values[0]), info.to_equity(values[1]), info.to_equity(values[2])

    def play_with_cube(self, position: Position, faces: Sequence[int], info: CubeInfo) -> Position:
        """See CubePlayer."""
        return self.best(position, row_index(RULES, tuple(faces)), info)[1]

    def best(self, position: Position, row: int, info: CubeInfo) -> tuple[float, Position]:
        """The value of a roll, in points or as match winning chance, and the position after its best play, seen by the mover."""
        found, values = self._searcher.candidate_values(
            pack(position), row, 0, core_stakes(info), ENTRY.cube_efficiency
        )
        results, _, _, depths, probabilities = found
        order, value = best_first(RULES, values[:, 0], depths, probabilities[:, 0])
        return float(value[order[0]]), unpack(results[order[0]].tobytes())

    def luck(self, roll: Roll) -> float:
        """The luck of a roll for the roller: its value beyond the mean of all that were possible."""
        if roll.opening:
            return self.best(roll.position, roll.row, roll.info)[0] - self._opening_value(roll.info)
        values = np.array([self.best(roll.position, row, roll.info)[0] for row in range(len(WEIGHTS))])
        return float(values[roll.row] - WEIGHTS @ values)

    def _opening_value(self, info: CubeInfo) -> float:
        """The value of a game before it is known who begins."""
        if info not in self._opening_values:
            theirs = replace(info.flip(), may_double=False)
            first = [self.best(RULES.start, row, info)[0] for row in OPENING_ROWS]
            second = [self.best(RULES.start, row, theirs)[0] for row in OPENING_ROWS]
            certain = 1.0 if info.score else 0.0
            self._opening_values[info] = float(np.mean([*first, *(certain - value for value in second)]))
        return self._opening_values[info]


def may_gain(info: CubeInfo) -> bool:
    """Whether the player to act may double and can gain by it: a single win is not yet enough for the match."""
    return can_double(RULES.cube, info) and (info.score is None or info.score.us > info.cube_value)


def one_game(
    players: Sequence[CubePlayer],
    dice: random.Random,
    score: Score | None = None,
    opening: tuple[int, int] | None = None,
) -> tuple[int, list[Roll]]:
    """Points of player 0, and the rolls; nobody doubles before the first one.

    score: as player 0 sees it. opening: who begins, and with which row of the dice; player 0 with any if not given, doubles too.
    """
    turn, first = opening or (0, None)
    position, info, rolls = RULES.start, CubeInfo(CubeState(), score), list[Roll]()
    if turn:
        info = info.flip()
    while True:
        sign = 1 if turn == 0 else -1
        if rolls and may_gain(info):
            stay, take, _ = players[turn].cube(position, info)
            if min(take, 1.0) > stay:
                if players[1 - turn].cube(position, info)[1] > 1:
                    return sign * info.cube_value, rolls
                info = replace(info, cube=CubeState(2 * info.cube_value, "them"))
        info = replace(info, may_double=False)
        row = dice.choices(range(len(WEIGHTS)), WEIGHTS)[0] if first is None or rolls else first
        rolls.append(Roll(turn, position, info, row, first is not None and not rolls))
        position = players[turn].play_with_cube(position, RULES.dice.rows[row].faces, info).flip()
        if found := outcome(RULES, position):
            return -sign * info.cube_value * found.winner * found.level, rolls
        turn, info = 1 - turn, info.flip()
