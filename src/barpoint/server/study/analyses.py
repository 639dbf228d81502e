"""Analyses of finished and imported matches: jobs, done by a low-priority subprocess of a worker.

A thread would not do: with little CPU time it would hold the interpreter lock and make all players wait.
"""

from __future__ import annotations

import asyncio
import gzip
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, Final

import msgspec
from sqlalchemy import Connection

from barpoint.analysis import Report, decision_table
from barpoint.analysis.decision_table import pack_table, table_of
from barpoint.analysis.summary import VERSION, summarise
from barpoint.analysis.worker import RESULT, AnalysisResult, EarlierVersion
from barpoint.error import BarpointError
from barpoint.game import PlayMade
from barpoint.match import Match, read_log
from barpoint.rules import Rules
from barpoint.server.child_process import JobFailed, ended, feed, working
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.jobs import Job, JobKind, Priority, owner_of
from barpoint.server.domain.matches import MatchHeader
from barpoint.server.domain.settings import AnalyseEnded
from barpoint.server.live.matches import TimeSource
from barpoint.server.storage import analyses as analysis_storage
from barpoint.server.storage import corrections as correction_storage
from barpoint.server.storage import guests as guest_storage
from barpoint.server.storage import jobs as job_storage
from barpoint.server.storage import matches as match_storage
from barpoint.server.storage import reviews as review_storage
from barpoint.server.storage.analyses import AnalysisSource, Key
from barpoint.server.storage.store import Store
from barpoint.server.study.jobs import Jobs
from barpoint.server.study.nets import AnalysisRefused, net_of, required_net
from barpoint.server.study.workers import RunningJob, StoreResult

LOG: Final = logging.getLogger("barpoint.server")

PLIES: Final = (0, 1, 2)
"""The search depths on offer; the last one is the default."""

DEPTHS_AT_END: Final[dict[AnalyseEnded, tuple[int, ...]]] = {
    "off": (),
    "quick": (PLIES[0],),
    "deep": (PLIES[0], PLIES[-1]),
}
"""The depths to which a match is analysed by itself when it ends."""

MAX_S: Final = 1200.0
"""Time limit of an analysis, in seconds."""

MODULE: Final = "barpoint.analysis.worker"


@dataclass(frozen=True, slots=True)
class AnalysisState:
    """The state of an analysis: "none", "waiting", "running" or "done". ahead: jobs before it in the queue."""

    state: str
    done: int = 0
    events: int = 0
    ahead: int = 0


class Analyses:
    """Accepts requests for analyses, reports their progress, and does them where a worker asks for it."""

    kind: ClassVar[JobKind] = "analysis"

    def __init__(self, store: Store, clock: TimeSource, jobs: Jobs) -> None:
        self._store, self._clock, self._jobs = store, clock, jobs

    def key(self, match_id: str, rules: Rules, plies: int, source: AnalysisSource = "match") -> Key:
        """The key of an analysis; AnalysisRefused if it cannot exist."""
        if plies not in PLIES:
            raise AnalysisRefused(
                "%(plies)s plies; allowed: %(allowed)s", 422, plies=plies, allowed=", ".join(map(str, PLIES))
            )
        return Key(match_id, required_net(rules), plies, source)

    async def state(self, key: Key) -> AnalysisState:
        """The state of an analysis, in this or another process."""
        job = await self._jobs.state(self.kind, key.subject)
        if job is not None:
            return AnalysisState("running" if job.running else "waiting", job.done, job.total, job.ahead)
        events = await self._store.read(analysis_storage.events, key)
        return AnalysisState("none") if events is None else AnalysisState("done", events, events)

    async def report(self, key: Key) -> bytes | None:
        """The report in JSON, compressed with gzip; None until it is finished."""
        return await self._store.read(analysis_storage.report, key)

    async def report_of_any_net(self, key: Key) -> bytes | None:
        """The report; where the net of the key has made none, the latest by another net."""
        return await self.report(key) or await self._store.read(analysis_storage.report_of_another_net, key)

    async def deepest_report(self, match_id: str, rules: Rules, source: AnalysisSource) -> bytes | None:
        """The report of the greatest depth that there is, of any net; AnalysisRefused if there cannot be one."""
        for plies in reversed(PLIES):
            packed = await self.report_of_any_net(self.key(match_id, rules, plies, source))
            if packed is not None:
                return packed
        return None

    async def report_or_state(self, key: Key) -> bytes | AnalysisState:
        """The report, of another net while nobody asks for one of this, or why there is none; never the state "done", as it may be finished
        between two reads.
        """
        while True:
            packed = await self.report(key)
            if packed is not None:
                return packed
            state = await self.state(key)
            if state.state == "none":
                return await self.report_of_any_net(key) or state
            if state.state != "done":
                return state

    async def ask(self, key: Key, match: Match, by: str, *, registered: bool = False) -> AnalysisState:
        """Requests an analysis, unless it exists or is running.

        by: who asks. registered: they have an account. AnalysisRefused if there are too many, or if it is too early.
        """
        if not match.over and key.source == "match":
            raise AnalysisRefused("a match is analysed when it is over", 409)
        if (await self.state(key)).state != "done":
            await self._jobs.ask(_job(key, by, Priority.ASKED), registered=registered)
            await self._jobs.put_first(self.kind, key.subject, by)
        return await self.state(key)

    async def put_first(self, match_id: str, rules: Rules, source: AnalysisSource, by: str) -> None:
        """Puts the analyses of a match that wait before the others of the same person, who looks at it now."""
        if (net := net_of(rules)) is None:
            return
        for plies in PLIES:
            key = Key(match_id, net, plies, source)
            if (await self.state(key)).ahead:
                await self._jobs.put_first(self.kind, key.subject, by)

    def ask_at_end(self, plies: tuple[int, ...], connection: Connection, header: MatchHeader, match: Match) -> None:
        """Adds jobs for a match that has just ended, in the transaction that ends it. plies: to which depths.

        Matches of bots alone, and those in which nobody has moved, are not analysed.
        """
        people = [seat.guest for seat in header.seats if seat.guest is not None and not seat.bot]
        if not people or not any(isinstance(event, PlayMade) for event in match.events):
            return
        persons = (guest_storage.get_guest(connection, one) for one in people)
        registered = [person.id for person in persons if person is not None and person.registered]
        owner = (registered or people)[0]
        self._ask_unasked(connection, header.id, header.rules, plies, owner, registered=bool(registered))

    def ask_at_import(
        self, plies: tuple[int, ...], connection: Connection, review_id: str, match: Match, person: Guest
    ) -> None:
        """Adds jobs for a match that is being imported, in the transaction that stores it. plies: to which depths."""
        self._ask_unasked(
            connection, review_id, match.rules, plies, person.id, registered=person.registered, source="review"
        )

    def _ask_unasked(
        self,
        connection: Connection,
        match_id: str,
        rules: Rules,
        plies: tuple[int, ...],
        owner: str,
        *,
        registered: bool,
        source: AnalysisSource = "match",
    ) -> None:
        net = net_of(rules)
        if net is None:
            return
        quick, deep = (Priority.QUICK, Priority.QUICK_OF_GUESTS), (Priority.DEEP, Priority.DEEP_OF_GUESTS)
        for depth in plies:
            priority = (quick if depth == PLIES[0] else deep)[not registered]
            if not job_storage.put(connection, _job(Key(match_id, net, depth, source), owner, priority), self._clock()):
                LOG.warning("%s %s is not analysed by itself: too many wait", source, match_id)

    def ask_corrected(self, connection: Connection, old: Key, new_id: str, match: Match, person: Guest) -> None:
        """Adds jobs for a corrected version, to the depths to which that before was analysed. old: of any depth."""
        found = [one for one in PLIES if analysis_storage.report(connection, replace(old, plies=one)) is not None]
        self._ask_unasked(
            connection, new_id, match.rules, tuple(found), person.id, registered=person.registered, source=old.source
        )

    def renewed(self, connection: Connection, left: Job) -> Job | None:
        """A job of a net that is gone, for the present one; None where it is not wanted any more."""
        key = msgspec.json.decode(left.task, type=Key)
        try:
            net = net_of(match_of(connection, key).rules)
        except BarpointError:
            return None
        if net is None:
            return None
        new = replace(key, net=net)
        return replace(left, subject=new.subject, net=net, task=msgspec.json.encode(new))

    async def work(self, running: RunningJob) -> StoreResult:
        """Does an analysis, and returns what stores its report."""
        key = msgspec.json.decode(running.task, type=Key)
        log, earlier = await self._store.read(log_of, key), await self._store.read(_earlier_version, key)
        async with asyncio.timeout(MAX_S):
            result = await _run(log, key.plies, running, earlier)
        return partial(_put, key, result, self._clock())


def _job(key: Key, by: str, priority: Priority) -> Job:
    return Job(Analyses.kind, key.subject, key.net, msgspec.json.encode(key), owner_of(by), priority)


def log_of(connection: Connection, key: Key) -> bytes:
    """The log of the match of an analysis, as `write_log`; BarpointError if it was deleted meanwhile."""
    if key.source == "match":
        return match_storage.read_match_log(connection, key.match_id)
    kept = review_storage.get(connection, key.match_id)
    if kept is None:
        raise BarpointError("the imported match was deleted")
    return gzip.decompress(kept.log)


def match_of(connection: Connection, key: Key) -> Match:
    """The match of an analysis; BarpointError if it was deleted meanwhile."""
    if key.source == "match":
        return match_storage.read_match(connection, key.match_id)[1]
    return read_log(log_of(connection, key))


def summary_of(match: Match, report: bytes) -> bytes:
    """What statistics keep of a report, as JSON. report: as JSON."""
    return msgspec.json.encode(summarise(msgspec.json.decode(report, type=Report), match))


def decisions_of(match: Match, report: bytes) -> bytes:
    """What the library searches of a report. report: as JSON."""
    return pack_table(table_of(match, msgspec.json.decode(report, type=Report)))


def _put(key: Key, result: AnalysisResult, now: int, connection: Connection) -> None:
    analysis_storage.put(connection, key, result.report, result.events, now)
    keep_made_of(connection, key, result)


def keep_made_of(connection: Connection, key: Key, result: AnalysisResult) -> None:
    """Stores what is made of a report beside it."""
    analysis_storage.keep_made(connection, "summary", VERSION, {key: result.summary})
    analysis_storage.keep_made(connection, "decisions", decision_table.VERSION, {key: result.decisions})


def _earlier_version(connection: Connection, key: Key) -> bytes:
    """What the same analysis has found of the match before it was corrected, for the worker; nothing where there is none."""
    for version in correction_storage.earlier_versions(connection, key.source, key.match_id):
        before = replace(key, match_id=version)
        if (report := analysis_storage.report(connection, before)) is not None:
            return msgspec.msgpack.encode(EarlierVersion(log_of(connection, before), report))
    return b""


async def _run(log: bytes, plies: int, running: RunningJob, earlier: bytes = b"") -> AnalysisResult:
    """The result, from a subprocess that has ended when this returns or is cancelled."""

    def tell(done: int, events: int) -> None:
        running.done = done, events

    async with working(MODULE, str(plies), str(len(log))) as process:
        await feed(process, log + earlier)
        return await result_from(process, MODULE, tell)


async def result_from(
    process: asyncio.subprocess.Process, module: str, tell: Callable[[int, int], None]
) -> AnalysisResult:
    """What a subprocess finds, once it has ended; JobFailed. tell: is called with what is done, and of how much."""
    assert process.stdout is not None
    packed = None
    while said := (await process.stdout.readline()).split():
        first, second = said[0], int(said[1])
        if first == RESULT:
            with suppress(asyncio.IncompleteReadError):  # its status says why
                packed = await process.stdout.readexactly(second)
        else:
            tell(int(first), second)
    await ended(process, module)
    if packed is None:
        raise JobFailed("%(module)s: no report", module=module)
    return msgspec.msgpack.decode(packed, type=AnalysisResult)
