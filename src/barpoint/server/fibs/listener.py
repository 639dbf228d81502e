"""The port for FIBS clients: limits on connections, and an orderly close."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from typing import Final

from barpoint.error import FormatError
from barpoint.number_text import number_in
from barpoint.server.domain.limits import Places, counted_as
from barpoint.server.fibs.connection import CLOSING, FibsConnection
from barpoint.server.fibs.line_stream import LineStream
from barpoint.server.fibs.output import Output
from barpoint.server.fibs.roster import Roster
from barpoint.server.services import Services

LOG: Final = logging.getLogger("barpoint.server")

MAX_CONNECTIONS: Final = 500
"""Maximum simultaneous connections."""

MAX_FROM_ONE: Final = 50
"""Maximum simultaneous connections from one address."""

MAX_ENTERING: Final = 200
"""Maximum simultaneous connections in which nobody has logged in yet; the other places are for players."""

CLOSE_S: Final = 3.0
"""Time to tell everybody that the server stops."""

LOOPBACK: Final = "127.0.0.1"


def parse_address(text: str) -> tuple[str, int]:
    """The address to listen on: "4321" for this machine alone, "0.0.0.0:4321" for every interface; FormatError."""
    host, _, digits = text.strip().rpartition(":")
    port = number_in(digits, 0, 65535)
    if port is None:
        raise FormatError(f"fibs: {text[:40]!r}; allowed: PORT or HOST:PORT")
    return host.strip("[]") or LOOPBACK, port


class FibsListener:
    """Accepts connections, and tracks the open ones."""

    def __init__(self, roster: Roster) -> None:
        self._roster = roster
        self._open: set[asyncio.Task[None]] = set()
        self._places = Places(MAX_CONNECTIONS, MAX_FROM_ONE)
        self._entering = Places(MAX_ENTERING, MAX_FROM_ONE)

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serves one connection."""
        peer = writer.get_extra_info("peername")
        address = counted_as(str(peer[0])) if peer else ""
        task = asyncio.current_task()
        assert task is not None, "asyncio serves each connection in a task"
        with ExitStack() as inside, ExitStack() as entering:
            if self._roster.closing or not (
                _taken(self._places, address, inside) and _taken(self._entering, address, entering)
            ):
                writer.write(b"** Too many connections at once; try again later.\r\n")
                writer.close()
                return
            self._open.add(task)
            allowed = self._roster.services.allowance.address_lines
            stream = LineStream(reader, Output(writer.transport), address, allowed)
            try:
                await FibsConnection(self._roster, stream, entering.close).run()
            except asyncio.CancelledError:
                pass  # the server stops
            except Exception:  # the outermost handler: one connection ends, the others stay
                LOG.exception("a FIBS connection")
            finally:
                self._open.discard(task)
                writer.transport.abort() if self._roster.closing else writer.close()

    async def close(self) -> None:
        """Announces the shutdown and ends every connection; the matches stay open."""
        self._roster.closing = True
        for user in self._roster.users.values():
            user.say(*CLOSING)
        tasks = list(self._open)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=CLOSE_S)


def _taken(places: Places, address: str, until: ExitStack) -> bool:
    """Whether there was a place, which the stack gives back."""
    found = places.enter(address)
    if found:
        until.callback(places.leave, address)
    return found


@asynccontextmanager
async def listening(services: Services, where: str) -> AsyncIterator[Roster]:
    """The open port, as a context; FormatError, OSError."""
    host, port = parse_address(where)
    roster = Roster(services)
    roster.most = MAX_CONNECTIONS
    listener = FibsListener(roster)
    server = await asyncio.start_server(listener.accept, host, port)
    roster.port = server.sockets[0].getsockname()[1]
    roster.start()
    LOG.info("FIBS clients at %s:%s", host, roster.port)
    try:
        yield roster
    finally:
        server.close()
        await listener.close()
        await roster.stop()
