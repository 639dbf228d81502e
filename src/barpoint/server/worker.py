"""A worker as a process: does analyses and rollouts of servers that use the same PostgreSQL database."""

from __future__ import annotations

import asyncio
import contextlib
import signal

from barpoint.error import StoreError
from barpoint.server.live.own_games import known_games, told_to_processes
from barpoint.server.services import wall_clock
from barpoint.server.storage.database import parse_address
from barpoint.server.storage.store import Store
from barpoint.server.study.analyses import Analyses
from barpoint.server.study.deepenings import Deepenings
from barpoint.server.study.jobs import Jobs
from barpoint.server.study.nets import check_instruction_set
from barpoint.server.study.rollouts import Rollouts
from barpoint.server.study.workers import Workers
from barpoint.server.telemetry import configure


def run(database: str, count: int, log: str = "text") -> None:
    """Works until it is stopped. StoreError if the database cannot be opened, FormatError. count: jobs at the same time."""
    configure(log)
    check_instruction_set()
    url = parse_address(database)
    if url.get_backend_name() == "sqlite":
        raise StoreError(
            "an SQLite file belongs to one process: barpoint serve does its jobs; name a PostgreSQL database"
        )
    asyncio.run(_work(database, count))


async def _work(database: str, count: int) -> None:
    stopped, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):  # on Windows Ctrl-C interrupts
            loop.add_signal_handler(number, stopped.set)
    store = await Store.open(database)
    workers = Workers(store, wall_clock, count)
    jobs = Jobs(store, wall_clock, workers)
    told = contextlib.ExitStack()
    try:
        told.enter_context(told_to_processes(await known_games(store)))
        kinds = (made(store, wall_clock, jobs) for made in (Analyses, Deepenings, Rollouts))
        workers.start(*kinds)
        shown = parse_address(database)
        print(
            f"Working for {shown.host or 'localhost'}/{shown.database}  (Ctrl-C stops it; nothing is lost)", flush=True
        )
        await stopped.wait()
    finally:
        await workers.stop()
        told.close()
        await store.close()
