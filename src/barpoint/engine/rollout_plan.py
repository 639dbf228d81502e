"""The options of a rollout, and how positions, plays and cube actions are rolled out under them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Generic, TypedDict

from barpoint.board import Position
from barpoint.engine.cube_info import CubeInfo, CubeState, Score, cube_action
from barpoint.engine.decision import Outcome_co
from barpoint.engine.decision_point import DecisionPoint, PositionLike, decision_point, token_state
from barpoint.engine.playout import RolloutSettings, RolloutStart, Specification
from barpoint.engine.rollout import (
    Estimate,
    Perspective,
    RolledCube,
    RolledPlay,
    Rollout,
    cube_stop_rule,
    play_stop_rule,
)
from barpoint.engine.rollout_run import ProgressCallback, RolloutRunner, RunOptions
from barpoint.error import OptionError, check_kind, check_names, whole_number
from barpoint.game import Stakes
from barpoint.match import Met
from barpoint.moves import Play, check_position, legal_plays
from barpoint.moves.play import no_legal_play
from barpoint.native import RollFaces
from barpoint.rules import Rules


class RolloutOptions(TypedDict, total=False):
    """Keywords of a rollout: those of RolloutSettings, those of RunOptions, and cube, score, stakes and tokens."""

    trials: int
    plies: int
    late_plies: int
    late_from: int
    cube_plies: int
    truncate: int
    tables: bool
    reduced: bool
    stratified: bool
    seed: int
    minimum: int
    stop_error: float
    stop_clear: float
    threads: int | None
    executor: Executor | None
    progress: ProgressCallback | None
    file: Path | str | None
    cube: CubeState | None
    score: Score | None
    stakes: Stakes | None
    tokens: tuple[int, int] | None


_SETTINGS = frozenset(RolloutSettings.__dataclass_fields__)
_RUN = frozenset(RunOptions.__dataclass_fields__)


def checked_plays(rules: Rules, position: Position, faces: tuple[int, ...], plays: Iterable[Play]) -> list[Play]:
    """These plays; IllegalMove for one that is no play of this roll, OptionError for none."""
    legal, found = legal_plays(rules, position, faces), list(plays)
    for play in found:
        check_kind("a candidate", play, Play)
        if play not in legal:
            raise no_legal_play(play, faces)
    checked_count(len(found))
    return found


def checked_count(candidates: int) -> int:
    """So many plays to roll out; OptionError for none, ArgumentError for what is no number."""
    count = whole_number("candidates", candidates, Iterable)
    if count < 1:
        raise OptionError("%(count)s plays to roll out; 1 or more are needed", count=count)
    return count


@dataclass(frozen=True, slots=True)
class RolloutPlan(Generic[Outcome_co]):
    """A requested rollout: rules and net, options, cube and score. outcome: Chances or Margins."""

    rules: Rules
    net: bytes | None
    settings: RolloutSettings
    run: RunOptions
    cube_info: CubeInfo
    token_state: int
    outcome: type[Outcome_co]

    @classmethod
    def of(
        cls,
        rules: Rules,
        net: bytes | None,
        options: RolloutOptions,
        cube_info: CubeInfo,
        token_state: int,
        outcome: type[Outcome_co],
    ) -> RolloutPlan[Outcome_co]:
        """From keywords; OptionError for values out of range."""
        given = dict(options)
        settings = RolloutSettings(**{name: given[name] for name in _SETTINGS & given.keys()})  # type: ignore[arg-type]
        run = RunOptions(**{name: given[name] for name in _RUN & given.keys()})  # type: ignore[arg-type]
        return cls(rules, net, settings, run, cube_info, token_state, outcome)

    def position(self, position: Position) -> Rollout[Outcome_co]:
        """The position, for the player to act, who may double where `cube_info` allows it."""
        view = self._perspective(False)
        (games,) = self._runner((RolloutStart(position, self.token_state, self.cube_info),), (view,), None).play()
        return view.rollout(games, self.settings, self.outcome)

    def plays(self, plays: Sequence[Play]) -> tuple[RolledPlay[Outcome_co], ...]:
        """Plays of one roll on the same dice, best first; a play that a stop rule drops keeps its result so far."""
        other_state = (self.token_state >> 1) | ((self.token_state & 1) << 1)
        starts, views = [], []
        for play in plays:
            if play.again:
                starts.append(RolloutStart(play.next, self.token_state, replace(self.cube_info, may_double=False)))
            else:
                starts.append(RolloutStart(play.next, other_state, self.cube_info.flip()))
            views.append(self._perspective(not play.again))
        games = self._runner(tuple(starts), tuple(views), None).play()
        found = [view.rollout(each, self.settings, self.outcome) for view, each in zip(views, games, strict=True)]
        longest = max(len(each) for each in games)
        order = sorted(range(len(plays)), key=lambda i: (len(games[i]) < longest, -found[i].equity.mean))
        best = order[0]
        losses = []
        for i in range(len(plays)):
            count = len(games[i])
            ahead = views[best].equities(games[best][:count]) - views[i].equities(games[i])
            losses.append(Estimate(0.0, 0.0) if i == best else Estimate.of(ahead))
        return tuple(RolledPlay(plays[i], found[i], losses[i]) for i in order)

    def cube(self, position: Position) -> RolledCube[Outcome_co]:
        """Doubling and not doubling now, on the same dice, with a beaver where the taker gains by it. The caller checks that a
        double is allowed.
        """
        info, state = self.cube_info, self.token_state
        assert info.cube is not None
        waiting = replace(info, may_double=False)
        doubled = replace(waiting, cube=CubeState(2 * info.cube_value, "them"))
        starts = (RolloutStart(position, state, waiting), RolloutStart(position, state, doubled))
        double_pass = info.to_equity(info.of_points(info.cube_value))
        view = self._perspective(False)
        stay, take = self._runner(starts, (view, view), double_pass).play()
        waited, taken = (view.rollout(games, self.settings, self.outcome) for games in (stay, take))
        equity, beaver = info.answered(taken.equity.mean)
        raised = equity / taken.equity.mean if beaver else 1.0
        gain = Estimate.of(raised * view.equities(take) - view.equities(stay))
        taken = replace(taken, equity=Estimate(equity, raised * taken.equity.error))
        action = cube_action(waited.equity.mean, equity, double_pass, info, beaver)
        return RolledCube(waited, taken, double_pass, gain, action)

    def _perspective(self, flipped: bool) -> Perspective:
        return Perspective(self.cube_info, flipped, self.rules.scoring)

    def _runner(
        self, starts: tuple[RolloutStart, ...], views: Sequence[Perspective], double_pass: float | None
    ) -> RolloutRunner:
        specification = Specification(self.rules, starts, self.settings, self.net)
        settings = self.settings
        stop_rule = (
            play_stop_rule(settings) if double_pass is None else cube_stop_rule(settings, double_pass, self.cube_info)
        )
        return RolloutRunner(specification, views, stop_rule, self.run)


@dataclass(frozen=True, slots=True)
class RolloutPlans(Generic[Outcome_co]):
    """Makes the plans of an engine. net, outcome: as in `RolloutPlan`. met: for scores that name no match equity table."""

    rules: Rules
    net: bytes | None
    outcome: type[Outcome_co]
    met: Met | None

    def point(self, position: PositionLike, options: RolloutOptions, faces: RollFaces = ()) -> DecisionPoint:
        """What is rolled out, checked; cube, score, stakes and tokens are among the options."""
        check_names(options, RolloutOptions.__annotations__)
        given: dict[str, Any] = {name: options.get(name) for name in ("cube", "score", "stakes", "tokens")}
        point = decision_point(self.rules, position, faces, **given).under(self.met)
        check_position(self.rules, point.position)
        return point

    def plan(self, point: DecisionPoint, options: RolloutOptions) -> RolloutPlan[Outcome_co]:
        """How it is rolled out; OptionError for values out of range."""
        state = token_state(self.rules, point.tokens)
        return RolloutPlan.of(self.rules, self.net, options, point.cube_info, state, self.outcome)

    def deepest(self, point: DecisionPoint, settings: RolloutSettings, threads: int) -> RolloutPlan[Outcome_co]:
        """How what is close in a search is rolled out."""
        state, run = token_state(self.rules, point.tokens), RunOptions(threads=threads)
        return RolloutPlan(self.rules, self.net, settings, run, point.cube_info, state, self.outcome)
