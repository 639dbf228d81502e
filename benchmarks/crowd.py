"""Many at once: sockets that only listen, and a database with many running matches.

SOCKETS players, two at every match, are connected and do nothing: memory of the server for each, and its CPU. Then the
server starts again on the same database.

    python -m benchmarks.crowd 2000   other than SOCKETS
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from contextlib import closing
from typing import Final

from websockets.asyncio.client import connect

from barpoint.server.connection_limits import raise_descriptor_limit
from benchmarks.sockets import CONNECTING, Served, prepare, say_join
from tests.support.machine import held_port

SOCKETS: Final = 10_000
MATCHES: Final = 10_000
"""Matches in the database, all of them running."""

QUIET_S: Final = 20.0


async def connected(database: str, port: int, sockets: int) -> None:
    """Connects the players and prints what they cost the server."""
    began = time.monotonic()
    made = await prepare(database, MATCHES)
    print(f"{MATCHES:,} matches made in {time.monotonic() - began:.0f} s", flush=True)
    with closing(Served(port, database)) as served:
        before, cpu_s, opening, began = served.resident, served.cpu_s, asyncio.Semaphore(CONNECTING), time.monotonic()

        async def opened(match_id: str, cookie: str) -> object:
            address = f"ws://127.0.0.1:{port}/ws/match/{match_id}"
            async with opening:
                link = await connect(
                    address, additional_headers={"Cookie": cookie}, open_timeout=120, ping_interval=None
                )
                await say_join(link)
                await link.recv()
                return link

        wanted = [(match_id, cookie) for match_id, both in made for cookie in both][:sockets]
        links = await asyncio.gather(*(opened(match_id, cookie) for match_id, cookie in wanted))
        took, used = time.monotonic() - began, served.cpu_s - cpu_s
        print(
            f"{len(links):,} sockets connected in {took:.0f} s, {1000 * used / len(links):.1f} ms of CPU each; "
            f"{(served.resident - before) / len(links) / 1024:.0f} KiB each"
        )
        cpu_s = served.cpu_s
        await asyncio.sleep(QUIET_S)
        print(f"at rest {100 * (served.cpu_s - cpu_s) / QUIET_S:.0f} % of a core", flush=True)


def main(sockets: int = SOCKETS) -> None:
    """Prints the results."""
    raise_descriptor_limit()
    with tempfile.TemporaryDirectory() as folder, held_port() as port:
        database = f"sqlite:///{folder}/crowd"
        asyncio.run(connected(database, port, sockets))
        began = time.monotonic()
        with closing(Served(port, database)):
            print(f"started on these matches in {time.monotonic() - began:.1f} s")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
