"""Event logs in the database: a match, chouette or tournament is one row, with its events in another table.

The column `seq` of the row is the number of the last event. Every change of a row goes through this module and states
what it expects the row to contain. If that does not hold, another process was faster, and nothing is written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Table, and_, bindparam, insert, or_, select, update

from barpoint.error import StoreError
from barpoint.server.storage.database import columns_of, insert_where_absent
from barpoint.server.storage.prepared import PreparedSelect, PreparedStatement
from barpoint.server.storage.schema.chouettes import CHOUETTE, CHOUETTE_DRAFT, CHOUETTE_EVENT
from barpoint.server.storage.schema.matches import DRAFT, EVENT, MATCH
from barpoint.server.storage.schema.tournaments import TOURNAMENT, TOURNAMENT_EVENT


class Conflict(StoreError):
    """Another process wrote first; nothing of this change was written."""


@dataclass(frozen=True, slots=True)
class Logged:
    """An event as the log stores it.

    actor: the number of a seat or player in a match or chouette ("0", "1", ...); the id of a person in a tournament.
    For actions of the server itself: "server", or None in a tournament. payload: the event in JSON. at: ms since 1970.
    lag_ms, pause_ms: in matches only; time that the clock gives back, for network lag of the command and for time
    before it in which nobody could play.
    """

    seq: int
    actor: str | None
    command_id: str | None
    kind: str
    payload: str
    at: int
    lag_ms: int = 0
    pause_ms: int = 0


@dataclass(frozen=True, slots=True)
class Draft:
    """Moves tried after event `seq`; version counts from 1 for each seq. moves: JSON."""

    seq: int
    version: int
    moves: str


@dataclass(frozen=True, slots=True)
class Log:
    """The tables of one kind of log. key: the column in events and drafts that holds the id of the row."""

    rows: Table
    events: Table
    key: str
    drafts: Table | None = None


MATCHES: Final = Log(MATCH, EVENT, "match_id", DRAFT)
CHOUETTES: Final = Log(CHOUETTE, CHOUETTE_EVENT, "chouette_id", CHOUETTE_DRAFT)
TOURNAMENTS: Final = Log(TOURNAMENT, TOURNAMENT_EVENT, "tournament_id")


KNOWN: Final = "known_"
NEW: Final = "new_"
"""Parameters of an update: the value that a column must have, the one it gets."""


def get_events(connection: Connection, log: Log, row_id: str, after: int = 0) -> list[Logged]:
    """The events of a row after number `after`, in order."""
    return [Logged(*row) for row in _events_after(log).all(connection, row_id=row_id, last=after)]


@cache
def _events_after(log: Log) -> PreparedSelect:
    """The events of row :row_id after number :last."""
    columns = log.events.c
    own = and_(columns[log.key] == bindparam("row_id"), columns.seq > bindparam("last"))
    return PreparedSelect(select(*columns_of(log.events, Logged)).where(own).order_by(columns.seq))


def append(
    connection: Connection,
    log: Log,
    row_id: str,
    last: int,
    events: Sequence[Logged],
    known: Mapping[str, object],
    row: Mapping[str, object],
) -> None:
    """Appends events directly after event `last` and updates columns of the row; Conflict if the log has moved on.

    known: values that other columns must have. The column `acted_at`, where there is one, gets the time of the last event.
    """
    acted = {"acted_at": events[-1].at} if events and "acted_at" in log.rows.c else {}
    change(connection, log, row_id, {"seq": last, **known}, {"seq": last + len(events), **row, **acted})
    if events:
        insert_events, names = _insert(log)
        rows = ({log.key: row_id, **{name: getattr(event, name) for name in names}} for event in events)
        insert_events.execute(connection, *rows)


def change(
    connection: Connection, log: Log, row_id: str, known: Mapping[str, object], row: Mapping[str, object]
) -> None:
    """Updates columns of a row if those in `known` still have the given values; otherwise Conflict."""
    wanted = {f"{KNOWN}{name}": value for name, value in known.items()}
    fresh = {f"{NEW}{name}": value for name, value in row.items()}
    changed = _update(log, tuple(known), tuple(row)).execute(connection, {"row_id": row_id, **wanted, **fresh})
    if changed != 1:
        raise Conflict(
            "somebody was quicker; look again (the %(name)s %(row_id)s has gone on)", name=log.rows.name, row_id=row_id
        )


@cache
def _insert(log: Log) -> tuple[PreparedStatement, tuple[str, ...]]:
    """The insert of an event, and the fields of the event that it stores."""
    names = tuple(column.name for column in columns_of(log.events, Logged))
    return PreparedStatement(insert(log.events), (log.key, *names)), names


@cache
def _update(log: Log, known: tuple[str, ...], row: tuple[str, ...]) -> PreparedStatement:
    """The update of some columns of a row where others have known values."""
    columns = log.rows.c
    same = [columns[name].is_not_distinct_from(bindparam(f"{KNOWN}{name}")) for name in known]
    place = and_(columns.id == bindparam("row_id"), *same)
    return PreparedStatement(update(log.rows).where(place).values({name: bindparam(f"{NEW}{name}") for name in row}))


def change_all(connection: Connection, log: Log, where: ColumnElement[bool], row: Mapping[str, Any]) -> None:
    """Updates columns of every row that matches a condition, without checking their earlier values."""
    connection.execute(update(log.rows).where(where).values(**row))


def lock(connection: Connection, log: Log, row_id: str) -> int | None:
    """Locks a row until the end of the transaction; returns the number of its last event."""
    return connection.scalar(select(log.rows.c.seq).where(log.rows.c.id == row_id).with_for_update())


def get_draft(connection: Connection, log: Log, row_id: str) -> Draft | None:
    """The latest tried moves."""
    row = _draft(log).first(connection, row_id=row_id)
    return Draft(*row) if row else None


@cache
def _draft(log: Log) -> PreparedSelect:
    """The tried moves of row :row_id."""
    assert log.drafts is not None, "moves are tried on boards"
    return PreparedSelect(select(*columns_of(log.drafts, Draft)).where(log.drafts.c[log.key] == bindparam("row_id")))


def put_draft(connection: Connection, log: Log, row_id: str, draft: Draft) -> None:
    """Stores tried moves; Conflict if the same or a later version exists."""
    assert log.drafts is not None, "moves are tried on boards"
    columns = log.drafts.c
    older = or_(columns.seq < draft.seq, and_(columns.seq == draft.seq, columns.version < draft.version))
    values = asdict(draft)
    place = and_(columns[log.key] == row_id, older)
    if connection.execute(update(log.drafts).where(place).values(**values)).rowcount == 1:
        return
    if not insert_where_absent(connection, log.drafts, **{log.key: row_id}, **values):
        raise Conflict("these moves were tried before the ones shown")
