"""The queue of jobs in the database: who asks, who takes, who reports, who finishes."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, and_, delete, func, or_, select, tuple_, update

from barpoint.server.domain.jobs import (
    GIVE_WAY_AFTER_MS,
    MAX_ASKED,
    MAX_ATTEMPTS,
    MAX_UNASKED,
    MAX_UNASKED_OF_ONE,
    Job,
    JobState,
    Priority,
)
from barpoint.server.storage.database import count, fields_from, insert_where_absent, values_of
from barpoint.server.storage.schema.jobs import JOB

CANDIDATES: Final = 8
"""Jobs that a worker tries to take, one after the other, when others take jobs at the same time."""


@dataclass(frozen=True, slots=True)
class TakenJob:
    """A job that a worker has taken up."""

    id: int
    kind: str
    subject: str
    task: bytes
    priority: int


@dataclass(frozen=True, slots=True)
class JobRequest:
    """Who wants a job, and how urgently, as it stands now. stopped: nobody wants the rest of it."""

    owner: str
    priority: Priority
    stopped: bool


class Hold(Enum):
    """What a worker learns when it reports: it goes on, comes to an end, makes room, or has lost the job to another."""

    KEPT = "kept"
    STOPPED = "stopped"
    WANTED_ELSEWHERE = "wanted elsewhere"
    LOST = "lost"


def _same(kind: str, subject: str) -> ColumnElement[bool]:
    return and_(JOB.c.kind == kind, JOB.c.subject == subject)


def _waiting(now: int) -> ColumnElement[bool]:
    """Nobody works on it, or its worker has been silent for too long."""
    return or_(JOB.c.worker.is_(None), JOB.c.leased_until < now)


def put(
    connection: Connection, job: Job, now: int, most_of_one: int = MAX_UNASKED_OF_ONE, *, of_kind: bool = False
) -> bool:
    """Adds a job; if there is one about the same, makes it more urgent where limits allow. False if there are too many.

    most_of_one: jobs of the same owner that may wait or run. of_kind: of this kind.
    """
    known = connection.execute(select(JOB.c.id, JOB.c.priority).where(_same(job.kind, job.subject))).first()
    if known is not None and known.priority <= job.priority:
        return True
    asked = job.priority.asked
    alike = JOB.c.priority == int(job.priority) if asked else JOB.c.priority >= Priority.QUICK
    most = MAX_ASKED if asked else MAX_UNASKED
    own = and_(JOB.c.owner == job.owner, JOB.c.kind == job.kind) if of_kind else JOB.c.owner == job.owner
    if count(connection, JOB, alike) >= most or count(connection, JOB, alike, own) >= most_of_one:
        return known is not None
    place = {"owner": job.owner, "priority": int(job.priority), "turn": _turn(connection, job)}
    if known is not None:
        connection.execute(update(JOB).where(JOB.c.id == known.id).values(**place))
        return True
    values = {**values_of(JOB, job), **place, "asked_at": now, "attempts": 0, "stopped": False, "done": 0, "total": 0}
    insert_where_absent(connection, JOB, **values)
    return True


def _turn(connection: Connection, job: Job) -> int:
    """One place after the last job of the same owner, but not before those that are there already."""
    beside = JOB.c.priority == int(job.priority)
    first = connection.scalar(select(func.min(JOB.c.turn)).where(beside))
    own = connection.scalar(select(func.max(JOB.c.turn)).where(and_(beside, JOB.c.owner == job.owner)))
    return max(0 if first is None else first, 0 if own is None else own + 1)


def put_first(connection: Connection, kind: str, subject: str, owner: str, now: int) -> None:
    """Puts a job that waits before the others of the same owner that are as urgent; jobs of other people keep their turns."""
    own = and_(JOB.c.owner == owner, _waiting(now))
    job = connection.execute(select(JOB.c.id, JOB.c.priority, JOB.c.turn).where(_same(kind, subject), own)).first()
    if job is None:
        return
    before = and_(own, JOB.c.priority == job.priority, JOB.c.turn < job.turn)
    first = connection.scalar(select(func.min(JOB.c.turn)).where(before))
    if first is not None:
        connection.execute(update(JOB).where(before).values(turn=JOB.c.turn + 1))
        connection.execute(update(JOB).where(JOB.c.id == job.id).values(turn=first))


def find(connection: Connection, kind: str, subject: str, now: int) -> JobState | None:
    """The state of a job; None if there is none."""
    row = connection.execute(select(JOB).where(_same(kind, subject))).first()
    if row is None:
        return None
    running = row.worker is not None and row.leased_until >= now
    before = tuple_(JOB.c.priority, JOB.c.turn, JOB.c.id) < (row.priority, row.turn, row.id)
    ahead = 0 if running else count(connection, JOB, before)
    return JobState(running, ahead, row.done, row.total, _bytes(row.progress), row.owner, bytes(row.task))


def _bytes(found: Any) -> bytes | None:
    return None if found is None else bytes(found)


def stop(connection: Connection, kind: str, subject: str, owner: str, now: int) -> bool:
    """Drops a job that waits, and tells the worker of a running one that no more is wanted; False for another's."""
    same = _same(kind, subject)
    found = connection.scalar(select(JOB.c.owner).where(same))
    if found is not None and found != owner:
        return False
    connection.execute(delete(JOB).where(and_(same, _waiting(now))))
    connection.execute(update(JOB).where(same).values(stopped=True))
    return True


def anything_waits(connection: Connection, nets: Collection[str], now: int) -> bool:
    """Whether there is a job for a worker with these nets."""
    return connection.scalar(select(JOB.c.id).where(and_(_waiting(now), JOB.c.net.in_(nets))).limit(1)) is not None


def take(connection: Connection, worker: str, nets: Collection[str], now: int, until: int) -> TakenJob | None:
    """Gives a worker the next job for which it has the net; None if there is none."""
    mine = and_(_waiting(now), JOB.c.net.in_(nets), JOB.c.attempts < MAX_ATTEMPTS)
    order = (JOB.c.priority, JOB.c.turn, JOB.c.id)
    for row in connection.execute(select(JOB).where(mine).order_by(*order).limit(CANDIDATES)).all():
        taken = update(JOB).where(and_(JOB.c.id == row.id, mine))  # unless another worker was faster
        values = {"worker": worker, "leased_until": until, "attempts": JOB.c.attempts + 1}
        if connection.execute(taken.values(**values)).rowcount == 1:
            return TakenJob(**{**fields_from(row, TakenJob), "task": bytes(row.task)})
    return None


def drop_hopeless(connection: Connection, now: int) -> list[str]:
    """Drops the jobs that several workers have left unfinished, and returns what they were about."""
    hopeless = and_(_waiting(now), JOB.c.attempts >= MAX_ATTEMPTS)
    found = [str(name) for name in connection.scalars(select(JOB.c.subject).where(hopeless))]
    if found:
        connection.execute(delete(JOB).where(hopeless))
    return found


def take_out_left_behind(connection: Connection, nets: Collection[str], before: int) -> list[Job]:
    """Takes the jobs out of the queue that were put there before this time and wait for nets other than these."""
    left = and_(JOB.c.worker.is_(None), JOB.c.net.not_in(nets), JOB.c.asked_at < before)
    rows = connection.execute(select(JOB).where(left).order_by(JOB.c.priority, JOB.c.turn, JOB.c.id)).all()
    connection.execute(delete(JOB).where(JOB.c.id.in_([row.id for row in rows])))
    return [Job(row.kind, row.subject, row.net, bytes(row.task), row.owner, Priority(row.priority)) for row in rows]


def _held(job_id: int, worker: str) -> ColumnElement[bool]:
    return and_(JOB.c.id == job_id, JOB.c.worker == worker)


def report(
    connection: Connection,
    job: TakenJob,
    worker: str,
    nets: Collection[str],
    now: int,
    until: int,
    done: tuple[int, int],
    progress: bytes | None,
) -> Hold:
    """Keeps a job for its worker, with its newest progress, and says what the worker does next. done: of how many."""
    values = {"leased_until": until, "done": done[0], "total": done[1], "progress": progress}
    held = _held(job.id, worker)
    if connection.execute(update(JOB).where(held).values(**values)).rowcount != 1:
        return Hold.LOST
    row = connection.execute(select(JOB.c.stopped, JOB.c.priority).where(held)).one()
    if row.stopped:
        return Hold.STOPPED
    if Priority(row.priority).gives_way:
        since = JOB.c.asked_at <= now - GIVE_WAY_AFTER_MS
        urgent = and_(_waiting(now), JOB.c.net.in_(nets), JOB.c.priority < Priority.DEEP, since)
        if count(connection, JOB, urgent):
            return Hold.WANTED_ELSEWHERE
    return Hold.KEPT


def give_back(connection: Connection, job: TakenJob, worker: str, counts: bool = False) -> None:
    """Lets a job wait again. counts: whether this was one of its attempts."""
    attempts = JOB.c.attempts - (0 if counts else 1)
    values = {"worker": None, "leased_until": None, "attempts": attempts, "done": 0, "progress": None}
    connection.execute(update(JOB).where(_held(job.id, worker)).values(**values))


def finish(connection: Connection, job: TakenJob, worker: str) -> JobRequest | None:
    """Deletes a job that is done, or cannot be done; returns who wanted it, None if the worker has lost it to another one."""
    held = delete(JOB).where(_held(job.id, worker))
    row = connection.execute(held.returning(JOB.c.owner, JOB.c.priority, JOB.c.stopped)).first()
    return None if row is None else JobRequest(row.owner, Priority(row.priority), row.stopped)
