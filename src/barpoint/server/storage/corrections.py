"""Versions of matches that were entered or imported: each version is a row, and all but the one in force name that one."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, Table, select, update

from barpoint.server.storage.analyses import AnalysisSource
from barpoint.server.storage.event_log import Conflict
from barpoint.server.storage.schema.matches import MATCH
from barpoint.server.storage.schema.study import REVIEW

_TABLES: Final[dict[AnalysisSource, Table]] = {"match": MATCH, "review": REVIEW}


def version_in_force(connection: Connection, source: AnalysisSource, row_id: str) -> str | None:
    """The version that has taken the place of this one; None if it is in force itself."""
    table = _TABLES[source]
    return connection.scalar(select(table.c.replaced_by).where(table.c.id == row_id))


def earlier_versions(connection: Connection, source: AnalysisSource, row_id: str) -> list[str]:
    """The versions whose place this one has taken, the latest first."""
    table = _TABLES[source]
    chosen = select(table.c.id).where(table.c.replaced_by == row_id)
    return list(connection.scalars(chosen.order_by(table.c.replaced_at.desc(), table.c.id)))


def put_in_force(connection: Connection, source: AnalysisSource, row_id: str, instead_of: str, now_ms: int) -> None:
    """Lets a version take the place of the one in force, and of all before it; Conflict if that one is not in force any more."""
    columns = _TABLES[source].c
    now = columns.id == instead_of, columns.replaced_by.is_(None)
    ended = {"deadline_at": None} if source == "match" else {}  # no clock runs in what is replaced
    place = {"replaced_by": row_id, "replaced_at": now_ms, **ended}
    changed = connection.execute(update(_TABLES[source]).where(*now).values(place))
    if changed.rowcount != 1:
        raise Conflict("somebody was quicker; look again (%(row_id)s was corrected)", row_id=instead_of)
    connection.execute(update(_TABLES[source]).where(columns.replaced_by == instead_of).values(replaced_by=row_id))
    connection.execute(update(_TABLES[source]).where(columns.id == row_id).values(replaced_by=None))
