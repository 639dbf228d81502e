"""Analyses of finished and imported matches: one at a time per server process, in a low-priority process of its own.

A thread would not do: with little CPU time it would hold the interpreter lock and make all players wait.
"""

from __future__ import annotations

import asyncio
import gzip
import logging
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from barpoint.error import BarpointError
from barpoint.match import Match, write_log
from barpoint.rules import Rules
from barpoint.server.child_process import working
from barpoint.server.live.matches import TimeSource
from barpoint.server.storage import analyses as analysis_storage
from barpoint.server.storage.analyses import AnalysisSource, Key
from barpoint.server.storage.store import Store

LOG: Final = logging.getLogger("barpoint.server")

PLIES: Final = (0, 1, 2)
"""The search depths on offer; the last one is the default."""

MAX_WAITING: Final = 12
MAX_OF_ONE: Final = 3
"""Maximum number of waiting analyses, in total and per person."""

MAX_S: Final = 1200.0
"""Time limit of an analysis, in seconds."""

NOTE_MS: Final = 2_000
DEAD_MS: Final = 60_000
"""Interval between two progress reports in the database; and the silence after which another process may restart it."""

MAX_LINE: Final = 1 << 26
"""Size limit of a report in bytes."""


class AnalysisRefused(BarpointError):
    """The analysis is not available, or not now. status: the HTTP status of the answer."""

    def __init__(self, text: object, /, status: int, **values: object) -> None:
        super().__init__(text, **values)
        self.status = status


@dataclass
class Job:
    """An analysis that is waiting or running."""

    key: Key
    match: Match
    by: str
    done: int = 0
    noted_at: int = 0

    @property
    def events(self) -> int:
        """How many events it has to go through."""
        return len(self.match.events)


@dataclass(frozen=True, slots=True)
class AnalysisState:
    """The state of an analysis: "none", "waiting", "running" or "done". ahead: analyses before it in the queue."""

    state: str
    done: int = 0
    events: int = 0
    ahead: int = 0


def net_of(rules: Rules) -> str | None:
    """The name of the net for these rules; None if there is none."""
    from barpoint.engine.net import covers, find_net  # loads the nets, so only when needed

    return find_net(rules).file.removesuffix(".net") if covers(rules) else None


class Analyses:
    """The queue of analyses: accepts requests, runs them, and reports their progress."""

    def __init__(self, store: Store, clock: TimeSource) -> None:
        self._store, self._clock = store, clock
        self._jobs: OrderedDict[Key, Job] = OrderedDict()
        self._worker: asyncio.Task[None] | None = None

    async def stop(self) -> None:
        """Stops the running analysis; another process, or the next start, may restart it."""
        if self._worker is not None:
            self._worker.cancel()
            await asyncio.gather(self._worker, return_exceptions=True)

    def key(self, match_id: str, rules: Rules, plies: int, source: AnalysisSource = "match") -> Key:
        """The key of an analysis; AnalysisRefused if it cannot exist."""
        if plies not in PLIES:
            raise AnalysisRefused(
                "%(plies)s plies; allowed: %(allowed)s", 422, plies=plies, allowed=", ".join(map(str, PLIES))
            )
        net = net_of(rules)
        if net is None:
            raise AnalysisRefused("no net has learned this game, so nothing can judge it", 409)
        return Key(match_id, net, plies, source)

    async def state(self, key: Key) -> AnalysisState:
        """The state of an analysis, in this or another process."""
        job = self._jobs.get(key)
        if job is not None:
            ahead = list(self._jobs).index(key)
            return AnalysisState("waiting" if ahead else "running", job.done, job.events, ahead)
        found = await self._store.read(analysis_storage.progress, key)
        if found is None or (not found.finished and found.alive_at < self._clock() - DEAD_MS):
            return AnalysisState("none")
        return AnalysisState("done" if found.finished else "running", found.done, found.events)

    async def report(self, key: Key) -> bytes | None:
        """The report in JSON, compressed with gzip; None until it is finished."""
        return await self._store.read(analysis_storage.report, key)

    async def ask(self, key: Key, match: Match, by: str) -> AnalysisState:
        """Requests an analysis, unless it exists or is running.

        by: who asks. AnalysisRefused if there are too many, or if it is too early.
        """
        if not match.over and key.source == "match":
            raise AnalysisRefused("a match is analysed when it is over", 409)
        state = await self.state(key)
        if state.state != "none":
            return state
        if len(self._jobs) >= MAX_WAITING or sum(job.by == by for job in self._jobs.values()) >= MAX_OF_ONE:
            raise AnalysisRefused("too many analyses are waiting; try again in a few minutes", 429)
        self._jobs[key] = Job(key, match, by)
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work(), name="analyses")
        return await self.state(key)

    async def _work(self) -> None:
        while self._jobs:
            job = next(iter(self._jobs.values()))
            try:
                await asyncio.wait_for(self._do(job), MAX_S)
            except Exception:  # the outermost handler: the next analysis runs all the same
                LOG.exception("%s %s cannot be analysed", job.key.source, job.key.match_id)
                with suppress(BarpointError):
                    await self._store.write(lambda connection, key=job.key: analysis_storage.drop(connection, key))  # type: ignore[misc]
            finally:
                self._jobs.pop(job.key, None)

    async def _do(self, job: Job) -> None:
        now = self._clock()
        if not await self._store.write(analysis_storage.take_up, job.key, job.events, now, now - DEAD_MS):
            return
        report = await self._run(job)
        packed = await asyncio.to_thread(gzip.compress, report, 6)
        done_at = self._clock()
        await self._store.write(analysis_storage.finish, job.key, packed, done_at)

    async def _run(self, job: Job) -> bytes:
        """The report, from a subprocess that has ended when this returns or is cancelled."""
        log = await asyncio.to_thread(write_log, job.match)
        worker = working("barpoint.analysis.worker", str(job.key.plies), longest_line=MAX_LINE)
        async with worker as process:
            assert process.stdin is not None
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdin.write(log)
            process.stdin.close()
            line = b""
            while said := await process.stdout.readline():
                line = said
                if line.strip().isdigit():
                    await self._heard(job, int(line))
            status = await process.wait()
            if status or not line.startswith(b"{"):
                raise BarpointError(
                    "status %(status)s: %(value)s",
                    status=status,
                    value=(await process.stderr.read())[-300:].decode(errors="replace"),
                )
            return line.strip()

    async def _heard(self, job: Job, done: int) -> None:
        job.done = done
        now = self._clock()
        if now - job.noted_at >= NOTE_MS:
            job.noted_at = now
            await self._store.write(analysis_storage.note, job.key, done, now)
