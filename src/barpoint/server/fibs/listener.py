"""The port for FIBS clients: limits on connections, and an orderly close."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from barpoint.error import FormatError
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

CLOSE_S: Final = 3.0
"""Time to tell everybody that the server stops."""

LOOPBACK: Final = "127.0.0.1"


def parse_address(text: str) -> tuple[str, int]:
    """The address to listen on: "4321" for this machine alone, "0.0.0.0:4321" for every interface; FormatError."""
    host, _, port = text.strip().rpartition(":")
    if not (port.isascii() and port.isdigit() and len(port) < 6 and int(port) < 65536):
        raise FormatError(f"fibs: {text[:40]!r}; allowed: PORT or HOST:PORT")
    return host.strip("[]") or LOOPBACK, int(port)


class FibsListener:
    """Accepts connections, and tracks the open ones."""

    def __init__(self, roster: Roster) -> None:
        self._roster = roster
        self._open: set[asyncio.Task[None]] = set()
        self._from: Counter[str] = Counter()

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serves one connection."""
        peer = writer.get_extra_info("peername")
        address = str(peer[0]) if peer else ""
        task = asyncio.current_task()
        assert task is not None, "asyncio serves each connection in a task"
        if len(self._open) >= MAX_CONNECTIONS or self._from[address] >= MAX_FROM_ONE or self._roster.closing:
            writer.write(b"** Too many connections at once; try again later.\r\n")
            writer.close()
            return
        self._open.add(task)
        self._from[address] += 1
        try:
            await FibsConnection(self._roster, LineStream(reader, Output(writer.transport), address)).run()
        except asyncio.CancelledError:
            pass  # the server stops
        except Exception:  # the outermost handler: one connection ends, the others stay
            LOG.exception("a FIBS connection")
        finally:
            self._open.discard(task)
            self._from[address] -= 1
            self._from += Counter()
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
