"""Chat of matches and chouettes: the players write, everybody present reads, and anybody may mute it.

Whoever watches a match with an account writes, too, for the others who do; everybody else reads that once it is over.
"""

from __future__ import annotations

import re

from sqlalchemy import Connection

from barpoint.error import BarpointError, StoreError
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.limits import MAX_CHAT_TEXT, MAX_REPORT_TEXT, Credits
from barpoint.server.domain.matches import MatchHeader, SeatKind
from barpoint.server.domain.plain_text import clean_lines
from barpoint.server.domain.seat_names import person_name
from barpoint.server.live.event_log import ForeignSeat
from barpoint.server.live.live_match import LiveMatch
from barpoint.server.live.matches import Matches
from barpoint.server.live.pubsub import PubSub, chat_of, seats_of
from barpoint.server.protocol.matches import ChatLine, ChatLines
from barpoint.server.storage import chat as chat_storage
from barpoint.server.storage import lobby as lobby_storage
from barpoint.server.storage import players as player_storage
from barpoint.server.storage.chat import AROUND_MATCH, AT_MATCH, Forum
from barpoint.server.storage.store import Store


class ChatRefused(BarpointError):
    """A line that is not allowed now."""


def clean_text(text: str) -> str:
    """A line as stored: printable, whitespace joined, bounded; "" for an empty line."""
    printable = "".join(character if character.isprintable() else " " for character in text)
    return re.sub(r"\s+", " ", printable).strip()[:MAX_CHAT_TEXT]


def other_player(header: MatchHeader, person: Guest | None) -> str | None:
    """The id of this person's opponent in a match; None if they do not play, or play nobody who could read."""
    seat = header.seat_of(person.id if person else None)
    if seat not in (0, 1) or header.by_hand:
        return None
    other = header.seats[1 - seat]
    return other.guest if other.kind is SeatKind.GUEST else None


def may_write_around(header: MatchHeader, person: Guest | None) -> bool:
    """Whether somebody may write where those do who watch a match: they have an account, and do not play."""
    return person is not None and person.registered and header.seat_of(person.id) is None


def forum_for(live_match: LiveMatch, person: Guest | None) -> Forum:
    """The chat of a match that a viewer reads: that of those who watch only who writes there, and everybody once it is over.

    Who is nobody known may be a player in another window, to whom what they write would be advice.
    """
    reads = live_match.match.over or may_write_around(live_match.header, person)
    return AROUND_MATCH if reads else AT_MATCH


def clean_report(text: str) -> str:
    """A report as stored."""
    return clean_lines(text)[:MAX_REPORT_TEXT]


class Chat:
    """The chat of matches and chouettes. allowance: how many lines a person may write at once."""

    def __init__(self, store: Store, pubsub: PubSub, matches: Matches, allowance: Credits) -> None:
        self._store, self._pubsub, self._matches, self._allowance = store, pubsub, matches, allowance

    async def say(self, match_id: str, person: Guest | None, text: str, after: int | None = None) -> int:
        """Posts a line at a match, or around it for who watches, as `put`. ForeignSeat for who may not write, ChatRefused as there."""
        header = (await self._matches.live_match(match_id)).header
        if person is not None and other_player(header, person) is not None:
            return await self.put(AT_MATCH, match_id, person, text, after)
        if not may_write_around(header, person):
            raise ForeignSeat("the two players of a match write, and whoever watches it with an account")
        assert person is not None, "they have an account"
        return await self.put(AROUND_MATCH, match_id, person, text, after)

    async def put(self, forum: Forum, place_id: str, person: Guest, text: str, after: int | None = None) -> int:
        """Stores a line of somebody who may write there, and returns its id; ChatRefused for too much at once or an
        empty line.

        after: the last line they knew. The same text of theirs after it is this one, sent again: nothing is stored.
        """
        line = clean_text(text)
        if not line:
            raise ChatRefused("nothing was said")
        if not self._allowance.spend(person.id):
            raise ChatRefused("too many lines at once; wait a little")
        now = self._matches.clock()
        line_id = await self._store.write(chat_storage.put_line, forum, place_id, person.id, line, now, after)
        self._pubsub.publish(chat_of(place_id))
        return line_id

    async def mute(self, forum: Forum, place_id: str, person: Guest | None, muted: bool) -> ChatLines:
        """Mutes or unmutes the other writers for somebody, and returns the new state; ForeignSeat without a person."""
        if person is None:
            raise ForeignSeat("only somebody who is known can mute what others say")
        await self._store.write(chat_storage.set_muted, forum, place_id, person.id, muted)
        return ChatLines((), muted)

    async def block(self, by: Guest, other_id: str) -> None:
        """Keeps somebody from the chat, lobby and invitations of another, who is then no friend of theirs."""

        def work(connection: Connection) -> None:
            player_storage.remove_friend(connection, by.id, other_id)
            lobby_storage.put_block(connection, by.id, other_id, self._matches.clock())

        await self._store.write(work)
        self._blocks_changed(by.id, other_id)

    async def unblock(self, by: Guest, other_id: str) -> None:
        """Takes a block back."""
        await self._store.write(lobby_storage.remove_block, by.id, other_id)
        self._blocks_changed(by.id, other_id)

    def _blocks_changed(self, *persons: str) -> None:
        for person_id in persons:
            self._pubsub.publish(seats_of(person_id))

    async def heard(self, forum: Forum, place_id: str, person: Guest | None, after: int) -> ChatLines:
        """The lines after a given one, as this person reads them."""
        viewer = person.id if person else None
        lines, muted = await self._store.read(chat_storage.lines_after, forum, place_id, viewer, after)
        told = (ChatLine(one.id, one.seat, person_name(one.name), one.text, one.at, one.own) for one in lines)
        return ChatLines(tuple(told), muted)


class ChatFeed:
    """A chat as one reader gets it, from its first line on."""

    __slots__ = ("_begun", "_chat", "_last", "_person", "_place_id", "forum")

    def __init__(self, chat: Chat, forum: Forum, place_id: str, person: Guest | None) -> None:
        self._chat, self.forum, self._place_id, self._person = chat, forum, place_id, person
        self._last, self._begun = 0, False

    async def mute(self, muted: bool) -> ChatLines:
        """Mutes or unmutes the other writers for this reader, and returns the new state, which `news` need not tell."""
        self._begun = True
        return await self._chat.mute(self.forum, self._place_id, self._person, muted)

    async def news(self) -> ChatLines | None:
        """The lines since the last call; None if there are none, or if the database does not answer. The first call also tells whether the others are muted."""
        try:
            told = await self._chat.heard(self.forum, self._place_id, self._person, self._last)
        except StoreError:
            return None
        begun, self._begun = self._begun, True
        self._last = max((line.id for line in told.lines), default=self._last)
        return told if told.lines or not begun else None
