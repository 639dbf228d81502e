"""Finished analyses in the database, of matches played here and of imported ones."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

from sqlalchemy import ColumnElement, Connection, Table, and_, select, update

from barpoint.server.storage.database import insert_where_absent
from barpoint.server.storage.schema.study import ANALYSIS, REVIEW_ANALYSIS

AnalysisSource = Literal["match", "review"]
"""Where the analysed match comes from: played here, or imported from a file."""

_TABLES: Final[dict[AnalysisSource, Table]] = {"match": ANALYSIS, "review": REVIEW_ANALYSIS}

MadeKind = Literal["summary", "decisions"]
"""What is made of a report and stored beside it: what statistics keep of it, or what the library searches."""

AT_ONCE: Final = 500
"""Analyses that one statement asks for."""


@dataclass(frozen=True, slots=True)
class Key:
    """Identifies an analysis: the match, the net and the search depth. match_id: of a match or of a review.

    made_at: in lists of what there is, when the report was stored, which tells it from one that looked less deep; else 0.
    """

    match_id: str
    net: str
    plies: int
    source: AnalysisSource = "match"
    made_at: int = 0

    @property
    def subject(self) -> str:
        """What a job about this analysis is called."""
        return f"{self.source}/{self.match_id}/{self.net}/{self.plies}"


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


def report_of_another_net(connection: Connection, key: Key) -> bytes | None:
    """The latest report of the same match and depth by another net, compressed; None where there is none."""
    table = _TABLES[key.source]
    others = and_(table.c[f"{key.source}_id"] == key.match_id, table.c.net != key.net, table.c.plies == key.plies)
    found = connection.scalar(select(table.c.report).where(others).order_by(table.c.made_at.desc()).limit(1))
    return bytes(found) if found is not None else None


def summaries(connection: Connection, ids: Collection[str], source: AnalysisSource) -> dict[str, bytes]:
    """What statistics keep of the deepest and latest analysis of each of these matches, where it has been made."""
    table = _TABLES[source]
    name = table.c[f"{source}_id"]
    chosen = select(name.label("id"), table.c.summary).where(name.in_(sorted(ids)), table.c.summary.is_not(None))
    return {row.id: bytes(row.summary) for row in connection.execute(chosen.order_by(table.c.plies, table.c.made_at))}


def put(connection: Connection, key: Key, packed: bytes, events: int, now: int) -> None:
    """Stores a report, unless there is one."""
    values = {f"{key.source}_id": key.match_id, "net": key.net, "plies": key.plies}
    insert_where_absent(connection, _TABLES[key.source], **values, made_at=now, events=events, report=packed)


def made_at(connection: Connection, key: Key) -> int:
    """When the report was stored, ms since 1970; 0 where there is none."""
    return connection.scalar(select(_TABLES[key.source].c.made_at).where(_same(key))) or 0


def replace_report(connection: Connection, key: Key, packed: bytes, now: int) -> None:
    """Stores another report in place of the one that there is, if there still is one."""
    connection.execute(update(_TABLES[key.source]).where(_same(key)).values(report=packed, made_at=now))


def keep_made(connection: Connection, kind: MadeKind, version: int, made: Mapping[Key, bytes]) -> None:
    """Stores what this version has made of reports, beside them."""
    for key, packed in made.items():
        values = {kind: packed, f"{kind}_version": version}
        connection.execute(update(_TABLES[key.source]).where(_same(key)).values(values))


def made(connection: Connection, kind: MadeKind, version: int, keys: Collection[Key]) -> dict[Key, bytes]:
    """What this version has made of the reports of these analyses."""
    found: dict[Key, bytes] = {}
    for source, table in _TABLES.items():
        ids = sorted({key.match_id for key in keys if key.source == source})
        name = table.c[f"{source}_id"]
        for first in range(0, len(ids), AT_ONCE):
            chosen = select(name.label("id"), table.c.net, table.c.plies, table.c[kind].label("made")).where(
                name.in_(ids[first : first + AT_ONCE]), table.c[f"{kind}_version"] == version
            )
            for row in connection.execute(chosen):
                found[Key(row.id, row.net, row.plies, source)] = bytes(row.made)
    return {key: found[plain] for key in keys if (plain := replace(key, made_at=0)) in found}
