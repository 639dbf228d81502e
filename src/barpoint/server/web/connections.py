"""A WebSocket connection: its limits on messages and slow readers, and the refusals it sends."""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final, Generic, Protocol, TypeVar
from urllib.parse import urlsplit

from starlette.websockets import WebSocket, WebSocketDisconnect

from barpoint.error import BarpointError, FormatError, IllegalEvent, IllegalMove, StoreError, StoreFull
from barpoint.language import _
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.limits import Credit
from barpoint.server.live.chat import ChatFeed
from barpoint.server.live.connections import (
    LOOK_AGAIN_S,
    is_still,
    logged_out,
    looked_up_again,
    person_topic,
    until_first,
)
from barpoint.server.live.event_log import ForeignSeat, StaleCommand
from barpoint.server.live.pubsub import chat_of
from barpoint.server.protocol.matches import PROTOCOL, AnswerBase, Refused, write_answer
from barpoint.server.services import Services, service_of
from barpoint.server.storage.chat import Forum
from barpoint.server.storage.event_log import Conflict

LOG: Final = logging.getLogger("barpoint.server")


class Greeting(Protocol):
    """A first message."""

    @property
    def protocol(self) -> int:
        """The version of the protocol that the client speaks."""


ClientMessage = TypeVar("ClientMessage")
Target = TypeVar("Target")
Joining = TypeVar("Joining", bound=Greeting)

JOIN_S: Final = 10.0
"""Time limit for the first message."""

SEND_S: Final = 20.0
"""Time limit for a reader to accept a message; a slower one is disconnected and resumes from its last event."""

BURST: Final = 60
PER_SECOND: Final = 20
"""Limits on messages of one connection: a burst, and a rate per second."""

MAX_ERRORS: Final = 20
"""Unreadable messages after which the server closes a connection."""

POLICY: Final = 1008
LOGGED_OUT: Final = "logged out"
TRY_AGAIN: Final = 1013


def same_origin(websocket: WebSocket) -> bool:
    """Whether the request comes from a page of this server; clients other than browsers send no origin."""
    origin, host = websocket.headers.get("origin"), websocket.headers.get("host")
    return origin is None or (host is not None and urlsplit(origin).netloc == host)


async def leaves_when_logged_out(websocket: WebSocket, services: Services, person: Guest | None) -> None:
    """Closes a connection once its cookies no longer identify this person, then returns."""
    await logged_out(services.pubsub, person, lambda: services.guest(websocket.cookies))
    await websocket.close(POLICY, LOGGED_OUT)


async def serve_connection(
    websocket: WebSocket,
    find: Callable[[Services], Awaitable[Target]],
    unknown: type[Exception],
    connection: Callable[[WebSocket, Services, Target, Guest | None], Connection[Any]],
) -> None:
    """Serves one connection until it ends; rejects other origins, and targets that find() does not know."""
    if not same_origin(websocket):
        await websocket.close(POLICY)
        return
    services = service_of(websocket)
    try:
        found = await find(services)
        person = await services.guest(websocket.cookies)
    except unknown:
        await websocket.close(POLICY)
        return
    except StoreError as error:
        LOG.warning("a connection was refused: %s", error)
        await websocket.close(TRY_AGAIN)
        return
    await websocket.accept()
    try:
        with services.presence.here(person.id if person else None), services.store.metrics.sockets.track_inprogress():
            await connection(websocket, services, found, person).serve()
    except (WebSocketDisconnect, RuntimeError):  # the client has gone, possibly during a send
        return


class Connection(ABC, Generic[ClientMessage]):
    """An accepted connection. read: parses a message from a frame, FormatError."""

    def __init__(
        self,
        websocket: WebSocket,
        services: Services,
        person: Guest | None,
        read: Callable[[str | bytes], ClientMessage],
    ) -> None:
        self._websocket, self._services, self._person, self._read = websocket, services, person, read
        self._sending = asyncio.Lock()
        self._credit = Credit(BURST, PER_SECOND, BURST, asyncio.get_running_loop().time())
        self._errors = 0
        self._changed, self._fresh = asyncio.Event(), set[str]()

    async def first(self) -> ClientMessage | None:
        """The first message; None after closing the connection, if none arrives in time or it is unreadable."""
        try:
            async with asyncio.timeout(JOIN_S):
                said = await self._receive()
        except TimeoutError:
            await self.end("nothing was said")
            return None
        if said is None:
            await self.end("join first")
        return said

    @abstractmethod
    async def serve(self) -> None:
        """Serves the connection until it ends."""

    async def joined(self, kind: type[Joining]) -> Joining | None:
        """The join message that every connection starts with; None after closing the connection if it is invalid."""
        said = await self.first()
        if said is None:
            return None
        if not isinstance(said, kind):
            await self.refuse(None, "join_first", _("the first message of a connection is join"))
            await self.end("join first")
            return None
        if said.protocol != PROTOCOL:
            await self.refuse(None, "protocol", f"protocol {said.protocol}; this server speaks {PROTOCOL}")
            await self.end("protocol")
            return None
        return said

    async def end(self, reason: str) -> None:
        """Closes the connection."""
        await self._websocket.close(POLICY, reason)

    async def follow(
        self,
        topic: str,
        forum: Forum,
        place_id: str,
        news: Callable[[], Awaitable[AnswerBase | None]],
        answer: Callable[[ClientMessage], Coroutine[None, None, None]],
    ) -> None:
        """Sends the state and the chat of a place and what is new there, and answers messages, until the client goes.

        news: the state, None if it is what the client has. topic: of its changes.
        """
        feed = ChatFeed(self._services.chat, forum, place_id, self._person)
        chat = chat_of(place_id)
        with self._services.pubsub.listening_to((topic, chat, person_topic(self._person)), self._hear):
            self._hear(topic)
            self._hear(chat)
            await until_first(self.listen(answer), self._tell(topic, news, chat, feed))

    def _hear(self, topic: str) -> None:
        self._fresh.add(topic)
        self._changed.set()

    async def _tell(
        self, topic: str, news: Callable[[], Awaitable[AnswerBase | None]], chat: str, feed: ChatFeed
    ) -> None:
        """Sends what is new whenever something changes, until the client is another person.

        A slow reader skips intermediate states.
        """
        loop, person = asyncio.get_running_loop(), person_topic(self._person)
        look_at = loop.time() + LOOK_AGAIN_S if looked_up_again(self._person) else None
        while True:
            try:
                async with asyncio.timeout_at(look_at):
                    await self._changed.wait()
            except TimeoutError:
                self._fresh.add(person)
                look_at = loop.time() + LOOK_AGAIN_S
            self._changed.clear()
            fresh, self._fresh = self._fresh, set()
            if topic in fresh:
                await self._send_any(await news())
            if chat in fresh:
                await self._send_any(await feed.news())
            if person in fresh and not await is_still(self._person, self._ask):
                await self._websocket.close(POLICY, LOGGED_OUT)
                return

    def _ask(self) -> Awaitable[Guest | None]:
        return self._services.guest(self._websocket.cookies)

    async def _send_any(self, answer: AnswerBase | None) -> None:
        if answer is not None:
            await self.send(answer)

    async def listen(self, answer: Callable[[ClientMessage], Coroutine[None, None, None]]) -> None:
        """Reads and answers messages until the connection ends or must be closed."""
        while True:
            said = await self._receive()
            if not self._credit.spend(asyncio.get_running_loop().time()):
                await self.end("too many messages")
                return
            if said is None:
                self._errors += 1
                if self._errors >= MAX_ERRORS:
                    await self.end("too many errors")
                    return
                continue
            await answer(said)

    async def _receive(self) -> ClientMessage | None:
        """The next message; None for an unreadable one, after telling the client."""
        message = await self._websocket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1005))
        try:
            return self._read(message.get("text") or message.get("bytes") or b"")
        except FormatError as error:
            await self.refuse(None, "format", error.translated())
            return None

    async def attempt(self, command_id: str | None, work: Coroutine[None, None, AnswerBase | None]) -> None:
        """Executes a command, and sends its result or the reason for its refusal."""
        try:
            answer = await work
        except StaleCommand as error:
            answer = Refused(command_id, "stale", error.translated())
        except ForeignSeat as error:
            answer = Refused(command_id, "seat", error.translated())
        except (IllegalEvent, IllegalMove) as error:
            answer = Refused(command_id, "illegal", error.translated())
        except Conflict as error:
            answer = Refused(command_id, "conflict", error.translated())
        except StoreFull as error:
            answer = Refused(command_id, "store", error.translated())
        except StoreError:
            answer = Refused(command_id, "store", _("the database does not answer; nothing was changed, try again"))
        except BarpointError as error:
            answer = Refused(command_id, "refused", error.translated())
        await self._send_any(answer)

    async def refuse(self, command_id: str | None, code: str, message: str) -> None:
        """Reports that nothing changed, and why."""
        await self.send(Refused(command_id, code, message))

    async def send(self, answer: AnswerBase) -> None:
        """Sends a message; disconnects a reader that does not accept it in time."""
        async with self._sending:
            try:
                async with asyncio.timeout(SEND_S):
                    await self._websocket.send_text(write_answer(answer))
            except TimeoutError:  # a farewell would wait behind the unread messages
                raise WebSocketDisconnect(TRY_AGAIN, "too slow") from None
