"""Chat at matches, around them and at chouettes, muting, and reports to administrators. All functions take an open connection."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Table,
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    select,
    update,
)

from barpoint.server.domain.limits import MAX_CHAT_LINES, MAX_REPORT_TEXT
from barpoint.server.domain.names import folded
from barpoint.server.storage.database import count, insert_where_absent
from barpoint.server.storage.event_log import Conflict
from barpoint.server.storage.prepared import PreparedSelect
from barpoint.server.storage.schema.accounts import ACCOUNT
from barpoint.server.storage.schema.chouettes import CHOUETTE_CHAT, CHOUETTE_MUTE, CHOUETTE_SEAT
from barpoint.server.storage.schema.lobby import BLOCK, CHAT, CHAT_REPORT, MUTE
from barpoint.server.storage.schema.matches import GUEST, SEAT


@dataclass(frozen=True, slots=True)
class StoredLine:
    """A line of chat. seat: the author's, None for who watches. at: ms since 1970. own: the reader has written it."""

    id: int
    seat: int | None
    name: str
    text: str
    at: int
    own: bool


@dataclass(frozen=True, slots=True)
class ChatReport:
    """A report to the administrators about a person."""

    id: int
    by: str
    about: str
    match_id: str | None
    text: str
    at: int


class Writers(StrEnum):
    """Who writes in a chat: whoever has a seat, whoever has none, or, without a look at that, everybody who is allowed to."""

    SEATED = "seated"
    WATCHING = "watching"
    ALLOWED = "allowed"


@dataclass(frozen=True, slots=True)
class Forum:
    """The tables of a kind of chat. place: the column of the match or chouette id; number: that of the seat.

    writers: whose lines count together. Whoever watches reads those of the players as well, and players read none of theirs.
    """

    chat: Table
    mute: Table
    seat: Table
    place: str
    number: str
    writers: Writers = Writers.ALLOWED

    def at(self, table: Table, place_id: str) -> ColumnElement[bool]:
        """The rows of one match or chouette."""
        return table.c[self.place] == place_id


AT_MATCH: Final = Forum(CHAT, MUTE, SEAT, "match_id", "seat", Writers.SEATED)
AROUND_MATCH: Final = Forum(CHAT, MUTE, SEAT, "match_id", "seat", Writers.WATCHING)
AT_CHOUETTE: Final = Forum(CHOUETTE_CHAT, CHOUETTE_MUTE, CHOUETTE_SEAT, "chouette_id", "player")


def put_line(
    connection: Connection, forum: Forum, place_id: str, guest_id: str, text: str, at: int, after: int | None = None
) -> int:
    """Adds a line and returns its id; Conflict if the chat is full. Where people watch, the oldest line goes instead: nobody
    closes a chat that strangers share.

    after: where its author has said the same after this line, nothing is added, and the id is that of what they said.
    """
    chat = forum.chat.c
    if after is not None:
        said = select(func.min(chat.id)).where(
            forum.at(forum.chat, place_id), chat.guest_id == guest_id, chat.text == text, chat.id > after
        )
        if (found := connection.execute(said).scalar_one()) is not None:
            return int(found)
    together = and_(forum.at(forum.chat, place_id), *_written_by(forum))
    if (many := count(connection, forum.chat, together)) >= MAX_CHAT_LINES:
        if forum.writers is not Writers.WATCHING:
            raise Conflict("enough has been said here")
        oldest = select(chat.id).where(together).order_by(chat.id).limit(many + 1 - MAX_CHAT_LINES)
        connection.execute(delete(forum.chat).where(chat.id.in_(connection.scalars(oldest).all())))
    line = {forum.place: place_id, "guest_id": guest_id, "text": text, "at": at}
    return int(connection.execute(insert(forum.chat).values(**line).returning(chat.id)).scalar_one())


def _written_by(forum: Forum) -> tuple[ColumnElement[bool], ...]:
    """A condition for lines that count together."""
    seated = exists().where(
        forum.seat.c[forum.place] == forum.chat.c[forum.place], forum.seat.c.guest_id == forum.chat.c.guest_id
    )
    return {Writers.SEATED: (seated,), Writers.WATCHING: (~seated,), Writers.ALLOWED: ()}[forum.writers]


def watcher_named(connection: Connection, match_id: str, name: str) -> str | None:
    """The id of whoever has that name, in any spelling that folds to it, and has written around a match without playing it."""
    written = select(CHAT.c.guest_id).join(ACCOUNT, ACCOUNT.c.id == CHAT.c.guest_id)
    mine = and_(AROUND_MATCH.at(CHAT, match_id), ACCOUNT.c.name_key == folded(name), *_written_by(AROUND_MATCH))
    return connection.scalar(written.where(mine).limit(1))


def lines_after(
    connection: Connection, forum: Forum, place_id: str, viewer_id: str | None, after: int
) -> tuple[list[StoredLine], bool]:
    """The lines after a given one, in order, as a viewer reads them, and whether they have muted the others.

    The lines of people whom they have muted or blocked are left out.
    """
    muted_rows, lines = _reading(forum)
    viewer = viewer_id or ""
    muted = bool(viewer and muted_rows.all(connection, place_id=place_id, viewer=viewer))
    rows = lines.all(connection, place_id=place_id, viewer=viewer, last=after)
    read = [row for row in rows if not muted or row.guest_id == viewer]
    return [StoredLine(row.id, row.number, row.name, row.text, row.at, row.guest_id == viewer) for row in read], muted


@cache
def _reading(forum: Forum) -> tuple[PreparedSelect, PreparedSelect]:
    """Whether :viewer has muted the chat of :place_id; its lines after :last, without those of people they block."""
    chat, seat = forum.chat.c, forum.seat.c
    place: BindParameter[str] = bindparam("place_id")
    viewer: BindParameter[str] = bindparam("viewer")
    blocked = exists().where(and_(BLOCK.c.guest_id == viewer, BLOCK.c.other_id == chat.guest_id))
    lines = (
        select(chat.id, seat[forum.number].label("number"), GUEST.c.name, chat.text, chat.at, chat.guest_id)
        .join(
            forum.seat,
            and_(forum.seat.c[forum.place] == place, seat.guest_id == chat.guest_id),
            isouter=forum.writers is Writers.WATCHING,
        )
        .join(GUEST, GUEST.c.id == chat.guest_id)
        .where(chat[forum.place] == place, chat.id > bindparam("last"), ~blocked)
        .order_by(chat.id)
    )
    mute = forum.mute.c
    muted = select(mute.guest_id).where(mute[forum.place] == place, mute.guest_id == viewer)
    return PreparedSelect(muted), PreparedSelect(lines)


def set_muted(connection: Connection, forum: Forum, place_id: str, guest_id: str, muted: bool) -> None:
    """Mutes or unmutes the chat for a person."""
    if not muted:
        connection.execute(delete(forum.mute).where(_mute(forum, place_id, guest_id)))
    else:
        insert_where_absent(connection, forum.mute, **{forum.place: place_id, "guest_id": guest_id})


def _mute(forum: Forum, place_id: str, guest_id: str) -> ColumnElement[bool]:
    return and_(forum.at(forum.mute, place_id), forum.mute.c.guest_id == guest_id)


def put_report(connection: Connection, by_id: str, about_id: str, match_id: str | None, text: str, at: int) -> None:
    """Adds a report."""
    connection.execute(
        insert(CHAT_REPORT).values(
            guest_id=by_id, about_id=about_id, match_id=match_id, text=text[:MAX_REPORT_TEXT], at=at
        )
    )


def open_reports(connection: Connection) -> list[ChatReport]:
    """Open reports, oldest first."""
    by, about = GUEST.alias("by"), GUEST.alias("about")
    rows = connection.execute(
        select(CHAT_REPORT.c.id, by.c.name, about.c.name, CHAT_REPORT.c.match_id, CHAT_REPORT.c.text, CHAT_REPORT.c.at)
        .join(by, by.c.id == CHAT_REPORT.c.guest_id)
        .join(about, about.c.id == CHAT_REPORT.c.about_id)
        .where(CHAT_REPORT.c.closed_at.is_(None))
        .order_by(CHAT_REPORT.c.id)
    )
    return [ChatReport(*row) for row in rows]


def close_report(connection: Connection, report_id: int, now: int) -> bool:
    """Closes a report; returns whether it was open."""
    wanted = and_(CHAT_REPORT.c.id == report_id, CHAT_REPORT.c.closed_at.is_(None))
    return connection.execute(update(CHAT_REPORT).where(wanted).values(closed_at=now)).rowcount == 1
