"""Periodic work: each in its own task, with the same error handling, stopped together."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from typing import Final

from barpoint.error import StoreError
from barpoint.server.telemetry import OutageLog

LOG: Final = logging.getLogger("barpoint.server")


class Scheduler:
    """Repeats work until it is stopped."""

    def __init__(self) -> None:
        self._tasks: list[asyncio.Task[None]] = []

    def every(
        self, seconds: float, work: Callable[[], Awaitable[object]], name: str, *, wake: asyncio.Event | None = None
    ) -> None:
        """Runs this work repeatedly, with a pause before each run. A failed run is logged, and the work continues.

        wake: ends the pause when set; the work clears it.
        """
        self._tasks.append(asyncio.create_task(_repeat(seconds, work, name, wake or asyncio.Event()), name=name))

    async def stop(self) -> None:
        """Stops all work at once."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


async def each(ids: Iterable[str], work: Callable[[str], Awaitable[object]], name: str) -> None:
    """Does work for each of these, one after the other. One that fails is logged, and does not delay the others."""
    for one in ids:
        try:
            await work(one)
        except StoreError as error:
            LOG.warning("%s: not done for %s: %s", name, one, error)
        except Exception:  # the outermost handler: the work runs again for what is not done
            LOG.exception("%s: not done for %s", name, one)


async def _repeat(seconds: float, work: Callable[[], Awaitable[object]], name: str, wake: asyncio.Event) -> None:
    outage = OutageLog(name)
    while True:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await wake.wait()
        try:
            await work()
        except StoreError as error:
            outage.failed(str(error))
        except Exception:  # the outermost handler: the work runs again after the pause
            LOG.exception("%s: not done", name)
        else:
            outage.worked()
