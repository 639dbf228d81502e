"""Deadlines of matches, and the heartbeat that measures server downtime."""

from __future__ import annotations

import logging
from collections.abc import Collection
from contextlib import suppress
from functools import partial
from typing import Final

from barpoint.server.domain.settings import Settings
from barpoint.server.domain.time_control import DAY
from barpoint.server.live.adjournments import Adjournments
from barpoint.server.live.matches import Matches
from barpoint.server.live.scheduler import each
from barpoint.server.storage import deadlines as deadline_storage
from barpoint.server.storage.event_log import Conflict

LOG: Final = logging.getLogger("barpoint.server")

MAX_MISSED: Final = 3
"""Heartbeats that may fail or be late before the time counts as downtime."""

UNJOINED_MS: Final = 30 * DAY
"""How long a match waits for its other player."""

UNJOINED_S: Final = 600.0
"""Time between two looks for matches that nobody has joined."""

RECONNECT_MS: Final = 3_000
"""Given to the clocks of matches whose players must connect again, because the process that serves them stops."""


class Deadlines:
    """Applies deadlines. They are stored as `deadline_at` in the database, so they survive a restart."""

    def __init__(self, matches: Matches, adjournments: Adjournments, settings: Settings) -> None:
        self._matches, self._adjournments, self._settings = matches, adjournments, settings
        self._away = False

    async def start(self) -> None:
        """Extends running deadlines by the server's downtime."""
        alone = self._matches.store.backend == "sqlite"
        await self._add_downtime(0 if alone else 2 * self._settings.heartbeat_ms)

    async def expire(self) -> None:
        """Applies the deadline in every match where it has passed."""
        store, now = self._matches.store, self._matches.clock()
        if not await store.read(deadline_storage.is_due, now=now):
            return
        until = now + 2 * self._settings.scheduler_ms
        claimed = await store.write(deadline_storage.claim_due, now=now, until=until)
        await each(claimed, self._adjournments.expire, "deadlines of matches")

    async def call_off_unjoined(self) -> None:
        """Ends matches whose other player has not come for UNJOINED_MS."""

        async def call_off(match_id: str) -> None:
            with suppress(Conflict):  # another process did it, or somebody came just now
                await self._matches.call_off(match_id)

        before = self._matches.clock() - UNJOINED_MS
        found = await self._matches.store.read(deadline_storage.unjoined, before=before)
        await each(found, call_off, "matches nobody joined")

    async def beat(self) -> None:
        """Records a heartbeat; after failed ones, extends deadlines by the time without writes."""
        away, self._away = self._away, True
        if away:
            await self._add_downtime(MAX_MISSED * self._settings.heartbeat_ms)
        else:
            await self._matches.store.write(deadline_storage.beat, now=self._matches.clock())
        self._away = False

    async def give_time_to_reconnect(self, match_ids: Collection[str]) -> None:
        """Extends the deadlines of these matches, before this process closes their connections.

        If it is the only one, all deadlines are extended at the next start.
        """
        tell = self._matches.pubsub.outward
        if tell is None or not match_ids:
            return
        await self._matches.store.write(deadline_storage.extend, match_ids=match_ids, by_ms=RECONNECT_MS)
        for match_id in match_ids:
            tell(match_id)

    async def _add_downtime(self, tolerated_ms: int) -> None:
        work = partial(deadline_storage.add_downtime, now=self._matches.clock(), tolerated_ms=tolerated_ms)
        downtime = await self._matches.store.write(work)
        if downtime:
            LOG.info("back after %d ms; deadlines are that much later", downtime)
            await self._matches.pubsub.look_again()
