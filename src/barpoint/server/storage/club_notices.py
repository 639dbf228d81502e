"""Notices of clubs in the database. All functions take an open connection."""

from __future__ import annotations

from sqlalchemy import Connection, and_, delete, insert

from barpoint.server.domain.clubs import ClubNotice
from barpoint.server.storage.guests import person, select_people
from barpoint.server.storage.schema.clubs import CLUB_NOTICE
from barpoint.server.storage.schema.matches import GUEST


def put_notice(connection: Connection, club_id: str, guest_id: str, text: str, at: int) -> None:
    """Puts a notice up."""
    connection.execute(insert(CLUB_NOTICE).values(club_id=club_id, guest_id=guest_id, text=text, at=at))


def notices_of(connection: Connection, club_id: str) -> list[ClubNotice]:
    """The notices of a club, the latest first."""
    notice = CLUB_NOTICE.c
    rows = connection.execute(
        select_people(notice.id, notice.text, notice.at)
        .join(CLUB_NOTICE, notice.guest_id == GUEST.c.id)
        .where(notice.club_id == club_id)
        .order_by(notice.id.desc())
    )
    return [ClubNotice(row.id, person(row), row.text, row.at) for row in rows]


def drop_notice(connection: Connection, club_id: str, notice_id: int) -> bool:
    """Takes a notice of a club down; returns whether it was up."""
    own = and_(CLUB_NOTICE.c.id == notice_id, CLUB_NOTICE.c.club_id == club_id)
    return connection.execute(delete(CLUB_NOTICE).where(own)).rowcount == 1
