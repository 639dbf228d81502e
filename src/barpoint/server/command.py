"""The server as a process: listens, prints its URL, and opens the page on request."""

from __future__ import annotations

import asyncio
import gc
import os
import socket
import sys
import threading
import webbrowser
from contextlib import suppress
from typing import Any, Final

import uvicorn

from barpoint.error import FormatError, StoreError
from barpoint.server.app import create_app
from barpoint.server.bots.catalogue import installed
from barpoint.server.connection_limits import (
    DESCRIPTORS,
    LimitedConfig,
    ThrottledErrors,
    connections_among,
    raise_descriptor_limit,
)
from barpoint.server.domain.settings import Settings
from barpoint.server.fibs.listener import parse_address
from barpoint.server.live.mail import parse_mail_server
from barpoint.server.live.pubsub_channels import connector
from barpoint.server.protocol.matches import MAX_FRAME
from barpoint.server.services import Services
from barpoint.server.storage.store import Store
from barpoint.server.telemetry import configure

PORTS_TRIED: Final = 20
"""If the requested port is taken, this many ports after it are tried."""


UNREAD_MS: Final = 60_000
"""Timeout of the system for a connection whose client reads nothing, in ms."""


COLLECT_AFTER: Final = (10_000, 20, 50)
"""When Python collects cycles: a full collection stops all matches for up to 0.15 s, so it is rare."""


FAREWELL_S: Final = 2.0
"""Time limit for what is written before the connections are closed."""


class Server(uvicorn.Server):
    """Prints its URL once it listens, and lets nobody's clock run while they connect to another process."""

    def __init__(self, config: uvicorn.Config, address: str, open_page: bool = False, fibs: str = "") -> None:
        super().__init__(config)
        self._address, self._open_page, self._fibs = address, open_page, fibs

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        asyncio.get_running_loop().set_exception_handler(ThrottledErrors())
        await super().startup(sockets=sockets)
        if self.started:
            gc.collect()
            gc.freeze()
            gc.set_threshold(*COLLECT_AFTER)
            print(f"Barpoint is served at {self._address}  (Ctrl-C stops it; nothing is lost)", flush=True)
            if self._fibs:
                print(f"FIBS clients: telnet to {' '.join(map(str, parse_address(self._fibs)))}", flush=True)
            if self._open_page and has_screen():
                threading.Thread(target=webbrowser.open, args=(self._address,), daemon=True).start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Gives the players time to connect to another process, then closes every connection with code 1012."""
        services: Services | None = getattr(getattr(self.config.app, "state", None), "services", None)
        if services is not None:
            with suppress(StoreError, TimeoutError):  # without a database nobody plays
                async with asyncio.timeout(FAREWELL_S):
                    await services.deadlines.give_time_to_reconnect(services.seat_presence.matches_here())
        await super().shutdown(sockets=sockets)


def run(settings: Settings, host: str, port: int, open_page: bool, log: str = "text") -> None:
    """Serves until stopped. StoreError if the database cannot be opened, OSError for an address, FormatError."""
    configure(log)
    connector(settings.pubsub, settings.database)  # refuses an invalid pubsub address early
    if settings.address and not settings.address.startswith(("http://", "https://")):
        raise FormatError(
            "address: %(address)r; allowed: http:// or https:// and a host", address=settings.address[:60]
        )
    if settings.mail:
        parse_mail_server(settings.mail)
    if settings.fibs:
        _try_port(settings.fibs)
    asyncio.run(_try_database(settings.database))
    listener = listen(host, port)
    bound = listener.getsockname()[1]
    shown = "127.0.0.1" if host in ("0.0.0.0", "::", "") else host
    address = f"http://{f'[{shown}]' if ':' in shown else shown}:{bound}/"
    limited = config(create_app(settings, installed()), raise_descriptor_limit())
    server = Server(limited, address, open_page, settings.fibs)
    server.run(sockets=[listener])
    if not server.started:
        raise StoreError("the server did not start; the lines above say why")


async def _try_database(address: str) -> None:
    """Opens the database once before listening, so that errors show early."""
    store = await Store.open(address)
    await store.close()


def _try_port(where: str) -> None:
    """Refuses a port for FIBS clients that is not available."""
    host, port = parse_address(where)
    try:
        socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET).close()
    except OSError as error:
        raise OSError(f"cannot listen on {host}:{port}, for FIBS clients: {os.strerror(error.errno or 0)}") from error


def has_screen() -> bool:
    """Whether a browser window can be opened; a browser in this terminal would hide the server's output."""
    return sys.platform in ("win32", "darwin") or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def config(app: Any, descriptors: int = DESCRIPTORS) -> LimitedConfig:
    """The server configuration: limited connections and frames, no access log, and time to close open connections.

    descriptors: how many the process may open. Messages are not compressed: that took a third of the processor time of
    an action, and 200 KiB a match.
    """
    return LimitedConfig(
        app,
        connections_among(descriptors),
        log_config=None,
        access_log=False,
        ws_max_size=4 * MAX_FRAME,
        ws_per_message_deflate=False,
        ws_ping_interval=20.0,
        ws_ping_timeout=20.0,
        timeout_graceful_shutdown=3,
        server_header=False,
    )


def listen(host: str, port: int) -> socket.socket:
    """A listening socket on this port, or on the next free one; OSError if there is none."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in range(port, port + PORTS_TRIED):
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, candidate))
            listener.listen()  # two servers started at once could both bind, but only one of them can listen
        except OSError as error:
            listener.close()
            if port == 0 or candidate in (port + PORTS_TRIED - 1, 65535):
                raise OSError(f"cannot listen on {host}:{port}: {error.strerror}") from error
            continue
        listener.set_inheritable(True)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux; connections inherit it
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_MS)
        return listener
    raise AssertionError("returns or raises")
