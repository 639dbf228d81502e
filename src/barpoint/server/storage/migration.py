"""Brings the tables of a database to what this program reads and writes; leaves one that is newer alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, inspect, text

from barpoint.error import StoreError

HEAD: Final = "0013"
"""The revision that this program reads and writes: the last file of `migrations/versions`."""

FOLDER: Final = Path(__file__).parent / "migrations"

LOCK: Final = 7_000_001
"""PostgreSQL's number for whoever changes the tables, so that of several processes one does."""


def found_revision(connection: Connection) -> str | None:
    """The revision of the tables, None where there are none; StoreError for tables of somebody else."""
    tables = set(inspect(connection).get_table_names())
    if "alembic_version" not in tables:
        if "match" in tables:
            raise StoreError("the database was made by a program older than the first release; name another one")
        return None
    found = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return None if found is None else str(found)


def upgrade(connection: Connection) -> str | None:
    """Brings the tables to HEAD within the open transaction, and says which revision was there.

    StoreError, with nothing changed, for a revision that this program does not know: a newer one made it.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    found = found_revision(connection)
    if found == HEAD:
        return found
    from alembic import command  # here, since most starts have nothing to do

    if found is not None and found not in known_revisions():
        raise StoreError(
            f"the database has revision {found[:40]}, this program knows them up to {HEAD}; "
            "it was used by a newer barpoint: install that one"
        )
    command.upgrade(configuration(connection), "head")
    return found


def known_revisions() -> list[str]:
    """Every revision that this program knows, the newest first."""
    from alembic.script import ScriptDirectory

    return [script.revision for script in ScriptDirectory.from_config(configuration(None)).walk_revisions()]


def configuration(connection: Connection | None) -> Any:
    """Alembic's view of this package: its steps, and the connection on which they are taken."""
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config
