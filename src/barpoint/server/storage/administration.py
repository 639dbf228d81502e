"""What administrators have done, in the database. All functions take an open connection."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, func, insert, select

from barpoint.server.domain.limits import MAX_BAN_REASON
from barpoint.server.storage.schema.accounts import ADMINISTRATION
from barpoint.server.storage.schema.jobs import JOB
from barpoint.server.storage.schema.matches import GUEST


@dataclass(frozen=True, slots=True)
class AdministratorAct:
    """Something an administrator did. by: their name; None for the command line. about: an account or a match."""

    by: str | None
    act: str
    about: str
    note: str
    at: int


@dataclass(frozen=True, slots=True)
class JobCount:
    """How many jobs of a kind run and wait. oldest_at: when the oldest was asked for, in ms since 1970."""

    kind: str
    running: int
    waiting: int
    oldest_at: int


def put_act(connection: Connection, by_id: str | None, act: str, about: str, note: str, at: int) -> None:
    """Records what an administrator does; by_id None for the command line."""
    values = {"guest_id": by_id, "act": act, "about": about[:60], "note": note[:MAX_BAN_REASON], "at": at}
    connection.execute(insert(ADMINISTRATION).values(**values))


def acts(connection: Connection, limit: int) -> list[AdministratorAct]:
    """The latest acts, the latest first."""
    done = ADMINISTRATION.c
    rows = connection.execute(
        select(GUEST.c.name, done.act, done.about, done.note, done.at)
        .select_from(ADMINISTRATION.outerjoin(GUEST, GUEST.c.id == done.guest_id))
        .order_by(done.id.desc())
        .limit(limit)
    )
    return [AdministratorAct(*row) for row in rows]


def job_counts(connection: Connection) -> list[JobCount]:
    """The jobs of the queue, by kind."""
    rows = connection.execute(
        select(JOB.c.kind, func.count(JOB.c.worker), func.count(), func.min(JOB.c.asked_at))
        .group_by(JOB.c.kind)
        .order_by(JOB.c.kind)
    )
    return [JobCount(kind, running, total - running, oldest) for kind, running, total, oldest in rows]
