"""Vacations from correspondence matches in the database, and what is given back to clocks. All functions take an open connection."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from sqlalchemy import Connection, Select, and_, delete, func, insert, or_, select, update

from barpoint.server.domain.matches import SeatKind
from barpoint.server.domain.time_control import HOUR, MINUTE, in_days
from barpoint.server.domain.vacations import Vacation
from barpoint.server.storage import deadlines as deadline_storage
from barpoint.server.storage.database import insert_or_update
from barpoint.server.storage.event_log import MATCHES, lock
from barpoint.server.storage.schema.matches import EVENT, MATCH, SEAT, VACATION, VACATION_PAUSE

AHEAD_MS: Final = HOUR
"""Up to how long ahead time is given back to a clock that runs during a vacation."""

SOON_MS: Final = 5 * MINUTE
"""How long before it begins a vacation is looked at, so that no clock runs out at its beginning."""

MAX_AT_ONCE: Final = 200
"""Clocks that one look gives time back to."""


def vacations_of(connection: Connection, guest_id: str) -> list[Vacation]:
    """All vacations of a person, in order."""
    own = select(VACATION).where(VACATION.c.guest_id == guest_id).order_by(VACATION.c.begins_at)
    return [Vacation(row.id, row.begins_at, row.ends_at) for row in connection.execute(own)]


def put_vacation(connection: Connection, guest_id: str, begins_at: int, ends_at: int, now: int) -> None:
    """Adds a vacation."""
    values = {"guest_id": guest_id, "begins_at": begins_at, "ends_at": ends_at, "announced_at": now}
    connection.execute(insert(VACATION).values(**values))


def end_vacation(connection: Connection, guest_id: str, vacation_id: int, now: int) -> bool:
    """Ends a vacation now, or drops it if it has not begun; False if it is over, or not theirs."""
    own = and_(VACATION.c.id == vacation_id, VACATION.c.guest_id == guest_id, VACATION.c.ends_at > now)
    if connection.execute(delete(VACATION).where(and_(own, VACATION.c.begins_at >= now))).rowcount:
        return True
    return connection.execute(update(VACATION).where(own).values(ends_at=now)).rowcount == 1


def next_vacations(connection: Connection, people: Collection[str], now: int, before: int) -> dict[str, Vacation]:
    """The present vacation of each of these people, or one that begins before a time."""
    coming = and_(VACATION.c.guest_id.in_(sorted(people)), VACATION.c.ends_at > now, VACATION.c.begins_at < before)
    rows = connection.execute(select(VACATION).where(coming).order_by(VACATION.c.begins_at.desc()))
    return {row.guest_id: Vacation(row.id, row.begins_at, row.ends_at) for row in rows}


def has_running(connection: Connection, now: int) -> bool:
    """Whether a clock runs to which time of a vacation is to be given back."""
    return connection.execute(_running(now).limit(1)).first() is not None


def give_back(connection: Connection, now: int) -> list[str]:
    """Gives the time of vacations back to the clocks that run in them, up to AHEAD_MS ahead; returns the matches."""
    changed = []
    for match_id in sorted({row.match_id for row in connection.execute(_running(now).limit(MAX_AT_ONCE))}):
        lock(connection, MATCHES, match_id)  # another process may be giving back the same time
        for row in connection.execute(_running(now).where(MATCH.c.id == match_id)).all():
            begins = max(row.begins_at, row.at, row.until or 0)
            ends = min(row.ends_at, now + AHEAD_MS)
            if ends > begins:
                deadline_storage.extend(connection, [match_id], ends - begins)
                keys = {"match_id": match_id, "guest_id": row.guest_id}
                insert_or_update(connection, VACATION_PAUSE, keys, until=ends)
                changed.append(match_id)
    return changed


def _running(now: int) -> Select[Any]:
    """Correspondence matches that wait for somebody on vacation, unless enough time has been given back to them.

    A clock that runs out before the vacation begins is not among them.
    """
    until = VACATION_PAUSE.c.until
    theirs = and_(SEAT.c.guest_id == VACATION.c.guest_id, SEAT.c.kind == SeatKind.GUEST.value)
    waits = and_(MATCH.c.id == SEAT.c.match_id, MATCH.c.to_act == SEAT.c.seat, MATCH.c.over.is_(False))
    on_clock = and_(
        in_days(MATCH.c.time_control),
        MATCH.c.deadline_at > VACATION.c.begins_at,
        MATCH.c.adjourned_at.is_(None),
    )
    given = and_(VACATION_PAUSE.c.match_id == MATCH.c.id, VACATION_PAUSE.c.guest_id == VACATION.c.guest_id)
    enough = and_(until >= now + AHEAD_MS // 2, until >= EVENT.c.at)
    begun = func.coalesce(until, 0) < VACATION.c.ends_at
    return (
        select(
            VACATION.c.guest_id,
            VACATION.c.begins_at,
            VACATION.c.ends_at,
            MATCH.c.id.label("match_id"),
            EVENT.c.at,
            until,
        )
        .join(SEAT, theirs)
        .join(MATCH, waits)
        .join(EVENT, and_(EVENT.c.match_id == MATCH.c.id, EVENT.c.seq == MATCH.c.seq))
        .outerjoin(VACATION_PAUSE, given)
        .where(VACATION.c.begins_at <= now + SOON_MS, VACATION.c.ends_at > now, on_clock, begun)
        .where(or_(until.is_(None), ~enough))
    )
