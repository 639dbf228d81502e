"""Copies a whole database into an empty one, of either kind and while servers use it: backup, restore, moving."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from sqlalchemy import URL, Connection, Engine, MetaData, Table, func, insert, inspect, select
from sqlalchemy.exc import SQLAlchemyError

from barpoint.error import StoreError
from barpoint.server.storage import database, migration

ROWS_AT_ONCE: Final = 500
"""Rows read and written at once; among them can be files of some MB."""


def copy_database(source: str, target: str) -> int:
    """Copies every row of one database, at one moment, into another that is empty; returns the number of rows.

    The copy has the revision of its source and is migrated when a server opens it. It appears in one transaction: what fails
    leaves the target empty, and no file where there was none. StoreError if the source holds nothing or is newer than this program, or the target holds
    anything.
    """
    source_url, target_url = database.parse_address(source), database.parse_address(target)
    if source_url.get_backend_name() == "sqlite" and not Path(source_url.database or "").is_file():
        raise StoreError("cannot open %(database)s: there is no such file", database=source_url.database)
    with _new_file(target_url):
        reading, writing = database.engines(source_url), database.engines(target_url)
        try:
            _try(source_url, reading[1])
            _try(target_url, writing[1])
            with _snapshot(reading) as found, writing[0].begin() as made:
                return _copy(found, made)
        except SQLAlchemyError as error:
            raise StoreError(
                "cannot copy %(source)s to %(target)s: %(reason)s",
                source=database.shown(source_url),
                target=database.shown(target_url),
                reason=database.reason(error),
            ) from error
        finally:
            database.close(*reading)
            database.close(*writing)


def _try(url: URL, engine: Engine) -> None:
    """Reads from a database once, so that an error says which of the two cannot be opened or used."""
    try:
        with engine.connect() as connection:
            database.check_encoding(connection)
            inspect(connection).get_table_names()
    except SQLAlchemyError as error:
        raise database.cannot_open(url, error) from error


@contextmanager
def _new_file(url: URL) -> Iterator[None]:
    """Makes the file of an SQLite database; removes it again if what follows fails, so that nobody takes it for a backup."""
    file = Path(url.database or "")
    if url.get_backend_name() != "sqlite" or file.exists():
        yield
        return
    file.touch(database.PRIVATE)
    try:
        yield
    except BaseException:
        for made in (file, Path(f"{file}-wal"), Path(f"{file}-shm")):
            made.unlink(missing_ok=True)
        raise


def _snapshot(engines: tuple[Engine, Engine]) -> Connection:
    """A connection that sees the database as it is at its first statement."""
    writer, reader = engines
    if reader.dialect.name == "sqlite":
        return reader.connect()
    return writer.connect().execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)


def _copy(source: Connection, target: Connection) -> int:
    revision = migration.found_revision(source)
    if revision is None:
        raise StoreError("the database to copy is empty")
    if inspect(target).get_table_names():
        raise StoreError(
            "the database to copy to holds tables already; name an empty one, or a file that does not exist"
        )
    if revision == migration.HEAD:
        migration.create(target)
    else:
        migration.upgrade_to(target, revision)
    read, written = MetaData(), MetaData()
    read.reflect(source)
    written.reflect(target)
    return sum(_copy_table(source, target, read.tables[table.name], table) for table in written.sorted_tables)


def _copy_table(source: Connection, target: Connection, old: Table, new: Table) -> int:
    """Copies the rows of a table in the order of its key, and lets the next number follow them."""
    if new.name == migration.TABLE:
        return 0
    count = 0
    found = source.execute(
        select(old).order_by(*old.primary_key.columns), execution_options={"yield_per": ROWS_AT_ONCE}
    )
    with closing(found):
        for part in found.mappings().partitions():
            target.execute(insert(new), [dict(row) for row in part])
            count += len(part)
    if target.dialect.name == "postgresql" and count:
        for column in new.primary_key.columns:
            if column.server_default is not None:  # a sequence, which does not follow rows that bring their numbers
                sequence = func.pg_get_serial_sequence(f'"{new.name}"', column.name)
                target.execute(select(func.setval(sequence, select(func.max(column)).scalar_subquery())))
    return count
