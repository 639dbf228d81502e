"""Who is on line: whoever has a page open that is connected."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Final

from barpoint.error import StoreError
from barpoint.server.live.pubsub import LOBBY, PubSub
from barpoint.server.storage import lobby as lobby_storage
from barpoint.server.storage.store import Store

LOG: Final = logging.getLogger("barpoint.server")

NOTE_S: Final = 15.0
"""Time between two notes of who is here: one write for all of them."""

AWAY_MS: Final = 40_000
"""Who was not noted for so long has gone."""


class Presence:
    """Notes in the database who is connected to this process, so that every process knows."""

    def __init__(self, store: Store, clock: Callable[[], int], pubsub: PubSub) -> None:
        self._store, self._clock, self._pubsub = store, clock, pubsub
        self._here: Counter[str] = Counter()
        self._seen: set[str] = set()
        self._arrived = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begins to take notes."""
        self._task = asyncio.create_task(self._note(), name="presence")

    async def stop(self) -> None:
        """Ends it."""
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    @contextmanager
    def here(self, person_id: str | None) -> Iterator[None]:
        """While a connection of this person lasts."""
        if person_id is None:
            yield
            return
        self._here[person_id] += 1
        self._arrived.set()
        try:
            yield
        finally:
            self._here[person_id] -= 1
            if not self._here[person_id]:
                del self._here[person_id]

    def seen(self, person_id: str) -> None:
        """Somebody has asked for a page just now."""
        self._seen.add(person_id)
        self._arrived.set()

    @property
    def since(self) -> int:
        """Who was noted at this time or later is on line."""
        return self._clock() - AWAY_MS

    async def _note(self) -> None:
        noted: frozenset[str] = frozenset()
        while True:
            try:
                async with asyncio.timeout(NOTE_S):
                    await self._arrived.wait()
                wanted = frozenset(self._here) - noted | self._seen
            except TimeoutError:
                wanted, noted = frozenset(self._here) | self._seen, frozenset()
            self._arrived.clear()
            self._seen.clear()
            if not wanted:
                continue
            now = self._clock()
            try:
                await self._store.write(partial(lobby_storage.note_presence, guests=wanted, now=now))
                if not wanted <= noted:
                    self._pubsub.publish(LOBBY)
                noted |= wanted & frozenset(self._here)
            except StoreError as error:
                LOG.warning("who is here was not noted: %s", error)
            except Exception:  # the outermost handler: it is noted again soon
                LOG.exception("who is here was not noted")
