"""One connection as lines in and out, and how it ends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Final

from barpoint.server.domain.limits import Credits
from barpoint.server.fibs.lines import MAX_LINE, Lines
from barpoint.server.fibs.output import Output

READ: Final = 4096
WAIT_S: Final = 0.05
"""Pause before a line beyond the limit is tried again."""

TOLD_S: Final = 10.0
"""Time between two notes that lines wait."""

TOO_FAST: Final = "** You type too fast. Your commands wait; none is lost."
MAX_REFUSED: Final = 100
"""Overlong lines after which the server ends a connection."""


class Ended(Exception):
    """The connection is over; the text tells others how: "logs out", "drops connection"."""


class LineStream:
    """A connection. address: of the client. allowed: how many lines may come from each address."""

    def __init__(self, reader: asyncio.StreamReader, output: Output, address: str, allowed: Credits) -> None:
        self.output, self.address = output, address
        self._reader, self._allowed = reader, allowed
        self._told_at: float | None = None
        self._lines = self._read()
        self._refused = 0

    async def line(self) -> str:
        """The next line, as soon as this address may send one more; Ended after the last."""
        found = await anext(self._lines)
        await self.wait_for(self._allowed, self.address)
        return found

    async def wait_for(self, allowed: Credits, name: str) -> None:
        """Waits until one more line of this name is allowed, because a client cannot repeat one; what follows waits unread."""
        loop = asyncio.get_running_loop()
        while not allowed.spend(name):
            if self._told_at is None or loop.time() - self._told_at >= TOLD_S:
                self._told_at = loop.time()
                self.output.lines(TOO_FAST)
            await asyncio.sleep(WAIT_S)

    def refuse(self, text: str) -> None:
        """Reports a skipped line; raises Ended after too many."""
        self._refused += 1
        self.output.lines(text)
        if self._refused >= MAX_REFUSED:
            raise Ended("drops connection")

    async def _read(self) -> AsyncIterator[str]:
        lines = Lines()
        while True:
            try:
                data = await self._reader.read(READ)
            except OSError:
                data = b""
            if not data:
                raise Ended("drops connection")
            for line in lines.feed(data):
                if line is None:
                    self.refuse(f"** A line may have {MAX_LINE} characters.")
                else:
                    yield line
