"""The database: one queue of writes that share commits, and reads beside it.

Every write is committed when `write` returns. Writes that wait at the same time share one commit. Where one of them is
refused they are done once more, each in a savepoint of its own, so that it undoes nothing of the others; what is
written may therefore run twice. On SQLite a commit is an fsync (synchronous=FULL): some 190 a second on a small machine,
which is why they are shared.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from sqlalchemy import event, insert, select
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from barpoint.error import StoreError
from barpoint.server.schema import METADATA, SCHEMA_VERSION, SETTING

T = TypeVar("T")
Work = Callable[[AsyncConnection], Awaitable[T]]

LARGEST_BATCH: Final = 256
"""Writes that share one commit at most."""

DRIVERS: Final = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+psycopg"}


@dataclass(frozen=True, slots=True)
class _Waiting:
    work: Work[Any]
    done: asyncio.Future[Any]


class Store:
    """An open database. `await Store.open(address)`, and `await store.close()` at the end."""

    def __init__(self, writer: AsyncEngine, reader: AsyncEngine) -> None:
        self._writer, self._reader = writer, reader
        self._queue: asyncio.Queue[_Waiting] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    @classmethod
    async def open(cls, address: str) -> Store:
        """The database at an address, its tables made where they are missing; StoreError when it cannot be had."""
        url = parse_address(address)
        if url.get_backend_name() == "sqlite":
            writer, reader = _sqlite_engine(url, "BEGIN IMMEDIATE"), _sqlite_engine(url, "BEGIN")
        else:
            writer = reader = create_async_engine(url)
        store = cls(writer, reader)
        try:
            async with writer.begin() as connection:
                await connection.run_sync(METADATA.create_all)
                await _check_version(connection)
        except SQLAlchemyError as error:
            await store.close()
            raise StoreError(f"cannot open {url.render_as_string()}: {error}") from error
        except StoreError:
            await store.close()
            raise
        store._task = asyncio.create_task(store._serve(), name="store")
        return store

    async def close(self) -> None:
        """Finishes what waits and lets go of the database."""
        if self._task:
            await self._queue.join()
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None
        await self._writer.dispose()
        await self._reader.dispose()

    async def write(self, work: Work[T]) -> T:
        """What `work` returns, once everything it wrote is committed; what it raises, with nothing of it written."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        await self._queue.put(_Waiting(work, done))
        return await done

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """A connection for reading; StoreError when the database does not answer."""
        try:
            async with self._reader.connect() as connection:
                yield connection
        except DBAPIError as error:
            raise StoreError(f"the database refused: {error}") from error

    async def _serve(self) -> None:
        while True:
            batch = [await self._queue.get()]
            while not self._queue.empty() and len(batch) < LARGEST_BATCH:
                batch.append(self._queue.get_nowait())
            try:
                await self._commit(batch)
            finally:
                for _ in batch:
                    self._queue.task_done()

    async def _commit(self, batch: list[_Waiting]) -> None:
        try:
            results = await self._together(batch)
        except Exception:  # noqa: BLE001 - one of them was refused, or all: each is tried again in a savepoint of its own
            results = await self._apart(batch)
        for waiting, (result, failure) in zip(batch, results, strict=True):
            if waiting.done.cancelled():
                continue
            if failure is None:
                waiting.done.set_result(result)
            else:
                waiting.done.set_exception(failure)

    async def _together(self, batch: list[_Waiting]) -> list[tuple[Any, Exception | None]]:
        """All in one go, nearly always; raises, with nothing written, when any of them cannot be done."""
        async with self._writer.begin() as connection:
            return [(await waiting.work(connection), None) for waiting in batch]

    async def _apart(self, batch: list[_Waiting]) -> list[tuple[Any, Exception | None]]:
        try:
            async with self._writer.begin() as connection:
                return [await _attempt(connection, waiting.work) for waiting in batch]
        except Exception as error:  # noqa: BLE001 - the outermost handler: whoever waits is told, the queue lives on
            return [(None, StoreError(f"the database refused: {error}"))] * len(batch)


async def _attempt(connection: AsyncConnection, work: Work[Any]) -> tuple[Any, Exception | None]:
    try:
        async with connection.begin_nested():
            return await work(connection), None
    except Exception as error:  # noqa: BLE001 - raised again where the write was asked for
        return None, error


def parse_address(address: str) -> URL:
    """A database address with the driver this server uses; StoreError for what is none."""
    try:
        url = make_url(address)
        backend = url.get_backend_name()
    except ArgumentError as error:
        raise StoreError(f"{address!r} is no database address; write sqlite:///file or postgresql://...") from error
    if backend not in DRIVERS:
        raise StoreError(f"no {backend} databases; write sqlite:///file or postgresql://...")
    if backend == "sqlite" and url.database in (None, "", ":memory:"):
        raise StoreError("a database in memory loses every match; write sqlite:///file")
    if backend == "sqlite" and not Path(url.database or "").absolute().parent.is_dir():
        raise StoreError(f"cannot open {url.database}: there is no such folder")
    return url.set(drivername=DRIVERS[backend])


def _sqlite_engine(url: URL, begin: str) -> AsyncEngine:
    engine = create_async_engine(url, connect_args={"timeout": 10})

    @event.listens_for(engine.sync_engine, "connect")
    def configure(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # the driver begins nothing by itself
        cursor = connection.cursor()
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=10000", "foreign_keys=ON"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def start(connection: Any) -> None:
        connection.exec_driver_sql(begin)

    return engine


async def _check_version(connection: AsyncConnection) -> None:
    found = await connection.scalar(select(SETTING.c.value).where(SETTING.c.name == "schema"))
    if found is None:
        await connection.execute(insert(SETTING).values(name="schema", value=str(SCHEMA_VERSION)))
    elif found != str(SCHEMA_VERSION):
        raise StoreError(f"the database has schema {found}, this program reads {SCHEMA_VERSION}")
