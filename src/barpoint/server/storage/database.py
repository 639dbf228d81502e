"""A database by its address: SQLite in a file, or PostgreSQL; its tables brought up to date when it is opened."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Engine, Table, create_engine, event, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from barpoint.error import StoreError
from barpoint.server.storage import migration

CONNECTIONS: Final = 6
"""Connections of a process at most: the writer's, the readers', and one to spare."""

CONNECT_S: Final = 5
"""Time for a connection to be made."""

DRIVERS: Final = {"sqlite": "sqlite+pysqlite", "postgresql": "postgresql+psycopg"}


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


def open_database(address: str) -> tuple[Engine, Engine]:
    """What writes to a database and what reads from it, once its tables are up to date; StoreError.

    A file of SQLite is copied before its tables are changed.
    """
    url = parse_address(address)
    writer, reader = _engines(url)
    try:
        with reader.connect() as connection:
            found = migration.found_revision(connection)
        if found != migration.HEAD:
            if found is not None and url.get_backend_name() == "sqlite" and found in migration.known_revisions():
                _keep_copy(Path(url.database or ""), found)
            with writer.begin() as connection:
                migration.upgrade(connection)
    except StoreError:
        close(writer, reader)
        raise
    except SQLAlchemyError as error:
        close(writer, reader)
        raise StoreError(f"cannot open {url.render_as_string()}: {reason(error)}") from error
    return writer, reader


def close(writer: Engine, reader: Engine) -> None:
    """Lets go of a database."""
    writer.dispose()
    reader.dispose()


def reason(error: SQLAlchemyError) -> str:
    """What the database said, without the statement and a link."""
    return str(getattr(error, "orig", None) or error).strip()


def has_no_room(error: BaseException) -> bool:
    """Whether the disk is full, as SQLite (SQLITE_FULL) and PostgreSQL (53100) say it."""
    cause = getattr(error, "orig", None)
    return (
        getattr(cause, "sqlstate", None) == "53100" or getattr(cause, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
    )


def insert_where_absent(connection: Connection, table: Table, **values: Any) -> bool:
    """Adds a row unless one with its key is there, also when another process adds it at this moment; whether it did."""
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    statement = dialect.insert(table).values(**values).on_conflict_do_nothing()
    return connection.execute(statement.execution_options(preserve_rowcount=True)).rowcount == 1


def _engines(url: URL) -> tuple[Engine, Engine]:
    if url.get_backend_name() == "sqlite":
        return _sqlite_engine(url, "BEGIN IMMEDIATE"), _sqlite_engine(url, "BEGIN")
    try:
        engine = create_engine(
            url,
            pool_size=CONNECTIONS,
            max_overflow=0,
            connect_args={"connect_timeout": CONNECT_S, "application_name": "barpoint"},
        )
    except ModuleNotFoundError as error:
        raise StoreError("PostgreSQL needs another package: pip install 'barpoint[postgres]'") from error
    return engine, engine.execution_options(isolation_level="AUTOCOMMIT")  # reading needs no transaction there


def _sqlite_engine(url: URL, begin: str) -> Engine:
    engine = create_engine(url, connect_args={"timeout": 10}, pool_size=CONNECTIONS, max_overflow=0)

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


def _keep_copy(file: Path, revision: str) -> None:
    """The file as it was, beside it."""
    source, copy = sqlite3.connect(file), sqlite3.connect(f"{file}.{revision}")
    try:
        source.backup(copy)
    finally:
        source.close()
        copy.close()


def answers(connection: Connection) -> None:
    """Asks the database for nothing but an answer; StoreError where it gives none."""
    connection.execute(select(1))
