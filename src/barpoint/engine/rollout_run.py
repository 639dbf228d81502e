"""Runs a rollout in threads or on an executor, with progress, stop rules and a checkpoint file."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from types import NoneType
from typing import Final

import numpy as np

from barpoint.engine.checkpoint import load, save
from barpoint.engine.executors import in_order
from barpoint.engine.limits import MAX_THREADS
from barpoint.engine.playout import COLUMNS, Games, Specification, finished_games, play_block, start_block
from barpoint.engine.rollout import Estimate, Perspective, Series, StopRule
from barpoint.error import OptionError, check_kind, whole_number

BLOCK: Final = 144
"""Games between two checks of the stop rules: a whole number of rounds of first rolls for every kind of dice."""

PIECE: Final = 12
"""Games in one task of an executor. Results depend neither on this nor on the one below."""

_SAVE_SECONDS: Final = 5.0
"""Seconds between two writes of the file; a run that is killed repeats at most these."""


@dataclass(frozen=True, slots=True)
class RolloutProgress:
    """The progress of a rollout. equities: of every position rolled out, from the games so far."""

    done: int
    trials: int
    equities: tuple[Estimate, ...]


ProgressCallback = Callable[[RolloutProgress], bool | None]
"""Called from time to time in the calling thread; returning False, a bool or numpy's, ends the rollout with the games played so far."""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How to run a rollout; none of these options changes a result.

    threads: of this process, None for one a core. executor: plays the games instead of threads. progress: called as
    games end; ArgumentError where it returns anything but a bool or None. file: stores the games and resumes from those it
    already holds. OSError, RolloutError.
    """

    threads: int | None = None
    executor: Executor | None = None
    progress: ProgressCallback | None = None
    file: Path | str | None = None

    def __post_init__(self) -> None:
        if self.threads is not None:
            object.__setattr__(self, "threads", whole_number("threads", self.threads, NoneType))
        if self.threads is not None and not 1 <= self.threads <= MAX_THREADS:
            raise OptionError(
                "%(threads)s threads; 1 to %(max_threads)s are allowed", threads=self.threads, max_threads=MAX_THREADS
            )


class RolloutRunner:
    """Runs one rollout, block by block."""

    def __init__(
        self, specification: Specification, views: Sequence[Perspective], stop_rule: StopRule, run: RunOptions
    ) -> None:
        self.specification, self.views, self.stop_rule, self.run = specification, views, stop_rule, run
        self.file = Path(run.file) if run.file is not None else None
        self.games: list[Games] = [np.empty((0, COLUMNS)) for _ in specification.starts]
        if self.file is not None and self.file.exists():
            self.games = load(specification, self.file)
        self._known = [Estimate.of(view.equities(games)) for view, games in zip(views, self.games, strict=True)]
        self._piece = 2 * self._threads
        self._saved = monotonic()
        self._going = True

    @property
    def _threads(self) -> int:
        return self.run.threads or os.cpu_count() or 1

    def play(self) -> list[Games]:
        """The games of every start; fewer than asked for when a stop rule or `progress` ended the rollout."""
        settings = self.specification.settings
        alive: Sequence[int] = range(len(self.games))
        reached = 0
        try:
            while alive and reached < settings.trials and self._going:
                reached = min(reached + BLOCK, settings.trials)
                self._reach(alive, reached)
                if self._going and reached >= settings.minimum:
                    alive = self.stop_rule([self._equities(i, reached) for i in range(len(self.games))])
        finally:
            self._save()
        return [games[:reached] for games in self.games]

    def _equities(self, start: int, most: int) -> Series:
        return self.views[start].equities(self.games[start][:most])

    def _reach(self, alive: Sequence[int], reached: int) -> None:
        """Plays until each of these starts has `reached` games."""
        while self._going and (behind := [i for i in alive if len(self.games[i]) < reached]):
            least = min(len(self.games[i]) for i in behind)
            together = [i for i in behind if len(self.games[i]) == least]
            stop = min([reached, *(len(self.games[i]) for i in behind if len(self.games[i]) > least)])
            part = replace(self.specification, starts=tuple(self.specification.starts[i] for i in together))
            (self._submit if self.run.executor else self._thread)(part, together, least, stop)

    def _thread(self, part: Specification, together: Sequence[int], first: int, stop: int) -> None:
        """Plays one piece in threads of this process, of a size that takes seconds; finished games are never lost."""
        began = monotonic()
        count = min(self._piece, stop - first)
        block = start_block(part, first, count, self._threads)
        try:
            while not block.wait(0.1):
                if not self._tell(first + block.done):
                    block.stop()
        finally:
            block.stop()
            while not block.wait(1.0):
                pass
            self._keep(together, finished_games(block, len(together)))
        self._tell(len(self.games[together[0]]))
        took = monotonic() - began
        if took < 1 and count == self._piece:
            self._piece *= 2
        elif took > 5:
            self._piece = max(self._threads, self._piece // 2)

    def _submit(self, part: Specification, together: Sequence[int], first: int, stop: int) -> None:
        """Lets the executor play pieces and keeps their results in the order of games."""
        pieces = [(part, at, min(PIECE, stop - at)) for at in range(first, stop, PIECE)]
        with closing(in_order(self.run.executor, play_block, pieces)) as played:
            for games in played:
                self._keep(together, games)
                if not self._tell(len(self.games[together[0]])):
                    break

    def _keep(self, together: Sequence[int], found: Games) -> None:
        for start, games in zip(together, found, strict=True):
            self.games[start] = np.concatenate((self.games[start], games))
            self._known[start] = Estimate.of(self._equities(start, len(self.games[start])))
        if monotonic() - self._saved > _SAVE_SECONDS:
            self._save()

    def _tell(self, done: int) -> bool:
        if self.run.progress and self._going:
            said = self.run.progress(RolloutProgress(done, self.specification.settings.trials, tuple(self._known)))
            if not isinstance(said, np.bool_):
                check_kind("what progress returned", said, bool, NoneType)
            self._going = said is None or bool(said)
        return self._going

    def _save(self) -> None:
        if self.file is not None:
            save(self.specification, self.games, self.file)
        self._saved = monotonic()
