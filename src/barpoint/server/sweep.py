"""What happens by the clock: deadlines that have passed, and the note that the server lives."""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import Final

from barpoint.server import archive
from barpoint.server.hall import Hall
from barpoint.server.setting import Setting

LOG: Final = logging.getLogger("barpoint.server")


class Sweeper:
    """Looks for what is due. The truth is `deadline_at` in the database, so that no restart forgets it."""

    def __init__(self, hall: Hall, setting: Setting) -> None:
        self._hall, self._setting = hall, setting
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Gives running deadlines the time back in which nobody could act, then begins to look."""
        now = self._hall.clock()
        downtime = await self._hall.store.write(lambda connection: archive.add_downtime(connection, now))
        if downtime:
            LOG.info("back after %d ms", downtime)
        self._tasks = [asyncio.create_task(self._sweep()), asyncio.create_task(self._beat())]

    async def stop(self) -> None:
        """Stops looking."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(self._setting.sweep_ms / 1000)
            try:
                now = self._hall.clock()
                for match_id in await self._hall.store.read(partial(archive.matches_due, now=now)):
                    await self._hall.expire(match_id)
            except Exception:  # the outermost handler: what fails now is looked at again
                LOG.exception("deadlines are not looked at")

    async def _beat(self) -> None:
        while True:
            try:
                await self._hall.store.write(partial(archive.beat, now=self._hall.clock()))
            except Exception:  # as above
                LOG.exception("no note of life")
            await asyncio.sleep(self._setting.heartbeat_ms / 1000)
