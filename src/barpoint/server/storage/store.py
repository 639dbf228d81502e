"""The database, in threads of its own: one writes, a few read.

Reads that wait at the same time share a thread's turn and a connection: when thousands of clients come back at once,
the way to a thread and back costs more than a read.

Reads and writes are plain functions of an open connection, so that their statements follow each other without a switch
of threads. A write is committed when `write` returns. Writes that wait at the same time share one commit. If one of
them is refused, all run again, each in its own savepoint, so that it undoes nothing of the others; a write may
therefore run twice. On SQLite a commit is an fsync (synchronous=FULL): about 190 a second on a small machine, which is
why they are shared. A commit of several writes is followed by a pause in which more come together, since a commit takes
longer than the writes in it; a write that comes alone never waits.
"""

from __future__ import annotations

import asyncio
import math
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as NoConnection

from barpoint.error import StoreError, StoreFull
from barpoint.server.storage.database import close, has_no_room, open_database, reason
from barpoint.server.telemetry import Metrics

P = ParamSpec("P")
T = TypeVar("T")
Work = Callable[[Connection], T]

Answered = tuple[Any, Exception | None]
"""The result of a write, or the error that refused it."""

NO_ROOM: Final = "the disk of the server is full; nothing was changed"

FULL_S: Final = 60.0
"""For how long the disk counts as full after a write for which there was no room: somebody tries again within a minute."""

MAX_BATCH: Final = 256
"""Maximum writes that share one commit."""

PAUSE_S: Final = 0.005
MAX_PAUSE_S: Final = 0.02
"""Time from one commit to the next for each write that shared it but the first, and at most."""

CROSSED: Final = ("40001", "40P01")
"""PostgreSQL's error codes for two processes that write the same rows in different orders."""

READERS: Final = 4
"""Reader threads; each has a connection."""

MAX_READS: Final = 8
"""Maximum reads that share a turn: a slow one holds up those behind it."""

ATTEMPTS: Final = 3
"""How often a write is tried when PostgreSQL aborts it because another process writes the same rows."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    work: Work[Any]
    done: asyncio.Future[Any]
    loop: asyncio.AbstractEventLoop


class Store:
    """An open database: `await Store.open(address)`, and `await store.close()` at the end."""

    def __init__(self, writer: Engine, reader: Engine) -> None:
        self.metrics = Metrics()
        self._writer, self._reader = writer, reader
        self._queue: SimpleQueue[_Waiting | None] = SimpleQueue()
        self._reads: SimpleQueue[_Waiting | None] = SimpleQueue()
        self._threads = [threading.Thread(target=self._serve, name="write", daemon=True)]
        self._threads += [threading.Thread(target=self._serve_reads, name="read", daemon=True) for _ in range(READERS)]
        self._open = True
        self._full_at = -math.inf
        for thread in self._threads:
            thread.start()

    @classmethod
    async def open(cls, address: str) -> Store:
        """Opens the database at an address and migrates its schema; StoreError if that fails."""
        return cls(*await asyncio.to_thread(open_database, address))

    async def close(self) -> None:
        """Finishes pending work and closes the database."""
        if not self._open:
            return
        self._open = False
        self._queue.put(None)
        for _ in range(READERS):
            self._reads.put(None)
        await asyncio.to_thread(self._let_go)

    def _let_go(self) -> None:
        for thread in self._threads:
            thread.join()
        close(self._writer, self._reader)

    @property
    def backend(self) -> str:
        """sqlite or postgresql."""
        return self._writer.dialect.name

    @property
    def full(self) -> bool:
        """Whether a write has just found no room on the disk."""
        return time.monotonic() - self._full_at < FULL_S

    async def write(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Runs `work(connection, ...)`, commits and returns its result; if it raises, nothing is written.

        StoreError if the database does not answer; CommitUnknown if the write may have happened or not.
        """
        if not self._open:
            raise StoreError("the database has been closed")
        return await self._done(self._queue, lambda connection: work(connection, *args, **kwargs))

    async def read(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Runs `work(connection, ...)` on a connection for reading; StoreError if the database does not answer."""
        if not self._open:
            raise StoreError("the database has been closed")
        return await self._done(self._reads, lambda connection: work(connection, *args, **kwargs))

    async def _done(self, queue: SimpleQueue[_Waiting | None], work: Work[T]) -> T:
        """The result of work, once a thread has done it."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        queue.put(_Waiting(work, done, loop))
        return await done

    def _serve_reads(self) -> None:
        """A reader thread; runs until the queue is closed."""
        while (batch := _waiting(self._reads, MAX_READS)) is not None:
            _tell(batch, self._look([waiting.work for waiting in batch]))

    def _look(self, works: list[Work[Any]]) -> list[Answered]:
        """The results of reads, on one connection unless it is lost."""
        outcomes: list[Answered] = []
        retried = False
        while len(outcomes) < len(works):
            connected = False
            try:
                with self._reader.connect() as connection:
                    connected = True
                    while len(outcomes) < len(works):
                        outcomes.append((works[len(outcomes)](connection), None))
            except (DBAPIError, NoConnection) as error:
                lost = getattr(error, "connection_invalidated", False)
                if lost and not retried:
                    retried = True  # the database was restarted; the next connection is new
                    continue
                refused = StoreError("the database refused: %(reason)s", reason=reason(error))
                refused.__cause__ = error
                left = len(works) - len(outcomes)  # 0 if it was lost after the last read
                outcomes += [(None, refused)] * (min(1, left) if connected and not lost else left)
            except Exception as error:  # noqa: BLE001 - the outermost handler: the caller gets it, the others go on
                outcomes += [(None, error)][: len(works) - len(outcomes)]
        return outcomes

    def _serve(self) -> None:
        """The writer thread; runs until the queue is closed."""
        while (batch := _waiting(self._queue, MAX_BATCH)) is not None:
            began = time.monotonic()
            answered = self._commit([waiting.work for waiting in batch])
            if any(isinstance(error, StoreFull) for _, error in answered):
                self._full_at = time.monotonic()
            _tell(batch, answered)
            time.sleep(pause_after(len(batch), time.monotonic() - began))

    def _commit(self, works: list[Work[Any]]) -> list[Answered]:
        self.metrics.commit_writes.observe(len(works))
        with self.metrics.commit_s.time():
            try:
                return self._together(works)
            except (CommitUnknown, StoreFull) as error:
                return [(None, _refusal(error))] * len(works)
            except Exception:  # noqa: BLE001 - at least one was refused: each is tried again by itself
                self.metrics.failures.inc()
                return self._apart(works)

    def _together(self, works: list[Work[Any]]) -> list[Answered]:
        """Runs all writes in one commit, the usual case; if any fails, raises with nothing written."""
        with self._writer.connect() as connection:
            outcomes: list[Answered] = [(work(connection), None) for work in works]
            _finish(connection)
            return outcomes

    def _apart(self, works: list[Work[Any]]) -> list[Answered]:
        """Runs each write on its own: in savepoints of one commit on SQLite, elsewhere in separate commits, which are
        cheap.

        So the locks of a finished write are released while the next one waits for another process.
        """
        if self._writer.dialect.name != "sqlite":
            return [self._alone(work) for work in works]
        try:
            with self._writer.connect() as connection:
                outcomes = [_attempt(connection, work) for work in works]
                _finish(connection)
                return outcomes
        except Exception as error:  # noqa: BLE001 - the outermost handler: callers get the error, the queue goes on
            return [(None, _refusal(error))] * len(works)

    def _alone(self, work: Work[Any]) -> Answered:
        for chance in range(ATTEMPTS):
            try:
                return self._together([work])[0]
            except Exception as error:  # noqa: BLE001 - as above
                if chance + 1 == ATTEMPTS or getattr(getattr(error, "orig", None), "sqlstate", None) not in CROSSED:
                    return None, _refusal(error)
        raise AssertionError("returns")


def pause_after(writes: int, took_s: float) -> float:
    """Seconds to let writes come together after a commit of so many that took so long; 0 after a single write."""
    return max(0.0, min(MAX_PAUSE_S, PAUSE_S * (writes - 1)) - took_s)


class CommitUnknown(StoreError):
    """The connection was lost during the commit: the write may have happened or not."""


def _finish(connection: Connection) -> None:
    try:
        connection.commit()
    except SQLAlchemyError as error:
        if has_no_room(error):
            raise StoreFull(NO_ROOM) from error
        raise CommitUnknown("the database was lost while it committed: %(reason)s", reason=reason(error)) from error


def _attempt(connection: Connection, work: Work[Any]) -> Answered:
    savepoint = connection.begin_nested()
    try:
        result = work(connection)
        savepoint.commit()
        return result, None
    except Exception as error:
        if not connection.connection.dbapi_connection.in_transaction:  # type: ignore[union-attr]
            raise  # SQLite rolled back the whole commit, as on a full disk, earlier writes included
        savepoint.rollback()
        return None, _refusal(error)


def _waiting(queue: SimpleQueue[_Waiting | None], most: int) -> list[_Waiting] | None:
    """What waits in a queue, at least one; None at its end."""
    first = queue.get()
    if first is None:
        return None
    found = [first]
    while len(found) < most:
        try:
            more = queue.get_nowait()
        except Empty:
            break
        if more is None:
            queue.put(None)  # the end is for the next call
            break
        found.append(more)
    return found


def _refusal(error: Exception) -> Exception:
    """The error that the caller of a write gets: what their function raised, or StoreError for a database error."""
    if isinstance(error, SQLAlchemyError) and has_no_room(error):
        return StoreFull(NO_ROOM)
    if isinstance(error, SQLAlchemyError) and not isinstance(error, IntegrityError):
        return StoreError("the database refused: %(reason)s", reason=reason(error))
    return error


def _tell(batch: list[_Waiting], outcomes: list[Answered]) -> None:
    """Hands the results to the event loops that wait for them; ignores loops that are closed."""
    told: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[Any], Answered]]] = {}
    for waiting, outcome in zip(batch, outcomes, strict=True):
        told.setdefault(waiting.loop, []).append((waiting.done, outcome))
    for loop, settled in told.items():
        with suppress(RuntimeError):  # it is closed
            loop.call_soon_threadsafe(_settle, settled)


def _settle(settled: list[tuple[asyncio.Future[Any], Answered]]) -> None:
    for done, (result, failure) in settled:
        if done.cancelled():
            continue
        if failure is None:
            done.set_result(result)
        else:
            done.set_exception(failure)
