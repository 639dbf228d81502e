"""Analyses of matches in the tables: asked for, under way, done."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, and_, delete, select, update

from barpoint.server.database import insert_where_absent
from barpoint.server.schema import ANALYSIS


@dataclass(frozen=True, slots=True)
class Key:
    """Which analysis: of a match, by a net, so many plies ahead."""

    match_id: str
    net: str
    plies: int


@dataclass(frozen=True, slots=True)
class Progress:
    """How far one is. alive_at: when its process last said so, ms since 1970. finished: its report is there."""

    done: int
    events: int
    alive_at: int
    finished: bool


def _same(key: Key) -> ColumnElement[bool]:
    return and_(ANALYSIS.c.match_id == key.match_id, ANALYSIS.c.net == key.net, ANALYSIS.c.plies == key.plies)


def progress(connection: Connection, key: Key) -> Progress | None:
    """How far it is; None where nobody has asked for it."""
    columns = (ANALYSIS.c.done, ANALYSIS.c.events, ANALYSIS.c.alive_at, ANALYSIS.c.report.is_not(None))
    row = connection.execute(select(*columns).where(_same(key))).first()
    return Progress(row[0], row[1], row[2], bool(row[3])) if row else None


def report(connection: Connection, key: Key) -> bytes | None:
    """The report, packed by gzip; None while there is none."""
    found = connection.scalar(select(ANALYSIS.c.report).where(_same(key)))
    return bytes(found) if found is not None else None


def take_up(connection: Connection, key: Key, events: int, now: int, dead_before: int) -> bool:
    """Notes that this process does it; False when it is done, or another process is at it."""
    values = {"match_id": key.match_id, "net": key.net, "plies": key.plies}
    if insert_where_absent(
        connection, ANALYSIS, **values, asked_at=now, alive_at=now, done=0, events=events, report=None
    ):
        return True
    left = and_(_same(key), ANALYSIS.c.report.is_(None), ANALYSIS.c.alive_at < dead_before)
    return connection.execute(update(ANALYSIS).where(left).values(alive_at=now, done=0)).rowcount == 1


def note(connection: Connection, key: Key, done: int, now: int) -> None:
    """Says how far it is, and that its process lives."""
    connection.execute(update(ANALYSIS).where(_same(key)).values(done=done, alive_at=now))


def finish(connection: Connection, key: Key, packed: bytes, now: int) -> None:
    """Keeps the report."""
    connection.execute(update(ANALYSIS).where(_same(key)).values(report=packed, done=ANALYSIS.c.events, alive_at=now))


def drop(connection: Connection, key: Key) -> None:
    """Forgets one that could not be done; it may be asked for again."""
    connection.execute(delete(ANALYSIS).where(and_(_same(key), ANALYSIS.c.report.is_(None))))
