"""Lists of tournaments in the database, and of their matches that wait for somebody."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, Connection, and_, case, func, or_, select

from barpoint.server.domain.time_control import DAY, in_days
from barpoint.server.domain.tournament_events import Plan, TournamentStage, is_person
from barpoint.server.domain.tournament_standings import champions
from barpoint.server.domain.tournaments import replay
from barpoint.server.storage import clubs as club_storage
from barpoint.server.storage.clubs import is_public
from barpoint.server.storage.guests import people, select_people
from barpoint.server.storage.schema.matches import GUEST, MATCH, SEAT
from barpoint.server.storage.schema.tournaments import (
    TOURNAMENT,
    TOURNAMENT_EVENT,
    TOURNAMENT_MATCH,
    TOURNAMENT_PLAYER,
)
from barpoint.server.storage.tournaments import events_of, plan_of

IS_AWAITED: Final = and_(
    SEAT.c.match_id == MATCH.c.id,
    MATCH.c.seq == 0,
    or_(
        and_(SEAT.c.commitment.is_(None), SEAT.c.client_seed == ""),
        ~in_days(MATCH.c.time_control),
    ),
)
"""Whether a match waits for the holder of a seat: by days until they have come once, else until it begins, with both at the board."""

CALLED_MS: Final = 2 * DAY
"""Tournament matches that are due later than this, as in a league, are not called out to their players."""

ENDED: Final = (TournamentStage.OVER.value, TournamentStage.CANCELLED.value)


@dataclass(frozen=True, slots=True)
class ListedTournament:
    """A tournament in a list. ended_at: ms since 1970; None before."""

    id: str
    plan: Plan
    stage: TournamentStage
    players: int
    created_at: int
    ended_at: int | None


@dataclass(frozen=True, slots=True)
class AwaitedMatch:
    """A tournament match that waits for a player to come to the board. due_at: when they lose it. boards: it may be played elsewhere."""

    match_id: str
    tournament_id: str
    name: str
    due_at: int
    boards: bool


def listed(
    connection: Connection,
    stages: Collection[TournamentStage],
    limit: int,
    of: str | None = None,
    *,
    public: bool = True,
    club: str | None = None,
    viewer: str | None = None,
) -> list[ListedTournament]:
    """Tournaments at these stages, latest first, by their end if they are over; `of` limits them to one player's, `club` to one club's.

    public: without those that only members of a club may see, except the clubs of the viewer.
    """
    wanted: list[ColumnElement[bool]] = [TOURNAMENT.c.stage.in_([stage.value for stage in stages])]
    if public:
        seen = is_public(TOURNAMENT.c.id) if viewer is None else club_storage.is_seen_by(TOURNAMENT.c.id, viewer)
        wanted.append(seen)
    if club is not None:
        wanted.append(TOURNAMENT.c.id.in_(club_storage.events_in(club)))
    if of is not None:
        mine = select(TOURNAMENT_PLAYER.c.tournament_id).where(TOURNAMENT_PLAYER.c.guest_id == of)
        wanted.append(TOURNAMENT.c.id.in_(mine))
    ended_at = case((TOURNAMENT.c.stage.in_(ENDED), TOURNAMENT_EVENT.c.at))
    own = TOURNAMENT.c
    last = and_(TOURNAMENT_EVENT.c.tournament_id == own.id, TOURNAMENT_EVENT.c.seq == own.seq)
    rows = connection.execute(
        select(own.id, own.plan, own.stage, own.players, own.created_at, ended_at.label("ended_at"))
        .outerjoin(TOURNAMENT_EVENT, last)
        .where(and_(*wanted))
        .order_by(func.coalesce(ended_at, own.created_at).desc(), own.id)
        .limit(limit)
    )
    return [
        ListedTournament(row.id, plan_of(row), TournamentStage(row.stage), row.players, row.created_at, row.ended_at)
        for row in rows
    ]


def tournament_names(connection: Connection, ids: Collection[str]) -> dict[str, str]:
    """The names of tournaments by id; what is no tournament is left out."""
    rows = connection.execute(select(TOURNAMENT.c.id, TOURNAMENT.c.plan).where(TOURNAMENT.c.id.in_(sorted(set(ids)))))
    return {row.id: plan_of(row).name for row in rows}


def winners_of(connection: Connection, over: Collection[ListedTournament]) -> dict[str, list[str]]:
    """The names of everybody who has won tournaments that are over, by tournament; their logs say it."""
    first, given = dict[str, list[str]](), dict[tuple[str, str], str]()
    for one in over:
        now = replay(one.plan, events_of(connection, one.id))
        first[one.id] = list(champions(now))
        given |= {(one.id, player): name for player, name in now.given_names.items()}
    persons = sorted({player for players in first.values() for player in players if is_person(player)})
    names = {one.id: one.name for one in people(connection, select_people().where(GUEST.c.id.in_(persons)))}
    return {
        tournament_id: [names.get(player) or given.get((tournament_id, player), "?") for player in players]
        for tournament_id, players in first.items()
    }


def calls(connection: Connection, guest_id: str, before: int) -> list[AwaitedMatch]:
    """Tournament matches that wait for a person and are due before a time, most urgent first."""
    rows = connection.execute(
        select(TOURNAMENT_MATCH.c.match_id, TOURNAMENT_MATCH.c.due_at, TOURNAMENT.c.id, TOURNAMENT.c.plan)
        .join(TOURNAMENT, TOURNAMENT.c.id == TOURNAMENT_MATCH.c.tournament_id)
        .join(MATCH, MATCH.c.id == TOURNAMENT_MATCH.c.match_id)
        .join(SEAT, and_(SEAT.c.guest_id == guest_id, IS_AWAITED))
        .where(TOURNAMENT_MATCH.c.settled.is_(False), TOURNAMENT_MATCH.c.due_at < before)
        .order_by(TOURNAMENT_MATCH.c.due_at)
    )
    found = [(row, plan_of(row)) for row in rows]
    return [AwaitedMatch(row.match_id, row.id, plan.name, row.due_at, plan.boards) for row, plan in found]
