"""Chouettes in the database: what was agreed, who sits there, and the state after the last event.

All functions take an open connection.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import msgspec
from sqlalchemy import ColumnElement, Connection, and_, exists, func, insert, select, true

from barpoint.chouette import Chouette, ChouetteTerms
from barpoint.server.domain.chouettes import ChouetteHeader, ChouetteSeat, ListedChouette, OwnChouette
from barpoint.server.storage import clubs as club_storage
from barpoint.server.storage.database import columns_of, fields_from, insert_where_absent, values_of
from barpoint.server.storage.event_log import Conflict
from barpoint.server.storage.schema.chouettes import CHOUETTE, CHOUETTE_SEAT
from barpoint.server.storage.schema.matches import GUEST
from barpoint.variants import variant

MAX_DUE: Final = 100
"""Chouettes that one check of the deadlines handles."""


@dataclass(frozen=True, slots=True)
class ChouetteSnapshot:
    """Cached state after the last event: the chouette in JSON, and the deadline of the player to act."""

    seq: int
    state: str
    over: bool
    acted_at: int
    deadline_at: int | None

    @property
    def row(self) -> dict[str, object]:
        """The columns of a chouette that change with an event, except those that every log has."""
        return {"state": self.state, "over": self.over, "deadline_at": self.deadline_at}


class ChouetteStanding(msgspec.Struct, frozen=True):
    """The part of a chouette's state that lists show."""

    line: tuple[int, ...]
    joining: tuple[int, ...]
    ledger: tuple[float, ...]
    games: int
    playing: bool


def cache(chouette: Chouette, acted_at: int, deadline_at: int | None) -> ChouetteSnapshot:
    """The cached state of a chouette; apart from the times it depends on the replayed log alone."""
    standing = ChouetteStanding(
        chouette.line, chouette.joining, chouette.ledger, len(chouette.finished), chouette.playing
    )
    return ChouetteSnapshot(
        len(chouette.events), msgspec.json.encode(standing).decode(), chouette.over, acted_at, deadline_at
    )


def put_chouette(
    connection: Connection, header: ChouetteHeader, places: list[ChouetteSeat], cache: ChouetteSnapshot
) -> None:
    """Adds a chouette without events."""
    terms = {"variant": header.rules.name, "terms": msgspec.json.encode(header.terms).decode()}
    values = {**values_of(CHOUETTE, header), **values_of(CHOUETTE, cache), **terms}
    connection.execute(insert(CHOUETTE).values(**values))
    for place in places:
        put_seat(connection, header.id, place)


def put_seat(connection: Connection, chouette_id: str, place: ChouetteSeat) -> None:
    """Adds a player; Conflict if that number or that person is already in the chouette."""
    values = {"guest_id": place.guest, "level": place.level, "name": place.name}
    if not insert_where_absent(connection, CHOUETTE_SEAT, chouette_id=chouette_id, player=place.player, **values):
        raise Conflict("somebody else has just joined this chouette")


def get_header(connection: Connection, chouette_id: str) -> tuple[ChouetteHeader, int | None] | None:
    """The header of a chouette, and its deadline."""
    row = connection.execute(select(CHOUETTE).where(CHOUETTE.c.id == chouette_id)).first()
    if row is None:
        return None
    known = fields_from(row, ChouetteHeader) | {
        "rules": variant(row.variant),
        "terms": msgspec.json.decode(row.terms, type=ChouetteTerms),
        "server_seed": bytes(row.server_seed),
    }
    return ChouetteHeader(**known), row.deadline_at


def get_seats(connection: Connection, chouette_id: str) -> tuple[ChouetteSeat, ...]:
    """All players a chouette has had, by number."""
    seat = CHOUETTE_SEAT.c
    rows = connection.execute(
        select(
            seat.player,
            func.coalesce(GUEST.c.name, seat.name),
            seat.guest_id,
            seat.level,
            func.coalesce(GUEST.c.bot, False),
        )
        .outerjoin(GUEST, GUEST.c.id == seat.guest_id)
        .where(seat.chouette_id == chouette_id)
        .order_by(seat.player)
    )
    return tuple(ChouetteSeat(*row[:4], marked=bool(row[4])) for row in rows)


def get_cache(connection: Connection, chouette_id: str) -> ChouetteSnapshot | None:
    """The cached state."""
    chosen = select(*columns_of(CHOUETTE, ChouetteSnapshot)).where(CHOUETTE.c.id == chouette_id)
    row = connection.execute(chosen).first()
    return ChouetteSnapshot(*row) if row else None


def due(connection: Connection, now: int) -> list[str]:
    """Chouettes in which a player is out of time."""
    return _open_ones(connection, CHOUETTE.c.deadline_at <= now, CHOUETTE.c.deadline_at)


def quiet_since(connection: Connection, since: int) -> list[str]:
    """Open chouettes with a bot in which nothing has happened since then."""
    bots = exists().where(and_(CHOUETTE_SEAT.c.chouette_id == CHOUETTE.c.id, CHOUETTE_SEAT.c.level.is_not(None)))
    return _open_ones(connection, and_(CHOUETTE.c.acted_at <= since, bots), CHOUETTE.c.acted_at.desc())


def forgotten(connection: Connection, since: int) -> list[str]:
    """Open chouettes that wait for nobody and in which nothing has happened since then."""
    idle = and_(CHOUETTE.c.deadline_at.is_(None), CHOUETTE.c.acted_at <= since)
    return _open_ones(connection, idle, CHOUETTE.c.acted_at)


def _open_ones(connection: Connection, condition: ColumnElement[bool], order: ColumnElement[Any]) -> list[str]:
    chosen = select(CHOUETTE.c.id).where(CHOUETTE.c.over.is_(False), condition)
    return list(connection.scalars(chosen.order_by(order).limit(MAX_DUE)))


def listed(connection: Connection, since: int, limit: int, club: str | None = None) -> list[ListedChouette]:
    """Public chouettes in which something has happened since then, latest first; or those of a club."""
    rows = connection.execute(
        select(CHOUETTE)
        .where(
            and_(
                CHOUETTE.c.over.is_(False),
                CHOUETTE.c.acted_at > since,
                CHOUETTE.c.listed.is_(True) if club is None else CHOUETTE.c.id.in_(club_storage.events_in(club)),
            )
        )
        .order_by(CHOUETTE.c.acted_at.desc())
        .limit(limit)
    ).all()
    found = []
    for row in rows:
        standing = msgspec.json.decode(row.state, type=ChouetteStanding)
        seen = {place.player: place for place in get_seats(connection, row.id)}
        here = [seen[player] for player in (*standing.line, *standing.joining) if player in seen]
        found.append(
            ListedChouette(
                id=row.id,
                rules=variant(row.variant),
                terms=msgspec.json.decode(row.terms, type=ChouetteTerms),
                decision_ms=row.decision_ms,
                names=tuple(place.name for place in here),
                guests=tuple(place.guest for place in here),
                games=standing.games,
                playing=standing.playing,
            )
        )
    return found


def chouettes_of(connection: Connection, guest_id: str, limit: int, *, running: bool = False) -> list[OwnChouette]:
    """The chouettes that somebody plays or has played in, latest first; without those closed before a game ended.

    running: only those that are not closed.
    """
    own = and_(CHOUETTE_SEAT.c.chouette_id == CHOUETTE.c.id, CHOUETTE_SEAT.c.guest_id == guest_id)
    rows = connection.execute(
        select(CHOUETTE, CHOUETTE_SEAT.c.player)
        .join(CHOUETTE_SEAT, own)
        .where(CHOUETTE.c.over.is_(False) if running else true())
        .order_by(CHOUETTE.c.acted_at.desc(), CHOUETTE.c.id)
        .limit(limit)
    ).all()
    found = []
    for row in rows:
        standing = msgspec.json.decode(row.state, type=ChouetteStanding)
        if row.over and not standing.games:
            continue
        others = tuple(place for place in get_seats(connection, row.id) if place.player != row.player)
        points, rules = standing.ledger[row.player], variant(row.variant)
        found.append(
            OwnChouette(row.id, rules, others, points, standing.games, row.over, row.acted_at, standing.playing)
        )
    return found
