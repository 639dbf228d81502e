"""What several tables share: their metadata, shapes of columns, and the tables that matches and chouettes both have."""

from __future__ import annotations

from typing import Any, Final

import sqlalchemy as sa

from barpoint.server.domain.limits import MAX_CHAT_TEXT

METADATA: Final = sa.MetaData()
"""The metadata that every table belongs to."""

ColumnType = sa.types.TypeEngine[Any] | type[sa.types.TypeEngine[Any]]


def column(name: str, kind: ColumnType, *more: sa.ForeignKey, nullable: bool = False, **options: Any) -> sa.Column[Any]:
    """A column; never null unless said otherwise."""
    return sa.Column(name, kind, *more, nullable=nullable, **options)


def time(name: str, *, nullable: bool = False) -> sa.Column[Any]:
    """A point in time, in ms since 1970."""
    return column(name, sa.BigInteger, nullable=nullable)


def reference(table: str, name: str | None = None, **options: Any) -> sa.Column[Any]:
    """The id of a row of another table. name: of the column; by default that of the table with _id."""
    length = 24 if table in ("guest", "account") else 16
    return column(name or f"{table}_id", sa.String(length), sa.ForeignKey(f"{table}.id"), **options)


def event_table(name: str, owner: str, *more: sa.Column[Any]) -> sa.Table:
    """The events of a match or chouette.

    actor: the number of a seat or player, or "server" for actions of the server itself (then command_id is null).
    """
    return sa.Table(
        name,
        METADATA,
        reference(owner),
        column("seq", sa.Integer),
        column("actor", sa.String(8)),
        column("command_id", sa.String(64), nullable=True),
        column("kind", sa.String(16)),
        column("payload", sa.Text),
        time("at"),
        *more,
        sa.PrimaryKeyConstraint(f"{owner}_id", "seq"),
        sa.UniqueConstraint(f"{owner}_id", "actor", "command_id"),
    )


def draft_table(name: str, owner: str) -> sa.Table:
    """Moves tried and not yet committed, by the player to move after event `seq`. Never part of the log."""
    return sa.Table(
        name,
        METADATA,
        reference(owner, primary_key=True),
        column("seq", sa.Integer),
        column("version", sa.Integer),
        column("moves", sa.Text),
    )


def chat_table(name: str, owner: str, index: str) -> sa.Table:
    """Lines of chat. index: the name of the one by match or chouette."""
    return sa.Table(
        name,
        METADATA,
        column("id", sa.Integer, primary_key=True, autoincrement=True),
        reference(owner),
        reference("guest"),
        column("text", sa.String(MAX_CHAT_TEXT)),
        time("at"),
        sa.Index(index, f"{owner}_id", "id"),
        sa.Index(f"{name}_by_guest", "guest_id"),
    )


def mute_table(name: str, owner: str) -> sa.Table:
    """Players who have muted the chat of a match or chouette."""
    key = sa.PrimaryKeyConstraint(f"{owner}_id", "guest_id")
    return sa.Table(name, METADATA, reference(owner), reference("guest"), key)
