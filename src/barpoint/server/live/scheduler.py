"""What happens by the clock: deadlines that have passed, and the note that the server lives."""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import Final

from barpoint.error import StoreError
from barpoint.server.domain.settings import Settings
from barpoint.server.live.adjournments import Adjournments
from barpoint.server.live.matches import Matches
from barpoint.server.storage import deadlines as deadline_storage

LOG: Final = logging.getLogger("barpoint.server")

MISSED: Final = 3
"""Notes of life that may fail, or be late, before the time counts as one in which nobody could act."""


class Scheduler:
    """Looks for what is due. The truth is `deadline_at` in the database, so that no restart forgets it."""

    def __init__(self, matches: Matches, adjournments: Adjournments, settings: Settings) -> None:
        self._matches, self._adjournments, self._settings = matches, adjournments, settings
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Gives running deadlines the time back in which nobody could act, then begins to look."""
        alone = self._matches.store.backend == "sqlite"
        await self._give_back(0 if alone else 2 * self._settings.heartbeat_ms)
        self._tasks = [asyncio.create_task(self._sweep()), asyncio.create_task(self._beat())]

    async def stop(self) -> None:
        """Stops looking."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _give_back(self, tolerated_ms: int) -> None:
        now = self._matches.clock()
        work = partial(deadline_storage.add_downtime, now=now, tolerated_ms=tolerated_ms)
        downtime = await self._matches.store.write(work)
        if downtime:
            LOG.info("back after %d ms; deadlines are that much later", downtime)
            await self._matches.look_again()

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(self._settings.sweep_ms / 1000)
            try:
                await self._look()
            except StoreError as error:
                LOG.warning("deadlines are not looked at: %s", error)
            except Exception:  # the outermost handler: what fails now is looked at again
                LOG.exception("deadlines are not looked at")

    async def _look(self) -> None:
        store, now = self._matches.store, self._matches.clock()
        if not await store.read(partial(deadline_storage.is_due, now=now)):
            return
        until = now + 2 * self._settings.sweep_ms
        for match_id in await store.write(partial(deadline_storage.claim_due, now=now, until=until)):
            await self._adjournments.expire(match_id)

    async def _beat(self) -> None:
        away = False
        while True:
            try:
                if away:
                    await self._give_back(MISSED * self._settings.heartbeat_ms)
                else:
                    await self._matches.store.write(partial(deadline_storage.beat, now=self._matches.clock()))
                away = False
            except Exception as error:  # noqa: BLE001 - as above
                away = True
                LOG.warning("no note of life: %s", error)
            await asyncio.sleep(self._settings.heartbeat_ms / 1000)
