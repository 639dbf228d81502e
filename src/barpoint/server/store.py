"""The database, in threads of its own: one that writes, and a few that read.

What is to be written or read is a plain function of an open connection, so that its statements follow each other
without a hop between threads. Every write is committed when `write` returns. Writes that wait at the same time share one
commit. Where one of them is refused they are done once more, each in a savepoint of its own, so that it undoes nothing of
the others; what is written may therefore run twice. On SQLite a commit is an fsync (synchronous=FULL): some 190 a second
on a small machine, which is why they are shared.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event, insert, select
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as NoConnection

from barpoint.error import StoreError
from barpoint.server.schema import METADATA, SCHEMA_VERSION, SETTING

T = TypeVar("T")
Work = Callable[[Connection], T]

Outcome = tuple[Any, Exception | None]
"""What a write returned, or why it was refused."""

LARGEST_BATCH: Final = 256
"""Writes that share one commit at most."""

READERS: Final = 4
"""Threads that read, each with a connection."""

DRIVERS: Final = {"sqlite": "sqlite+pysqlite", "postgresql": "postgresql+psycopg"}


@dataclass(frozen=True, slots=True)
class _Waiting:
    work: Work[Any]
    done: asyncio.Future[Any]
    loop: asyncio.AbstractEventLoop


class Store:
    """An open database. `await Store.open(address)`, and `await store.close()` at the end."""

    def __init__(self, writer: Engine, reader: Engine) -> None:
        self._writer, self._reader = writer, reader
        self._queue: SimpleQueue[_Waiting | None] = SimpleQueue()
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="read")
        self._thread = threading.Thread(target=self._serve, name="write", daemon=True)
        self._open = True
        self._thread.start()

    @classmethod
    async def open(cls, address: str) -> Store:
        """The database at an address, its tables made where they are missing; StoreError when it cannot be had."""
        url = parse_address(address)
        writer, reader = await asyncio.to_thread(_engines, url)
        return cls(writer, reader)

    async def close(self) -> None:
        """Finishes what waits and lets go of the database."""
        if not self._open:
            return
        self._open = False
        self._queue.put(None)
        await asyncio.to_thread(self._let_go)

    def _let_go(self) -> None:
        self._thread.join()
        self._readers.shutdown()
        self._writer.dispose()
        self._reader.dispose()

    async def write(self, work: Work[T]) -> T:
        """What `work` returns, once everything it wrote is committed; what it raises, with nothing of it written.

        StoreError when the database does not answer; then nobody knows whether it was written.
        """
        if not self._open:
            raise StoreError("the database has been closed")
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        self._queue.put(_Waiting(work, done, loop))
        return await done

    async def read(self, work: Work[T]) -> T:
        """What `work` returns, in a connection for reading; StoreError when the database does not answer."""
        if not self._open:
            raise StoreError("the database has been closed")
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._look, work)

    def _look(self, work: Work[T]) -> T:
        try:
            with self._reader.connect() as connection:
                return work(connection)
        except (DBAPIError, NoConnection) as error:
            raise StoreError(f"the database refused: {error}") from error

    def _serve(self) -> None:
        """The thread that writes, until it is told that nothing more will come."""
        while True:
            batch = [self._queue.get()]
            while batch[-1] is not None and len(batch) < LARGEST_BATCH:
                try:
                    batch.append(self._queue.get_nowait())
                except Empty:
                    break
            wanted = [waiting for waiting in batch if waiting is not None]
            if wanted:
                _tell(wanted, self._commit([waiting.work for waiting in wanted]))
            if batch[-1] is None:
                return

    def _commit(self, works: list[Work[Any]]) -> list[Outcome]:
        try:
            return self._together(works)
        except Exception:  # noqa: BLE001 - one of them was refused, or all: each is tried again in a savepoint of its own
            return self._apart(works)

    def _together(self, works: list[Work[Any]]) -> list[Outcome]:
        """All in one go, nearly always; raises, with nothing written, when any of them cannot be done."""
        with self._writer.begin() as connection:
            return [(work(connection), None) for work in works]

    def _apart(self, works: list[Work[Any]]) -> list[Outcome]:
        try:
            with self._writer.begin() as connection:
                return [_attempt(connection, work) for work in works]
        except Exception as error:  # noqa: BLE001 - the outermost handler: whoever waits is told, the queue lives on
            return [(None, StoreError(f"the database refused: {error}"))] * len(works)


def _attempt(connection: Connection, work: Work[Any]) -> Outcome:
    try:
        with connection.begin_nested():
            return work(connection), None
    except IntegrityError as error:
        return None, error
    except DBAPIError as error:
        return None, StoreError(f"the database refused: {error}")
    except Exception as error:  # noqa: BLE001 - raised again where the write was asked for
        return None, error


def _tell(batch: list[_Waiting], outcomes: list[Outcome]) -> None:
    """Hands the outcomes to the loops that wait for them; a loop that is gone waits for nothing."""
    told: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[Any], Outcome]]] = {}
    for waiting, outcome in zip(batch, outcomes, strict=True):
        told.setdefault(waiting.loop, []).append((waiting.done, outcome))
    for loop, settled in told.items():
        with suppress(RuntimeError):  # it is closed
            loop.call_soon_threadsafe(_settle, settled)


def _settle(settled: list[tuple[asyncio.Future[Any], Outcome]]) -> None:
    for done, (result, failure) in settled:
        if done.cancelled():
            continue
        if failure is None:
            done.set_result(result)
        else:
            done.set_exception(failure)


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


def _engines(url: URL) -> tuple[Engine, Engine]:
    """What writes and what reads, after the tables have been looked at; StoreError."""
    if url.get_backend_name() == "sqlite":
        writer, reader = _sqlite_engine(url, "BEGIN IMMEDIATE"), _sqlite_engine(url, "BEGIN")
    else:
        writer = reader = create_engine(url)
    try:
        with writer.begin() as connection:
            METADATA.create_all(connection)
            _check_version(connection)
    except StoreError:
        writer.dispose()
        raise
    except SQLAlchemyError as error:
        writer.dispose()
        raise StoreError(f"cannot open {url.render_as_string()}: {error}") from error
    return writer, reader


def _sqlite_engine(url: URL, begin: str) -> Engine:
    engine = create_engine(url, connect_args={"timeout": 10}, pool_size=READERS, max_overflow=0)

    @event.listens_for(engine, "connect")
    def configure(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # the driver begins nothing by itself
        cursor = connection.cursor()
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=10000", "foreign_keys=ON"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def start(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def _check_version(connection: Connection) -> None:
    found = connection.scalar(select(SETTING.c.value).where(SETTING.c.name == "schema"))
    if found is None:
        connection.execute(insert(SETTING).values(name="schema", value=str(SCHEMA_VERSION)))
    elif found != str(SCHEMA_VERSION):
        raise StoreError(f"the database has schema {found}, this program reads {SCHEMA_VERSION}")
