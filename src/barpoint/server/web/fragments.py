"""Parts of pages that the server sends again over a WebSocket when they change.

Not server-sent events: an open event stream counts against the browser's six connections per host, so a seventh tab
would hang. A server that stops also closes its WebSockets explicitly.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from barpoint.error import StoreError
from barpoint.server.domain.guests import Guest
from barpoint.server.live.connections import until_first
from barpoint.server.live.pubsub import seats_of
from barpoint.server.services import Services
from barpoint.server.web.connections import LOGGED_OUT, POLICY, SEND_S, leaves_when_logged_out
from barpoint.server.web.rendering import news_part

POLL_S: Final = 8.0
"""Time between two renderings without a notification."""

PAUSE_S: Final = 0.3
"""Changes within this time are sent together."""

Look = Callable[[], Awaitable[tuple[str, str | None]]]
"""The current part, and the path to redirect to, if any. After a StoreError it is tried again later."""


async def refuse_logged_out(websocket: WebSocket) -> None:
    """Accepts a connection of nobody with an account and closes it, because only an open one tells a page the reason."""
    with suppress(WebSocketDisconnect, RuntimeError):  # the client has gone
        await websocket.accept()
        await websocket.close(POLICY, LOGGED_OUT)


async def keep_fresh(
    websocket: WebSocket, services: Services, person: Guest | None, topics: tuple[str, ...], look: Look
) -> None:
    """Sends a part of a page at once and after every change, until the client goes; and what waits for a person with an account."""
    await websocket.accept()
    with services.presence.here(person.id if person else None):
        guard = leaves_when_logged_out(websocket, services, person)
        # each of these means that the client has gone, possibly during a send
        with suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
            await until_first(_listen(websocket), _tell(websocket, services, person, topics, look), guard)


async def _listen(websocket: WebSocket) -> None:
    """Waits for the end. Whatever the client sends asks whether the server is still there, which a pong answers."""
    while (await websocket.receive())["type"] != "websocket.disconnect":
        await _send(websocket, {"say": "pong"})
        await asyncio.sleep(PAUSE_S)


async def _tell(
    websocket: WebSocket, services: Services, person: Guest | None, topics: tuple[str, ...], look: Look
) -> None:
    changed, sent = asyncio.Event(), ""
    changed.set()
    follower = person if person is not None and person.registered else None
    own = (seats_of(follower.id),) if follower else ()
    told: str | None = None
    fresh = bool(own)

    def note(topic: str) -> None:
        nonlocal fresh
        fresh = fresh or topic in own
        changed.set()

    with services.pubsub.listening_to({*topics, *own}, note):
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(POLL_S):
                    await changed.wait()
            changed.clear()
            due, fresh = fresh, False
            try:
                html, to = await look()
                news = await news_part(services, follower) if follower is not None and due else told
            except StoreError:
                fresh = fresh or due
                continue
            if news is not None and news != told:
                await _send(websocket, {"say": "news", "html": news})
                told = news
            if to is not None:
                await _send(websocket, {"say": "go", "to": to})
            if html != sent:
                await _send(websocket, {"say": "part", "html": html})
                sent = html
            await asyncio.sleep(PAUSE_S)


async def _send(websocket: WebSocket, message: dict[str, str]) -> None:
    async with asyncio.timeout(SEND_S):
        await websocket.send_text(msgspec.json.encode(message).decode())
