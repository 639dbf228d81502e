"""What people say to each other at a match, who mutes it, and what they report; all take an open connection."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, Connection, and_, delete, exists, func, insert, select, update

from barpoint.server.archive import Conflict
from barpoint.server.schema import BLOCK, CHAT, GUEST, MUTE, REPORT, SEAT

MOST_WORDS: Final = 500
"""Lines kept of a match."""


@dataclass(frozen=True, slots=True)
class Words:
    """A line of chat. seat: of who wrote it. at: ms since 1970."""

    id: int
    seat: int
    name: str
    text: str
    at: int


@dataclass(frozen=True, slots=True)
class Report:
    """What somebody tells the administrators about somebody else."""

    id: int
    by: str
    about: str
    match_id: str | None
    text: str
    at: int


def put_words(connection: Connection, match_id: str, guest_id: str, text: str, at: int) -> None:
    """Adds a line; Conflict when the match has as many as are kept."""
    if (
        connection.scalar(select(func.count()).select_from(CHAT).where(CHAT.c.match_id == match_id)) or 0
    ) >= MOST_WORDS:
        raise Conflict("this match has been talked about enough")
    connection.execute(insert(CHAT).values(match_id=match_id, guest_id=guest_id, text=text, at=at))


def words_after(connection: Connection, match_id: str, viewer_id: str | None, after: int) -> list[Words]:
    """Lines after one, in order, as this viewer reads them: without those of people he has muted or blocked."""
    lines = (
        select(CHAT.c.id, SEAT.c.seat, SEAT.c.name, CHAT.c.text, CHAT.c.at)
        .join(SEAT, and_(SEAT.c.match_id == CHAT.c.match_id, SEAT.c.guest_id == CHAT.c.guest_id))
        .where(and_(CHAT.c.match_id == match_id, CHAT.c.id > after))
        .order_by(CHAT.c.id)
    )
    if viewer_id is not None:
        blocked = exists().where(and_(BLOCK.c.guest_id == viewer_id, BLOCK.c.other_id == CHAT.c.guest_id))
        lines = lines.where(~blocked)
        if is_muted(connection, match_id, viewer_id):
            lines = lines.where(CHAT.c.guest_id == viewer_id)
    return [Words(*row) for row in connection.execute(lines)]


def is_muted(connection: Connection, match_id: str, guest_id: str) -> bool:
    """Whether somebody does not want to read what others write in a match."""
    return bool(connection.scalar(select(exists().where(_mute(match_id, guest_id)))))


def set_muted(connection: Connection, match_id: str, guest_id: str, muted: bool) -> None:
    """Notes whether he does."""
    if not muted:
        connection.execute(delete(MUTE).where(_mute(match_id, guest_id)))
    elif not is_muted(connection, match_id, guest_id):
        connection.execute(insert(MUTE).values(match_id=match_id, guest_id=guest_id))


def _mute(match_id: str, guest_id: str) -> ColumnElement[bool]:
    return and_(MUTE.c.match_id == match_id, MUTE.c.guest_id == guest_id)


def put_report(connection: Connection, by_id: str, about_id: str, match_id: str | None, text: str, at: int) -> None:
    """Adds a report."""
    connection.execute(
        insert(REPORT).values(guest_id=by_id, about_id=about_id, match_id=match_id, text=text[:1000], at=at)
    )


def open_reports(connection: Connection) -> list[Report]:
    """Reports nobody has closed, the oldest first."""
    by, about = GUEST.alias("by"), GUEST.alias("about")
    rows = connection.execute(
        select(REPORT.c.id, by.c.name, about.c.name, REPORT.c.match_id, REPORT.c.text, REPORT.c.at)
        .join(by, by.c.id == REPORT.c.guest_id)
        .join(about, about.c.id == REPORT.c.about_id)
        .where(REPORT.c.closed_at.is_(None))
        .order_by(REPORT.c.id)
    )
    return [Report(*row) for row in rows]


def close_report(connection: Connection, report_id: int, now: int) -> bool:
    """Whether there was such an open report; it is closed."""
    wanted = and_(REPORT.c.id == report_id, REPORT.c.closed_at.is_(None))
    return connection.execute(update(REPORT).where(wanted).values(closed_at=now)).rowcount == 1
