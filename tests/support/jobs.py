"""Workers with jobs that tests can follow; also as a process: python -m tests.support.jobs DATABASE NAME SECONDS."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import ClassVar

from sqlalchemy import Connection, insert, select

from barpoint.server.domain.jobs import Job, JobKind, Priority, owner_of
from barpoint.server.live.matches import TimeSource
from barpoint.server.services import wall_clock
from barpoint.server.storage import jobs as job_storage
from barpoint.server.storage.schema.jobs import JOB
from barpoint.server.storage.schema.matches import SETTING
from barpoint.server.storage.store import Store
from barpoint.server.study.analyses import Analyses
from barpoint.server.study.jobs import Jobs
from barpoint.server.study.nets import all_nets
from barpoint.server.study.rollouts import Rollouts
from barpoint.server.study.workers import RunningJob, StoreResult, Workers
from tests.support.machine import PATIENCE_S

LEASE_MS = 1_500
"""Short enough that a test can wait for its end."""


def job(subject: str, by: str = "anna", priority: Priority = Priority.ASKED, net: str = "") -> Job:
    """A job of kind "analysis" that `Recorder` does."""
    return Job("analysis", subject, net or all_nets()[0], subject.encode(), owner_of(by), priority)


@dataclass
class Recorder:
    """Does jobs: notes which begin, waits until it may go on, and stores its name with the subject, once."""

    kind: ClassVar[JobKind] = "analysis"
    name: str = "worker"
    begun: list[str] = field(default_factory=list)
    go: asyncio.Event = field(default_factory=asyncio.Event)
    pause_s: float = 0.0

    def renewed(self, connection: Connection, left: Job) -> Job | None:
        """Jobs that are good are done with a net of today."""
        return None if left.subject.startswith("bad") else replace(left, net=all_nets()[0])

    async def work(self, running: RunningJob) -> StoreResult:
        subject = running.task.decode()
        self.begun.append(subject)
        if subject.startswith("bad"):
            raise ValueError(subject)
        running.done, running.progress = (3, 9), b"half"
        stopped = asyncio.create_task(running.stopped.wait())
        gone_on = asyncio.create_task(self.go.wait())
        try:
            await asyncio.wait({stopped, gone_on}, return_when=asyncio.FIRST_COMPLETED)
            await asyncio.sleep(self.pause_s)
        finally:
            stopped.cancel()
            gone_on.cancel()
        value = f"{self.name} stopped" if running.stopped.is_set() else self.name

        def store(connection: Connection) -> None:
            connection.execute(insert(SETTING).values(name=f"result {subject}", value=value))

        return store


def free(name: str = "worker", pause_s: float = 0.0) -> Recorder:
    """A recorder that waits for nothing."""
    made = Recorder(name, pause_s=pause_s)
    made.go.set()
    return made


@asynccontextmanager
async def at_work(
    store: Store, clock: TimeSource, recorder: Recorder, count: int = 1, **options: float
) -> AsyncIterator[Workers]:
    """Workers that do jobs with a recorder; they look at the queue and report often."""
    workers = Workers(store, clock, count, **{"poll_s": 0.05, "report_s": 0.05, **options})  # type: ignore[arg-type]
    workers.start(recorder)
    try:
        yield workers
    finally:
        await workers.stop()


@asynccontextmanager
async def studying(store: Store, clock: TimeSource, count: int = 1) -> AsyncIterator[tuple[Analyses, Rollouts]]:
    """Real analyses and rollouts, with workers."""
    workers = Workers(store, clock, count, poll_s=0.05, report_s=0.05)
    jobs = Jobs(store, clock, workers)
    analyses, rollouts = Analyses(store, clock, jobs), Rollouts(store, clock, jobs)
    workers.start(analyses, rollouts)
    try:
        yield analyses, rollouts
    finally:
        await workers.stop()


async def add(store: Store, *jobs: Job) -> None:
    """Adds jobs in this order, without limits for one person."""
    for one in jobs:
        assert await store.write(job_storage.put, one, 0)


async def results(store: Store) -> dict[str, str]:
    """The stored results: subjects with who did them."""
    query = select(SETTING.c.name, SETTING.c.value).where(SETTING.c.name.like("result %"))
    rows = await store.read(lambda connection: connection.execute(query).all())
    return {name.removeprefix("result "): value for name, value in rows}


async def left(store: Store) -> list[str]:
    """The subjects of the jobs that wait or run."""
    query = select(JOB.c.subject).order_by(JOB.c.id)
    return list(await store.read(lambda connection: connection.scalars(query).all()))


async def until_empty(store: Store) -> None:
    """Waits until no job is left."""
    async with asyncio.timeout(PATIENCE_S):
        while await left(store):
            await asyncio.sleep(0.02)


async def _serve(database: str, name: str, pause_s: float) -> None:
    store, recorder = await Store.open(database), free(name, pause_s)
    async with at_work(store, wall_clock, recorder, lease_ms=LEASE_MS):
        told = 0
        while True:
            await asyncio.sleep(0.02)
            for subject in recorder.begun[told:]:
                told += 1
                print(subject, flush=True)


if __name__ == "__main__":
    asyncio.run(_serve(sys.argv[1], sys.argv[2], float(sys.argv[3])))
