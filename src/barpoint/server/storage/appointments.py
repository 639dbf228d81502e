"""Times to play in the database: who proposes which, and what is agreed on. All functions take an open connection."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection, Select, and_, case, exists, func, or_, select, update

from barpoint.server.domain.appointments import CALLED_OFF, PAST_MS, QUIET_MS, WITHDRAWN, Appointment
from barpoint.server.domain.clubs import ClubRole
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.matches import SeatKind
from barpoint.server.storage.database import insert_where_absent
from barpoint.server.storage.guests import REGISTERED, people, select_people
from barpoint.server.storage.schema.appointments import APPOINTMENT
from barpoint.server.storage.schema.clubs import CLUB_EVENT, CLUB_MEMBER, LADDER, LADDER_MATCH
from barpoint.server.storage.schema.lobby import BLOCK, DIRECT_CHALLENGE
from barpoint.server.storage.schema.matches import GUEST, MATCH, SEAT
from barpoint.server.storage.schema.tournaments import TOURNAMENT_MATCH

LISTED: Final = 20
"""Agreed times in a list, the earliest."""

OF_GOING: Final = and_(MATCH.c.id == APPOINTMENT.c.match_id, MATCH.c.over.is_not(True))
"""The match of an appointment, while it is not over; a condition for which SQLite goes through no index of matches."""

_BLOCKED = or_(
    and_(BLOCK.c.guest_id == APPOINTMENT.c.guest_id, BLOCK.c.other_id == APPOINTMENT.c.other_id),
    and_(BLOCK.c.guest_id == APPOINTMENT.c.other_id, BLOCK.c.other_id == APPOINTMENT.c.guest_id),
)
IS_OFFERED: Final = and_(
    APPOINTMENT.c.agreed_at.is_(None), ~exists(select(BLOCK).where(_BLOCKED).correlate(APPOINTMENT))
)
"""A proposal is not answered yet, and these two play each other."""


def players_of(connection: Connection, match_id: str) -> tuple[Guest, Guest] | None:
    """The two people with accounts who play a match, or are challenged to it; None for any other match, and once it is over."""
    seats = select(SEAT.c.guest_id).join(MATCH, MATCH.c.id == SEAT.c.match_id)
    seated = seats.where(MATCH.c.id == match_id, MATCH.c.over.is_(False), SEAT.c.kind == SeatKind.GUEST.value)
    called = select(DIRECT_CHALLENGE.c.other_id).where(
        DIRECT_CHALLENGE.c.match_id == match_id, DIRECT_CHALLENGE.c.closed_at.is_(None)
    )
    ids = [*connection.scalars(seated), *connection.scalars(called)]
    who = and_(GUEST.c.id.in_(ids), REGISTERED, GUEST.c.bot.is_(False))
    found = people(connection, select_people().where(who).order_by(GUEST.c.id))
    return (found[0], found[1]) if len(found) == len(ids) == 2 else None


def due_of(connection: Connection, match_id: str) -> int | None:
    """Until when a match of a tournament or ladder has to have begun; None for others, and once it has."""
    waits = MATCH.c.id == match_id, MATCH.c.seq == 0
    open_ones = (
        (TOURNAMENT_MATCH, TOURNAMENT_MATCH.c.settled.is_(False)),
        (LADDER_MATCH, LADDER_MATCH.c.outcome.is_(None)),
    )
    for table, running in open_ones:
        due = select(table.c.due_at).join(MATCH, MATCH.c.id == table.c.match_id).where(*waits, running)
        if (at := connection.scalar(due)) is not None:
            return int(at)
    return None


def appointment_of(connection: Connection, match_id: str) -> Appointment | None:
    """What is proposed or agreed on for a match."""
    return next(iter(_found(connection, _CHOSEN.where(APPOINTMENT.c.match_id == match_id))), None)


def propose(connection: Connection, match_id: str, by: Guest, other: Guest, times: Sequence[int], now: int) -> bool:
    """Stores a proposal in the place of whatever was proposed or called off before; False while a time is agreed on.

    Whoever has just been told of one by the same person, for this match or another, is not told again; but of a time called off they are, with the proposal.
    """
    one = APPOINTMENT.c
    same = one.guest_id == by.id, one.other_id == other.id, one.agreed_at.is_(None), one.told_at > now - QUIET_MS
    told_at = connection.scalar(select(func.max(one.told_at)).where(*same))
    values = {"guest_id": by.id, "other_id": other.id, "times": _written(times), "last_at": max(times)}
    values |= {"agreed_at": None, "told_at": told_at, "reminded": False}
    if insert_where_absent(connection, APPOINTMENT, match_id=match_id, **values):
        return True
    before = connection.execute(select(APPOINTMENT).where(one.match_id == match_id).with_for_update()).one()
    if before.agreed_at and before.agreed_at > now - PAST_MS:
        return False
    if before.agreed_at == CALLED_OFF and before.guest_id == by.id and before.told_at is None and before.last_at:
        off = before.times.split()[0]
        values |= {"times": f"{off} {values['times']}", "agreed_at": CALLED_OFF, "told_at": None}
    connection.execute(update(APPOINTMENT).where(one.match_id == match_id).values(**values))
    return True


def accept(connection: Connection, one: Appointment, at: int) -> bool:
    """Stores the time that both agree on; False if something else has been proposed meanwhile."""
    own = APPOINTMENT.c.match_id == one.match_id, APPOINTMENT.c.other_id == one.other.id
    same = *own, APPOINTMENT.c.times == _written(one.times), APPOINTMENT.c.agreed_at.is_not_distinct_from(one.agreed_at)
    return connection.execute(update(APPOINTMENT).where(*same).values(agreed_at=at, told_at=None)).rowcount == 1


def withdraw(connection: Connection, one: Appointment) -> bool:
    """Stores that nothing is proposed any more; False if something else holds meanwhile.

    When the other was told of it stays, so that they are not told of the next proposal at once. A time that was called off before stays, too;
    it is news, unless they were told of it.
    """
    told, off = APPOINTMENT.c.told_at, one.times[0] if one.agreed_at == CALLED_OFF else 0
    same = APPOINTMENT.c.match_id == one.match_id, APPOINTMENT.c.guest_id == one.by.id
    unchanged = APPOINTMENT.c.times == _written(one.times), APPOINTMENT.c.agreed_at.is_not_distinct_from(one.agreed_at)
    values = {"times": _written((off,) if off else WITHDRAWN), "last_at": case((told.is_(None), off), else_=0)}
    return connection.execute(update(APPOINTMENT).where(*same, *unchanged).values(values)).rowcount == 1


def call_off(connection: Connection, match_id: str, by: Guest, other: Guest, at: int) -> bool:
    """Stores that somebody calls off the time that was agreed on, of which the other is told; False if something else holds meanwhile."""
    same = APPOINTMENT.c.match_id == match_id, APPOINTMENT.c.agreed_at == at
    values = {"guest_id": by.id, "other_id": other.id, "times": _written([at]), "last_at": at}
    done = update(APPOINTMENT).where(*same).values(**values, agreed_at=CALLED_OFF, told_at=None)
    return connection.execute(done).rowcount == 1


def seen_off(connection: Connection, match_id: str, person_id: str, now: int) -> None:
    """Stores that somebody has seen that the other player has called off a time: it is no news any more; others proposed instead are, until they are withdrawn."""
    one = APPOINTMENT.c
    same = one.match_id == match_id, one.other_id == person_id, one.agreed_at == CALLED_OFF
    last_at = case((one.times.contains(" "), one.last_at), else_=0)
    seen = update(APPOINTMENT).where(*same).values(last_at=last_at, told_at=func.coalesce(one.told_at, now))
    connection.execute(seen)


def _written(times: Sequence[int]) -> str:
    return " ".join(map(str, times))


def told_to(connection: Connection, person_id: str, now: int) -> list[Appointment]:
    """Proposals that a person can accept, and times that the other player has called off."""
    one = APPOINTMENT.c
    offered = and_(IS_OFFERED, one.last_at > now)
    news = or_(offered, and_(one.agreed_at == CALLED_OFF, one.last_at > now - PAST_MS))
    return _found(connection, _CHOSEN.where(one.other_id == person_id, news).order_by(one.match_id).limit(LISTED))


def agreed_between(connection: Connection, after: int, until: int) -> list[Appointment]:
    """The agreed times of everybody after one moment and until another."""
    between = APPOINTMENT.c.agreed_at > after, APPOINTMENT.c.agreed_at <= until
    return _found(connection, _CHOSEN.where(*between))


def agreed_by(connection: Connection, person_id: str, now: int) -> list[Appointment]:
    """The agreed times of a person that have not passed, the earliest first."""
    mine = or_(APPOINTMENT.c.guest_id == person_id, APPOINTMENT.c.other_id == person_id)
    return _found(connection, _coming(now).where(mine))


def agreed_in_club(connection: Connection, club_id: str, viewer_id: str, now: int) -> list[Appointment]:
    """The agreed times of matches of a club and its tournaments and ladders, and those of the viewer with another member."""
    one, event = APPOINTMENT.c, CLUB_EVENT.c
    members = select(CLUB_MEMBER.c.guest_id).where(
        CLUB_MEMBER.c.club_id == club_id, CLUB_MEMBER.c.role != ClubRole.ASKED.value
    )
    of_club = (
        select(event.id).where(event.club_id == club_id),
        select(TOURNAMENT_MATCH.c.match_id)
        .join(CLUB_EVENT, event.id == TOURNAMENT_MATCH.c.tournament_id)
        .where(event.club_id == club_id),
        select(LADDER_MATCH.c.match_id)
        .join(LADDER, LADDER.c.id == LADDER_MATCH.c.ladder_id)
        .where(LADDER.c.club_id == club_id),
    )
    own = or_(one.guest_id == viewer_id, one.other_id == viewer_id)
    among = and_(own, one.guest_id.in_(members), one.other_id.in_(members))
    return _found(connection, _coming(now).where(or_(among, *(one.match_id.in_(ids) for ids in of_club))))


_BY, _OTHER = GUEST.alias("proposing"), GUEST.alias("answering")
_CHOSEN: Final = (
    select(APPOINTMENT, _BY.c.name.label("by"), _OTHER.c.name.label("other"))
    .join(_BY, _BY.c.id == APPOINTMENT.c.guest_id)
    .join(_OTHER, _OTHER.c.id == APPOINTMENT.c.other_id)
    .join(MATCH, OF_GOING)
)


def _coming(now: int) -> Select[tuple[object, ...]]:
    later = APPOINTMENT.c.agreed_at > now - PAST_MS
    return _CHOSEN.where(later).order_by(APPOINTMENT.c.agreed_at, APPOINTMENT.c.match_id).limit(LISTED)


def _found(connection: Connection, chosen: Select[tuple[object, ...]]) -> list[Appointment]:
    return [
        Appointment(
            row.match_id,
            Guest(row.guest_id, row.by, registered=True),
            Guest(row.other_id, row.other, registered=True),
            tuple(map(int, row.times.split())),
            row.agreed_at,
        )
        for row in connection.execute(chosen)
    ]
