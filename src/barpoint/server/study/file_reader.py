"""Reads the files of one upload in one subprocess; a file that breaks it is refused, and the next one gets another."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Final, Self

import msgspec

from barpoint.record.worker import FoundFile
from barpoint.server.child_process import JobFailed, feed, working

MAX_S: Final = 60.0
"""Time limit for a file in seconds, including the wait for the CPU."""

MAX_LINE: Final = 1 << 27
"""Size limit of what is found in a file, in bytes."""

MODULE: Final = "barpoint.record.worker"


class FileReader:
    """A subprocess that reads match files, started with the first one: `async with FileReader() as reader`."""

    def __init__(self) -> None:
        self._stack = AsyncExitStack()
        self._process: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stop()

    async def read(self, data: bytes, suffix: str) -> FoundFile:
        """The matches in a file; JobFailed if that takes too long."""
        if self._process is None:
            self._process = await self._stack.enter_async_context(working(MODULE, longest_line=MAX_LINE))
        line = b""
        try:
            async with asyncio.timeout(MAX_S):
                line = await _asked(self._process, f"{suffix} {len(data)}\n".encode() + data)
        except (TimeoutError, OSError, ValueError):  # too slow; it has ended; more than MAX_LINE
            pass
        if not line.endswith(b"\n"):
            await self._stop()
            raise JobFailed("%(module)s: no answer", module=MODULE)
        return msgspec.json.decode(line, type=FoundFile)

    async def _stop(self) -> None:
        self._process = None
        await self._stack.aclose()


async def _asked(process: asyncio.subprocess.Process, question: bytes) -> bytes:
    """The line that answers; empty if the process has ended."""
    assert process.stdout is not None
    await feed(process, question, more=True)
    return await process.stdout.readline()
