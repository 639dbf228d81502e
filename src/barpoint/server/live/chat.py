"""Chat: the players of a match and of a chouette write; everybody there reads, and anybody may mute it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import Final

from sqlalchemy import Connection

from barpoint.error import BarpointError, StoreError
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.limits import Credits
from barpoint.server.domain.matches import MatchHeader, SeatKind
from barpoint.server.live.event_log import ForeignSeat
from barpoint.server.live.matches import Matches
from barpoint.server.live.pubsub import PubSub, chat_of
from barpoint.server.protocol.matches import MAX_WORDS, ChatLine, ChatLines
from barpoint.server.storage import chat as chat_storage
from barpoint.server.storage.chat import AT_MATCH, Forum
from barpoint.server.storage.store import Store

MAX_REPORT: Final = 1000
"""Characters of a report about somebody."""


class WordsRefused(BarpointError):
    """This cannot be said now."""


def clean_words(text: str) -> str:
    """A line as it is kept: printable, spaces joined, bounded; "" when nothing is left."""
    printable = "".join(character if character.isprintable() else " " for character in text)
    return re.sub(r"\s+", " ", printable).strip()[:MAX_WORDS]


def other_player(header: MatchHeader, person: Guest | None) -> str | None:
    """The id of whom this person plays in a match; None where they do not play, or play nobody who could read."""
    seat = header.seat_of(person.id if person else None)
    if seat not in (0, 1) or header.by_hand:
        return None
    other = header.seats[1 - seat]
    return other.guest if other.kind is SeatKind.GUEST else None


def clean_report(text: str) -> str:
    """A report as it is kept: lines stay, control characters go."""
    kept = "".join(character for character in text if character.isprintable() or character == "\n")
    return kept.strip()[:MAX_REPORT]


class Chat:
    """What is said at matches and chouettes. words: how many lines a person may write at once."""

    def __init__(self, store: Store, pubsub: PubSub, matches: Matches, words: Credits) -> None:
        self._store, self._pubsub, self._matches, self._words = store, pubsub, matches, words

    async def say(self, match_id: str, person: Guest | None, text: str) -> None:
        """Says something at a match. ForeignSeat for who only watches, WordsRefused for too much at once or nothing."""
        header = (await self._matches.live_match(match_id)).header
        if person is None or other_player(header, person) is None:
            raise ForeignSeat("the two players of a match write; whoever watches reads")
        await self.put(AT_MATCH, match_id, person, text)

    async def put(self, forum: Forum, place_id: str, person: Guest, text: str) -> None:
        """Writes a line of somebody who may write there; WordsRefused for too much at once or nothing."""
        words = clean_words(text)
        if not words:
            raise WordsRefused("nothing was said")
        if not self._words.spend(person.id):
            raise WordsRefused("too many lines at once; wait a little")
        now = self._matches.clock()
        await self._store.write(lambda c: chat_storage.put_words(c, forum, place_id, person.id, words, now))
        self._pubsub.publish(chat_of(place_id))

    async def mute(self, forum: Forum, place_id: str, person: Guest | None, muted: bool) -> ChatLines:
        """Notes whether somebody wants to read what others write, and says so; ForeignSeat for nobody."""
        if person is None:
            raise ForeignSeat("only somebody who is known can mute what others say")
        await self._store.write(lambda c: chat_storage.set_muted(c, forum, place_id, person.id, muted))
        return ChatLines((), muted)

    async def heard(self, forum: Forum, place_id: str, person: Guest | None, after: int) -> ChatLines:
        """What was said after a line, as this person reads it."""
        viewer = person.id if person else None

        def work(connection: Connection) -> ChatLines:
            muted = viewer is not None and chat_storage.is_muted(connection, forum, place_id, viewer)
            lines = chat_storage.words_after(connection, forum, place_id, viewer, after)
            return ChatLines(tuple(ChatLine(one.id, one.seat, one.name, one.text, one.at) for one in lines), muted)

        return await self._store.read(work)

    async def follow(
        self, forum: Forum, place_id: str, person: Guest | None, send: Callable[[ChatLines], Awaitable[None]]
    ) -> None:
        """Sends what is said, from the first line on, for ever."""
        said, last, first = asyncio.Event(), 0, True
        said.set()
        with self._pubsub.listening(chat_of(place_id), lambda _: said.set()):
            while True:
                await said.wait()
                said.clear()
                try:
                    told = await self.heard(forum, place_id, person, last)
                except StoreError:
                    continue
                if told.lines or (first and told.muted):
                    last = max((line.id for line in told.lines), default=last)
                    await send(told)
                first = False
