"""Players: found by name, ranked by rating, and whom somebody has among their friends. All functions take an open connection."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import Connection, and_, delete, exists, func, select

from barpoint.server.domain.guests import Guest
from barpoint.server.domain.ratings import Glicko, Rating
from barpoint.server.storage.database import insert_where_absent
from barpoint.server.storage.guests import people, person, select_people
from barpoint.server.storage.results import RatingStanding
from barpoint.server.storage.schema.accounts import ACCOUNT
from barpoint.server.storage.schema.lobby import BLOCK, FRIEND, PRESENCE
from barpoint.server.storage.schema.matches import GUEST
from barpoint.server.storage.schema.results import RATING


@dataclass(frozen=True, slots=True)
class RankedPlayer:
    """A player in the rating list of a pool."""

    person: Guest
    standing: RatingStanding


def players_named(connection: Connection, text: str, limit: int) -> list[Guest]:
    """Players with an account whose names contain a text, in any case; those whose names begin with it first."""
    wanted = "".join(f"\\{letter}" if letter in "\\%_" else letter for letter in text.strip().lower())
    if not wanted:
        return []
    name = func.lower(ACCOUNT.c.name)
    order = (name.like(f"{wanted}%", escape="\\").desc(), name)
    named = select(ACCOUNT.c.id).where(name.like(f"%{wanted}%", escape="\\"), ACCOUNT.c.banned_at.is_(None))
    found = select_people().where(GUEST.c.id.in_(named.order_by(*order).limit(limit)))  # guests without are many more
    return people(connection, found.order_by(*order))


def pools_rated(connection: Connection) -> list[tuple[str, int]]:
    """The rating pools with how many people are rated in each, the largest first."""
    size = func.count()
    rows = connection.execute(select(RATING.c.pool, size).group_by(RATING.c.pool).order_by(size.desc(), RATING.c.pool))
    return [(pool, count) for pool, count in rows]


def ranking(connection: Connection, pool: str, limit: int, offset: int = 0) -> list[RankedPlayer]:
    """The players of a rating pool, the highest rating first; without banned and deleted accounts."""
    rows = connection.execute(
        select_people(*RATING.c)
        .join(RATING, RATING.c.guest_id == GUEST.c.id)
        .where(and_(RATING.c.pool == pool, ACCOUNT.c.id.is_not(None), ACCOUNT.c.banned_at.is_(None)))
        .order_by(RATING.c.value.desc(), GUEST.c.id)
        .limit(limit)
        .offset(offset)
    )
    return [
        RankedPlayer(
            person(row),
            RatingStanding(
                Rating(row.value, row.experience), Glicko(row.glicko, row.deviation, row.volatility), row.matches
            ),
        )
        for row in rows
    ]


def put_friend(connection: Connection, guest_id: str, other_id: str, now: int) -> None:
    """Puts somebody among a person's friends."""
    insert_where_absent(connection, FRIEND, guest_id=guest_id, other_id=other_id, at=now)


def remove_friend(connection: Connection, guest_id: str, other_id: str) -> None:
    """Takes somebody from a person's friends."""
    connection.execute(delete(FRIEND).where(and_(FRIEND.c.guest_id == guest_id, FRIEND.c.other_id == other_id)))


def friends_of(connection: Connection, guest_id: str) -> list[Guest]:
    """A person's friends, by name; without those whom they have blocked."""
    blocked = select(BLOCK.c.other_id).where(BLOCK.c.guest_id == guest_id)
    mine = and_(FRIEND.c.guest_id == guest_id, FRIEND.c.other_id.not_in(blocked))
    found = select_people().join(FRIEND, FRIEND.c.other_id == GUEST.c.id).where(mine)
    return people(connection, found.order_by(func.lower(GUEST.c.name)))


def is_friend(connection: Connection, guest_id: str, other_id: str) -> bool:
    """Whether somebody is among a person's friends."""
    found = and_(FRIEND.c.guest_id == guest_id, FRIEND.c.other_id == other_id)
    return bool(connection.scalar(select(exists().where(found))))


def present_among(connection: Connection, persons: Collection[str], since: int) -> frozenset[str]:
    """Who of these people is on line."""
    here = and_(PRESENCE.c.guest_id.in_(sorted(persons)), PRESENCE.c.seen_at >= since)
    return frozenset(connection.scalars(select(PRESENCE.c.guest_id).where(here)))
