"""Periodic work: each in a task of its own, with the same handling of errors, stopped together."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from barpoint.error import StoreError

LOG: Final = logging.getLogger("barpoint.server")


class Scheduler:
    """Does work again and again until it is stopped."""

    def __init__(self) -> None:
        self._tasks: list[asyncio.Task[None]] = []

    def every(
        self, seconds: float, work: Callable[[], Awaitable[object]], name: str, *, wake: asyncio.Event | None = None
    ) -> None:
        """Does this work with a pause of so many seconds before each time. Work that fails is logged and done again.

        wake: ends the pause when it is set; the work clears it.
        """
        self._tasks.append(asyncio.create_task(_repeat(seconds, work, name, wake or asyncio.Event()), name=name))

    async def stop(self) -> None:
        """Stops all work where it is."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


async def _repeat(seconds: float, work: Callable[[], Awaitable[object]], name: str, wake: asyncio.Event) -> None:
    while True:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await wake.wait()
        try:
            await work()
        except StoreError as error:
            LOG.warning("%s: not done, the database refused: %s", name, error)
        except Exception:  # the outermost handler: it is done again after the pause
            LOG.exception("%s: not done", name)
