"""Limits on HTTP connections: how many in all and from one address, also behind proxies, and the time for headers and bodies."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import time
from errno import EMFILE, ENFILE, ENOBUFS, ENOMEM
from functools import partial
from http import HTTPStatus
from ipaddress import ip_address, ip_network
from typing import Any, Final, cast

import uvicorn
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

from barpoint.server.direct_socket import TAKEN_OVER, DirectSocket, OpenSockets, SocketListener
from barpoint.server.domain.limits import MAX_OPEN_FROM_ONE, Places
from barpoint.server.frames import AGAINST_PROTOCOL

LOG: Final = logging.getLogger("barpoint.server")

MAX_CONNECTIONS: Final = 20_000
"""Maximum simultaneous connections of a process, where the system lets it open so many."""

DESCRIPTORS: Final = 65_536
"""Descriptors that a process asks the system for at its start."""

RESERVED: Final = 1024
"""Descriptors that connections leave to the database, files, engines and FIBS clients."""

HEADERS_S: Final = 10.0
"""Time for the headers of a request, from the connection or from their first byte."""

BODY_S: Final = 60.0
"""Time for each BODY_PART of the body of a request: a kilobyte a second, which the slowest telephone line does."""

BODY_PART: Final = 1 << 16

SAME_WARNING_S: Final = 60.0
"""Time in which it is logged once that no descriptor is left."""

PROXIES: Final = "FORWARDED_ALLOW_IPS"
"""The environment variable with the addresses of proxies, whose X-Forwarded-For says who is behind them."""

THIS_MACHINE: Final = "127.0.0.1,::1,::ffff:127.0.0.1"
"""The proxies where the variable is not set; the last as a listener for both kinds of addresses sees the first."""

EXHAUSTED: Final = (EMFILE, ENFILE, ENOBUFS, ENOMEM)


def raise_descriptor_limit() -> int:
    """Lets this process open as many descriptors as the system allows, up to DESCRIPTORS; returns how many."""
    if sys.platform == "win32":
        return DESCRIPTORS
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return DESCRIPTORS
    wanted = max(soft, DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, DESCRIPTORS))
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (OSError, ValueError):  # some systems allow less than they say
        return soft
    return wanted


def connections_among(descriptors: int) -> int:
    """How many connections a process with this many descriptors may have; at least half are for them."""
    return min(MAX_CONNECTIONS, descriptors - min(RESERVED, descriptors // 2))


class LimitedConfig(uvicorn.Config):
    """A configuration whose connections are limited. most: connections at the same time."""

    def __init__(self, app: Any, most: int, **settings: Any) -> None:
        trusted = os.environ.get(PROXIES) or THIS_MACHINE
        super().__init__(app, http=LimitedHttp, ws=LimitedWebSocket, forwarded_allow_ips=trusted, **settings)
        self.places = Places(most, MAX_OPEN_FROM_ONE)
        self._proxies = ProxyHeadersMiddleware(app, self.forwarded_allow_ips).trusted_hosts
        self._home: OpenSockets | None = None

    def load(self) -> None:
        """Wraps the application in what uvicorn does before it, and in what warns of proxies that are not trusted."""
        super().load()
        self.loaded_app = _ForeignProxies(self.loaded_app, self._proxies)

    def enter(self, address: str) -> bool:
        """Takes a place for a connection. A proxy brings many people, whom the application tells apart."""
        return self.places.enter(address, shared=not address or address in self._proxies)

    def home(self, connections: set[Any], tasks: set[asyncio.Task[None]]) -> OpenSockets:
        """What looks after the direct sockets of the server that has these connections and tasks."""
        if self._home is None:
            self._home = OpenSockets(connections, tasks, self.ws_max_size)
        return self._home


class _ForeignProxies:
    """Warns once of a proxy that is not trusted: all people behind it count as one address. proxies: those that are."""

    def __init__(self, app: Any, proxies: Any) -> None:
        self._app, self._proxies, self._said = app, proxies, False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if (
            not self._said
            and scope["type"] != "lifespan"
            and any(name == b"x-forwarded-for" for name, _ in scope["headers"])
        ):
            self._look(address_of(scope.get("client")))
        await self._app(scope, receive, send)

    def _look(self, address: str) -> None:
        if is_in_private_network(address) and address not in self._proxies:
            self._said = True
            LOG.warning(
                "X-Forwarded-For from %s is ignored, so that all behind it count as one address; if it is your proxy, set %s=%s",
                address,
                PROXIES,
                address,
            )


def is_in_private_network(address: str) -> bool:
    """Whether an address is of this machine or a private network."""
    try:
        return ip_address(address).is_private
    except ValueError:
        return False


def unknown_proxies() -> list[str]:
    """What the environment names as a proxy and is neither an address nor a network: no connection comes from it."""

    def known(name: str) -> bool:
        try:
            ip_network(name)
        except ValueError:
            return False
        return True

    named = os.environ.get(PROXIES, "").strip()
    return [name for name in map(str.strip, named.split(",")) if name and not known(name)] if named != "*" else []


class _Limits(asyncio.Protocol):
    """What an HTTP connection of uvicorn does besides: it takes a place, and ends where a request takes too long."""

    config: LimitedConfig
    transport: asyncio.Transport
    client: tuple[str, int] | None
    cycle: Any
    """The request that is answered; None before the first."""

    _inside: bool = False
    _heard: bool = False
    """Whether anything was received; browsers open connections beforehand, which end without an answer."""

    _timer: asyncio.TimerHandle | None = None
    _timed: tuple[Any, int] | None = None
    """What the timer is for: the request whose body it awaits with the part of it, or None for headers."""

    _received: int = 0
    """Bytes of the connection so far."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._inside = self.config.enter(address_of(self.client))
        if not self._inside:
            self._refuse("503 Service Unavailable", "Too many connections at once; try again in a minute.")
        else:
            self._watch()

    def data_received(self, data: bytes) -> None:
        if not self._inside:
            return
        self._heard = True
        self._received += len(data)
        super().data_received(data)
        if self.transport.get_protocol() is not self:  # the WebSocket keeps the place
            self._inside = False
            self._stop()
        else:
            self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        if self._inside:
            self._inside = False
            self.config.places.leave(address_of(self.client))
        super().connection_lost(exc)

    def _watch(self) -> None:
        """Sets the timer for what the client still has to send; it goes on where that is the same as before."""
        done = self.cycle is None or self.cycle.response_complete
        if not done and not self.cycle.more_body:
            self._stop()
            return
        awaited = None if done else (self.cycle, self._received // BODY_PART)
        if self._timer is None or self._timed != awaited:
            self._stop()
            self._timed = awaited
            limit_s = HEADERS_S if awaited is None else BODY_S
            self._timer = asyncio.get_running_loop().call_later(limit_s, self._late)

    def _late(self) -> None:
        self._timer = None
        idle = self.cycle is None or self.cycle.response_complete
        if self._heard and (idle or not self.cycle.response_started):
            self._refuse("408 Request Timeout", "The request took too long to arrive.")
        else:
            self.transport.close()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._timed = None

    def _refuse(self, status: str, text: str) -> None:
        head = (
            f"HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {len(text)}\r\n"
            "Retry-After: 60\r\nConnection: close\r\n\r\n"
        )
        self.transport.write((head + text).encode())
        self.transport.close()


LimitedHttp: Final = cast(type[asyncio.Protocol], type("LimitedHttp", (_Limits, AutoHTTPProtocol), {}))
"""The HTTP connections of uvicorn, limited."""


class _HandedOver(asyncio.Transport):
    """In the place of a transport that another protocol has taken over: what ends here does not end the connection."""

    def close(self) -> None:
        """Does nothing."""


class LimitedWebSocket(WebSocketsSansIOProtocol):
    """A WebSocket that gives back the place of the HTTP connection it was, and the memory of its handshake.

    direct: what has taken it over.
    """

    direct: DirectSocket | None = None

    def handle_connect(self, event: Request) -> None:
        """Begins the handshake, and lets the application take the WebSocket over."""
        super().handle_connect(event)
        if self.response.status_code == HTTPStatus.SWITCHING_PROTOCOLS:
            cast(dict[str, Any], self.scope["extensions"])[TAKEN_OVER] = self

    def take_over(self, listener: SocketListener) -> DirectSocket:
        """Puts a direct socket in its place, after it was accepted."""
        config, transport = cast(LimitedConfig, self.config), self.transport
        home = config.home(self.connections, self.tasks)
        socket = DirectSocket(transport, listener, home)
        if self.disconnected:  # while it was accepted
            socket.connection_lost(None)
            return socket
        early = self.read_paused or self.conn.reader.buffer
        self.stop_keepalive()
        self.conn.parser.close()
        self.connections.discard(self)
        home.add(socket)
        socket.when_lost(partial(config.places.leave, address_of(self.client)))
        transport.set_protocol(socket)
        self.transport, self.direct = _HandedOver(), socket
        if early:  # a client has to wait for the end of the handshake
            socket.close(AGAINST_PROTOCOL, "too early")
        return socket

    async def run_asgi(self) -> None:
        """Runs the application; after a hand-over nothing is left in a cycle, which would live until it is collected."""
        await super().run_asgi()
        if self.direct is not None:
            del self.scope, self.direct

    def start_keepalive(self) -> None:
        """Begins to ping, once the handshake is done."""
        for message in (self.request, self.response):  # the parser keeps the request itself
            message.headers.clear()
        super().start_keepalive()

    def connection_lost(self, exc: Exception | None) -> None:
        """Gives the place back."""
        cast(LimitedConfig, self.config).places.leave(address_of(self.client))
        super().connection_lost(exc)


def address_of(client: tuple[str, int] | None) -> str:
    """The address of a connection's other end; "" where it has none."""
    return client[0] if client else ""


class ThrottledErrors:
    """The errors of an event loop, among which the lack of descriptors is logged once a minute."""

    def __init__(self) -> None:
        self._said_at = -SAME_WARNING_S

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Handles an error."""
        error = context.get("exception")
        if not (isinstance(error, OSError) and error.errno in EXHAUSTED):
            loop.default_exception_handler(context)
            return
        now = time.monotonic()
        if now - self._said_at >= SAME_WARNING_S:
            self._said_at = now
            LOG.warning("no connection can be accepted: %s", error)
