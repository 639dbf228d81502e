"""Web push subscriptions in the database."""

from __future__ import annotations

from dataclasses import asdict
from typing import Final

from sqlalchemy import Connection, and_, delete, select

from barpoint.server.domain.accounts import digest
from barpoint.server.domain.web_push import Subscription
from barpoint.server.storage.database import columns_of, insert_where_absent
from barpoint.server.storage.database import count as table_count
from barpoint.server.storage.schema.accounts import PUSH_SUBSCRIPTION

MAX_SUBSCRIPTIONS: Final = 10
"""Subscriptions per person; a new one replaces the oldest."""


def put(connection: Connection, guest_id: str, subscription: Subscription, at: int) -> None:
    """Stores a subscription; a browser that belonged to another person now belongs to this one."""
    drop(connection, subscription.endpoint)
    key = digest(subscription.endpoint)
    insert_where_absent(connection, PUSH_SUBSCRIPTION, id=key, guest_id=guest_id, **asdict(subscription), created_at=at)
    mine = (
        select(PUSH_SUBSCRIPTION.c.id)
        .where(PUSH_SUBSCRIPTION.c.guest_id == guest_id)
        .order_by(PUSH_SUBSCRIPTION.c.created_at.desc(), PUSH_SUBSCRIPTION.c.id)
    )
    for old in connection.scalars(mine.offset(MAX_SUBSCRIPTIONS)).all():
        connection.execute(delete(PUSH_SUBSCRIPTION).where(PUSH_SUBSCRIPTION.c.id == old))


def drop(connection: Connection, endpoint: str, guest_id: str | None = None) -> None:
    """Deletes a subscription; with a person given, only if it is theirs."""
    here = PUSH_SUBSCRIPTION.c.id == digest(endpoint)
    own = here if guest_id is None else and_(here, PUSH_SUBSCRIPTION.c.guest_id == guest_id)
    connection.execute(delete(PUSH_SUBSCRIPTION).where(own))


def drop_others(connection: Connection, guest_id: str, endpoint: str) -> None:
    """Deletes all subscriptions of a person but the one with this endpoint."""
    others = and_(PUSH_SUBSCRIPTION.c.guest_id == guest_id, PUSH_SUBSCRIPTION.c.id != digest(endpoint))
    connection.execute(delete(PUSH_SUBSCRIPTION).where(others))


def drop_all(connection: Connection, guest_id: str) -> None:
    """Deletes all subscriptions of a person."""
    connection.execute(delete(PUSH_SUBSCRIPTION).where(PUSH_SUBSCRIPTION.c.guest_id == guest_id))


def holds(connection: Connection, endpoint: str, guest_id: str) -> bool:
    """Whether a subscription is stored, and is this person's."""
    own = PUSH_SUBSCRIPTION.c.guest_id == guest_id
    return table_count(connection, PUSH_SUBSCRIPTION, own, PUSH_SUBSCRIPTION.c.id == digest(endpoint)) > 0


def of(connection: Connection, guest_id: str) -> tuple[Subscription, ...]:
    """The subscriptions of a person."""
    own = select(*columns_of(PUSH_SUBSCRIPTION, Subscription)).where(PUSH_SUBSCRIPTION.c.guest_id == guest_id)
    return tuple(Subscription(*row) for row in connection.execute(own.order_by(PUSH_SUBSCRIPTION.c.created_at)))


def count(connection: Connection, guest_id: str) -> int:
    """The number of a person's subscriptions."""
    return table_count(connection, PUSH_SUBSCRIPTION, PUSH_SUBSCRIPTION.c.guest_id == guest_id)
