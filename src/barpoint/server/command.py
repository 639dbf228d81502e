"""The server as a process: listens, prints its URL, and opens the page on request."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import re
import socket
import sys
import threading
import webbrowser
from contextlib import suppress
from itertools import chain
from typing import Any, Final, cast

import uvicorn

from barpoint.error import FormatError, StoreError
from barpoint.server.app import create_app
from barpoint.server.bots.catalogue import installed
from barpoint.server.bots.gnubg import find_gnubg
from barpoint.server.connection_limits import (
    DESCRIPTORS,
    PROXIES,
    LimitedConfig,
    ThrottledErrors,
    connections_among,
    raise_descriptor_limit,
    unknown_proxies,
)
from barpoint.server.direct_socket import DirectSocket
from barpoint.server.domain.settings import Settings
from barpoint.server.fibs.listener import parse_address
from barpoint.server.live.mail import parse_mail_server
from barpoint.server.live.own_games import keep_games
from barpoint.server.live.pubsub_channels import connector
from barpoint.server.protocol.matches import MAX_FRAME
from barpoint.server.services import Services, wall_clock
from barpoint.server.storage.database import without_password
from barpoint.server.storage.file_lock import holding
from barpoint.server.storage.store import Store
from barpoint.server.study.nets import check_instruction_set
from barpoint.server.telemetry import configure

PORT: Final = 8000
PORTS_TRIED: Final = 20
"""The port where none is asked for; if it is taken, the ports after it are tried, so many in all."""

VARIABLES: Final = frozenset({"DATABASE", "GAMES", "GNUBG", "ISA", "MAIL", "PUBSUB", "SAGE", "TRACEBACK"})
"""The environment variables that a server or its core reads, after "BARPOINT_"."""

LOG: Final = logging.getLogger("barpoint.server")


UNREAD_MS: Final = 60_000
"""Timeout of the system for a connection whose client reads nothing, in ms."""


COLLECT_AFTER: Final = (1_000, 1_000, 10)
"""When Python collects cycles. Play leaves hardly any, but what it allocates and keeps for a moment is looked at each
time: often and little, or else 700 matches wait 30 to 100 ms; everything is looked at rarely.
"""


FAREWELL_S: Final = 2.0
"""Time limit for what is written before connections are closed."""

MOVED_AT_ONCE: Final = 12
MOVED_EVERY_S: Final = 0.1
MOVING_S: Final = 5.0
"""How players are sent to other processes: so many connections after each pause, more if they would take longer."""


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
                port = cast(Any, self.config.app).state.fibs.port  # the one that was chosen, where 0 was asked for
                print(f"FIBS clients: telnet to {parse_address(self._fibs)[0]} {port}", flush=True)
            if self._open_page and has_screen():
                threading.Thread(target=webbrowser.open, args=(self._address,), daemon=True).start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Gives the players time to connect to another process, then closes every connection with code 1012."""
        services: Services | None = getattr(getattr(self.config.app, "state", None), "services", None)
        if services is not None:
            for listening in (*self.servers, *(sockets or ())):
                listening.close()  # who connects again is let in by another process
            with suppress(StoreError, TimeoutError):  # without a database nobody plays
                if services.pubsub.outward is not None:
                    await self._move_players(services)
                await self._give_time(services, services.seat_presence.matches_here())
        await super().shutdown(sockets=sockets)

    async def _move_players(self, services: Services) -> None:
        """Closes the connections of a few matches at a time: another process lets them in one after the other anyway,
        and so nobody waits for the others.
        """
        home = cast(LimitedConfig, self.config).home(self.server_state.connections, self.server_state.tasks)
        waiting = home.places()
        most = max(MOVED_AT_ONCE, sum(map(len, waiting.values())) * MOVED_EVERY_S / MOVING_S)
        while waiting and not self.force_exit:
            moved: dict[str, list[DirectSocket]] = {}
            while waiting and sum(map(len, moved.values())) < most:
                place, sockets = waiting.popitem()
                moved[place] = sockets
            await self._give_time(services, services.seat_presence.matches_here().intersection(moved))
            for each in chain.from_iterable(moved.values()):
                each.shutdown()
            await asyncio.sleep(MOVED_EVERY_S)

    async def _give_time(self, services: Services, match_ids: set[str]) -> None:
        async with asyncio.timeout(FAREWELL_S):
            await services.deadlines.give_time_to_reconnect(match_ids)


def run(settings: Settings, host: str, port: int | None, open_page: bool, log: str = "text") -> None:
    """Serves until stopped. StoreError if the database cannot be opened, OSError for an address, FormatError.

    port: None for one that is free.
    """
    configure(log)
    warn_about(settings)
    check_instruction_set()
    connector(settings.pubsub, settings.database)  # refuses an invalid pubsub address early
    check_public_address(settings.address)
    if settings.mail:
        parse_mail_server(settings.mail)
    with holding(settings.database):
        asyncio.run(_try_database(settings.database))
        _serve(settings, host, port, open_page)


def _serve(settings: Settings, host: str, port: int | None, open_page: bool) -> None:
    listener = listen(host, PORT, PORTS_TRIED) if port is None else listen(host, port)
    if settings.fibs:
        _try_port(settings.fibs)
    bound = listener.getsockname()[1]
    shown = "127.0.0.1" if host in ("0.0.0.0", "::", "") else host
    address = f"http://{f'[{shown}]' if ':' in shown else shown}:{bound}/"
    limited = config(create_app(settings, installed()), raise_descriptor_limit())
    server = Server(limited, address, open_page, settings.fibs)
    server.run(sockets=[listener])
    if not server.started:
        raise StoreError("the server did not start; the lines above say why")


def check_public_address(address: str) -> None:
    """FormatError for a text that is no address of a server, such as https://play.example.org; "" stands for none."""
    found = re.fullmatch(r"https?://(?:[^/?#@:\s\[\]]+|\[[0-9A-Fa-f:.]+\])(?::(\d{1,5}))?/?", address)
    if address and (found is None or not 0 < int(found[1] or 1) < 1 << 16):
        raise FormatError(
            "address: %(address)r; allowed: http:// or https:// and a host, without a path",
            address=without_password(address)[:60],
        )


def warn_about(settings: Settings) -> None:
    """Logs what is set and has no effect."""
    for name in sorted(os.environ):
        if name.startswith("BARPOINT_") and name.removeprefix("BARPOINT_") not in VARIABLES:
            known = ", ".join(f"BARPOINT_{one}" for one in sorted(VARIABLES))
            LOG.warning("the environment variable %s has no effect; known: %s", name, known)
    if (named := os.environ.get("BARPOINT_GNUBG")) and find_gnubg() is None:
        LOG.warning("BARPOINT_GNUBG: there is no program %r; no gnubg is seated", named[:200])
    for name in unknown_proxies():
        LOG.warning("%s: %r has no effect; allowed: addresses, networks such as 10.0.0.0/8, or *", PROXIES, name[:60])
    if settings.mail and not settings.address:
        LOG.warning("BARPOINT_MAIL is set and --address is not: no mail is sent, since its links need the address")


async def _try_database(address: str) -> None:
    """Opens the database once before listening, and keeps the games of one's own, so that errors show early."""
    store = await Store.open(address)
    try:
        await keep_games(store, wall_clock())
    finally:
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


def listen(host: str, port: int, tried: int = 1) -> socket.socket:
    """A listening socket on this port, or on the first free one of as many as are tried; OSError if there is none."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in range(port, port + tried):
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, candidate))
            listener.listen()  # two servers started at once could both bind, but only one of them can listen
        except OSError as error:
            listener.close()
            if port == 0 or candidate in (port + tried - 1, 65535):
                raise OSError(f"cannot listen on {host}:{port}: {error.strerror}") from error
            continue
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux; connections inherit it
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_MS)
        return listener
    raise AssertionError("returns or raises")
