"""Finished analyses in the database, of matches played here and of imported ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from sqlalchemy import ColumnElement, Connection, and_, select, update

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


def _same(key: Key) -> ColumnElement[bool]:
    table = _TABLES[key.source]
    return and_(table.c[f"{key.source}_id"] == key.match_id, table.c.net == key.net, table.c.plies == key.plies)


def events(connection: Connection, key: Key) -> int | None:
    """How many events a finished analysis has gone through; None where there is none."""
    return connection.scalar(select(_TABLES[key.source].c.events).where(_same(key)))


def report(connection: Connection, key: Key) -> bytes | None:
    """The report, compressed with gzip; None where there is none."""
    found = connection.scalar(select(_TABLES[key.source].c.report).where(_same(key)))
    return bytes(found) if found is not None else None


def put(connection: Connection, key: Key, packed: bytes, events: int, now: int) -> None:
    """Stores a report, unless there is one."""
    values = {f"{key.source}_id": key.match_id, "net": key.net, "plies": key.plies}
    insert_where_absent(connection, _TABLES[key.source], **values, made_at=now, events=events, report=packed)


def set_summary(connection: Connection, key: Key, packed: bytes, version: int) -> None:
    """Stores what statistics keep of a report, beside it."""
    values = {"summary": packed, "summary_version": version}
    connection.execute(update(_TABLES[key.source]).where(_same(key)).values(**values))
