"""Keeps an SQLite file for one server, by a lock on a file beside it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

try:
    import fcntl
except ModuleNotFoundError:  # Windows
    fcntl = None  # type: ignore[assignment]

from sqlalchemy.exc import SQLAlchemyError

from barpoint.error import StoreError
from barpoint.server.storage import database, migration


class HeldElsewhere(StoreError):
    """Another process keeps the file."""


@contextmanager
def holding(address: str) -> Iterator[None]:
    """Keeps an SQLite file for this process; HeldElsewhere while another server has it, whose players would not hear of ours.

    A file beside it is locked: the system releases it however the process ends. Windows has no such locks. StoreError
    if there is no writing to the folder.
    """
    url = database.parse_address(address)
    if url.get_backend_name() != "sqlite" or fcntl is None:
        yield
        return
    with ExitStack() as opened:
        try:
            file = opened.enter_context(open(f"{url.database}.lock", "ab"))
        except OSError as error:
            raise StoreError("cannot open %(file)s: %(reason)s", file=error.filename, reason=error.strerror) from error
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise HeldElsewhere(
                "another server runs on %(database)s; allowed: one, and any number on PostgreSQL", database=url.database
            ) from None
        yield


@contextmanager
def holding_to_upgrade(address: str) -> Iterator[None]:
    """Keeps an SQLite file while it is opened for a command, if that changes its tables; StoreError while a server uses them."""
    with ExitStack() as held:
        if not _is_current(address):
            try:
                held.enter_context(holding(address))
            except HeldElsewhere as error:
                raise StoreError(
                    "a server of an older version runs on this database: use the barpoint of that version, or stop the server first"
                ) from error
        yield


def _is_current(address: str) -> bool:
    """Whether a database is no SQLite file, or one whose tables are those of this program."""
    url = database.parse_address(address)
    if url.get_backend_name() != "sqlite":
        return True
    writer, reader = database.engines(url)
    try:
        with reader.connect() as connection:
            return migration.found_revision(connection) == migration.HEAD
    except SQLAlchemyError as error:
        raise database.cannot_open(url, error) from error
    finally:
        database.close(writer, reader)
