"""Messages between people with accounts: written and read, and told to pages that are open."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection

from barpoint.error import BarpointError
from barpoint.language import N_
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.limits import MAX_MESSAGE_TEXT, Allowance
from barpoint.server.domain.messages import Message
from barpoint.server.domain.plain_text import clean_lines
from barpoint.server.live.matches import Matches
from barpoint.server.live.pubsub import seats_of
from barpoint.server.storage import messages as message_storage
from barpoint.server.storage.lobby import kept_apart

APART: Final = N_("you two do not write to each other")


class MessageRefused(BarpointError):
    """A message that is not allowed now."""


async def write(matches: Matches, allowance: Allowance, by: Guest, to: Guest, text: str, *, read: bool = False) -> None:
    """Writes to somebody. read: they read it as it is written.

    MessageRefused: an empty or long text, too much at once or unread, or one of them has blocked the other.
    """
    written = clean_lines(text)
    if not 1 <= len(written) <= MAX_MESSAGE_TEXT:
        raise MessageRefused(
            "a message of %(count)s characters; allowed: 1 to %(most)s", count=len(written), most=MAX_MESSAGE_TEXT
        )
    if to.bot or not to.registered:
        raise MessageRefused("%(name)s reads no messages", name=to.shown_name)
    acquainted = await matches.store.read(message_storage.are_acquainted, by.id, to.id)
    if not allowance.chat.spend(by.id) or not (acquainted or allowance.strangers.spend(by.id)):
        raise MessageRefused("too many messages at once; wait a little")
    now = matches.clock()

    def work(connection: Connection) -> None:
        if to.id == by.id or to.id in kept_apart(connection, by.id):
            raise MessageRefused(APART)
        if not message_storage.put_message(connection, by.id, to.id, written, now, read=read):
            raise MessageRefused("%(name)s has not read your messages yet; wait until then", name=to.shown_name)

    await matches.store.write(work)
    for one in (to, by):
        matches.pubsub.publish(seats_of(one.id))


async def mark_read(matches: Matches, reader: Guest, by: Guest, last: int) -> None:
    """Marks what somebody has from another person as read, up to a message."""
    if await matches.store.write(message_storage.mark_read, reader.id, by.id, last, matches.clock()):
        matches.pubsub.publish(seats_of(reader.id))


async def take_unread(matches: Matches, reader: Guest) -> list[tuple[Guest, Message]]:
    """What somebody has not read yet, with its authors, in order; it is marked as read."""
    if not await matches.store.read(message_storage.unread_from, reader.id, 1):
        return []
    found = await matches.store.write(message_storage.take_unread, reader.id, matches.clock())
    matches.pubsub.publish(seats_of(reader.id))
    return found
