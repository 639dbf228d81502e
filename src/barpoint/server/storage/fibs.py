"""What the database stores for players with a FIBS client, and what such a client queries about others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, and_, or_, select, update

from barpoint.server.domain.accounts import Account
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.names import look
from barpoint.server.storage.accounts import find_account, get_account
from barpoint.server.storage.database import count, insert_where_absent
from barpoint.server.storage.guests import person, select_people
from barpoint.server.storage.schema.accounts import ACCOUNT
from barpoint.server.storage.schema.fibs import FIBS_PLAYER
from barpoint.server.storage.schema.results import RATING


@dataclass(frozen=True, slots=True)
class Visit:
    """What is stored about the last visit. preferences: None before the first visit. Times in ms since 1970."""

    preferences: str | None = None
    login_at: int = 0
    logout_at: int | None = None


@dataclass(frozen=True, slots=True)
class Ranked:
    """A line of the rating list. rank: from 1."""

    rank: int
    person: Guest
    value: float
    experience: int


def account_named(connection: Connection, name: str) -> Account | None:
    """The account of that name; underscores also match spaces, dots and hyphens, which FIBS names cannot contain."""
    found = find_account(connection, name)
    if found is not None:
        return found
    account_id = connection.scalar(select(ACCOUNT.c.id).where(ACCOUNT.c.look == look(name)))
    return get_account(connection, account_id) if account_id is not None else None


def last_visit(connection: Connection, guest_id: str) -> Visit:
    """What is stored about the last visit."""
    row = connection.execute(select(FIBS_PLAYER).where(FIBS_PLAYER.c.guest_id == guest_id)).first()
    return Visit(row.preferences, row.login_at, row.logout_at) if row else Visit()


def note_login(connection: Connection, guest_id: str, preferences: str, now: int) -> None:
    """Records a login."""
    if not insert_where_absent(connection, FIBS_PLAYER, guest_id=guest_id, preferences=preferences, login_at=now):
        _update(connection, guest_id, login_at=now)


def put_preferences(connection: Connection, guest_id: str, preferences: str) -> None:
    """Stores a person's preferences."""
    _update(connection, guest_id, preferences=preferences)


def note_logout(connection: Connection, guest_id: str, now: int) -> None:
    """Records a logout."""
    _update(connection, guest_id, logout_at=now)


def _update(connection: Connection, guest_id: str, **values: object) -> None:
    connection.execute(update(FIBS_PLAYER).where(FIBS_PLAYER.c.guest_id == guest_id).values(**values))


def _rated(pool: str) -> Select[Any]:
    """The accounts in a rating pool; only accounts are ranked."""
    own = and_(RATING.c.guest_id == ACCOUNT.c.id, RATING.c.pool == pool)
    return select_people(RATING.c.value, RATING.c.experience).join(RATING, own)


def ranked(connection: Connection, pool: str, first: int, last: int) -> list[Ranked]:
    """Ranks `first` to `last` of a rating pool, counted from 1."""
    order = (RATING.c.value.desc(), ACCOUNT.c.id)
    rows = connection.execute(_rated(pool).order_by(*order).offset(first - 1).limit(max(0, last - first + 1)))
    return [Ranked(place, person(row), row.value, row.experience) for place, row in enumerate(rows, start=first)]


def rank_of(connection: Connection, pool: str, guest_id: str) -> Ranked | None:
    """A person's rank in a pool; None if they are unranked."""
    row = connection.execute(_rated(pool).where(ACCOUNT.c.id == guest_id)).first()
    if row is None:
        return None
    before = or_(RATING.c.value > row.value, and_(RATING.c.value == row.value, RATING.c.guest_id < guest_id))
    registered = RATING.c.guest_id.in_(select(ACCOUNT.c.id))
    return Ranked(
        count(connection, RATING, RATING.c.pool == pool, registered, before) + 1, person(row), row.value, row.experience
    )
