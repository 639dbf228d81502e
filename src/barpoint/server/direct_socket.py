"""WebSockets that an application has taken over from ASGI, and the one timer that looks after all of them.

The application accepts a WebSocket through ASGI, with all its middleware; `take_over` then puts a `DirectSocket` in the
place of everything between the connection and a listener (docs/decisions/0011-direct-sockets.md).
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Coroutine, MutableMapping
from itertools import chain
from typing import Any, Final, Protocol, cast

from barpoint.server.frames import (
    BINARY,
    CLOSE,
    PING,
    PONG,
    TEXT,
    FrameError,
    FrameReader,
    close_code,
    close_frame,
    frame,
)

TAKEN_OVER: Final = "barpoint.taken_over"
"""The extension of an ASGI scope that can be taken over."""

CLOSE_S: Final = 10.0
"""Time for a client to answer a farewell."""

RESTART: Final = 1012
UNHEARD: Final = 1011

GROUPS: Final = 10
"""Parts of all sockets; each second one is looked after, so that no second has much to do."""

LOOK_S: Final = 10.0
"""Time between two looks after a socket."""

SILENT_S: Final = 20.0
"""Time without a sign of the client after which it is asked for one; after twice the time it counts as gone."""


class SocketListener(Protocol):
    """Whom a socket tells. place: of those whose sockets are best on the same process."""

    @property
    def place(self) -> str: ...

    def heard(self, message: str | bytes) -> None:
        """A message has come."""

    def looked_after(self) -> None:
        """LOOK_S have passed."""

    def ended(self) -> None:
        """Nothing more will come, and nothing more is sent. Told once."""


class DirectSocket(asyncio.Protocol):
    """An open WebSocket. It tells its listener, and sends what the listener gives it."""

    __slots__ = ("_at_end", "_closing", "_frames", "_heard_at", "_home", "_listener", "_loop", "_room", "_transport")

    def __init__(self, transport: asyncio.Transport, listener: SocketListener, home: OpenSockets) -> None:
        self._transport, self._listener, self._home = transport, listener, home
        self._loop = asyncio.get_running_loop()
        self._frames = FrameReader(home.max_size)
        self._heard_at = self._loop.time()
        self._room: asyncio.Event | None = None  # set once a slow client has read; None while it reads
        self._closing: asyncio.TimerHandle | bool = False
        self._at_end: list[Callable[[], None]] | None = []  # None once the connection is lost

    # ---------------------------------------------------------------- what the listener does

    @property
    def is_open(self) -> bool:
        """Whether messages are sent and heard."""
        return self._closing is False

    @property
    def place(self) -> str:
        """The place of its listener."""
        return self._listener.place

    @property
    def full(self) -> bool:
        """Whether the client reads too slowly for more."""
        return self._room is not None and self.is_open

    def send(self, message: bytes) -> None:
        """Sends a text message; does nothing once the socket is closed."""
        if self.is_open:
            self._transport.write(frame(TEXT, message))

    async def room(self, limit_s: float) -> None:
        """Waits until the client has read; disconnects one that does not in time."""
        if self._room is None:
            return
        try:
            async with asyncio.timeout(limit_s):
                await self._room.wait()
        except TimeoutError:  # a farewell would wait behind the unread messages
            self._end()
            self._transport.abort()

    def hold(self, held: bool) -> None:
        """Stops to read what the client sends, or goes on."""
        if self.is_open and not self._transport.is_closing():
            (self._transport.pause_reading if held else self._transport.resume_reading)()

    def close(self, code: int, reason: str = "") -> None:
        """Says farewell, and waits for the client's before it closes the connection."""
        if not self.is_open:
            return
        self.hold(False)
        self._transport.write(close_frame(code, reason))
        self._end()
        self._closing = self._loop.call_later(CLOSE_S, self._transport.abort)

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Starts work for this socket, which the server finishes before it stops."""
        task = self._loop.create_task(work)
        self._home.tasks.add(task)
        task.add_done_callback(self._home.tasks.discard)

    def when_lost(self, done: Callable[[], None]) -> None:
        """Calls this once the connection is lost."""
        if self._at_end is None:
            done()
        else:
            self._at_end.append(done)

    # ---------------------------------------------------------------- what the connection tells

    def data_received(self, data: bytes) -> None:
        """Takes what the client has sent."""
        self._heard_at = self._loop.time()
        try:
            for kind, message in self._frames.feed(data):
                self._take(kind, message)
                if self._transport.is_closing():
                    return
        except FrameError as error:
            self._leave(close_frame(error.code, error.reason) if self.is_open else b"")

    def _take(self, kind: int, message: str | bytes) -> None:
        if kind == CLOSE:
            code = close_code(cast(bytes, message))
            self._leave(close_frame(code) if self.is_open else b"")
        elif not self.is_open:
            return
        elif kind in (TEXT, BINARY):
            self._listener.heard(message)
        elif kind == PING and self._room is None:  # who does not read gets no answers to store
            self._transport.write(frame(PONG, cast(bytes, message)))

    def eof_received(self) -> None:
        """The client sends nothing more: nothing is sent to it either."""

    def pause_writing(self) -> None:
        """The client reads slowly."""
        self._room = asyncio.Event()

    def resume_writing(self) -> None:
        """It has read."""
        room, self._room = self._room, None
        if room is not None:
            room.set()

    def connection_lost(self, exc: Exception | None) -> None:
        """Ends."""
        if isinstance(self._closing, asyncio.TimerHandle):
            self._closing.cancel()
        self._end()
        self.resume_writing()
        self._home.remove(self)
        done, self._at_end = self._at_end or [], None
        for each in done:
            each()

    # ---------------------------------------------------------------- what its home does

    def look(self) -> None:
        """Asks a silent client for a sign, disconnects one that gives none, and tells the listener."""
        if not self.is_open:
            return
        silent_s = self._loop.time() - self._heard_at
        if silent_s > 2 * SILENT_S:
            self._transport.write(close_frame(UNHEARD, "no sign of the client"))
            self._end()
            self._transport.abort()
            return
        if silent_s > SILENT_S:
            self._transport.write(frame(PING, b""))
        self._listener.looked_after()

    def shutdown(self) -> None:
        """The server stops: its client connects to another."""
        self._leave(close_frame(RESTART) if self.is_open else b"")

    def _leave(self, farewell: bytes) -> None:
        """Closes the connection after a last frame."""
        if farewell:
            self._transport.write(farewell)
        self._end()
        self._transport.close()

    def _end(self) -> None:
        if self.is_open:
            self._closing = True
            self._listener.ended()


class OpenSockets:
    """The direct sockets of a server. connections, tasks: what the server ends and awaits when it stops.

    max_size: bytes of the longest message.
    """

    def __init__(self, connections: set[Any], tasks: set[asyncio.Task[None]], max_size: int) -> None:
        self._connections, self.tasks, self.max_size = connections, tasks, max_size
        self._groups: tuple[set[DirectSocket], ...] = tuple(set() for _ in range(GROUPS))
        self._turn = 0
        self._timer: asyncio.TimerHandle | None = None

    def add(self, socket: DirectSocket) -> None:
        """Looks after one more socket."""
        self._connections.add(socket)
        min(self._groups, key=len).add(socket)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(LOOK_S / GROUPS, self._look)

    def remove(self, socket: DirectSocket) -> None:
        """Forgets a socket."""
        self._connections.discard(socket)
        for group in self._groups:
            group.discard(socket)

    def places(self) -> dict[str, list[DirectSocket]]:
        """The open sockets, by place."""
        found = defaultdict[str, list[DirectSocket]](list)
        for socket in chain.from_iterable(self._groups):
            if socket.is_open:
                found[socket.place].append(socket)
        return found

    def _look(self) -> None:
        self._timer = None
        self._turn = (self._turn + 1) % GROUPS
        for socket in tuple(self._groups[self._turn]):
            socket.look()
        if any(self._groups):
            self._timer = asyncio.get_running_loop().call_later(LOOK_S / GROUPS, self._look)


class CanBeTakenOver(Protocol):
    """A WebSocket of an ASGI server that can be taken over, in `scope["extensions"][TAKEN_OVER]`."""

    direct: DirectSocket | None

    def take_over(self, listener: SocketListener) -> DirectSocket:
        """Puts a direct socket in its place, after it was accepted."""


def take_over(scope: MutableMapping[str, Any], listener: SocketListener) -> DirectSocket:
    """The accepted WebSocket of a scope, taken over; its ASGI application may return."""
    offered: CanBeTakenOver = scope["extensions"][TAKEN_OVER]
    return offered.take_over(listener)


def when_ended(scope: MutableMapping[str, Any], done: Callable[[], None]) -> None:
    """Calls this when the connection of a scope ends: now, because its application has returned, unless it was taken over."""
    offered: CanBeTakenOver | None = scope.get("extensions", {}).get(TAKEN_OVER)
    if offered is not None and offered.direct is not None:
        offered.direct.when_lost(done)
    else:
        done()
