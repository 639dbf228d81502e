"""Expired deadlines, matches that wait for bots, and the heartbeat of the server."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from sqlalchemy import ColumnElement, Connection, and_, exists, or_, select, update

from barpoint.server.domain.matches import SeatKind
from barpoint.server.domain.tournament_events import Extended, TournamentStage
from barpoint.server.domain.tournaments import replay
from barpoint.server.storage.database import insert_or_update
from barpoint.server.storage.event_log import CHOUETTES, MATCHES, TOURNAMENTS, append, change_all, lock
from barpoint.server.storage.schema.chouettes import CHOUETTE
from barpoint.server.storage.schema.clubs import LADDER_MATCH
from barpoint.server.storage.schema.matches import HEARTBEAT, MATCH, SEAT
from barpoint.server.storage.schema.tournaments import TOURNAMENT, TOURNAMENT_MATCH
from barpoint.server.storage.tournaments import events_of, logged, plan_of, row_of

MAX_AT_ONCE: Final = 100
"""Matches that one process claims at once."""

MAX_WAITING: Final = 1000
"""Matches in which one process takes up the bots at once."""


def is_due(connection: Connection, now: int) -> bool:
    """Whether an expired deadline is waiting to be handled."""
    return connection.scalar(select(MATCH.c.id).where(_due(now)).limit(1)) is not None


def claim_due(connection: Connection, now: int, until: int) -> list[str]:
    """Claims matches whose deadline has expired, until the given time. Concurrent callers get different ones."""
    due = select(MATCH.c.id).where(_due(now)).order_by(MATCH.c.deadline_at).limit(MAX_AT_ONCE)
    ids = list(connection.scalars(due.with_for_update(skip_locked=True)))  # SQLite has one writer and no such clause
    if ids:
        change_all(connection, MATCHES, MATCH.c.id.in_(ids), {"claimed_until": until})
    return ids


def _due(now: int) -> ColumnElement[bool]:
    unclaimed = or_(MATCH.c.claimed_until.is_(None), MATCH.c.claimed_until <= now)
    return and_(MATCH.c.deadline_at <= now, unclaimed)


def waiting_for_bots(connection: Connection, since: int) -> list[str]:
    """Unfinished matches in which a bot must act, or the server for it, and nothing has happened since then, latest first.

    Where nobody is on turn, the server acts before the first roll, once no seed is awaited, and between two games if no person plays.
    """
    seat, bot = SEAT.c.match_id == MATCH.c.id, SEAT.c.kind == SeatKind.BOT.value
    awaited = exists().where(seat, or_(SEAT.c.kind == SeatKind.OPEN.value, SEAT.c.client_seed == ""))
    alone = or_(and_(MATCH.c.seq == 0, ~awaited), ~exists().where(seat, ~bot))
    bot_acts = exists().where(seat, bot, SEAT.c.seat == MATCH.c.to_act)
    acts = or_(bot_acts, and_(MATCH.c.to_act.is_(None), exists().where(seat, bot), alone))
    waiting = and_(MATCH.c.over.is_(False), MATCH.c.acted_at <= since, acts)
    latest = MATCH.c.acted_at.desc(), MATCH.c.id
    return list(connection.scalars(select(MATCH.c.id).where(waiting).order_by(*latest).limit(MAX_WAITING)))


def unjoined(connection: Connection, before: int) -> list[str]:
    """Matches created before this time, in ms since 1970, whose other player has never come; the oldest first."""
    waits = exists().where(SEAT.c.match_id == MATCH.c.id, SEAT.c.kind == SeatKind.OPEN.value)
    old = and_(MATCH.c.over.is_(False), MATCH.c.created_at < before, waits)
    return list(connection.scalars(select(MATCH.c.id).where(old).order_by(MATCH.c.created_at).limit(MAX_AT_ONCE)))


def beat(connection: Connection, now: int) -> None:
    """Records the heartbeat."""
    insert_or_update(connection, HEARTBEAT, {"id": 1}, at=now)


def add_downtime(connection: Connection, now: int, tolerated_ms: int) -> int:
    """Extends every running deadline, those for challenges on ladders too, and the time of running arenas, by the time since the last
    heartbeat; returns that time in ms.

    tolerated_ms: shorter gaps do not count, since another process may be alive. Of several callers only one gets the
    time.
    """
    last = connection.scalar(select(HEARTBEAT.c.at).where(HEARTBEAT.c.id == 1).with_for_update())
    downtime = now - last if last is not None and now - last > tolerated_ms else 0
    if downtime:
        _extend_matches(connection, MATCH.c.deadline_at.is_not(None), downtime)
        later = {"deadline_at": CHOUETTE.c.deadline_at + downtime}
        change_all(connection, CHOUETTES, CHOUETTE.c.deadline_at.is_not(None), later)
        waiting = TOURNAMENT_MATCH.c.settled.is_(False)
        due, ends = TOURNAMENT_MATCH.c.due_at + downtime, TOURNAMENT_MATCH.c.ends_at + downtime
        connection.execute(update(TOURNAMENT_MATCH).where(waiting).values(due_at=due, ends_at=ends))
        open_then = and_(LADDER_MATCH.c.outcome.is_(None), LADDER_MATCH.c.due_at > now - downtime)
        connection.execute(update(LADDER_MATCH).where(open_then).values(due_at=LADDER_MATCH.c.due_at + downtime))
        _extend_arenas(connection, now, downtime)
    beat(connection, now)
    return downtime


def _extend_arenas(connection: Connection, now: int, by_ms: int) -> None:
    """Extends the arenas that had not ended when the server stopped, so long before now."""
    row = TOURNAMENT.c
    going = and_(row.stage == TournamentStage.RUNNING.value, row.ends_at > now - by_ms)
    for tournament_id in list(connection.scalars(select(row.id).where(going).order_by(row.id))):
        lock(connection, TOURNAMENTS, tournament_id)
        plan = plan_of(connection.execute(select(row.plan).where(row.id == tournament_id)).one())
        before = replay(plan, events_of(connection, tournament_id))
        if before.closed or before.stage is not TournamentStage.RUNNING:
            continue
        event = Extended(before.until + by_ms)
        after = before.apply(event)
        events = [logged(event, after.seq, None, None, now)]
        append(connection, TOURNAMENTS, tournament_id, before.seq, events, {}, row_of(after))


def extend(connection: Connection, match_ids: Collection[str], by_ms: int) -> None:
    """Extends the running deadlines of some matches."""
    _extend_matches(connection, and_(MATCH.c.deadline_at.is_not(None), MATCH.c.id.in_(match_ids)), by_ms)


def _extend_matches(connection: Connection, which: ColumnElement[bool], by_ms: int) -> None:
    later = {"deadline_at": MATCH.c.deadline_at + by_ms, "pause_ms": MATCH.c.pause_ms + by_ms}
    change_all(connection, MATCHES, which, later)
