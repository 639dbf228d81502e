"""When a connection ends: with the session it belongs to, or with the first of its tasks."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Final

from barpoint.error import StoreError
from barpoint.server.domain.guests import Guest
from barpoint.server.live.pubsub import PubSub, person_named

LOOK_AGAIN_S: Final = 10.0
"""Time between two checks whether a session is still valid."""


async def logged_out(pubsub: PubSub, person: Guest | None, ask: Callable[[], Awaitable[Guest | None]]) -> None:
    """Waits until the client is no longer this person: they logged out, registered or were banned.

    ask: looks up the person. Changes by another process are seen within LOOK_AGAIN_S.
    """
    changed = asyncio.Event()
    topic = person_named(person.id) if person else ""
    with pubsub.listening(topic, lambda _: changed.set()):
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_AGAIN_S if person and person.registered else None):
                    await changed.wait()
            changed.clear()
            try:
                now = await ask()
            except StoreError:
                continue
            if now is None or person is None or now.id != person.id:
                return


async def until_first(*works: Coroutine[None, None, None]) -> None:
    """Runs all of these until one ends, and raises what that one raised; the others are always cancelled."""
    tasks = {asyncio.create_task(work) for work in works}
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()
