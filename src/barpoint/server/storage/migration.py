"""Migrates a database to the schema this program uses; refuses one that is newer, unless its tables suit this program.

A revision is named "0031_since_0029" if programs from revision 0029 on, whatever else its name says, work with its tables: it only
adds to them, or drops what those no longer use. So while one process after the other is replaced, older ones run beside newer ones and may restart.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, inspect, text

from barpoint.error import StoreError
from barpoint.server.storage.schema.shapes import METADATA

HEAD: Final = "0047_since_0024"
"""The schema revision this program uses: the latest file in `migrations/versions`."""

SINCE: Final = "_since_"
"""In the name of a revision: what follows is the revision of the oldest program that works with its tables."""

TABLE: Final = "alembic_version"
"""The table that holds the revision."""

FOLDER: Final = Path(__file__).parent / "migrations"

LOCK: Final = 7_000_001
"""The number of the PostgreSQL advisory lock that lets only one process migrate."""


def found_revision(connection: Connection) -> str | None:
    """The schema revision, None for an empty database; StoreError if the tables are not ours."""
    tables = set(inspect(connection).get_table_names())
    if TABLE not in tables:
        if "match" in tables:
            raise StoreError("the database was made by a program older than the first release; name another one")
        return None
    found = connection.scalar(text(f"SELECT version_num FROM {TABLE}"))
    return None if found is None else str(found)


def upgrade(connection: Connection) -> str | None:
    """Migrates to HEAD within the open transaction; returns the revision found before. An empty database gets all tables at once.

    A newer revision whose tables suit this program is left as it is. StoreError, with nothing changed, for any other that
    this program does not know.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    found = found_revision(connection)
    if found == HEAD:
        return found
    if found is None:
        create(connection)
        return None
    if found not in (known := known_revisions()) and oldest_program(found) in map(number, known):
        return found
    upgrade_to(connection, HEAD, found)
    return found


def create(connection: Connection) -> None:
    """Makes the tables of HEAD, as all migrations together do, within the open transaction; the database is empty."""
    METADATA.create_all(connection, checkfirst=False)
    connection.execute(text(f"CREATE TABLE {TABLE} (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"))
    connection.execute(text(f"INSERT INTO {TABLE} (version_num) VALUES (:head)"), {"head": HEAD})


def upgrade_to(connection: Connection, revision: str, found: str | None = None) -> None:
    """Migrates to a revision within the open transaction. found: the revision before, None for an empty database.

    StoreError, with nothing changed, unless this program knows both.
    """
    from alembic import command  # imported here, since most starts have nothing to migrate

    known = known_revisions()
    for one in (found, revision):
        if one is not None and one not in known:
            raise StoreError(
                "the database has revision %(found)s, this program knows them up to %(head)s; it was used by a "
                "newer barpoint: install that one",
                found=one[:40],
                head=HEAD,
            )
    command.upgrade(configuration(connection), revision)


def number(revision: str) -> str:
    """The number of a revision, which its name begins with."""
    return revision.partition(SINCE)[0]


def oldest_program(revision: str) -> str:
    """The number of the oldest program that works with the tables of a revision; "" if its name says none."""
    return number(revision.partition(SINCE)[2])


def known_revisions() -> list[str]:
    """Every revision this program knows, newest first."""
    from alembic.script import ScriptDirectory

    return [script.revision for script in ScriptDirectory.from_config(configuration(None)).walk_revisions()]


def configuration(connection: Connection | None) -> Any:
    """The configuration of Alembic: our migrations, and the connection to run them on."""
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config
