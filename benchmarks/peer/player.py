"""The players: ours, gnubg-nn and bgsage in this process, gnubg in its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol, TypeVar

import numpy as np

from barpoint.board import Position, Side
from barpoint.chances import Chances, equities
from barpoint.engine import CubeState, Engine
from barpoint.engine.net import find_net, load, load_pruning_net
from barpoint.moves import outcome
from barpoint.native import core, core_rules, pack, row_index, unpack
from barpoint.rules import Rules
from barpoint.variants import variant

CubeWorth = tuple[float, float, float]
"""Values of no double, double/take and double/pass for the player to act."""

Found = TypeVar("Found")


class Player(Protocol):
    """Plays standard backgammon for money; positions are seen by the player to act.

    plies: as GNU Backgammon counts. seconds, decisions: processor time so far, and the number of plays it covers.
    """

    name: str
    plies: int
    seconds: float
    decisions: int

    def play(self, position: Position, faces: Sequence[int]) -> Position:
        """The position after its cubeless play, seen by the mover."""
        ...

    def cube(self, position: Position) -> CubeWorth:
        """Values for a centred cube, no Jacoby rule, no beavers."""
        ...


class Clock:
    """Counts the processor time of a player that runs in this process."""

    seconds = 0.0
    decisions = 0

    def timed(self, work: Callable[[], Found]) -> Found:
        """Runs the work, times it, and returns its result."""
        began = time.process_time()
        found = work()
        self.seconds += time.process_time() - began
        self.decisions += 1
        return found


def plays_of(rules: Rules, position: Position, row: int) -> list[Position]:
    """Every position that a roll can lead to, seen by the mover."""
    packed = np.frombuffer(pack(position), np.uint8).reshape(1, 64)
    results, _, _ = core.results(core_rules(rules), packed, np.array([row]))
    return [unpack(result.tobytes()) for result in results]


class Own(Clock):
    """Our engine."""

    def __init__(self, plies: int) -> None:
        self.rules = variant("backgammon")
        self.plies = plies
        self.name = f"Barpoint {plies}-ply"
        entry = find_net(self.rules)
        self._searcher = core.Searcher(
            core_rules(self.rules), load(entry), tables=True, pruning_net=load_pruning_net(entry)
        )
        self._engine = Engine(self.rules, plies=plies)
        # Build the bear-off databases before any clock runs.
        for few in (Side.of({6: 8, 1: 7}), Side.of({0: 11, 6: 2, 1: 2})):
            self._searcher.evaluate(np.frombuffer(pack(Position(few, few)), np.uint8).reshape(1, 64), 0)

    def play(self, position: Position, faces: Sequence[int]) -> Position:
        """See Player."""
        row = row_index(self.rules, tuple(faces))
        results, _, _, depths, values = self.timed(lambda: self._searcher.candidates(pack(position), row, self.plies))
        equity = equities(values[:, 0]) - 100 * (depths < depths.max())
        return unpack(results[int(equity.argmax())].tobytes())

    def cube(self, position: Position) -> CubeWorth:
        """See Player."""
        found = self._engine.cube(position, cube=CubeState())
        return found.no_double, found.double_take, found.double_pass


class GnubgNn(Clock):
    """gnubg-nn: gnubg's nets from Python. Boards are two lists of 25, the other side first."""

    def __init__(self, plies: int = 0) -> None:
        import gnubg_nn

        self._engine = gnubg_nn
        self.rules = variant("backgammon")
        self.plies = plies
        self.name = f"gnubg-nn {plies}-ply"

    def equity(self, position: Position) -> float:
        """Cubeless, for the side to act."""
        found = outcome(self.rules, position)
        if found is not None:
            return found.winner * found.level
        board = [list(position.them.points[1:]), list(position.us.points[1:])]
        return float(Chances(*self._engine.probabilities(board, self.plies)).equity)

    def play(self, position: Position, faces: Sequence[int]) -> Position:
        """See Player. Our move generator gives the plays, so no notation is converted."""
        plays = plays_of(self.rules, position, row_index(self.rules, tuple(faces)))
        return self.timed(lambda: min(plays, key=lambda after: self.equity(after.flip())))


def sage_board(position: Position) -> list[int]:
    """[26] bgsage's board: own points 1 to 24, own bar 25, the other side's checkers negative except its bar, 0."""
    us, them = position.us.points, position.them.points
    return [them[25], *(us[point] - them[25 - point] for point in range(1, 25)), us[25]]


def from_sage(board: Sequence[int]) -> Position:
    """Converts back, with fifteen checkers a side."""
    ours = {point: board[point] for point in range(1, 26) if board[point] > 0}
    theirs = {25 - point: -board[point] for point in range(1, 25) if board[point] < 0}
    if board[0]:
        theirs[25] = board[0]
    return Position(*(Side.of({0: 15 - sum(side.values()), **side}) for side in (ours, theirs)))


SAGE_MONEY: Final = {"jacoby": False, "beaver": False}
"""What bgsage is told of a game for money."""


class Sage(Clock):
    """bgsage; its 1-ply is 0 plies here."""

    def __init__(self, plies: int) -> None:
        import bgsage

        self.plies = plies
        self.name = f"bgsage {plies}-ply"
        self._engine: Any = bgsage.BgBotAnalyzer(eval_level=f"{plies + 1}ply", cubeful=False, parallel_threads=1)

    def play(self, position: Position, faces: Sequence[int]) -> Position:
        """See Player."""
        board = sage_board(position)
        found = self.timed(lambda: self._engine.checker_play(board, *faces, **SAGE_MONEY))
        return from_sage(found.moves[0].board) if found.moves else position

    def cube(self, position: Position) -> CubeWorth:
        """See Player."""
        found = self._engine.cube_action(sage_board(position), 1, "centered", **SAGE_MONEY)
        return found.equity_nd, found.equity_dt, found.equity_dp
