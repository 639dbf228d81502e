"""Presence: who has a connected page open."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from barpoint.server.live.pubsub import LOBBY, PubSub
from barpoint.server.storage import lobby as lobby_storage
from barpoint.server.storage.store import Store

NOTE_S: Final = 15.0
"""Time between two writes of presence: one write for all people."""

AWAY_MS: Final = 40_000
"""People not seen for this long count as gone."""


class Presence:
    """Records in the database who is connected to this process, so that every process knows.

    arrived: set when there is somebody to record.
    """

    def __init__(self, store: Store, clock: Callable[[], int], pubsub: PubSub) -> None:
        self._store, self._clock, self._pubsub = store, clock, pubsub
        self._here: Counter[str] = Counter()
        self._seen: set[str] = set()
        self._noted: frozenset[str] = frozenset()
        self.arrived = asyncio.Event()

    @contextmanager
    def here(self, person_id: str | None) -> Iterator[None]:
        """Marks this person as connected, for the duration of the context."""
        if person_id is None:
            yield
            return
        self.enter(person_id)
        try:
            yield
        finally:
            self.leave(person_id)

    def enter(self, person_id: str) -> None:
        """Marks this person as connected, until as many calls of `leave`."""
        self._here[person_id] += 1
        self.arrived.set()

    def leave(self, person_id: str) -> None:
        """Ends a connection of this person."""
        self._here[person_id] -= 1
        if not self._here[person_id]:
            del self._here[person_id]

    def seen(self, person_id: str) -> None:
        """Marks somebody as present who has just requested a page."""
        self._seen.add(person_id)
        self.arrived.set()

    @property
    def since(self) -> int:
        """People seen at this time or later are on line."""
        return self._clock() - AWAY_MS

    async def note(self) -> None:
        """Records new arrivals, or everybody present if there are none."""
        if not self.arrived.is_set():
            self._noted = frozenset()
        wanted = frozenset(self._here) - self._noted | self._seen
        self.arrived.clear()
        self._seen.clear()
        if not wanted:
            return
        now = self._clock()
        await self._store.write(lobby_storage.note_presence, guests=wanted, now=now)
        if not wanted <= self._noted:
            self._pubsub.publish(LOBBY)
        self._noted |= wanted & frozenset(self._here)
