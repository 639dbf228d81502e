"""A piece of work done by a process of its own, which gets it, answers and is gone."""

from __future__ import annotations

import asyncio
import os
import sys

from barpoint.error import BarpointError


class ErrandFailed(BarpointError):
    """The work was not done, or not in time."""


async def run(module: str, *arguments: str, data: bytes, patience_s: float) -> bytes:
    """What `python -m module` answers to these bytes; ErrandFailed. Nothing is left of it, however this ends."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        module,
        *arguments,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=os.name == "posix",  # Ctrl-C is for the server, which then stops it
    )
    try:
        said, wrong = await asyncio.wait_for(process.communicate(data), patience_s)
    except TimeoutError:
        raise ErrandFailed(f"{module}: no answer within {patience_s:g} s") from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        raise ErrandFailed(f"{module}: status {process.returncode}: {wrong[-300:].decode(errors='replace')}")
    return said
