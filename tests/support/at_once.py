"""Two processes that write to one database at the same instant."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from typing import Any

from barpoint.server.storage.store import Store
from tests.support.machine import PATIENCE_S

OPEN_S = 0.3
"""How long the first transaction stays open, so that the other one reads the database before it is committed."""


async def at_once(store: Store, first: Callable[[], Awaitable[Any]], other: Callable[[], Awaitable[Any]]) -> list[Any]:
    """What both return or raise. store: of the first; the other one begins between its next write there and the commit."""
    begun, write = threading.Event(), store.write

    async def held(work: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        def open_for_long(connection: Any) -> Any:
            result = work(connection, *args, **kwargs)
            if not begun.is_set():
                begun.set()
                time.sleep(OPEN_S)
            return result

        return await write(open_for_long)

    store.write = held  # type: ignore[method-assign]
    try:
        task = asyncio.ensure_future(first())
        assert await asyncio.to_thread(begun.wait, PATIENCE_S), "the first one writes"
        return await asyncio.gather(task, other(), return_exceptions=True)
    finally:
        store.write = write  # type: ignore[method-assign]
