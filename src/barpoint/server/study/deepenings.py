"""Second looks at many decisions of an analysed match: jobs that are done a part at a time, so that others have their turns between.

After each part the report is stored with what was found, in place of what was there; what is left waits at the end of the queue.
"""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Final

import msgspec
from msgspec import Struct, structs
from sqlalchemy import Connection

from barpoint.analysis import Report
from barpoint.analysis.deepening import DeepeningQuestion, Depth, Which, chosen
from barpoint.analysis.findings import RolloutDepth
from barpoint.analysis.position_rollout import USUAL_METHOD, RolloutMethod
from barpoint.analysis.worker import AnalysisResult
from barpoint.error import BarpointError, OptionError
from barpoint.server.child_process import feed, working
from barpoint.server.domain.jobs import MAX_OF_ACCOUNT, Job, JobKind, Priority, owner_of
from barpoint.server.live.matches import TimeSource
from barpoint.server.storage import analyses as analysis_storage
from barpoint.server.storage import jobs as job_storage
from barpoint.server.storage.analyses import Key
from barpoint.server.storage.store import Store
from barpoint.server.study.advisers import MAX_PLIES, MAX_PLIES_OF_ACCOUNTS
from barpoint.server.study.analyses import MAX_S, keep_made_of, log_of, result_from
from barpoint.server.study.jobs import Jobs
from barpoint.server.study.nets import AnalysisRefused
from barpoint.server.study.rollouts import COST, MIN_TRIALS, RolloutAsker, check_bounds, check_settings, close_when
from barpoint.server.study.workers import RunningJob, StoreResult

PART_S: Final = 20.0
"""After so many seconds no further decision is begun in the same part."""

MIN_PLIES: Final = 3
"""The smallest depth on offer: matches are analysed to the one before."""

MODULE: Final = "barpoint.analysis.deepening"


class StoredDepth(Struct, frozen=True):
    """A depth as tasks have held it from the first version on, so that processes of different versions share them. trials: 0 where nothing is
    rolled out. play_plies: of the plays in the games.
    """

    plies: int
    trials: int = 0
    truncate: int = 0
    play_plies: int = 0
    cube_plies: int = 0

    @classmethod
    def of(cls, depth: Depth) -> StoredDepth:
        """The same to be stored."""
        rolled = depth.rollout
        if rolled is None:
            return cls(depth.plies)
        return cls(depth.plies, rolled.games, rolled.truncate, rolled.plies, rolled.cube_plies)

    @property
    def depth(self) -> Depth:
        """The same as a depth."""
        rolled = RolloutDepth(self.trials, self.truncate, self.play_plies, self.cube_plies)
        return Depth(self.plies, rolled if self.trials else None)


class DeepeningTask(Struct, frozen=True):
    """What a worker has to know. events: that are left. done: how many are not."""

    key: Key
    events: tuple[int, ...]
    depth: StoredDepth
    done: int


@dataclass(frozen=True, slots=True)
class DeepeningState:
    """The state of a second look: "none", "waiting" or "running". events: to look at, done of them. ahead: jobs before it.

    own: whoever asks for the state has asked for it, and may stop it. made_at: when the report was stored.
    """

    state: str
    done: int = 0
    events: int = 0
    ahead: int = 0
    own: bool = False
    made_at: int = 0


def deepest_plies(*, registered: bool) -> int:
    """The greatest depth on offer."""
    return (MAX_PLIES_OF_ACCOUNTS if registered else MAX_PLIES)["position"]


class Deepenings:
    """Accepts requests for second looks, reports their progress, and does them where a worker asks for it."""

    kind: ClassVar[JobKind] = "deepening"

    def __init__(self, store: Store, clock: TimeSource, jobs: Jobs) -> None:
        self._store, self._clock, self._jobs = store, clock, jobs

    async def state(self, key: Key, by: str) -> DeepeningState:
        """How far the second look at a match is, in this or another process. by: who asks."""
        job = await self._jobs.state(self.kind, key.subject)
        made_at = await self._store.read(analysis_storage.made_at, key)
        if job is None:
            return DeepeningState("none", made_at=made_at)
        task = msgspec.json.decode(job.task, type=DeepeningTask)
        done, events = max(job.done, task.done), task.done + len(task.events)
        own = job.owner == owner_of(by)
        return DeepeningState("running" if job.running else "waiting", done, events, job.ahead, own, made_at)

    async def ask(self, key: Key, which: Which, depth: Depth, by: str, *, registered: bool) -> DeepeningState:
        """Begins a second look, unless there is one; AnalysisRefused if there are too many, or nothing is left to look at."""
        _check_depth(depth, by, registered=registered)
        packed = await self._store.read(analysis_storage.report, key)
        if packed is None:
            raise AnalysisRefused("the match is not analysed so far", 409)
        events = await asyncio.to_thread(_chosen, packed, which, depth)
        if not events:
            raise AnalysisRefused("no such decision is left to look at", 409)
        priority = Priority.DEEP if registered else Priority.DEEP_OF_GUESTS
        job = _job(DeepeningTask(key, events, StoredDepth.of(depth), 0), owner_of(by), priority)
        await self._jobs.ask_in_turn(job, registered=registered)
        await self._jobs.put_first(self.kind, key.subject, by)
        return await self.state(key, by)

    async def stop(self, key: Key, by: str) -> DeepeningState:
        """Stops the second look that the same person asked for; what is done is kept. AnalysisRefused for another's."""
        await self._jobs.stop(self.kind, key.subject, by)
        return await self.state(key, by)

    def renewed(self, connection: Connection, left: Job) -> None:
        """None: the match has no analysis by another net yet."""

    async def work(self, running: RunningJob) -> StoreResult:
        """Does a part of a second look, and returns what stores its report and what is left."""
        task = msgspec.json.decode(running.task, type=DeepeningTask)
        log = await self._store.read(log_of, task.key)
        packed = await self._store.read(analysis_storage.report, task.key)
        if packed is None:
            raise BarpointError("the analysis was deleted")
        total = task.done + len(task.events)
        running.done = task.done, total

        def tell(done: int, _events: int) -> None:
            running.done = task.done + done, total

        async with asyncio.timeout(MAX_S):
            result = await _run(DeepeningQuestion(log, packed, task.events, task.depth.depth, PART_S), running, tell)
        done = running.done[0]
        left = structs.replace(task, events=task.events[done - task.done :], done=done)
        return partial(_put, left=left, result=result, now=self._clock(), running=running)


def max_games(*, registered: bool) -> tuple[int, ...]:
    """Games of each choice by their search depth: what one request of the analysis board costs, so that no part of a second look is long."""
    usual = RolloutAsker("", registered).added(USUAL_METHOD)
    return tuple(max(MIN_TRIALS, usual // cost) for cost in COST)


def _check_depth(depth: Depth, by: str, *, registered: bool) -> None:
    """AnalysisRefused for one that is not on offer."""
    deepest = deepest_plies(registered=registered)
    if depth.rollout is None:
        if not MIN_PLIES <= depth.plies <= deepest:
            raise AnalysisRefused(
                "%(plies)s plies; allowed: %(allowed)s",
                422,
                plies=depth.plies,
                allowed=", ".join(map(str, range(MIN_PLIES, deepest + 1))),
            )
        return
    rolled = depth.rollout
    method = RolloutMethod(rolled.plies, rolled.cube_plies, rolled.truncate)
    try:
        check_settings(method, RolloutAsker(by, registered))
        most = max_games(registered=registered)[max(method.plies, method.cube_plies)]
        check_bounds("games", rolled.games, MIN_TRIALS, most)
    except OptionError as error:
        raise AnalysisRefused("%(text)s", 422, text=error.said) from None


def _chosen(packed: bytes, which: Which, depth: Depth) -> tuple[int, ...]:
    return chosen(msgspec.json.decode(gzip.decompress(packed), type=Report), which, depth)


def _job(task: DeepeningTask, owner: str, priority: Priority) -> Job:
    return Job(Deepenings.kind, task.key.subject, task.key.net, msgspec.json.encode(task), owner, priority)


def _put(connection: Connection, left: DeepeningTask, result: AnalysisResult, now: int, running: RunningJob) -> None:
    analysis_storage.replace_report(connection, left.key, result.report, now)
    keep_made_of(connection, left.key, result)
    request = running.request
    assert request is not None, "the worker has the job until its result is stored"
    if left.events and not request.stopped:
        job_storage.put(connection, _job(left, request.owner, request.priority), now, MAX_OF_ACCOUNT, of_kind=True)
        job_storage.put_first(connection, Deepenings.kind, left.key.subject, request.owner, now)


async def _run(question: DeepeningQuestion, running: RunningJob, tell: Callable[[int, int], None]) -> AnalysisResult:
    """The result, from a subprocess that has ended when this returns or is cancelled."""
    async with working(MODULE) as process:
        assert process.stdin is not None
        await feed(process, msgspec.json.encode(question) + b"\n", more=True)
        stopper = asyncio.create_task(close_when(running.stopped, process.stdin))
        try:
            return await result_from(process, MODULE, tell)
        finally:
            stopper.cancel()
