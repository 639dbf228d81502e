"""Messages from one person to another in the database. All functions take an open connection."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Row, and_, case, delete, func, insert, or_, select, update

from barpoint.server.domain.guests import Guest
from barpoint.server.domain.messages import MAX_KEPT, MAX_UNREAD, Conversation, Message
from barpoint.server.storage.database import count
from barpoint.server.storage.guests import person, select_people
from barpoint.server.storage.schema.lobby import BLOCK, FRIEND
from barpoint.server.storage.schema.matches import GUEST
from barpoint.server.storage.schema.messages import MESSAGE

_SHOWN: Final = (MESSAGE.c.id, MESSAGE.c.guest_id, MESSAGE.c.text, MESSAGE.c.at, MESSAGE.c.read_at)


def put_message(connection: Connection, by_id: str, to_id: str, text: str, now: int, *, read: bool = False) -> bool:
    """Stores a message, and forgets the oldest ones of these two beyond MAX_KEPT; False if too many wait to be read.

    The same text as in the author's latest message, while that is unread, is this one sent again: nothing is stored.
    """
    waiting = and_(_from(by_id, to_id), MESSAGE.c.read_at.is_(None))
    last = connection.execute(select(MESSAGE.c.text).where(waiting).order_by(MESSAGE.c.id.desc()).limit(1)).first()
    if last is not None and last.text == text:
        return True
    if count(connection, MESSAGE, waiting) >= MAX_UNREAD:
        return False
    values = {"guest_id": by_id, "other_id": to_id, "text": text, "at": now, "told": read}
    connection.execute(insert(MESSAGE).values(**values, read_at=now if read else None))
    newest = select(MESSAGE.c.id).where(_between(by_id, to_id)).order_by(MESSAGE.c.id.desc())
    if (oldest := connection.scalar(newest.offset(MAX_KEPT).limit(1))) is not None:
        connection.execute(delete(MESSAGE).where(_between(by_id, to_id), MESSAGE.c.id <= oldest))
    return True


def messages_between(
    connection: Connection, one_id: str, other_id: str, limit: int, before: int | None = None
) -> list[Message]:
    """The latest messages of two people, the oldest first. before: only those with smaller ids."""
    chosen = select(*_SHOWN).where(_between(one_id, other_id))
    chosen = chosen if before is None else chosen.where(MESSAGE.c.id < before)
    return [Message(*row) for row in connection.execute(chosen.order_by(MESSAGE.c.id.desc()).limit(limit))][::-1]


def conversations_of(connection: Connection, guest_id: str, limit: int) -> list[Conversation]:
    """Whom somebody has written to or heard from, the latest message first."""
    own = MESSAGE.c.guest_id == guest_id
    other = case((own, MESSAGE.c.other_id), else_=MESSAGE.c.guest_id)
    unread = case((_unread(guest_id), 1), else_=0)
    latest = (
        select(other.label("other_id"), func.max(MESSAGE.c.id).label("id"), func.sum(unread).label("unread"))
        .where(or_(own, MESSAGE.c.other_id == guest_id))
        .group_by(other)
        .order_by(func.max(MESSAGE.c.id).desc())
        .limit(limit)
        .subquery()
    )
    rows = connection.execute(
        select_people(*_SHOWN, latest.c.unread)
        .join(latest, latest.c.other_id == GUEST.c.id)
        .join(MESSAGE, MESSAGE.c.id == latest.c.id)
        .order_by(latest.c.id.desc())
    )
    return [Conversation(person(row), _message(row), int(row.unread)) for row in rows]


def mark_read(connection: Connection, guest_id: str, by_id: str, last: int, now: int) -> bool:
    """Marks what somebody has from another person as read, up to a message; returns whether anything was not."""
    unread = and_(_from(by_id, guest_id), MESSAGE.c.read_at.is_(None), MESSAGE.c.id <= last)
    return connection.execute(update(MESSAGE).where(unread).values(read_at=now, told=True)).rowcount > 0


def take_unread(connection: Connection, guest_id: str, now: int) -> list[tuple[Guest, Message]]:
    """What somebody has not read yet, with its authors, in order; it is marked as read."""
    unread = _unread(guest_id)
    rows = connection.execute(
        select_people(*_SHOWN).join(MESSAGE, MESSAGE.c.guest_id == GUEST.c.id).where(unread).order_by(MESSAGE.c.id)
    ).all()
    ids = [row.id for row in rows]
    connection.execute(update(MESSAGE).where(MESSAGE.c.id.in_(ids)).values(read_at=now, told=True))
    return [(person(row), _message(row)) for row in rows]


def unread_from(connection: Connection, guest_id: str, limit: int) -> list[tuple[str, int]]:
    """The names of those whose messages somebody has not read yet, and when each wrote last, the latest first."""
    names = select(GUEST.c.name, func.max(MESSAGE.c.at)).join(MESSAGE, MESSAGE.c.guest_id == GUEST.c.id)
    latest = names.where(_unread(guest_id)).group_by(GUEST.c.id, GUEST.c.name).order_by(func.max(MESSAGE.c.id).desc())
    return [(name, at) for name, at in connection.execute(latest.limit(limit))]


def are_acquainted(connection: Connection, one_id: str, other_id: str) -> bool:
    """Whether two people have written to each other, or the second has the first among their friends."""
    friend = and_(FRIEND.c.guest_id == other_id, FRIEND.c.other_id == one_id)
    return any(
        count(connection, table, how) for table, how in ((MESSAGE, _between(one_id, other_id)), (FRIEND, friend))
    )


def _unread(guest_id: str) -> ColumnElement[bool]:
    """Messages that somebody has not read yet, without those of people they have blocked."""
    blocked = select(BLOCK.c.other_id).where(BLOCK.c.guest_id == guest_id)
    return and_(MESSAGE.c.other_id == guest_id, MESSAGE.c.read_at.is_(None), MESSAGE.c.guest_id.not_in(blocked))


def _message(row: Row[Any]) -> Message:
    return Message(row.id, row.guest_id, row.text, row.at, row.read_at)


def _from(by_id: str, to_id: str) -> ColumnElement[bool]:
    return and_(MESSAGE.c.guest_id == by_id, MESSAGE.c.other_id == to_id)


def _between(one_id: str, other_id: str) -> ColumnElement[bool]:
    return or_(_from(one_id, other_id), _from(other_id, one_id))
