"""Analyses in the database, of matches played here and of imported ones: requested, running, finished."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from sqlalchemy import ColumnElement, Connection, and_, delete, select, update

from barpoint.server.storage.database import insert_where_absent
from barpoint.server.storage.schema.study import ANALYSIS, REVIEW_ANALYSIS

AnalysisSource = Literal["match", "review"]
"""Where the analysed match comes from: played here, or imported from a file."""

_TABLES: Final = {"match": ANALYSIS, "review": REVIEW_ANALYSIS}


@dataclass(frozen=True, slots=True)
class Key:
    """Identifies an analysis: the match, the net and the search depth. match_id: of a match or of a review."""

    match_id: str
    net: str
    plies: int
    source: AnalysisSource = "match"


@dataclass(frozen=True, slots=True)
class AnalysisProgress:
    """Progress of an analysis. alive_at: last report of its process, ms since 1970. finished: the report is stored."""

    done: int
    events: int
    alive_at: int
    finished: bool


def _same(key: Key) -> ColumnElement[bool]:
    table = _TABLES[key.source]
    return and_(table.c[f"{key.source}_id"] == key.match_id, table.c.net == key.net, table.c.plies == key.plies)


def progress(connection: Connection, key: Key) -> AnalysisProgress | None:
    """The progress of an analysis; None if nobody has requested it."""
    table = _TABLES[key.source]
    columns = (table.c.done, table.c.events, table.c.alive_at, table.c.report.is_not(None))
    row = connection.execute(select(*columns).where(_same(key))).first()
    return AnalysisProgress(row[0], row[1], row[2], bool(row[3])) if row else None


def report(connection: Connection, key: Key) -> bytes | None:
    """The report, compressed with gzip; None until it is finished."""
    found = connection.scalar(select(_TABLES[key.source].c.report).where(_same(key)))
    return bytes(found) if found is not None else None


def take_up(connection: Connection, key: Key, events: int, now: int, dead_before: int) -> bool:
    """Claims the analysis for this process; False if it is finished or another process is working on it."""
    table = _TABLES[key.source]
    values = {f"{key.source}_id": key.match_id, "net": key.net, "plies": key.plies}
    if insert_where_absent(connection, table, **values, asked_at=now, alive_at=now, done=0, events=events, report=None):
        return True
    left = and_(_same(key), table.c.report.is_(None), table.c.alive_at < dead_before)
    return connection.execute(update(table).where(left).values(alive_at=now, done=0)).rowcount == 1


def note(connection: Connection, key: Key, done: int, now: int) -> None:
    """Reports progress, and that the process is alive."""
    connection.execute(update(_TABLES[key.source]).where(_same(key)).values(done=done, alive_at=now))


def finish(connection: Connection, key: Key, packed: bytes, now: int) -> None:
    """Stores the report."""
    table = _TABLES[key.source]
    connection.execute(update(table).where(_same(key)).values(report=packed, done=table.c.events, alive_at=now))


def drop(connection: Connection, key: Key) -> None:
    """Deletes an analysis that failed; it can be requested again."""
    table = _TABLES[key.source]
    connection.execute(delete(table).where(and_(_same(key), table.c.report.is_(None))))
