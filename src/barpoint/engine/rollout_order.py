"""What may be asked of a rollout, and the positions, plays and cube actions that answer it."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypedDict

from barpoint.board import Position
from barpoint.engine.playout import RolloutSettings, Specification, Start
from barpoint.engine.rollout import Estimate, RolledCube, RolledPlay, Rollout, View, judge_cube, judge_plays
from barpoint.engine.rollout_run import Driver, Progress, Run
from barpoint.engine.stake import CubeState, Score, Stake, cube_action
from barpoint.moves import Play
from barpoint.rules import Rules


class RolloutOptions(TypedDict, total=False):
    """Keywords of a rollout. The first two lines are RolloutSettings, the third is Run, the last what is played for."""

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
    progress: Progress | None
    file: Path | str | None
    cube: CubeState | None
    score: Score | None
    jacoby: bool
    beavers: int
    tokens: tuple[int, int] | None


_SETTINGS = frozenset(RolloutSettings.__dataclass_fields__)
_RUN = frozenset(Run.__dataclass_fields__)


@dataclass(frozen=True, slots=True)
class Order:
    """A rollout asked for: under which rules and net, how, and for what."""

    rules: Rules
    net: bytes | None
    settings: RolloutSettings
    run: Run
    stake: Stake
    head: int

    @classmethod
    def of(cls, rules: Rules, net: bytes | None, options: RolloutOptions, stake: Stake, head: int) -> Order:
        """From keywords; StakesError for what cannot be."""
        given = dict(options)
        settings = RolloutSettings(**{name: given[name] for name in _SETTINGS & given.keys()})  # type: ignore[arg-type]
        run = Run(**{name: given[name] for name in _RUN & given.keys()})  # type: ignore[arg-type]
        return cls(rules, net, settings, run, stake, head)

    def position(self, position: Position) -> Rollout:
        """The position, for the player to act, who may double where the stake lets him."""
        return self._roll((Start(position, self.head, self.stake),), (self._view(False),))[0]

    def plays(self, plays: Sequence[Play]) -> tuple[RolledPlay, ...]:
        """Plays of one roll on the same dice, best first; of those that a stop rule dropped what was known then."""
        starts, views = [], []
        for play in plays:
            if play.again:
                starts.append(Start(play.next, self.head, replace(self.stake, may_double=False)))
            else:
                starts.append(Start(play.next, (self.head >> 1) | ((self.head & 1) << 1), self.stake.flip()))
            views.append(self._view(not play.again))
        driver = self._driver(tuple(starts), tuple(views), None)
        games = driver.play()
        found = [view.rollout(each, self.settings) for view, each in zip(views, games, strict=True)]
        longest = max(len(each) for each in games)
        order = sorted(range(len(plays)), key=lambda i: (len(games[i]) < longest, -found[i].equity.mean))
        best = order[0]
        losses = []
        for i in range(len(plays)):
            count = len(games[i])
            ahead = views[best].equities(games[best][:count]) - views[i].equities(games[i])
            losses.append(Estimate(0.0, 0.0) if i == best else Estimate.of(ahead))
        return tuple(RolledPlay(plays[i], found[i], losses[i]) for i in order)

    def cube(self, position: Position) -> RolledCube:
        """Doubling and not doubling now, on the same dice; StakesError where nobody may double is the caller's to raise."""
        assert self.stake.cube is not None
        doubled = replace(self.stake, cube=CubeState(2 * self.stake.value, "them"), may_double=False)
        starts = tuple(Start(position, self.head, stake) for stake in (replace(self.stake, may_double=False), doubled))
        double_pass = self.stake.normal(self.stake.core().worth(self.stake.value))
        view = self._view(False)
        stay, take = self._driver(starts, (view, view), double_pass).play()
        found = [view.rollout(games, self.settings) for games in (stay, take)]
        gain = Estimate.of(view.equities(take) - view.equities(stay))
        action = cube_action(found[0].equity.mean, found[1].equity.mean, double_pass, self.stake, False)
        return RolledCube(found[0], found[1], double_pass, gain, action)

    def _view(self, flipped: bool) -> View:
        return View(self.stake, flipped, self.rules.scoring.per_checker)

    def _driver(self, starts: tuple[Start, ...], views: Sequence[View], double_pass: float | None) -> Driver:
        specification = Specification(self.rules, starts, self.settings, self.net)
        judge = judge_plays(self.settings) if double_pass is None else judge_cube(self.settings, double_pass)
        return Driver(specification, views, judge, self.run)

    def _roll(self, starts: tuple[Start, ...], views: tuple[View, ...]) -> list[Rollout]:
        games = self._driver(starts, views, None).play()
        return [view.rollout(each, self.settings) for view, each in zip(views, games, strict=True)]
