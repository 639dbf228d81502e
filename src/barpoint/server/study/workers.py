"""Workers: take jobs from the queue, do them in subprocesses, report, and store what was found.

A worker holds a job by a lease that each report renews. The result is stored in the transaction that deletes the job, so
that of two workers who believe to have it only one stores anything.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import ClassVar, Final, Protocol

from sqlalchemy import Connection

from barpoint.error import StoreError
from barpoint.server.domain.jobs import LEASE_MS, LEFT_BEHIND_AFTER_MS, MAX_UNASKED_OF_ONE, Job, JobKind
from barpoint.server.live.matches import TimeSource
from barpoint.server.storage import jobs as job_storage
from barpoint.server.storage.jobs import Hold, JobRequest, TakenJob
from barpoint.server.storage.store import Store
from barpoint.server.study.nets import all_nets
from barpoint.server.telemetry import OutageLog

LOG: Final = logging.getLogger("barpoint.server")

POLL_S: Final = 2.0
"""Pause between two looks at the queue, and between two tries while the database is away."""

REPORT_S: Final = 1.0
"""Pause between two reports about a running job."""


@dataclass
class RunningJob:
    """What a job says about itself while it runs. done: steps, of how many. stopped: is set when no more is wanted.

    request: who wants it by the time at which its result is stored, maybe not whoever asked first; None before.
    """

    task: bytes
    done: tuple[int, int] = (0, 0)
    progress: bytes | None = None
    stopped: asyncio.Event = field(default_factory=asyncio.Event)
    request: JobRequest | None = None


StoreResult = Callable[[Connection], None]


class Worked(Protocol):
    """What knows how jobs of one kind are done."""

    kind: ClassVar[JobKind]

    async def work(self, running: RunningJob, /) -> StoreResult:
        """Does a job, and returns what stores its result. When it is cancelled, its subprocess is gone."""
        ...

    def renewed(self, connection: Connection, left: Job, /) -> Job | None:
        """What becomes of a job of this kind whose net no program has any more; None: it is dropped."""
        ...


class Workers:
    """The workers of one process. count: jobs at the same time. name: tells them from those of other processes."""

    def __init__(
        self,
        store: Store,
        clock: TimeSource,
        count: int,
        *,
        lease_ms: int = LEASE_MS,
        poll_s: float = POLL_S,
        report_s: float = REPORT_S,
    ) -> None:
        self.name = secrets.token_hex(8)
        self._store, self._clock, self._count = store, clock, count
        self._lease_ms, self._poll_s, self._report_s = lease_ms, poll_s, report_s
        self._kinds: dict[str, Worked] = {}
        self._nets: tuple[str, ...] = ()
        self._running: set[asyncio.Task[None]] = set()
        self._taking: asyncio.Task[None] | None = None
        self._woken = asyncio.Event()
        self._looks_behind_at = 0

    def start(self, *kinds: Worked) -> None:
        """Begins to take jobs of these kinds."""
        self._kinds = {each.kind: each for each in kinds}
        if self._count:
            self._taking = asyncio.create_task(self._take_jobs(), name="workers")

    async def stop(self) -> None:
        """Ends all subprocesses; the jobs wait for another worker, or the next start."""
        tasks = [*self._running, *([self._taking] if self._taking else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def __len__(self) -> int:
        """How many jobs run."""
        return len(self._running)

    def wake(self) -> None:
        """Looks at the queue now."""
        self._woken.set()

    async def _take_jobs(self) -> None:
        self._nets = await asyncio.to_thread(all_nets)
        outage = OutageLog("workers")
        while True:
            job = None
            try:
                if len(self._running) < self._count:
                    job = await self._next()
                outage.worked()
            except StoreError as error:
                outage.failed(str(error))
            except Exception:  # the outermost handler: the worker looks again after the pause
                LOG.exception("workers: no job taken")
            if job is not None:
                task = asyncio.create_task(self._do(job), name=f"{job.kind} {job.subject}")
                self._running.add(task)
                task.add_done_callback(self._ended)
                continue
            with suppress(TimeoutError):
                async with asyncio.timeout(self._poll_s):  # wait_for of Python 3.11 can swallow the end
                    await self._woken.wait()
            self._woken.clear()

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        self.wake()
        if not task.cancelled() and task.exception() is not None:
            LOG.error("%s failed", task.get_name(), exc_info=task.exception())

    async def _next(self) -> TakenJob | None:
        """The next job; one that waits is looked for first by reading, which costs less."""
        now = self._clock()
        if now >= self._looks_behind_at:
            self._looks_behind_at = now + LEFT_BEHIND_AFTER_MS
            await self._store.write(self._renew, now)
        if not await self._store.read(job_storage.anything_waits, self._nets, now):
            return None
        for subject in await self._store.write(job_storage.drop_hopeless, now):
            LOG.error("%s is given up: no worker finished it", subject)
        return await self._store.write(job_storage.take, self.name, self._nets, now, now + self._lease_ms)

    def _renew(self, connection: Connection, now: int) -> None:
        """Jobs that wait for nets of an earlier version of the program are done with those of this one, or dropped."""
        for left in job_storage.take_out_left_behind(connection, self._nets, now - LEFT_BEHIND_AFTER_MS):
            job = self._kinds[left.kind].renewed(connection, left)
            if job is None or not job_storage.put(connection, job, now, MAX_UNASKED_OF_ONE):
                LOG.warning("%s %s is dropped: its net %s is gone", left.kind, left.subject, left.net)

    async def _do(self, job: TakenJob) -> None:
        running = RunningJob(job.task)
        work = asyncio.ensure_future(self._kinds[job.kind].work(running))
        try:
            hold = await self._report(job, running, work)
            if hold is Hold.WANTED_ELSEWHERE:
                await self._persist(job_storage.give_back, job)
            elif hold is not Hold.LOST:
                await self._end(job, work, running)
        except asyncio.CancelledError:
            await _cancelled(work)
            with suppress(StoreError):
                await self._store.write(job_storage.give_back, job, self.name)
            raise

    async def _report(self, job: TakenJob, running: RunningJob, work: asyncio.Future[StoreResult]) -> Hold:
        """Reports until the job is done, or no longer this worker's; then it has ended."""
        while True:
            await asyncio.wait({work}, timeout=self._report_s)
            if work.done():
                return Hold.KEPT
            now = self._clock()
            until, progress = now + self._lease_ms, running.progress
            try:
                hold = await self._store.write(
                    job_storage.report, job, self.name, self._nets, now, until, running.done, progress
                )
            except StoreError:
                continue  # the database comes back, and knows then whose job it is
            if hold is Hold.STOPPED:
                running.stopped.set()
            elif hold is not Hold.KEPT:
                await _cancelled(work)
                return hold

    async def _end(self, job: TakenJob, work: asyncio.Future[StoreResult], running: RunningJob) -> None:
        """Stores the result of a job. One that failed is forgotten, unless the database was away."""
        try:
            await self._persist(finish, job, work.result(), running)
        except StoreError as error:
            LOG.warning("%s %s: begins again: %s", job.kind, job.subject, error)
            await self._persist(job_storage.give_back, job, True)
        except Exception:  # the outermost handler: the next job is done all the same
            LOG.exception("%s %s cannot be done", job.kind, job.subject)
            await self._persist(job_storage.finish, job)

    async def _persist(self, write: Callable[..., object], job: TakenJob, *more: object) -> None:
        """Writes the end of a job, as often as it takes while the database is away."""
        outage = OutageLog(f"storing {job.kind} {job.subject}")
        while True:
            try:
                await self._store.write(write, job, self.name, *more)
                outage.worked()
                return
            except StoreError as error:
                outage.failed(str(error))
            await asyncio.sleep(self._poll_s)


def finish(connection: Connection, job: TakenJob, worker: str, store_result: StoreResult, running: RunningJob) -> None:
    """Deletes the job and stores its result, unless another worker has it by now."""
    running.request = job_storage.finish(connection, job, worker)
    if running.request is not None:
        store_result(connection)


async def _cancelled(work: asyncio.Future[StoreResult]) -> None:
    """Cancels a job, and waits until its subprocess is gone."""
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)
