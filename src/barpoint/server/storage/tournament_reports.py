"""Matches of tournaments that are played at a real board, as a player or the director has said, until they are decided."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Connection, exists, select

from barpoint.server.domain.tournament_events import Reported
from barpoint.server.domain.tournaments import replay
from barpoint.server.storage.schema.matches import MATCH
from barpoint.server.storage.schema.tournaments import TOURNAMENT, TOURNAMENT_EVENT, TOURNAMENT_MATCH
from barpoint.server.storage.tournaments import events_of, plan_of


def has_report(connection: Connection, match_id: str) -> bool:
    """Whether an open match has a report from a real board, so that nobody is awaited here."""
    game = TOURNAMENT_MATCH.c
    wanted = select(game.tournament_id, game.number).where(game.match_id == match_id, game.settled.is_(False))
    row = connection.execute(wanted).first()
    return row is not None and row.number in _reported(connection, row.tournament_id)


def reported_matches(connection: Connection) -> list[str]:
    """All matches with a report that have not begun here."""
    game = TOURNAMENT_MATCH.c
    rows = connection.execute(
        select(game.match_id, game.tournament_id, game.number)
        .join(MATCH, MATCH.c.id == game.match_id)
        .where(game.settled.is_(False), MATCH.c.seq == 0, _has_reports(game.tournament_id))
    ).all()
    reported = {one: _reported(connection, one) for one in {row.tournament_id for row in rows}}
    return [row.match_id for row in rows if row.number in reported[row.tournament_id]]


def _reported(connection: Connection, tournament_id: str) -> frozenset[int]:
    """The numbers of the matches that have a report; their log says it."""
    tournament = TOURNAMENT.c
    found = select(tournament.plan).where(tournament.id == tournament_id, _has_reports(tournament.id))
    row = connection.execute(found).first()
    return frozenset(replay(plan_of(row), events_of(connection, tournament_id)).reports) if row else frozenset()


def _has_reports(tournament_id: ColumnElement[str]) -> ColumnElement[bool]:
    """Whether the log of a tournament has any report."""
    event = TOURNAMENT_EVENT.c
    return exists().where(event.tournament_id == tournament_id, event.kind == str(Reported.__struct_config__.tag))
