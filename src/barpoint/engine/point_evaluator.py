"""Evaluates one decision at a time: plays, cube actions and equities at a search depth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic

import numpy as np
import numpy.typing as npt

from barpoint.engine.arrays import best_first
from barpoint.engine.cube_info import cube_action
from barpoint.engine.decision import CubeDecision, Outcome_co, RankedPlay, why_no_double
from barpoint.engine.decision_point import DecisionPoint, token_state
from barpoint.engine.net import CubeEfficiency
from barpoint.engine.race import race_cube
from barpoint.moves import legal_plays
from barpoint.native import core, core_rules, pack, row_index
from barpoint.rules import Rules


@dataclass(frozen=True, slots=True)
class PointEvaluator(Generic[Outcome_co]):
    """What evaluates decisions whose position is checked. make: an outcome of its probabilities."""

    rules: Rules
    searcher: core.Searcher
    cube_efficiency: CubeEfficiency
    make: Callable[..., Any]

    def outcome(self, row: npt.NDArray[np.float32]) -> Outcome_co:
        """Chances or Margins from their numbers."""
        found: Outcome_co = self.make(*(float(value) for value in row))
        return found

    def rank(self, point: DecisionPoint, plies: int, limit: int | None) -> tuple[RankedPlay[Outcome_co], ...]:
        """As `Engine.rank`, at this depth."""
        info = point.cube_info
        row = row_index(self.rules, point.faces)
        state = token_state(self.rules, point.tokens)
        found, values = self.searcher.candidate_values(
            pack(point.position), row, plies, info.core(), self.cube_efficiency
        )
        _, _, _, depths, probabilities = found
        order, value = best_first(self.rules, values[:, state], depths, probabilities[:, state])
        order = order[:limit]
        plays = legal_plays(self.rules, point.position, point.faces)  # in the order of the candidates
        best, cubeful = info.to_equity(float(value[order[0]])), self.rules.cube and info.cube is not None
        return tuple(
            RankedPlay(
                plays[i],
                equity := info.to_equity(float(value[i])),
                best - equity,
                self.outcome(probabilities[i, state]),
                float(value[i]) if info.score else None,
                bool(depths[i] == plies),
                int(depths[i]),
                cubeful=cubeful,
            )
            for i in order.tolist()
        )

    def roll_equities(self, point: DecisionPoint, plies: int) -> list[float]:
        """As `Engine.roll_equities`, at this depth."""
        info, packed, state = point.cube_info, pack(point.position), token_state(self.rules, point.tokens)
        stakes, found = info.core(), list[float]()
        for row in range(len(self.rules.dice.rows)):
            (_, _, _, depths, _), values = self.searcher.candidate_values(
                packed, row, plies, stakes, self.cube_efficiency
            )
            found.append(info.to_equity(float(values[depths == depths.max(), state].max())))
        return found

    def cube(self, point: DecisionPoint, plies: int) -> CubeDecision[Outcome_co]:
        """As `Engine.cube`, at this depth, where there is a cube."""
        info = point.cube_info
        packed, state = pack(point.position), token_state(self.rules, point.tokens)
        (probabilities, cubes), windows = self.searcher.cube_window(packed, plies, info.core(), self.cube_efficiency)
        stay, take, drop, _, beaver = (float(value) for value in cubes[state])
        take_point, redouble, cash, too_good = (float(chance) for chance in windows[state])
        if exact := race_cube(core_rules(self.rules), packed, state, info):
            stay, take, drop, beaver = exact.no_double, exact.double_take, exact.double_pass, float(exact.beaver)
        reason = why_no_double(point)
        return CubeDecision(
            info.to_equity(stay),
            info.to_equity(take),
            info.to_equity(drop),
            "no double" if reason else cube_action(stay, take, drop, info, beaver > 0),
            self.outcome(probabilities[state]),
            take_point,
            redouble,
            cash,
            too_good,
            mwc=(stay, take, drop) if info.score else None,
            plies=plies,
            reason=reason,
        )

    def equity(self, point: DecisionPoint, plies: int) -> float:
        """As `Engine.equity`, at this depth."""
        info = point.cube_info
        state = token_state(self.rules, point.tokens)
        if exact := race_cube(core_rules(self.rules), pack(point.position), state, info):
            return info.to_equity(exact.best(info.may_double and info.cube is not None and info.cube.owner != "them"))
        _, cubes = self.searcher.cube(pack(point.position), plies, info.core(), self.cube_efficiency)
        return info.to_equity(float(cubes[state, 3]))

    def exact(self, point: DecisionPoint) -> bool:
        """Whether a table knows the cube decision, so that no search or rollout can improve it."""
        state = token_state(self.rules, point.tokens)
        return race_cube(core_rules(self.rules), pack(point.position), state, point.cube_info) is not None
