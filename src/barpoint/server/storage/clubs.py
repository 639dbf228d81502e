"""Clubs in the database: their members, seasons, events and results. All functions take an open connection."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    Integer,
    Select,
    and_,
    bindparam,
    cast,
    delete,
    exists,
    func,
    insert,
    not_,
    or_,
    select,
    update,
)

from barpoint.server.domain.clubs import (
    Admission,
    Club,
    ClubMember,
    ClubRecord,
    ClubRole,
    EventKind,
    Season,
    SeasonCount,
)
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.seat_names import FORMER
from barpoint.server.domain.tournament_events import TournamentStage
from barpoint.server.storage.database import columns_of, fields_from, insert_or_update, insert_where_absent, values_of
from barpoint.server.storage.guests import REGISTERED, people, person, select_people
from barpoint.server.storage.prepared import PreparedSelect
from barpoint.server.storage.schema.chouettes import CHOUETTE_SEAT
from barpoint.server.storage.schema.clubs import (
    CLUB,
    CLUB_EVENT,
    CLUB_KEPT_OUT,
    CLUB_MEMBER,
    CLUB_RESULT,
    CLUB_SEASON,
    LADDER,
    LADDER_PLACE,
)
from barpoint.server.storage.schema.matches import GUEST, SEAT
from barpoint.server.storage.schema.tournaments import TOURNAMENT, TOURNAMENT_PLAYER

_ORDER = {ClubRole.OWNER: 0, ClubRole.DIRECTOR: 1, ClubRole.MEMBER: 2, ClubRole.ASKED: 3}


@dataclass(frozen=True, slots=True)
class ListedClub:
    """A club in a list. role: of whoever asks; None for a stranger."""

    club: Club
    members: int
    role: ClubRole | None = None


@dataclass(frozen=True, slots=True)
class EventClub:
    """The club of an event. directors: ids of those who may direct it. members: all who may see an event that is private."""

    id: str
    name: str
    private: bool
    directors: frozenset[str]
    members: frozenset[str]


def _club(row: Any) -> Club:
    return Club(**fields_from(row, Club) | {"joining": Admission(row.joining)})


def put_club(connection: Connection, club: Club, owner_id: str, season: str) -> None:
    """Adds a club with its owner and its first season."""
    connection.execute(insert(CLUB).values(**values_of(CLUB, club)))
    set_role(connection, club.id, owner_id, ClubRole.OWNER, club.created_at)
    put_season(connection, club.id, 1, season, club.created_at)


def change_club(connection: Connection, club_id: str, **values: object) -> None:
    """Changes columns of a club."""
    connection.execute(update(CLUB).where(CLUB.c.id == club_id).values(**values))


def lock_club(connection: Connection, club_id: str) -> None:
    """Locks a club until the end of the transaction, so that what is read after this holds until then."""
    connection.execute(select(CLUB.c.id).where(CLUB.c.id == club_id).with_for_update())


def get_club(connection: Connection, club_id: str) -> ClubRecord | None:
    """A club with its members and seasons."""
    row = connection.execute(select(*columns_of(CLUB, Club)).where(CLUB.c.id == club_id)).first()
    if row is None:
        return None
    rows = connection.execute(
        select_people(CLUB_MEMBER.c.role, CLUB_MEMBER.c.at)
        .join(CLUB_MEMBER, CLUB_MEMBER.c.guest_id == GUEST.c.id)
        .where(CLUB_MEMBER.c.club_id == club_id)
        .order_by(func.lower(GUEST.c.name), GUEST.c.id)
    )
    people = [ClubMember(person(one), ClubRole(one.role), one.at) for one in rows]
    people.sort(key=lambda one: _ORDER[one.role])
    return ClubRecord(_club(row), tuple(people), _seasons(connection, club_id), _kept_out(connection, club_id))


def _kept_out(connection: Connection, club_id: str) -> tuple[Guest, ...]:
    rows = connection.execute(
        select_people()
        .join(CLUB_KEPT_OUT, CLUB_KEPT_OUT.c.guest_id == GUEST.c.id)
        .where(CLUB_KEPT_OUT.c.club_id == club_id)
        .order_by(func.lower(GUEST.c.name), GUEST.c.id)
    )
    return tuple(person(one) for one in rows)


def _seasons(connection: Connection, club_id: str) -> tuple[Season, ...]:
    season = CLUB_SEASON.c
    rows = connection.execute(
        select(season.number, season.name, season.begun_at)
        .where(season.club_id == club_id)
        .order_by(season.number.desc())
    )
    found: list[Season] = []
    for row in rows:
        found.append(Season(row.number, row.name, row.begun_at, found[-1].begun_at if found else None))
    return tuple(found)


def find_invitation(connection: Connection, invitation: str) -> str | None:
    """The club that an invitation link belongs to."""
    return connection.scalar(select(CLUB.c.id).where(CLUB.c.invitation == invitation))


def set_role(connection: Connection, club_id: str, guest_id: str, role: ClubRole, at: int) -> None:
    """Adds somebody, or changes what they are."""
    key = {"club_id": club_id, "guest_id": guest_id}
    insert_or_update(connection, CLUB_MEMBER, key, role=role.value, at=at)


def remove_member(connection: Connection, club_id: str, guest_id: str) -> None:
    """Removes a member, from the ladders of the club too, or somebody who has asked."""
    own = and_(CLUB_MEMBER.c.club_id == club_id, CLUB_MEMBER.c.guest_id == guest_id)
    connection.execute(delete(CLUB_MEMBER).where(own))
    ladders = select(LADDER.c.id).where(LADDER.c.club_id == club_id)
    place = and_(LADDER_PLACE.c.ladder_id.in_(ladders), LADDER_PLACE.c.guest_id == guest_id)
    connection.execute(delete(LADDER_PLACE).where(place))


def keep_out(connection: Connection, club_id: str, guest_id: str, at: int) -> None:
    """Removes somebody, who cannot join again."""
    remove_member(connection, club_id, guest_id)
    insert_where_absent(connection, CLUB_KEPT_OUT, club_id=club_id, guest_id=guest_id, at=at)


def let_in(connection: Connection, club_id: str, guest_id: str) -> None:
    """Lets somebody who was kept out join again."""
    out = and_(CLUB_KEPT_OUT.c.club_id == club_id, CLUB_KEPT_OUT.c.guest_id == guest_id)
    connection.execute(delete(CLUB_KEPT_OUT).where(out))


def owned_by(connection: Connection, guest_id: str) -> int:
    """How many open clubs somebody owns."""
    own = and_(CLUB_MEMBER.c.guest_id == guest_id, CLUB_MEMBER.c.role == ClubRole.OWNER.value)
    joined = CLUB_MEMBER.join(CLUB, CLUB.c.id == CLUB_MEMBER.c.club_id)
    chosen = select(func.count()).select_from(joined).where(own, CLUB.c.closed_at.is_(None))
    return connection.scalar(chosen) or 0


@dataclass(frozen=True, slots=True)
class Succession:
    """A club that its only owner leaves behind. heir: who owns it then; None if it has no other member and closes."""

    id: str
    name: str
    heir: Guest | None


def successions(connection: Connection, owner_id: str) -> list[Succession]:
    """The open clubs that somebody alone owns, with their longest-standing director, or else member."""
    member = CLUB_MEMBER.c
    others = member.guest_id != owner_id
    owning = select(member.club_id).where(member.role == ClubRole.OWNER.value)
    own = and_(CLUB.c.id.in_(owning.where(~others)), CLUB.c.id.not_in(owning.where(others)), CLUB.c.closed_at.is_(None))
    found = []
    for club in connection.execute(select(CLUB.c.id, CLUB.c.name).where(own).order_by(func.lower(CLUB.c.name))).all():
        heirs = (
            select_people()
            .join(CLUB_MEMBER, member.guest_id == GUEST.c.id)
            .where(member.club_id == club.id, others, member.role != ClubRole.ASKED.value)
            .order_by(member.role != ClubRole.DIRECTOR.value, member.at, GUEST.c.id)
            .limit(1)
        )
        found.append(Succession(club.id, club.name, next(iter(people(connection, heirs)), None)))
    return found


def hand_over(connection: Connection, owner_id: str, now: int) -> None:
    """Gives the clubs that somebody alone owns to their heirs, and closes those without any."""
    for one in successions(connection, owner_id):
        if one.heir is None:
            change_club(connection, one.id, closed_at=now)
        else:
            heir = and_(CLUB_MEMBER.c.club_id == one.id, CLUB_MEMBER.c.guest_id == one.heir.id)
            connection.execute(update(CLUB_MEMBER).where(heir).values(role=ClubRole.OWNER.value))


def clubs_of(connection: Connection, guest_id: str) -> list[tuple[str, str]]:
    """(id, name) of the open clubs of which somebody is a member."""
    mine = and_(CLUB_MEMBER.c.guest_id == guest_id, CLUB_MEMBER.c.role != ClubRole.ASKED.value)
    rows = connection.execute(
        select(CLUB.c.id, CLUB.c.name)
        .join(CLUB_MEMBER, CLUB_MEMBER.c.club_id == CLUB.c.id)
        .where(mine, CLUB.c.closed_at.is_(None))
        .order_by(func.lower(CLUB.c.name), CLUB.c.id)
    )
    return [(row.id, row.name) for row in rows]


def put_season(connection: Connection, club_id: str, number: int, name: str, at: int) -> None:
    """Begins a season."""
    insert_where_absent(connection, CLUB_SEASON, club_id=club_id, number=number, name=name, begun_at=at)


def clubs_listed(connection: Connection, viewer_id: str | None, limit: int) -> list[ListedClub]:
    """The viewer's clubs, then the others, the largest first; not those that are closed."""
    member = CLUB_MEMBER.alias()
    mine = and_(member.c.club_id == CLUB.c.id, member.c.guest_id == (viewer_id or ""))
    belongs = and_(CLUB_MEMBER.c.club_id == CLUB.c.id, CLUB_MEMBER.c.role != ClubRole.ASKED.value)
    members = select(func.count()).select_from(CLUB_MEMBER).where(belongs).scalar_subquery()
    rows = connection.execute(
        select(*columns_of(CLUB, Club), members.label("members"), member.c.role)
        .outerjoin(member, mine)
        .where(CLUB.c.closed_at.is_(None))
        .order_by(member.c.role.is_(None), members.desc(), func.lower(CLUB.c.name), CLUB.c.id)
        .limit(limit)
    )
    return [ListedClub(_club(row), row.members, ClubRole(row.role) if row.role else None) for row in rows]


# ---------------------------------------------------------------- events


_HELD: Final = TOURNAMENT.alias("held")
_SHOWN: Final = exists().where(
    _HELD.c.id == CLUB_EVENT.c.id,
    _HELD.c.stage == TournamentStage.OVER.value,
    CLUB.c.id == CLUB_EVENT.c.club_id,
    CLUB.c.results_shown,
)
_PRIVATE: Final = and_(CLUB_EVENT.c.private.is_(True), not_(_SHOWN))
"""Whether an event is for members only: it is private, and no tournament that is over in a club that shows its results."""


def put_event(connection: Connection, club_id: str, event_id: str, kind: EventKind, private: bool, at: int) -> None:
    """Records that a tournament, chouette or match is the club's."""
    values = {"id": event_id, "club_id": club_id, "kind": kind.value, "private": private, "created_at": at}
    connection.execute(insert(CLUB_EVENT).values(**values))


def events_in(club_id: str) -> Select[tuple[str]]:
    """Selects the ids of a club's events."""
    return select(CLUB_EVENT.c.id).where(CLUB_EVENT.c.club_id == club_id)


def club_of(connection: Connection, event_id: str) -> EventClub | None:
    """The club of an event."""
    row = connection.execute(
        select(CLUB.c.id, CLUB.c.name, CLUB_EVENT.c.private)
        .join(CLUB_EVENT, CLUB_EVENT.c.club_id == CLUB.c.id)
        .where(CLUB_EVENT.c.id == event_id)
    ).first()
    if row is None:
        return None
    column = CLUB_MEMBER.c
    chosen = select(column.guest_id, column.role).where(column.club_id == row.id, column.role != ClubRole.ASKED.value)
    roles = {member.guest_id: ClubRole(member.role) for member in connection.execute(chosen)}
    directors = frozenset(one for one, role in roles.items() if role in (ClubRole.OWNER, ClubRole.DIRECTOR))
    return EventClub(row.id, row.name, row.private, directors, frozenset(roles))


def is_public(event_id: ColumnElement[str]) -> ColumnElement[bool]:
    """Whether an event may be listed for everybody. event_id: a column."""
    return not_(exists().where(and_(CLUB_EVENT.c.id == event_id, _PRIVATE)))


def is_seen_by(event_id: ColumnElement[str], person_id: str) -> ColumnElement[bool]:
    """Whether an event may be listed for somebody: it is public, or they are a member of its club. event_id: a column."""
    member = and_(CLUB_MEMBER.c.guest_id == person_id, CLUB_MEMBER.c.role != ClubRole.ASKED.value)
    clubs = select(CLUB_MEMBER.c.club_id).where(member)
    return or_(is_public(event_id), exists().where(and_(CLUB_EVENT.c.id == event_id, CLUB_EVENT.c.club_id.in_(clubs))))


def may_see(connection: Connection, event_id: str, person_id: str | None) -> bool:
    """Whether somebody may see an event: it is public, they are a member of its club, or they play or direct there."""
    hidden = _HIDDEN.first(connection, event_id=event_id)
    if hidden is None:
        return True
    if person_id is None:
        return False
    club_id = hidden.club_id
    member = CLUB_MEMBER.c
    places = (
        and_(member.club_id == club_id, member.guest_id == person_id, member.role != ClubRole.ASKED.value),
        and_(SEAT.c.match_id == event_id, SEAT.c.guest_id == person_id),
        and_(CHOUETTE_SEAT.c.chouette_id == event_id, CHOUETTE_SEAT.c.guest_id == person_id),
        and_(TOURNAMENT_PLAYER.c.tournament_id == event_id, TOURNAMENT_PLAYER.c.guest_id == person_id),
        and_(TOURNAMENT.c.id == event_id, TOURNAMENT.c.guest_id == person_id),
    )
    return bool(connection.scalar(select(or_(*(exists().where(place) for place in places)))))


_HIDDEN: Final = PreparedSelect(select(CLUB_EVENT.c.club_id).where(CLUB_EVENT.c.id == bindparam("event_id"), _PRIVATE))
"""The club of event :event_id, if only members may see it."""


# ---------------------------------------------------------------- results


@dataclass(frozen=True, slots=True)
class ClubResult:
    """How somebody did in a match of an event. number: of the match. played: False if they did not come."""

    number: int
    person: str
    won: bool
    played: bool


def put_results(connection: Connection, club_id: str, event_id: str, results: Iterable[ClubResult], at: int) -> None:
    """Records results of an event; those that are recorded already stay."""
    for one in results:
        insert_where_absent(
            connection,
            CLUB_RESULT,
            event_id=event_id,
            number=one.number,
            guest_id=one.person,
            club_id=club_id,
            won=one.won,
            played=one.played,
            at=at,
        )


def drop_results(connection: Connection, event_id: str, first: int, last: int = 2**31 - 1) -> None:
    """Deletes the results of an event from this number on, up to another."""
    numbered = CLUB_RESULT.c.number.between(first, last)
    connection.execute(delete(CLUB_RESULT).where(CLUB_RESULT.c.event_id == event_id, numbered))


def correct_results(connection: Connection, event_id: str, results: Iterable[ClubResult]) -> None:
    """Replaces results of an event; they count in the season in which they were first recorded."""
    result = CLUB_RESULT.c
    for one in results:
        mine = and_(result.event_id == event_id, result.number == one.number, result.guest_id == one.person)
        connection.execute(update(CLUB_RESULT).where(mine).values(won=one.won, played=one.played))


def season_counts(connection: Connection, club_id: str, season: Season) -> list[SeasonCount]:
    """What everybody has done in a season; guests stand in no table."""
    result = CLUB_RESULT.c
    inside = [result.club_id == club_id, result.at >= season.begun_at]
    if season.ended_at is not None:
        inside.append(result.at < season.ended_at)
    won = func.sum(cast(result.won, Integer)).label("won")
    lost = func.sum(cast(and_(not_(result.won), result.played), Integer)).label("lost")
    missed = func.sum(cast(and_(not_(result.won), not_(result.played)), Integer)).label("missed")
    counts = select(result.guest_id, won, lost, missed).where(*inside).group_by(result.guest_id).subquery()
    rows = connection.execute(
        select_people(counts.c.won, counts.c.lost, counts.c.missed)
        .join(counts, counts.c.guest_id == GUEST.c.id)
        .where(or_(REGISTERED, GUEST.c.name == FORMER))
    )
    return [SeasonCount(person(row), row.won, row.lost, row.missed) for row in rows]
