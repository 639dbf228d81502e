"""People in the database, guests and accounts alike: how every repository selects and reads them."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, and_, insert, or_, select, update

from barpoint.server.domain.guests import Guest
from barpoint.server.domain.matches import SeatKind
from barpoint.server.domain.names import folded
from barpoint.server.storage.schema.accounts import ACCOUNT
from barpoint.server.storage.schema.matches import GUEST, SEAT

REGISTERED = ACCOUNT.c.id.is_not(None)
"""Whether a selected person has an account."""


def select_people(*more: ColumnElement[Any]) -> Select[Any]:
    """Selects people, with more columns of what is then joined; `person` reads the rows."""
    own = (
        GUEST.c.id.label("person_id"),
        GUEST.c.name.label("person_name"),
        GUEST.c.bot,
        REGISTERED.label("registered"),
    )
    return select(*own, *more).select_from(GUEST.outerjoin(ACCOUNT, ACCOUNT.c.id == GUEST.c.id))


def person(row: Row[Any]) -> Guest:
    """The person in a row of `select_people`."""
    return Guest(row.person_id, row.person_name, registered=bool(row.registered), bot=row.bot)


def people(connection: Connection, chosen: Select[Any]) -> list[Guest]:
    """The people whom a selection finds."""
    return [person(row) for row in connection.execute(chosen)]


def find_one(connection: Connection, condition: ColumnElement[bool]) -> Guest | None:
    """The person who meets a condition."""
    row = connection.execute(select_people().where(condition)).first()
    return person(row) if row else None


def get_guest(connection: Connection, guest_id: str) -> Guest | None:
    """The person with that id."""
    return find_one(connection, GUEST.c.id == guest_id)


def find_person(connection: Connection, name_or_id: str) -> Guest | None:
    """Finds a person by id or by account name."""
    return find_one(connection, _called(name_or_id))


def find_challenged(connection: Connection, name_or_id: str) -> Guest | None:
    """Finds a person to challenge by id or by account name; nobody whose account is banned, who could not answer."""
    return find_one(connection, and_(_called(name_or_id), ACCOUNT.c.banned_at.is_(None)))


def _called(name_or_id: str) -> ColumnElement[bool]:
    named = select(ACCOUNT.c.id).where(ACCOUNT.c.name_key == folded(name_or_id)).scalar_subquery()
    return or_(GUEST.c.id == name_or_id, GUEST.c.id == named)  # both by indexes


def put_guest(connection: Connection, guest: Guest, at: int) -> None:
    """Adds a guest."""
    connection.execute(insert(GUEST).values(id=guest.id, name=guest.name, created_at=at, bot=guest.bot))


def rename_guest(connection: Connection, guest: Guest) -> None:
    """Renames a guest, in running matches too."""
    connection.execute(update(GUEST).where(GUEST.c.id == guest.id).values(name=guest.name))
    own = and_(SEAT.c.guest_id == guest.id, SEAT.c.kind == SeatKind.GUEST.value)
    connection.execute(update(SEAT).where(own).values(name=guest.name))
