"""The engine: a short method for each question about a position under given rules; what answers stands in the files beside it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Generic, Never, Unpack, get_args, overload

import numpy as np
import numpy.typing as npt

from barpoint.board import Position
from barpoint.chances import Chances, Margins
from barpoint.engine.arrays import ArrayEvaluator, CubeBatch, CubeOfMany, RankedBatch, ScoreOfMany, TokensOfMany
from barpoint.engine.cube_info import CubeState, Score, check_can_double
from barpoint.engine.decision import Caller, CubeDecision, Outcome_co, RankedPlay, RerollDecision, outcome_maker
from barpoint.engine.decision_point import (
    DecisionPoint,
    PositionLike,
    Tokens,
    check_game,
    decision_point,
    played_of,
    refuse_keywords,
    reroll_point_of,
    token_state,
)
from barpoint.engine.deepest import DEEPEST, MAX_CANDIDATES, SEARCH_PLIES, roll_out_cube, roll_out_plays
from barpoint.engine.engine_nets import EngineNets
from barpoint.engine.engine_options import EngineOptions, PerChecker, check_options, checked_limit, outcome_of
from barpoint.engine.net import NetLike, load
from barpoint.engine.playout import RolloutSettings
from barpoint.engine.point_evaluator import PointEvaluator
from barpoint.engine.rerolls import equity_after_reroll, judged_reroll
from barpoint.engine.rollout import RolledCube, RolledPlay, Rollout
from barpoint.engine.rollout_plan import RolloutOptions, RolloutPlans, checked_count, checked_plays
from barpoint.engine.time_budget import deepest
from barpoint.error import ArgumentError, StakesError, check_kind, check_names, whole_number
from barpoint.game import Game, Stakes
from barpoint.match import Match, Met
from barpoint.moves import BatchTurns, Play, PositionArray, check_position
from barpoint.native import RollFaces, core, pack
from barpoint.rules import Rules
from barpoint.variants import rules_of, rules_of_game


class Engine(Generic[Outcome_co]):
    """Evaluates under one set of rules.

    Methods take a Situation, Game or Match, which defines cube, score and tokens itself, or a bare Position with
    `cube=`, `score=`, `stakes=` and `tokens=`; without them it is cubeless money with every token left. These keywords
    raise StakesError with a Game. PositionError for a position that the rules do not allow. Equities are cubeful where there is
    a cube, and cubeless for a bare Position without `cube=`; `RankedPlay.cubeful` and printed results say which.

    rules: a name or rules; of games that take turns the first. plies: search depth, rolls of lookahead; 0 is the net alone (0 to MAX_PLIES).
    net: replaces the one that covers the rules, or that `use_net` has named: its file, or a net that `barpoint.train` has made.
    threads: for many positions, and for one from two plies on; the answers do not depend on them.
    time_ms: `rank`, `cube` and `equity` search deeper than `plies` as long as this budget of wall time for one decision
        allows, by an estimate from the last depth; their results say how deep. Plies alone give the same answer always.
    rollout: `rank` and `cube` roll out what a search of two plies or more finds close, on common dice, until the errors are
        small; results have their errors. True for the usual settings. The same seed gives the same answer.
    met: the match equity table for all scores that name none themselves, as `Met.load` and `Met.read` give it; None for the
        standard one.
    outcome: Chances or Margins, checked against the rules. Type checkers assume Chances, but Margins for a catalogued name in `PerChecker`;
        give Margins for rules of your own that score by the checker.
    UnsupportedRules when no net covers the rules, NetError when one does not fit.
    """

    def __repr__(self) -> str:
        net = "" if self.entry is not None else ", another net"
        time = "" if self.time_ms is None else f", time_ms={self.time_ms:g}"
        rollout = ", with rollouts" if self.rollout_settings else ""
        return f"<Engine {self.rules.name}, plies={self.plies}{net}{time}{rollout}>"

    @overload
    def __init__(
        self: Engine[Margins],
        rules: PerChecker,
        plies: int = ...,
        net: NetLike | None = ...,
        threads: int = ...,
        **options: Unpack[EngineOptions],
    ) -> None: ...

    @overload
    def __init__(
        self: Engine[Chances],
        rules: str | Rules = ...,
        plies: int = ...,
        net: NetLike | None = ...,
        threads: int = ...,
        **options: Unpack[EngineOptions],
    ) -> None: ...

    @overload
    def __init__(
        self,
        rules: str | Rules = ...,
        plies: int = ...,
        net: NetLike | None = ...,
        threads: int = ...,
        *,
        outcome: type[Outcome_co],
        **options: Unpack[EngineOptions],
    ) -> None: ...

    def __init__(
        self,
        rules: str | Rules = "backgammon",
        plies: int = 0,
        net: NetLike | None = None,
        threads: int = 1,
        *,
        outcome: type[Outcome_co] | None = None,
        time_ms: float | None = None,
        rollout: bool | RolloutSettings = False,
        met: Met | None = None,
        **unknown: Never,
    ) -> None:
        """Takes what the class says."""
        check_names(unknown, ("rules", "plies", "net", "threads", "outcome", "time_ms", "rollout", "met"))
        self.rules = rules_of_game(rules_of(rules))
        plies, threads = whole_number("plies", plies), whole_number("threads", threads)
        check_options(plies, threads, net, time_ms, rollout, met)
        self.plies = max(plies, SEARCH_PLIES) if rollout else plies
        self.threads, self.time_ms, self.met = threads, time_ms, met
        self.rollout_settings = DEEPEST if rollout is True else rollout or None
        self._outcome = outcome_of(self.rules, outcome)
        nets = EngineNets.of(self.rules, net)
        self.entry, self.cube_efficiency = nets.entry, nets.cube_efficiency
        self._own_net = None if nets.entry is not None else nets.chosen.bytes()
        self._searcher = nets.searcher(self.rules, threads)
        self._arrays = ArrayEvaluator(self.rules, self._searcher, self.plies, self.cube_efficiency)
        make = outcome_maker(self._outcome, self.rules.scoring)
        self._points: PointEvaluator[Outcome_co] = PointEvaluator(
            self.rules, self._searcher, self.cube_efficiency, make
        )
        self._rollouts: RolloutPlans[Outcome_co] = RolloutPlans(self.rules, self._own_net, self._outcome, met)

    @property
    def net(self) -> core.Net:
        """The net that evaluates; NetError when its file has gone."""
        if self._own_net is not None:
            return core.Net.parse(self._own_net)
        assert self.entry is not None
        return load(self.entry)

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (self.rules, self.plies, self._own_net, self.threads, self._settings())

    def _settings(self) -> dict[str, Any]:
        return {"time_ms": self.time_ms, "rollout": self.rollout_settings or False, "met": self.met}

    def of_game(self, rules: Rules) -> Engine[Any]:
        """An engine with the same settings for another game of a match; itself for its own."""
        same = rules.name == self.rules.name
        return self if same else _unpickled(rules, self.plies, None, self.threads, self._settings())

    def at_depth(self, plies: int) -> Engine[Outcome_co]:
        """An engine for the same rules and with the same net, at another search depth, without rollouts and time_ms."""
        return _unpickled(self.rules, plies, self._own_net, self.threads, {"met": self.met})

    def _point(self, source: PositionLike, faces: RollFaces = (), **given: Any) -> DecisionPoint:
        """As `decision_point`, with the engine's match equity table."""
        return decision_point(self.rules, source, faces, **given).under(self.met)

    # -- positions

    def evaluate(self, position: PositionLike, tokens: Tokens | None = None) -> Outcome_co:
        """The outcome of the game for the player whose turn it is, who has not rolled; of a match or game while a double waits, for
        the doubler. `game.seen_by(player)` is the position of either.
        """
        point = self._point(position, tokens=tokens)
        return self.evaluate_many([point.position], point.tokens)[0]

    def evaluate_many(self, positions: Iterable[Position], tokens: Tokens | None = None) -> tuple[Outcome_co, ...]:
        """As `evaluate`, for each position. ArgumentError for a single one."""
        check_kind("positions", positions, Iterable)
        positions = tuple(positions)
        for position in positions:
            check_position(self.rules, position)
        packed = np.frombuffer(b"".join(map(pack, positions)), np.uint8).reshape(-1, 64)
        rows = self._searcher.evaluate(packed, self.plies)[:, token_state(self.rules, tokens)]
        return tuple(self._points.outcome(row) for row in rows)

    def evaluate_array(
        self, positions: PositionArray, tokens: TokensOfMany = None, **unknown: Never
    ) -> npt.NDArray[np.float32]:
        """float32 [n, 5]: win, win_gammon, win_backgammon, lose_gammon, lose_backgammon of the side to act, who has not
        rolled; float32 [n, 3] where games pay by the checker: win, won_points, lost_points.

        positions: int8 [n, 2, 32], as `moves.encode` makes them. tokens: of all, or integers [n, 2], those of the side to
        act first. `chances.equities` makes equities of the result; cube and score count in `rank_batch` and `cube_batch`.
        PositionError and StakesError for other shapes, types or values.
        """
        if unknown:
            raise ArgumentError(
                "no option is called %(name)r; tokens is one; rank_batch and cube_batch take cube, score and stakes",
                name=next(iter(unknown)),
            )
        return self._arrays.evaluate(positions, tokens)

    # -- plays

    def rank(
        self,
        position: PositionLike,
        faces: RollFaces = (),
        *,
        cube: CubeState | None = None,
        score: Score | None = None,
        stakes: Stakes | None = None,
        tokens: Tokens | None = None,
        limit: int | None = None,
    ) -> tuple[RankedPlay[Outcome_co], ...]:
        """Every play of the roll, best first. faces: replace the roll of a Game, Match or Situation. RollError.

        limit: return only this many of the best plays, 1 or more; a small limit saves time when there are thousands.
        """
        limit = checked_limit(limit)
        point = self._point(position, faces, cube=cube, score=score, stakes=stakes, tokens=tokens)
        check_position(self.rules, point.position)
        if not self.rollout_settings:
            return deepest(lambda plies: self._points.rank(point, plies, limit), self.plies, self.time_ms)
        most = None if limit is None else max(limit, MAX_CANDIDATES)
        return roll_out_plays(
            self._rollouts.deepest(point, self.rollout_settings, self.threads),
            self._points.rank(point, self.plies, most),
        )[:limit]

    def rank_batch(
        self,
        positions: PositionArray,
        rolls: npt.ArrayLike,
        tokens: TokensOfMany = None,
        *,
        cube: CubeOfMany = None,
        score: ScoreOfMany = None,
        stakes: Stakes | None = None,
        **unknown: Never,
    ) -> RankedBatch:
        """Every play of many rolls, those of one roll best first, as arrays. Without `cube` equities are cubeless.

        positions: int8 [n, 2, 32]. rolls: integers, [n] rows of rules.dice.rows or [n, dice] faces. tokens: as in
        `evaluate_array`. cube, score: of all positions, or lists with one for each. PositionError, RollError, StakesError and
        ArgumentError for other shapes, types or values.
        """
        check_names(unknown, ("positions", "rolls", "tokens", "cube", "score", "stakes"))
        return self._arrays.rank(positions, rolls, tokens, (cube, score, stakes, self.met))

    def policy(self, turns: BatchTurns) -> npt.NDArray[np.int64]:
        """int64 [n]: the play of each turn with the highest cubeless equity, for `bp.play_batch`; it never rerolls."""
        check_kind("turns", turns, BatchTurns)
        return self._arrays.choose(turns)

    # -- cube

    def cube(
        self,
        position: PositionLike,
        *,
        cube: CubeState | None = None,
        score: Score | None = None,
        stakes: Stakes | None = None,
        tokens: Tokens | None = None,
    ) -> CubeDecision[Outcome_co]:
        """Whether the player to act should double (`doubles`), and the other side take (`takes`). A bare Position has a centred
        cube by default; while a double waits for its answer, the decision is the doubler's.

        StakesError when there is no cube; where the player may not double, the decision says the `reason`.
        """
        if isinstance(position, Position):
            cube = cube or CubeState()
        point = self._point(position, cube=cube, score=score, stakes=stakes, tokens=tokens)
        info = point.cube_info
        if info.cube is None or not (self.rules.cube and info.stakes.cube):
            raise StakesError("%(name)s without a cube: no cube decision", name=self.rules.name)
        check_position(self.rules, point.position)
        found = deepest(lambda plies: self._points.cube(point, plies), self.plies, self.time_ms)
        if not self.rollout_settings or self._points.exact(point):
            return found
        return roll_out_cube(self._rollouts.deepest(point, self.rollout_settings, self.threads), point.position, found)

    def cube_batch(
        self,
        positions: PositionArray,
        tokens: TokensOfMany = None,
        *,
        cube: CubeOfMany = None,
        score: ScoreOfMany = None,
        stakes: Stakes | None = None,
        **unknown: Never,
    ) -> CubeBatch:
        """The cube decision of each position, as arrays; positions and tokens as in `evaluate_array`, the rest as in `rank_batch`.

        A cube that is not given is centred. StakesError when there is no cube, and for other shapes, types or values.
        """
        check_names(unknown, ("positions", "tokens", "cube", "score", "stakes"))
        if not (self.rules.cube and (stakes is None or stakes.cube)):
            raise StakesError("%(name)s without a cube: no cube decision", name=self.rules.name)
        each = [one or CubeState() for one in cube] if isinstance(cube, list | tuple) else cube or CubeState()
        return self._arrays.cube(positions, tokens, (each, score, stakes, self.met), self._points.cube)

    def equity(
        self,
        position: PositionLike,
        *,
        cube: CubeState | None = None,
        score: Score | None = None,
        stakes: Stakes | None = None,
        tokens: Tokens | None = None,
    ) -> float:
        """The equity of the player whose turn it is, the doubler while a double waits, before the roll.

        With a cube, that of a Situation, Game or Match or `cube=`, it is cubeful, with the best cube action; a single win at the
        present cube is +1. A bare Position without `cube=` has the cubeless equity, that of `evaluate` in money games.
        """
        point = self._point(position, cube=cube, score=score, stakes=stakes, tokens=tokens)
        return deepest(lambda plies: self._points.equity(point, plies), self.plies, self.time_ms)

    # -- rollouts

    def rollout(self, position: PositionLike, **options: Unpack[RolloutOptions]) -> Rollout[Outcome_co]:
        """Rolls out a position for the player to act; a bare Position is cubeless money by default."""
        point = self._rollouts.point(position, options)
        return self._rollouts.plan(point, options).position(point.position)

    def rollout_plays(
        self,
        position: PositionLike,
        faces: RollFaces = (),
        candidates: int | Iterable[Play] = 5,
        **options: Unpack[RolloutOptions],
    ) -> tuple[RolledPlay[Outcome_co], ...]:
        """Rolls out given plays, or so many that the engine ranks highest, on the same dice; best first by rollout.

        IllegalMove for a play of another roll or position, OptionError for no play.
        """
        point = self._rollouts.point(position, options, faces)
        plan = self._rollouts.plan(point, options)
        if isinstance(candidates, Iterable):
            return plan.plays(checked_plays(self.rules, point.position, point.faces, candidates))
        return plan.plays([item.play for item in self.rank(point, limit=checked_count(candidates))])

    def rollout_cube(self, position: PositionLike, **options: Unpack[RolloutOptions]) -> RolledCube[Outcome_co]:
        """Rolls out doubling before the roll and not doubling, on the same dice; a bare Position has a centred cube by default."""
        if isinstance(position, Position):
            options = {**options, "cube": options.get("cube") or CubeState()}
        point = self._rollouts.point(position, options)
        plan = self._rollouts.plan(point, options)
        check_can_double(self.rules.cube and point.cube_info.stakes.cube, point.cube_info)
        return plan.cube(point.position)

    # -- rerolls

    def reroll(
        self,
        position: PositionLike,
        faces: RollFaces = (),
        *,
        caller: Caller = "us",
        played: Position | None = None,
        cube: CubeState | None = None,
        score: Score | None = None,
        stakes: Stakes | None = None,
        tokens: Tokens | None = None,
    ) -> RerollDecision:
        """Whether to spend a reroll token on a roll; equities are the caller's. StakesError when they may not.

        position: before the roll, the roller to act; cube, score and tokens are in the roller's view too. From a Game
        or Match:
            its last roll and, for the other side, its play.
        caller: "us", the roller, or "them". played: the position after the roller's finished play, seen by the roller;
            None before it.
        """
        if caller not in get_args(Caller):
            raise ArgumentError("caller is %(caller)r; allowed: us, them", caller=caller)
        if isinstance(position, Game | Match):
            refuse_keywords(position, cube=cube, score=score, stakes=stakes, tokens=tokens)
            check_game(self.rules, position)
            played = played_of(position) if caller == "them" and played is None else played
            position = reroll_point_of(position)
        point = self._point(position, faces, cube=cube, score=score, stakes=stakes, tokens=tokens)
        return judged_reroll(self._points, point, self.plies, caller, played)

    def roll_equities(self, point: DecisionPoint) -> list[float]:
        """The roller's equity after each roll of rules.dice.rows with its best play, as `rank` has it without rollouts."""
        return self._points.roll_equities(point.under(self.met), self.plies)

    def equity_after_reroll(self, point: DecisionPoint, caller: Caller) -> float:
        """The roller's equity once `caller` has spent a token and the roller rolls again.

        point: before the roll, seen by the roller.
        """
        return equity_after_reroll(self._points, point, self.plies, caller)


def _unpickled(rules: Rules, plies: int, net: bytes | None, threads: int, more: dict[str, Any]) -> Engine[Any]:
    """The engine that was pickled; a net of its own travels with it."""
    own = None if net is None else core.Net.parse(net)
    return Engine(rules, plies, own, threads, **more)
