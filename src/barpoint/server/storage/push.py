"""Web push subscriptions in the database."""

from __future__ import annotations

from hashlib import sha256
from typing import Final

from sqlalchemy import Connection, and_, delete, func, select

from barpoint.server.domain.web_push import Subscription
from barpoint.server.storage.database import insert_where_absent
from barpoint.server.storage.schema.accounts import PUSH_SUBSCRIPTION

MOST: Final = 10
"""Subscriptions per person; a new one replaces the oldest."""


def _id(endpoint: str) -> str:
    return sha256(endpoint.encode()).hexdigest()


def put(connection: Connection, guest_id: str, subscription: Subscription, at: int) -> None:
    """Stores a subscription; a browser that belonged to another person now belongs to this one."""
    connection.execute(delete(PUSH_SUBSCRIPTION).where(PUSH_SUBSCRIPTION.c.id == _id(subscription.endpoint)))
    insert_where_absent(
        connection,
        PUSH_SUBSCRIPTION,
        id=_id(subscription.endpoint),
        guest_id=guest_id,
        endpoint=subscription.endpoint,
        p256dh=subscription.p256dh,
        auth=subscription.auth,
        created_at=at,
    )
    mine = (
        select(PUSH_SUBSCRIPTION.c.id)
        .where(PUSH_SUBSCRIPTION.c.guest_id == guest_id)
        .order_by(PUSH_SUBSCRIPTION.c.created_at.desc(), PUSH_SUBSCRIPTION.c.id)
    )
    for old in connection.scalars(mine.offset(MOST)).all():
        connection.execute(delete(PUSH_SUBSCRIPTION).where(PUSH_SUBSCRIPTION.c.id == old))


def drop(connection: Connection, endpoint: str, guest_id: str | None = None) -> None:
    """Deletes a subscription; with a person given, only if it is theirs."""
    mine = PUSH_SUBSCRIPTION.c.id == _id(endpoint)
    connection.execute(
        delete(PUSH_SUBSCRIPTION).where(
            mine if guest_id is None else and_(mine, PUSH_SUBSCRIPTION.c.guest_id == guest_id)
        )
    )


def drop_all(connection: Connection, guest_id: str) -> None:
    """Deletes all subscriptions of a person."""
    connection.execute(delete(PUSH_SUBSCRIPTION).where(PUSH_SUBSCRIPTION.c.guest_id == guest_id))


def of(connection: Connection, guest_id: str) -> tuple[Subscription, ...]:
    """The subscriptions of a person."""
    columns = (PUSH_SUBSCRIPTION.c.endpoint, PUSH_SUBSCRIPTION.c.p256dh, PUSH_SUBSCRIPTION.c.auth)
    found = connection.execute(
        select(*columns).where(PUSH_SUBSCRIPTION.c.guest_id == guest_id).order_by(PUSH_SUBSCRIPTION.c.created_at)
    )
    return tuple(Subscription(*row) for row in found)


def count(connection: Connection, guest_id: str) -> int:
    """The number of a person's subscriptions."""
    return (
        connection.scalar(
            select(func.count()).select_from(PUSH_SUBSCRIPTION).where(PUSH_SUBSCRIPTION.c.guest_id == guest_id)
        )
        or 0
    )
