"""Opens a database by its address, SQLite in a file or PostgreSQL, and migrates it to the current schema."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing, suppress
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Engine,
    Row,
    Table,
    create_engine,
    event,
    func,
    select,
    text,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from barpoint.error import StoreError
from barpoint.server.storage import migration

CONNECTIONS: Final = 6
"""Maximum connections of a process: one for the writer, one for each reader, one spare."""

CONNECT_S: Final = 5
"""Timeout for opening a connection, in seconds."""

KEEPALIVE: Final = {"keepalives_idle": 5, "keepalives_interval": 5, "keepalives_count": 3, "tcp_user_timeout": 15_000}
"""Options of connections to PostgreSQL: a machine that vanishes without a word is noticed after 15 to 20 seconds, not hours."""

PRIVATE: Final = 0o600
"""The mode of a new file: a database holds the key that signs cookies, and the seeds of dice."""

DRIVERS: Final = {"sqlite": "sqlite+pysqlite", "postgresql": "postgresql+psycopg"}


def parse_address(address: str) -> URL:
    """Parses a database address and fills in the driver; StoreError if it is invalid."""
    try:
        url = make_url(re.sub("^postgres://", "postgresql://", address))  # as hosting providers write it
        backend = url.get_backend_name()
    except (ArgumentError, ValueError) as error:  # ValueError: a port that is no number
        raise StoreError(
            "%(address)r is no database address; write sqlite:///file or postgresql://...",
            address=without_password(address),
        ) from error
    if backend not in DRIVERS:
        raise StoreError("no %(backend)s databases; write sqlite:///file or postgresql://...", backend=backend)
    if backend == "sqlite" and url.host:
        raise StoreError(
            "%(address)r names a host; a file has three slashes before it: sqlite:///file", address=address
        )
    if backend == "sqlite" and url.database in (None, "", ":memory:"):
        raise StoreError("a database in memory loses every match; write sqlite:///file")
    if backend == "sqlite" and not Path(url.database or "").absolute().parent.is_dir():
        raise StoreError("cannot open %(database)s: there is no such folder", database=url.database)
    return url.set(drivername=DRIVERS[backend])


def without_password(address: str) -> str:
    """An address, also one that is none, as it may be shown and logged."""
    return re.sub(r"(:/+[^/@:]*):.*@", r"\1:***@", address, flags=re.DOTALL)


def shown(url: URL) -> str:
    """An address as people write it, without its password."""
    return without_password(url.set(drivername=url.get_backend_name()).render_as_string())


def open_database(address: str) -> tuple[Engine, Engine]:
    """The engines for writing and for reading, after migrating the schema; StoreError on failure.

    An SQLite file is copied before it is migrated; a new one is for the user alone who runs the server.
    """
    url = parse_address(address)
    _make_private(url)
    writer, reader = engines(url)
    try:
        with reader.connect() as connection:
            check_encoding(connection)
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
        raise cannot_open(url, error) from error
    return writer, reader


def _make_private(url: URL) -> None:
    """Makes an SQLite file that does not exist yet; SQLite itself gives the files beside it the same mode."""
    file = Path(url.database or "")
    if url.get_backend_name() == "sqlite" and not url.query and not file.exists():
        try:
            file.touch(PRIVATE)
        except OSError as error:
            raise StoreError("cannot open %(url)s: %(reason)s", url=shown(url), reason=error.strerror) from error


def engines(url: URL) -> tuple[Engine, Engine]:
    """The engines for writing and for reading."""
    if url.get_backend_name() == "sqlite":
        return _sqlite_engine(url, "BEGIN IMMEDIATE"), _sqlite_engine(url, "BEGIN")
    try:
        engine = create_engine(
            url,
            pool_size=CONNECTIONS,
            max_overflow=0,
            connect_args={
                "connect_timeout": CONNECT_S,
                "application_name": "barpoint",
                "client_encoding": "utf8",  # for SQL_ASCII the driver would give bytes; `check_encoding` refuses it in words
                **KEEPALIVE,
            },
        )
    except ModuleNotFoundError as error:
        raise StoreError("PostgreSQL needs another package: pip install 'barpoint[postgres]'") from error
    return engine, engine.execution_options(isolation_level="AUTOCOMMIT")  # reading needs no transaction there


def close(writer: Engine, reader: Engine) -> None:
    """Closes a database."""
    writer.dispose()
    reader.dispose()


def reason(error: SQLAlchemyError) -> str:
    """The database's error message in one line, without the statement and the link to the manual."""
    return " ".join(str(getattr(error, "orig", None) or error).split())


def cannot_open(url: URL, error: SQLAlchemyError) -> StoreError:
    """The refusal of a database that did not open, with what SQLite does not say."""
    if getattr(getattr(error, "orig", None), "sqlite_errorcode", 0) & 0xFF in (
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_READONLY,
    ):
        return StoreError(
            "cannot open %(url)s: %(reason)s; whoever runs this must be able to write to the file and to its folder",
            url=shown(url),
            reason=reason(error),
        )
    return StoreError("cannot open %(url)s: %(reason)s", url=shown(url), reason=reason(error))


def check_encoding(connection: Connection) -> None:
    """StoreError for a PostgreSQL database that cannot hold the names and texts of everybody."""
    if connection.dialect.name == "postgresql" and (found := connection.scalar(text("SHOW server_encoding"))) != "UTF8":
        raise StoreError(
            "the database has the encoding %(found)s; allowed: UTF8 (createdb --encoding=UTF8 --template=template0 NAME)",
            found=found,
        )


def has_no_room(error: BaseException) -> bool:
    """Whether the disk is full: SQLITE_FULL in SQLite, 53100 in PostgreSQL."""
    cause = getattr(error, "orig", None)
    return (
        getattr(cause, "sqlstate", None) == "53100" or getattr(cause, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
    )


def insert_where_absent(connection: Connection, table: Table, **values: Any) -> bool:
    """Inserts a row unless its key exists, safely against other processes; returns whether it did."""
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    statement = dialect.insert(table).values(**values).on_conflict_do_nothing()
    return connection.execute(statement.execution_options(preserve_rowcount=True)).rowcount == 1


def insert_or_update(connection: Connection, table: Table, key: dict[str, Any], **values: Any) -> None:
    """Inserts a row with this key; if it exists, only changes the values."""
    if not insert_where_absent(connection, table, **key, **values):
        connection.execute(
            update(table).where(*(table.c[name] == value for name, value in key.items())).values(**values)
        )


def count(connection: Connection, table: Table, *conditions: ColumnElement[bool]) -> int:
    """The number of rows that meet the conditions."""
    return connection.scalar(select(func.count()).select_from(table).where(*conditions)) or 0


def columns_of(table: Table, record: type[Any]) -> list[Column[Any]]:
    """The columns that a dataclass has fields for, in the order of the fields."""
    return [table.c[field.name] for field in fields(record) if field.name in table.c]


def values_of(table: Table, record: Any) -> dict[str, Any]:
    """The values of a dataclass for the columns that have the names of its fields."""
    return {column.name: getattr(record, column.name) for column in columns_of(table, type(record))}


def fields_from(row: Row[Any], record: type[Any]) -> dict[str, Any]:
    """The fields of a dataclass that a row has columns for, with their values."""
    return {field.name: row._mapping[field.name] for field in fields(record) if field.name in row._mapping}


def _sqlite_engine(url: URL, begin: str) -> Engine:
    engine = create_engine(url, connect_args={"timeout": 10}, pool_size=CONNECTIONS, max_overflow=0)

    @event.listens_for(engine, "connect")
    def configure(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # the driver starts no transaction by itself
        cursor = connection.cursor()
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=10000", "foreign_keys=ON"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def start(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def _keep_copy(file: Path, revision: str) -> None:
    """Copies the file to a backup next to it; StoreError, without a backup, if that fails."""
    kept = Path(f"{file}.{revision}")
    try:
        kept.touch(PRIVATE)
        with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(kept)) as copy:
            source.backup(copy)
    except (OSError, sqlite3.Error) as error:
        with suppress(OSError):
            kept.unlink()
        raise StoreError(
            "cannot copy the database to %(kept)s before its tables are changed: %(reason)s; nothing was changed",
            kept=kept,
            reason=getattr(error, "strerror", None) or error,
        ) from error


def answers(connection: Connection) -> None:
    """Checks that the database answers; StoreError if it does not."""
    connection.execute(select(1))
