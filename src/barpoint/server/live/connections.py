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


AskWho = Callable[[], Awaitable[Guest | None]]
"""Looks up who a client is now."""


async def logged_out(pubsub: PubSub, person: Guest | None, ask: AskWho) -> None:
    """Waits until the client is no longer this person: they logged out, registered or were banned.

    Changes by another process are seen within LOOK_AGAIN_S.
    """
    changed = asyncio.Event()
    with pubsub.listening(person_topic(person), lambda _: changed.set()):
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_AGAIN_S if looked_up_again(person) else None):
                    await changed.wait()
            changed.clear()
            if not await is_still(person, ask):
                return


def person_topic(person: Guest | None) -> str:
    """The topic under which a client may become somebody else."""
    return person_named(person.id) if person else ""


def looked_up_again(person: Guest | None) -> bool:
    """Whether a client may become somebody else without news of it."""
    return person is not None and person.registered


async def is_still(person: Guest | None, ask: AskWho) -> bool:
    """Whether a client is still this person; also if the database does not answer."""
    try:
        now = await ask()
    except StoreError:
        return True
    return now is not None and person is not None and now.id == person.id


async def until_first(main: Coroutine[None, None, None], *others: Coroutine[None, None, None]) -> None:
    """Runs all of these until one ends, and raises what that one raised; the others are always cancelled.

    main: runs in the task of the caller; each task takes memory, and a server has thousands of connections.
    """
    tasks = [asyncio.create_task(work) for work in others]
    running = True
    try:
        async with asyncio.timeout(None) as limit:

            def end(_: object) -> None:
                if running:
                    limit.reschedule(0)  # cancels main

            for task in tasks:
                task.add_done_callback(end)
            try:
                await main
            finally:
                running = False
    except TimeoutError:
        if not limit.expired():
            raise
    finally:
        ended = [task for task in tasks if task.done()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in ended:
        task.result()
