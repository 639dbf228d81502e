"""A piece of work done by a process of its own, which gets it, answers and is gone."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from barpoint.error import BarpointError


class ErrandFailed(BarpointError):
    """The work was not done, or not in time."""


SHORT_LINE: Final = 1 << 16
"""Bytes of a line of an answer, for who reads it by lines and says nothing else."""


@asynccontextmanager
async def working(
    module: str, *arguments: str, longest_line: int = SHORT_LINE
) -> AsyncIterator[asyncio.subprocess.Process]:
    """`python -m module` while it works, with pipes. Nothing is left of it, however this ends."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        module,
        *arguments,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        limit=longest_line,
        start_new_session=os.name == "posix",  # Ctrl-C is for the server, which then stops it
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def run(module: str, *arguments: str, data: bytes, patience_s: float) -> bytes:
    """What `python -m module` answers to these bytes; ErrandFailed."""
    async with working(module, *arguments) as process:
        try:
            said, wrong = await asyncio.wait_for(process.communicate(data), patience_s)
        except TimeoutError:
            raise ErrandFailed(f"{module}: no answer within {patience_s:g} s") from None
    if process.returncode:
        raise ErrandFailed(f"{module}: status {process.returncode}: {wrong[-300:].decode(errors='replace')}")
    return said
