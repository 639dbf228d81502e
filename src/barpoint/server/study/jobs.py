"""The queue of jobs, for those who ask: adding a job, how far it is, stopping it. Workers do them (`workers.py`)."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from barpoint.server.domain.jobs import MAX_OF_ACCOUNT, MAX_OF_GUEST, Job, JobKind, JobState, Priority, owner_of
from barpoint.server.live.matches import TimeSource
from barpoint.server.storage import jobs as job_storage
from barpoint.server.storage.store import Store
from barpoint.server.study.nets import AnalysisRefused
from barpoint.server.study.workers import Workers


class Jobs:
    """The queue of all processes of a server. workers: of this process; they look at once when something is asked for."""

    def __init__(self, store: Store, clock: TimeSource, workers: Workers) -> None:
        self._store, self._clock, self._workers = store, clock, workers

    async def ask(self, job: Job, *, registered: bool) -> None:
        """Adds a job that somebody waits for, unless there is one about the same; AnalysisRefused if there are too many.

        registered: whoever asks has an account, and goes before those who have none.
        """
        most, priority = (MAX_OF_ACCOUNT, Priority.ASKED) if registered else (MAX_OF_GUEST, Priority.ASKED_OF_GUESTS)
        job = replace(job, priority=priority)
        if not await self._store.write(job_storage.put, job, self._clock(), most):
            raise AnalysisRefused("too many analyses are waiting; try again in a few minutes", 429)
        self._workers.wake()

    async def ask_in_turn(self, job: Job, *, registered: bool) -> None:
        """Adds a long job, which takes turns with the thorough analyses of all and gives way to whatever is more urgent; AnalysisRefused
        if the same person waits for too many of its kind.
        """
        most, priority = (MAX_OF_ACCOUNT, Priority.DEEP) if registered else (MAX_OF_GUEST, Priority.DEEP_OF_GUESTS)
        job = replace(job, priority=priority)
        if not await self._store.write(partial(job_storage.put, of_kind=True), job, self._clock(), most):
            raise AnalysisRefused("too many analyses are waiting; try again in a few minutes", 429)
        self._workers.wake()

    async def put_first(self, kind: JobKind, subject: str, by: str) -> None:
        """Puts a job that waits before the others that the same person waits for."""
        await self._store.write(job_storage.put_first, kind, subject, owner_of(by), self._clock())

    async def state(self, kind: JobKind, subject: str) -> JobState | None:
        """How far a job is; None where there is none."""
        return await self._store.read(job_storage.find, kind, subject, self._clock())

    async def stop(self, kind: JobKind, subject: str, by: str) -> None:
        """Stops a job; what is done is kept. AnalysisRefused if somebody else has asked for it."""
        if not await self._store.write(job_storage.stop, kind, subject, owner_of(by), self._clock()):
            raise AnalysisRefused("somebody else asked for this rollout", 403)
