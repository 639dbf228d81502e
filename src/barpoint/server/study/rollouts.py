"""Rollouts of positions on the analysis board: a queue, one at a time per server process, in a process of its own."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

import msgspec
from msgspec import Struct, structs

from barpoint.analysis.inquiry import Inquiry
from barpoint.analysis.position_rollout import RolloutAnswer, RolloutQuestion
from barpoint.error import BarpointError
from barpoint.server.child_process import working
from barpoint.server.live.matches import TimeSource
from barpoint.server.storage import position_answers as answer_storage
from barpoint.server.storage.position_answers import AnswerKey
from barpoint.server.storage.store import Store
from barpoint.server.study.analyses import AnalysisRefused, net_of

LOG: Final = logging.getLogger("barpoint.server")

PLIES: Final = 0
"""Search depth of the plays of a rollout."""

TRIALS: Final = 648
TRIALS_OF_ACCOUNTS: Final = 1296
"""Games of each choice that one request adds."""

MAX_TRIALS: Final = 2592
MAX_TRIALS_OF_ACCOUNTS: Final = 20_736
"""Games of each choice in all."""

MAX_WAITING: Final = 8
MAX_OF_ONE: Final = 2
"""Maximum number of rollouts that wait, in total and per person."""

MAX_S: Final = 900.0
"""Time limit of one rollout, in seconds; what is done by then is kept."""

MAX_LINE: Final = 1 << 26
"""Size limit of a result with its games, in bytes."""

THREADS: Final = 1


@dataclass
class RolloutJob:
    """A rollout that waits or runs. by: who asked. answer: the newest means. stopped: no more games are wanted."""

    key: AnswerKey
    inquiry: Inquiry
    trials: int
    by: str
    answer: RolloutAnswer | None = None
    stopped: asyncio.Event = field(default_factory=asyncio.Event)


class RolloutState(Struct, frozen=True, omit_defaults=True):
    """The state of a rollout. state: "none", "waiting", "running" or "done". ahead: rollouts before it in the queue.

    answer: its newest means. more: it can go on with this many more games of each choice; 0 where it cannot.
    """

    state: str
    ahead: int = 0
    more: int = 0
    answer: RolloutAnswer | None = None


class Rollouts:
    """The queue of rollouts: accepts requests, runs them, tells their means, and keeps their games."""

    def __init__(self, store: Store, clock: TimeSource) -> None:
        self._store, self._clock = store, clock
        self._jobs: OrderedDict[AnswerKey, RolloutJob] = OrderedDict()
        self._worker: asyncio.Task[None] | None = None

    async def close(self) -> None:
        """Stops the running rollout; its games since the last request are lost."""
        if self._worker is not None:
            self._worker.cancel()
            await asyncio.gather(self._worker, return_exceptions=True)

    def key(self, inquiry: Inquiry) -> AnswerKey:
        """The key of a rollout; AnalysisRefused if there cannot be one."""
        net = net_of(inquiry.rules)
        if net is None:
            raise AnalysisRefused("no net has learned this game, so nothing can roll it out", 409)
        return AnswerKey(inquiry.digest, "rollout", net, PLIES)

    async def state(self, inquiry: Inquiry, *, registered: bool) -> RolloutState:
        """The state of a rollout; registered: the person who asks has an account."""
        key = self.key(inquiry)
        job = self._jobs.get(key)
        if job is not None:
            ahead = list(self._jobs).index(key)
            return RolloutState("waiting" if ahead else "running", ahead, 0, job.answer)
        found = await self._store.read(answer_storage.answer, key)
        if found is None:
            return RolloutState("none", more=_added(registered))
        answer = msgspec.json.decode(found, type=RolloutAnswer)
        return RolloutState("done", 0, _more(answer, registered), answer)

    async def ask(self, inquiry: Inquiry, by: str, *, registered: bool) -> RolloutState:
        """Starts a rollout, or goes on with one; AnalysisRefused if there are too many, or if it has all its games."""
        state = await self.state(inquiry, registered=registered)
        if state.state in ("waiting", "running"):
            return state
        if not state.more:
            raise AnalysisRefused("this rollout has all the games it can have here", 409)
        if len(self._jobs) >= MAX_WAITING or sum(job.by == by for job in self._jobs.values()) >= MAX_OF_ONE:
            raise AnalysisRefused("too many rollouts are waiting; try again in a few minutes", 429)
        key = self.key(inquiry)
        done = state.answer.done if state.answer else 0
        self._jobs[key] = RolloutJob(key, inquiry, done + state.more, by, state.answer)
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work(), name="rollouts")
        return await self.state(inquiry, registered=registered)

    async def stop(self, inquiry: Inquiry, by: str, *, registered: bool) -> RolloutState:
        """Stops a rollout that the same person asked for; what is done is kept. AnalysisRefused for another's."""
        key = self.key(inquiry)
        job = self._jobs.get(key)
        if job is not None and job.by != by:
            raise AnalysisRefused("somebody else asked for this rollout", 403)
        if job is not None:
            job.stopped.set()
            if next(iter(self._jobs)) != key:
                self._jobs.pop(key, None)
        return await self.state(inquiry, registered=registered)

    async def _work(self) -> None:
        while self._jobs:
            job = next(iter(self._jobs.values()))
            try:
                await self._do(job)
            except Exception:  # the outermost handler: the next rollout runs all the same
                LOG.exception("a rollout failed")
            finally:
                self._jobs.pop(job.key, None)

    async def _do(self, job: RolloutJob) -> None:
        games = await self._store.read(answer_storage.games, job.key)
        question = RolloutQuestion(job.inquiry, job.trials, PLIES, THREADS, games or b"")
        found = await self._run(job, question)
        answer, now = msgspec.json.encode(structs.replace(found, games=b"")), self._clock()
        await self._store.write(answer_storage.put, job.key, answer, now, found.games)

    async def _run(self, job: RolloutJob, question: RolloutQuestion) -> RolloutAnswer:
        """The result, from a process that has ended when this returns or is cancelled."""
        async with working("barpoint.analysis.position_rollout", longest_line=MAX_LINE) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdin.write(msgspec.json.encode(question) + b"\n")
            stopper = asyncio.create_task(_close_when(job.stopped, process.stdin))
            try:
                found = None
                while said := await process.stdout.readline():
                    found = msgspec.json.decode(said, type=RolloutAnswer)
                    job.answer = structs.replace(found, games=b"")
                status = await process.wait()
                if status or found is None or not found.over:
                    raise BarpointError(
                        "status %(status)s: %(value)s",
                        status=status,
                        value=(await process.stderr.read())[-300:].decode(errors="replace"),
                    )
                return found
            finally:
                stopper.cancel()


async def _close_when(stopped: asyncio.Event, stdin: asyncio.StreamWriter) -> None:
    """Ends the input of a rollout when it is stopped, or when its time is up."""
    with suppress(TimeoutError):
        await asyncio.wait_for(stopped.wait(), MAX_S)
    stdin.close()


def _added(registered: bool) -> int:
    return TRIALS_OF_ACCOUNTS if registered else TRIALS


def _more(answer: RolloutAnswer, registered: bool) -> int:
    """How many more games of each choice somebody may ask for."""
    left = (MAX_TRIALS_OF_ACCOUNTS if registered else MAX_TRIALS) - answer.done
    return 0 if answer.clear else max(0, min(_added(registered), left))
