"""Evaluations and rankings of many positions as numpy arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from barpoint.board import Position
from barpoint.engine.cube_info import CubeInfo, CubeState, Score, cube_infos
from barpoint.engine.decision import CubeDecision
from barpoint.engine.decision_point import DecisionPoint, Tokens, token_state, tokens_left
from barpoint.engine.net import CubeEfficiency
from barpoint.engine.packed import equities
from barpoint.error import StakesError
from barpoint.game import Stakes
from barpoint.match import Met
from barpoint.moves import BatchTurns, PositionArray, flip, roll_rows
from barpoint.moves.batch import allowed_rows, array_of
from barpoint.native import core
from barpoint.rules import Rules

TokensOfMany = Tokens | npt.NDArray[np.integer] | None
"""Reroll tokens left, those of the side to act first: of all positions, or integers [n, 2]; None for the number at the start."""

CubeOfMany = CubeState | Sequence[CubeState | None] | None
ScoreOfMany = Score | Sequence[Score | None] | None
"""A cube and a score: of all positions, or a list with one for each; None for none."""

StakesOfMany = tuple[CubeOfMany, ScoreOfMany, Stakes | None, Met | None]
"""All that counts besides positions and tokens, as `cube_infos` takes it."""


@dataclass(frozen=True, slots=True, eq=False)
class RankedBatch:
    """The plays of n rolls; those of roll i are offsets[i]:offsets[i + 1] of the other arrays, best first.

    results: int8 [m, 2, 32] seen by the roller. again: bool [m], the roller rolls once more. offsets: int64 [n + 1].
    equities: float64 [m] for the roller, as `RankedPlay.equity`; losses: float64 [m], against the best of the same roll.
    probabilities: float32 [m, 5] or [m, 3] for the roller, as `Engine.evaluate_array` has them.
    """

    results: PositionArray
    offsets: npt.NDArray[np.int64]
    again: npt.NDArray[np.bool_]
    equities: npt.NDArray[np.float64]
    losses: npt.NDArray[np.float64]
    probabilities: npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class CubeBatch:
    """The cube decisions of n positions, as `CubeDecision` has them, for the side to act, before the roll.

    no_double, double_take, double_pass: float64 [n] cubeful equities, a single win at the present cube is +1. actions: str [n].
    probabilities: float32 [n, 5] or [n, 3], as `Engine.evaluate_array` has them.
    """

    no_double: npt.NDArray[np.float64]
    double_take: npt.NDArray[np.float64]
    double_pass: npt.NDArray[np.float64]
    actions: npt.NDArray[np.str_]
    probabilities: npt.NDArray[np.float32]

    @property
    def equities(self) -> npt.NDArray[np.float64]:
        """float64 [n]: with the best action of both sides; where a side may not double, that of no double."""
        doubled = np.minimum(self.double_take, self.double_pass)
        return np.where(np.char.startswith(self.actions, "double"), doubled, self.no_double)


@dataclass(frozen=True, slots=True)
class ArrayEvaluator:
    """What evaluates arrays: a searcher of the core, with the rules and the depth of an engine."""

    rules: Rules
    searcher: core.Searcher
    plies: int
    cube_efficiency: CubeEfficiency

    def evaluate(self, positions: PositionArray, tokens: TokensOfMany) -> npt.NDArray[np.float32]:
        """As `Engine.evaluate_array`."""
        packed = allowed_rows(self.rules, positions)
        return self._of_states(packed, token_states(self.rules, tokens, len(packed)))

    def _of_states(self, packed: npt.NDArray[np.uint8], states: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        found = self.searcher.evaluate(packed, self.plies)
        return np.ascontiguousarray(found[np.arange(len(packed)), states])

    def rank(
        self, positions: PositionArray, rolls: npt.ArrayLike, tokens: TokensOfMany, stakes: StakesOfMany
    ) -> RankedBatch:
        """As `Engine.rank_batch`."""
        packed = allowed_rows(self.rules, positions)
        rows = roll_rows(self.rules, rolls, len(packed))
        states = token_states(self.rules, tokens, len(packed))
        infos = cube_infos(len(packed), *stakes)
        of_core = {info: info.core() for info in set(infos)}
        parts = [
            self._rank_one(position.tobytes(), row, state, of_core[info], info)
            for position, row, state, info in zip(packed, rows.tolist(), states.tolist(), infos, strict=True)
        ]
        counts = [len(part[1]) for part in parts]
        empty = (
            np.zeros((0, 64), np.uint8),
            np.zeros(0, bool),
            np.zeros(0),
            np.zeros(0),
            np.zeros((0, 3 if self.rules.scoring.per_checker else 5), np.float32),
        )
        results, again, values, losses, probabilities = map(np.concatenate, zip(empty, *parts, strict=True))
        offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        return RankedBatch(array_of(results), offsets, again, values, losses, probabilities)

    def cube(
        self,
        positions: PositionArray,
        tokens: TokensOfMany,
        stakes: StakesOfMany,
        decide: Callable[[DecisionPoint, int], CubeDecision[Any]],
    ) -> CubeBatch:
        """As `Engine.cube_batch`. decide: the decision about one position at a depth."""
        packed = allowed_rows(self.rules, positions)
        token_states(self.rules, tokens, len(packed))
        left = np.broadcast_to(
            np.asarray(tokens_left(self.rules, None) if tokens is None else tokens), (len(packed), 2)
        )
        found = [
            decide(DecisionPoint(Position.of_packed(row.tobytes()), info, (own, other)), self.plies)
            for row, info, (own, other) in zip(packed, cube_infos(len(packed), *stakes), left.tolist(), strict=True)
        ]
        stay = np.array([one.no_double for one in found], np.float64)
        take = np.array([one.double_take for one in found], np.float64)
        drop = np.array([one.double_pass for one in found], np.float64)
        width = 3 if self.rules.scoring.per_checker else 5
        probabilities = np.array([one.chances.probabilities for one in found], np.float32).reshape(-1, width)
        actions = np.array([one.action for one in found], "U13")
        return CubeBatch(stay, take, drop, actions, probabilities)

    def _rank_one(
        self, position: bytes, row: int, state: int, stakes: core.Stakes, info: CubeInfo
    ) -> tuple[npt.NDArray[np.generic], ...]:
        """Results, again, equities, losses and probabilities of one roll, best first."""
        found, values = self.searcher.candidate_values(position, row, self.plies, stakes, self.cube_efficiency)
        results, again, _, depths, probabilities = found
        order, value = best_first(self.rules, values[:, state], depths, probabilities[:, state])
        equity = np.array([info.to_equity(each) for each in value[order].tolist()])
        return results[order], again[order], equity, equity[0] - equity, probabilities[order, state]

    def choose(self, turns: BatchTurns) -> npt.NDArray[np.int64]:
        """As `Engine.policy`."""
        nexts = np.where(turns.again[:, None, None], turns.results, flip(turns.results))
        tokens = np.repeat(turns.tokens, turns.counts, axis=0)
        left = np.where(turns.again[:, None], tokens, tokens[:, ::-1])
        found = equities(self.rules, self.evaluate(nexts, left))
        merit = np.where(turns.again, found, -found)
        starts = turns.offsets[:-1]
        best = np.repeat(np.maximum.reduceat(merit, starts), turns.counts)
        first = np.flatnonzero(merit == best)
        chosen = first[np.searchsorted(first, starts)]
        return np.asarray(chosen - starts, np.int64)


def best_first(
    rules: Rules, values: npt.NDArray[np.float64], depths: npt.NDArray[np.int8], probabilities: npt.NDArray[np.float32]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """The order of plays, best first, and their values; plays that were searched less deep come after the others."""
    value, deep = values.copy(), depths == depths.max()
    value[~deep] = np.minimum(value[~deep], value[deep].min())  # it was worse there
    # When the other side cashes after every play, the best play is the one with the highest equity if they do not.
    return np.lexsort((-equities(rules, probabilities), ~deep, -value)), value


def token_states(rules: Rules, tokens: TokensOfMany, count: int) -> npt.NDArray[np.int64]:
    """int64 [n]: the token states as nets index them, bit 0 own, bit 1 the other side's; StakesError."""
    most = rules.rerolls.tokens
    found = np.asarray(tokens_left(rules, None) if tokens is None else tokens)
    if found.shape not in ((2,), (count, 2)) or not np.issubdtype(found.dtype, np.integer):
        raise StakesError(
            "tokens are %(dtype)s %(list)s; they are integers, [2] or [%(count)s, 2]",
            dtype=found.dtype,
            list=list(found.shape),
            count=count,
        )
    rows = found.reshape(-1, 2)
    for own, other in rows[((rows < 0) | (rows > most)).any(axis=1)][:1].tolist():
        tokens_left(rules, (own, other))  # refuses them
    states = np.array([[token_state(rules, (own, other)) for other in range(most + 1)] for own in range(most + 1)])
    return np.broadcast_to(states[rows[:, 0], rows[:, 1]], count)
