"""One connection as lines in and out, and how it ends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Final

from barpoint.server.fibs.lines import MAX_LINE, Lines
from barpoint.server.fibs.output import Output

READ: Final = 4096
MAX_REFUSED: Final = 100
"""Overlong lines after which the server ends a connection."""


class Ended(Exception):
    """The connection is over; the text tells others how: "logs out", "drops connection"."""


class LineStream:
    """A connection. address: of the client."""

    def __init__(self, reader: asyncio.StreamReader, output: Output, address: str) -> None:
        self.output, self.address = output, address
        self._reader = reader
        self._lines = self._read()
        self._refused = 0

    async def line(self) -> str:
        """The next line; Ended after the last."""
        return await anext(self._lines)

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
