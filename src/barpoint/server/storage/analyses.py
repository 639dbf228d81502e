"""Analyses in the tables, of matches that were played here and of those from files: asked for, under way, done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from sqlalchemy import ColumnElement, Connection, and_, delete, select, update

from barpoint.server.storage.database import insert_where_absent
from barpoint.server.storage.schema import ANALYSIS, REVIEW_ANALYSIS

AnalysisSource = Literal["match", "review"]
"""Where what is analysed comes from: played here, or read from a file."""

_TABLES: Final = {"match": ANALYSIS, "review": REVIEW_ANALYSIS}


@dataclass(frozen=True, slots=True)
class Key:
    """Which analysis: of a match, by a net, so many plies ahead. match_id: of a match, or of a review."""

    match_id: str
    net: str
    plies: int
    source: AnalysisSource = "match"


@dataclass(frozen=True, slots=True)
class AnalysisProgress:
    """How far one is. alive_at: when its process last said so, ms since 1970. finished: its report is there."""

    done: int
    events: int
    alive_at: int
    finished: bool


def _same(key: Key) -> ColumnElement[bool]:
    table = _TABLES[key.source]
    return and_(table.c[f"{key.source}_id"] == key.match_id, table.c.net == key.net, table.c.plies == key.plies)


def progress(connection: Connection, key: Key) -> AnalysisProgress | None:
    """How far it is; None where nobody has asked for it."""
    table = _TABLES[key.source]
    columns = (table.c.done, table.c.events, table.c.alive_at, table.c.report.is_not(None))
    row = connection.execute(select(*columns).where(_same(key))).first()
    return AnalysisProgress(row[0], row[1], row[2], bool(row[3])) if row else None


def report(connection: Connection, key: Key) -> bytes | None:
    """The report, packed by gzip; None while there is none."""
    found = connection.scalar(select(_TABLES[key.source].c.report).where(_same(key)))
    return bytes(found) if found is not None else None


def take_up(connection: Connection, key: Key, events: int, now: int, dead_before: int) -> bool:
    """Notes that this process does it; False when it is done, or another process is at it."""
    table = _TABLES[key.source]
    values = {f"{key.source}_id": key.match_id, "net": key.net, "plies": key.plies}
    if insert_where_absent(connection, table, **values, asked_at=now, alive_at=now, done=0, events=events, report=None):
        return True
    left = and_(_same(key), table.c.report.is_(None), table.c.alive_at < dead_before)
    return connection.execute(update(table).where(left).values(alive_at=now, done=0)).rowcount == 1


def note(connection: Connection, key: Key, done: int, now: int) -> None:
    """Says how far it is, and that its process lives."""
    connection.execute(update(_TABLES[key.source]).where(_same(key)).values(done=done, alive_at=now))


def finish(connection: Connection, key: Key, packed: bytes, now: int) -> None:
    """Keeps the report."""
    table = _TABLES[key.source]
    connection.execute(update(table).where(_same(key)).values(report=packed, done=table.c.events, alive_at=now))


def drop(connection: Connection, key: Key) -> None:
    """Forgets one that could not be done; it may be asked for again."""
    table = _TABLES[key.source]
    connection.execute(delete(table).where(and_(_same(key), table.c.report.is_(None))))
