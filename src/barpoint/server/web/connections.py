"""A WebSocket connection: its limits on messages and slow readers, and the refusals it sends."""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any, ClassVar, Final, Generic, Protocol, TypeVar
from urllib.parse import urlsplit

from starlette.types import Scope
from starlette.websockets import WebSocket, WebSocketDisconnect

from barpoint.error import BarpointError, FormatError, IllegalEvent, IllegalMove, StoreError, StoreFull
from barpoint.language import _, language, speak
from barpoint.server.direct_socket import DirectSocket, take_over
from barpoint.server.domain import guests
from barpoint.server.domain.accounts import DEVICE_COOKIE, AccountRefused, check_open
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.limits import Credit
from barpoint.server.live.chat import ChatFeed
from barpoint.server.live.connections import (
    is_still,
    logged_out,
    looked_up_again,
    person_topic,
)
from barpoint.server.live.event_log import ForeignSeat, StaleCommand
from barpoint.server.live.pubsub import chat_of, seats_of
from barpoint.server.protocol.matches import PROTOCOL, AnswerBase, ChatLines, NewsTold, Refused, write_answer
from barpoint.server.services import Services, service_of, token_in
from barpoint.server.storage import accounts as account_storage
from barpoint.server.storage.chat import Forum
from barpoint.server.storage.event_log import Conflict
from barpoint.server.web.credentials import Credentials, refusal_of
from barpoint.server.web.rendering import news_part

LOG: Final = logging.getLogger("barpoint.server")


class Greeting(Protocol):
    """A first message."""

    @property
    def protocol(self) -> int:
        """The version of the protocol that the client speaks."""

    @property
    def news(self) -> bool:
        """Whether the client wants to be told what waits for the person."""


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

MAX_WAITING: Final = 8
"""Messages of a connection that wait to be answered before no more are read."""

MAX_ERRORS: Final = 20
"""Unreadable messages after which the server closes a connection."""

POLICY: Final = 1008
LOGGED_OUT: Final = "logged out"
FAULT: Final = 1011
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
    connection: Callable[[Services, Credentials, Target, Guest | None], Connection[Any]],
) -> None:
    """Accepts a connection and takes it over; rejects other origins, targets that find() does not know, and tokens that do not allow it."""
    if not same_origin(websocket):
        await websocket.close(POLICY)
        return
    services, credentials = service_of(websocket), Credentials(websocket.cookies, token_in(websocket))
    try:
        found = await find(services)
        person = await credentials.person(services)
    except unknown:
        await websocket.close(POLICY)
        return
    except StoreError as error:
        LOG.warning("a connection was refused: %s", error)
        await websocket.close(TRY_AGAIN)
        return
    with suppress(WebSocketDisconnect, RuntimeError):  # the client has gone
        if credentials.token is not None and (refusal := refusal_of(services, person)) is not None:
            await websocket.send_denial_response(refusal)
            return
        await websocket.accept()
        connection(services, credentials, found, person).begin(websocket.scope)


class Connection(ABC, Generic[ClientMessage]):
    """A connection that was taken over. Nothing waits while nothing happens: each task takes memory, and a server has
    thousands of connections. What comes starts a task that answers, and what changes one that tells.

    read: parses a message from a frame, FormatError.
    """

    __slots__ = (
        "_credentials",
        "_credit",
        "_errors",
        "_feed",
        "_fresh",
        "_inbox",
        "_joining",
        "_language",
        "_news",
        "_over",
        "_person",
        "_read",
        "_reading",
        "_services",
        "_socket",
        "_telling",
        "_topics",
        "_with_news",
    )

    _socket: DirectSocket
    counts: ClassVar[bool] = True
    """Whether the person is on line through this connection."""

    def __init__(
        self,
        services: Services,
        credentials: Credentials,
        person: Guest | None,
        read: Callable[[str | bytes], ClientMessage],
    ) -> None:
        self._services, self._credentials, self._person, self._read = services, credentials, person, read
        self._language, self._errors = language(), 0
        self._credit = Credit(BURST, PER_SECOND, BURST, asyncio.get_running_loop().time())
        self._inbox: list[str | bytes] = []
        # Once the client has joined: of the place, its chat, the person and their news; "" where there is none.
        self._topics: tuple[str, ...] = ()
        self._fresh: tuple[str, ...] = ()  # those that have changed since they were told
        self._feed: ChatFeed | None = None
        self._news: str | None = None  # what was told last; None if nothing was
        self._joining: asyncio.TimerHandle | None = None
        self._reading = self._telling = self._over = self._with_news = False

    def begin(self, scope: Scope) -> None:
        """Takes the connection over, and waits for the first message."""
        self._socket = take_over(scope, self)
        if not self._over:
            self._services.store.metrics.sockets.inc()
            if self._person is not None and self.counts:
                self._services.presence.enter(self._person.id)
            self._joining = asyncio.get_running_loop().call_later(JOIN_S, self.end, "nothing was said")

    # ---------------------------------------------------------------- for the kinds of connections

    @abstractmethod
    async def joined(self, request: ClientMessage) -> None:
        """Answers the first message; calls `follow` unless it is refused."""

    @abstractmethod
    async def answer(self, request: ClientMessage) -> None:
        """Answers a later message."""

    @abstractmethod
    async def news(self) -> AnswerBase | None:
        """The state, None if it is what the client has."""

    def left(self) -> None:
        """Undoes what `joined` has done, if it was called."""

    def follow(self, topic: str, forum: Forum, place_id: str) -> None:
        """Tells the state and the chat of a place, and what is new there, until the end. topic: of its changes."""
        if self._over:
            return
        self._feed = ChatFeed(self._services.chat, forum, place_id, self._person)
        self._listen(topic, chat_of(place_id))

    def follow_news(self) -> None:
        """Tells only what waits for the person, until the end."""
        if not self._over:
            self._listen("", "")

    def _listen(self, place: str, chat: str) -> None:
        own = (seats_of(self._person.id),) if self._person and self._with_news else ()
        self._topics = (place, chat, person_topic(self._person), *own)
        self._services.pubsub.listen([topic for topic in self._topics if topic], self._changed)
        for topic in (place, chat, *own):
            if topic:
                self._changed(topic)

    async def greeted(self, said: ClientMessage, kind: type[Joining]) -> Joining | None:
        """The join message that every connection starts with; None after closing the connection if it is invalid."""
        if not isinstance(said, kind):
            await self.refuse(None, "join_first", _("the first message of a connection is join"))
            self.end("join first")
            return None
        if said.protocol != PROTOCOL:
            await self.refuse(None, "protocol", f"protocol {said.protocol}; this server speaks {PROTOCOL}")
            self.end("protocol")
            return None
        if self._person is None or not self._person.registered:
            await self._tell_closed()
        else:
            self._with_news = said.news and self._credentials.token is None  # programs hear of it elsewhere
        return said

    async def _tell_closed(self) -> None:
        """Tells whoever may only watch that the account of this browser was banned, if so."""
        device = guests.read(self._services.key, self._credentials.cookies.get(DEVICE_COOKIE))
        account = await self._services.store.read(account_storage.get_account, device) if device else None
        try:
            if account is not None:
                check_open(account)
        except AccountRefused as error:
            await self.refuse(None, "closed", error.translated())

    def end(self, reason: str) -> None:
        """Closes the connection."""
        self._socket.close(POLICY, reason)

    # ---------------------------------------------------------------- what the socket tells

    @property
    def place(self) -> str:
        """The place that is followed, "" before."""
        return self._topics[0] if self._topics else ""

    def heard(self, message: str | bytes) -> None:
        """Answers a message, after those before it."""
        self._inbox.append(message)
        if not self._reading:
            self._reading = True
            self._socket.start(self._guarded(self._answer_all()))
        elif len(self._inbox) == MAX_WAITING:
            self._socket.hold(True)

    def looked_after(self) -> None:
        """Looks whether the client is still the same person, who may have been changed by another process."""
        if self._topics and looked_up_again(self._person):
            self._changed(self._topics[2])

    def ended(self) -> None:
        """Ends what the connection takes part in."""
        self._over = True
        self._inbox.clear()
        if self._joining is not None:
            self._joining.cancel()
        if not hasattr(self, "_socket"):
            return  # it was lost before it began
        self._services.store.metrics.sockets.dec()
        if self._person is not None and self.counts:
            self._services.presence.leave(self._person.id)
        self._services.pubsub.leave([topic for topic in self._topics if topic], self._changed)
        self.left()

    # ---------------------------------------------------------------- the tasks

    async def _guarded(self, work: Coroutine[None, None, None]) -> None:
        """Does work in the client's language, and closes the connection if that fails."""
        try:
            speak(self._language)
            await work
        except StoreError as error:
            LOG.warning("a WebSocket was closed: %s", error)
            self._socket.close(TRY_AGAIN)
        except Exception:
            LOG.exception("a fault at a WebSocket")
            self._socket.close(FAULT)

    async def _answer_all(self) -> None:
        """Reads and answers what waits."""
        try:
            while self._inbox:
                message = self._inbox.pop(0)
                if len(self._inbox) == MAX_WAITING - 1:
                    self._socket.hold(False)
                await self._answer_one(message)
        finally:
            self._reading = False

    async def _answer_one(self, message: str | bytes) -> None:
        first, self._joining = self._joining, None
        if first is not None:
            first.cancel()
        elif not self._credit.spend(asyncio.get_running_loop().time()):
            self.end("too many messages")
            return
        try:
            said = self._read(message)
        except FormatError as error:
            await self.refuse(None, "format", error.translated())
            self._errors += 1
            if first is not None:
                self.end("join first")
            elif self._errors >= MAX_ERRORS:
                self.end("too many errors")
            return
        await (self.answer if first is None else self.joined)(said)

    def _changed(self, topic: str) -> None:
        """Tells what is new, after what is being told. A slow reader skips intermediate states."""
        if topic not in self._fresh:
            self._fresh += (topic,)
        if not self._telling and not self._over:
            self._telling = True
            self._socket.start(self._guarded(self._tell_all()))

    async def _tell_all(self) -> None:
        try:
            place, chat, person, *own = self._topics
            while self._fresh and not self._over:
                fresh, self._fresh = self._fresh, ()
                if place in fresh:
                    await self._send_any(await self.news())
                if chat in fresh and self._feed is not None:
                    await self._send_any(await self._feed.news())
                if not set(own).isdisjoint(fresh):
                    await self._tell_news()
                if person in fresh and not await is_still(self._person, self._ask):
                    self._socket.close(POLICY, LOGGED_OUT)
        finally:
            self._telling = False

    async def _tell_news(self) -> None:
        news = await news_part(self._services, self._person) if self._person is not None else ""
        if news != self._news:
            self._news = news
            await self.send(NewsTold(news))

    def _ask(self) -> Awaitable[Guest | None]:
        return self._credentials.person(self._services)

    # ---------------------------------------------------------------- answers

    async def _send_any(self, answer: AnswerBase | None) -> None:
        if answer is not None:
            await self.send(answer)

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

    async def mute(self, muted: bool) -> ChatLines | None:
        """Mutes or unmutes the other writers for the client; None before it has joined."""
        return await self._feed.mute(muted) if self._feed is not None else None

    async def refuse(self, command_id: str | None, code: str, message: str) -> None:
        """Reports that nothing changed, and why."""
        await self.send(Refused(command_id, code, message))

    async def send(self, answer: AnswerBase) -> None:
        """Sends a message; disconnects a reader that does not accept it in time."""
        self._socket.send(write_answer(answer))
        if self._socket.full:
            await self._socket.room(SEND_S)
