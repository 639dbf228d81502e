"""Rollouts of positions on the analysis board: jobs, done by a low-priority subprocess of a worker."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from hashlib import sha256
from typing import ClassVar, Final

import msgspec
from msgspec import Struct, structs
from sqlalchemy import Connection

from barpoint.analysis.inquiry import Inquiry
from barpoint.analysis.position_rollout import USUAL_METHOD, RolloutAnswer, RolloutMethod, RolloutQuestion
from barpoint.engine.limits import MAX_ROLLS, MAX_SEED
from barpoint.error import OptionError
from barpoint.server.child_process import JobFailed, ended, feed, working
from barpoint.server.domain.jobs import Job, JobKind, owner_of
from barpoint.server.live.matches import TimeSource
from barpoint.server.storage import position_answers as answer_storage
from barpoint.server.storage.position_answers import AnswerKey
from barpoint.server.storage.store import Store
from barpoint.server.study.jobs import Jobs
from barpoint.server.study.nets import AnalysisRefused, required_net
from barpoint.server.study.workers import RunningJob, StoreResult

TRIALS: Final = 648
TRIALS_OF_ACCOUNTS: Final = 1296
"""Games of each choice that one request adds."""

MAX_TRIALS: Final = 2592
MAX_TRIALS_OF_ACCOUNTS: Final = 20_736
"""Games of each choice in all, with plays and cube at 0-ply."""

COST: Final = (1, 4, 36)
"""What a game costs by its search depth, where one at 0-ply is 1: so many times fewer are allowed."""

MIN_TRIALS: Final = 36
"""The fewest games of each choice that a request may ask for: one of every first roll."""

MAX_PLAYS: Final = 6
"""Plays that may be chosen for a rollout."""

MAX_S: Final = 900.0
"""Time limit of one rollout, in seconds; what is done by then is kept."""

MAX_LINE: Final = 1 << 26
"""Size limit of a result with its games, in bytes."""

THREADS: Final = 1

MODULE: Final = "barpoint.analysis.position_rollout"


class RolloutTask(Struct, frozen=True):
    """What a worker has to know. trials: games of each choice in all."""

    inquiry: Inquiry
    trials: int
    method: RolloutMethod = USUAL_METHOD


class RolloutAsker(Struct, frozen=True):
    """Who asks for a rollout. by: the name that limits count by. registered: they have an account.

    games: of each choice, that each of their requests adds; None for the usual number.
    """

    by: str
    registered: bool
    games: int | None = None

    def most(self, method: RolloutMethod) -> int:
        """Games of each choice that they may have in all."""
        most = MAX_TRIALS_OF_ACCOUNTS if self.registered else MAX_TRIALS
        return most // COST[max(method.plies, method.cube_plies)]

    def added(self, method: RolloutMethod) -> int:
        """Games of each choice that one request adds."""
        usual = TRIALS_OF_ACCOUNTS if self.registered else TRIALS
        return min(usual, self.most(method)) if self.games is None else self.games


class AllowedRollouts(Struct, frozen=True):
    """Games of each choice. usual: that a request adds. least: that it may ask for. most: in all, by search depth."""

    usual: int
    least: int
    most: tuple[int, ...]


def allowed_rollouts(*, registered: bool) -> AllowedRollouts:
    """What somebody with or without an account may have."""
    asker = RolloutAsker("", registered)
    most = tuple(asker.most(RolloutMethod(plies=plies)) for plies in range(len(COST)))
    return AllowedRollouts(asker.added(USUAL_METHOD), MIN_TRIALS, most)


class RolloutState(Struct, frozen=True, omit_defaults=True):
    """The state of a rollout. state: "none", "waiting", "running" or "done". ahead: jobs before it in the queue.

    answer: its newest means. more: it can go on with this many more games of each choice; 0 where it cannot.
    """

    state: str
    ahead: int = 0
    more: int = 0
    answer: RolloutAnswer | None = None


class Rollouts:
    """Accepts requests for rollouts, tells their means, keeps their games, and does them where a worker asks for it."""

    kind: ClassVar[JobKind] = "rollout"

    def __init__(self, store: Store, clock: TimeSource, jobs: Jobs) -> None:
        self._store, self._clock, self._jobs = store, clock, jobs

    async def state(self, inquiry: Inquiry, method: RolloutMethod, asker: RolloutAsker) -> RolloutState:
        """The state of a rollout; AnalysisRefused if none can be, OptionError for settings that are not allowed.

        method: its plays as `play_text` writes them.
        """
        check_settings(method, asker)
        key = _key(inquiry, method)
        job = await self._jobs.state(self.kind, _subject(key))
        found = await self._store.read(answer_storage.answer, key)
        if job is not None:
            newest = job.progress or found
            answer = None if newest is None else msgspec.json.decode(newest, type=RolloutAnswer)
            return RolloutState("running" if job.running else "waiting", job.ahead, 0, answer)
        if found is None:
            return RolloutState("none", more=asker.added(method))
        answer = msgspec.json.decode(found, type=RolloutAnswer)
        return RolloutState("done", 0, _more(answer, asker), answer)

    async def ask(self, inquiry: Inquiry, method: RolloutMethod, asker: RolloutAsker) -> RolloutState:
        """Starts a rollout, or goes on with one; AnalysisRefused if there are too many, or if it has all its games."""
        state = await self.state(inquiry, method, asker)
        if state.state in ("waiting", "running"):
            return state
        if not state.more:
            raise AnalysisRefused("this rollout has all the games it can have here", 409)
        key, done = _key(inquiry, method), state.answer.done if state.answer else 0
        task = msgspec.json.encode(RolloutTask(inquiry, done + state.more, method))
        job = Job(Rollouts.kind, _subject(key), key.net, task, owner_of(asker.by))
        await self._jobs.ask(job, registered=asker.registered)
        return await self.state(inquiry, method, asker)

    async def stop(self, inquiry: Inquiry, method: RolloutMethod, asker: RolloutAsker) -> RolloutState:
        """Stops a rollout that the same person asked for; what is done is kept. AnalysisRefused for another's."""
        await self._jobs.stop(self.kind, _subject(_key(inquiry, method)), asker.by)
        return await self.state(inquiry, method, asker)

    def renewed(self, connection: Connection, left: Job) -> None:
        """None: whoever still waits for it asks again."""

    async def work(self, running: RunningJob) -> StoreResult:
        """Does a rollout, and returns what stores its answer and its games."""
        task = msgspec.json.decode(running.task, type=RolloutTask)
        key = _key(task.inquiry, task.method)
        games = await self._store.read(answer_storage.games, key)
        found = await _run(RolloutQuestion(task.inquiry, task.trials, task.method, THREADS, games or b""), running)
        answer = msgspec.json.encode(structs.replace(found, games=b""))
        return partial(_put, key=key, answer=answer, now=self._clock(), games=found.games)


def check_settings(method: RolloutMethod, asker: RolloutAsker) -> None:
    """OptionError where a rollout with these settings is not allowed."""
    deepest = len(COST) - 1
    bounds = {
        "plies": (method.plies, 0, deepest),
        "cube_plies": (method.cube_plies, 0, deepest),
        "truncate": (method.truncate, 0, MAX_ROLLS),
        "seed": (method.seed, 0, MAX_SEED),
    }
    if method.plays:
        bounds["plays"] = len(method.plays), 2, MAX_PLAYS
    for name, (value, least, most) in bounds.items():
        check_bounds(name, value, least, most)
    if asker.games is not None:
        check_bounds("games", asker.games, MIN_TRIALS, asker.most(method))


def check_bounds(name: str, value: int, least: int, most: int) -> None:
    """OptionError for a setting of a rollout that is not allowed."""
    if not least <= value <= most:
        text = "%(name)s %(value)r of a rollout; %(least)s to %(most)s are allowed"
        raise OptionError(text, name=name, value=value, least=least, most=most)


def _key(inquiry: Inquiry, method: RolloutMethod) -> AnswerKey:
    """The key of a rollout; its plies are a part of their own."""
    settings = structs.replace(method, plies=0)
    if settings == RolloutMethod(also=method.also):
        beside = method.also
    else:
        beside = msgspec.json.encode(settings).decode()
    digest = sha256(f"{inquiry.digest} {beside}".encode()).hexdigest() if beside else inquiry.digest
    return AnswerKey(digest, "rollout", required_net(inquiry.rules), method.plies)


def _subject(key: AnswerKey) -> str:
    return f"{key.digest}/{key.net}/{key.plies}"


def _put(connection: Connection, key: AnswerKey, answer: bytes, now: int, games: bytes) -> None:
    answer_storage.put(connection, key, answer, now, games)


async def _run(question: RolloutQuestion, running: RunningJob) -> RolloutAnswer:
    """The result with its games, from a subprocess that has ended when this returns or is cancelled."""
    async with working(MODULE, longest_line=MAX_LINE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        await feed(process, msgspec.json.encode(question) + b"\n", more=True)
        stopper = asyncio.create_task(close_when(running.stopped, process.stdin))
        try:
            found = None
            while said := await process.stdout.readline():
                found = msgspec.json.decode(said, type=RolloutAnswer)
                running.done = found.done, found.trials
                running.progress = msgspec.json.encode(structs.replace(found, games=b""))
            await ended(process, MODULE)
            if found is None or not found.over:
                raise JobFailed("%(module)s: no result", module=MODULE)
            return found
        finally:
            stopper.cancel()


async def close_when(stopped: asyncio.Event, stdin: asyncio.StreamWriter) -> None:
    """Ends the input of a rollout when it is stopped, or when its time is up."""
    with suppress(TimeoutError):
        async with asyncio.timeout(MAX_S):
            await stopped.wait()
    stdin.close()


def _more(answer: RolloutAnswer, asker: RolloutAsker) -> int:
    """How many more games of each choice somebody may ask for."""
    added, left = asker.added(answer.method), asker.most(answer.method) - answer.done
    more = added - answer.done % added  # to a whole number of requests, after one that was stopped too
    return 0 if answer.clear else max(0, min(more if 2 * more >= added else more + added, left))
