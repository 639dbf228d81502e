"""Chouettes: their event logs, who sits there, and chat."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from barpoint.server.storage.schema.metadata import METADATA

CHOUETTE: Final = Table(
    "chouette",
    METADATA,
    Column("id", String(16), primary_key=True),
    Column("variant", String(300), nullable=False),
    Column("rules_version", Integer, nullable=False),
    Column("terms", Text, nullable=False),
    Column("server_seed", LargeBinary(32), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("decision_ms", BigInteger, nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("state", Text, nullable=False),
    Column("over", Boolean, nullable=False),
    Column("acted_at", BigInteger, nullable=False),
    Column("deadline_at", BigInteger),
    Index("chouette_by_deadline", "deadline_at"),
    Index("chouette_by_act", "over", "acted_at"),
)
"""Chouettes. seq, state: as of a match. decision_ms: time limit per decision. listed: in the lobby.

acted_at: the time of the last event. Times in ms since 1970.
"""

CHOUETTE_SEAT: Final = Table(
    "chouette_seat",
    METADATA,
    Column("chouette_id", String(16), ForeignKey("chouette.id"), nullable=False),
    Column("player", Integer, nullable=False),
    Column("guest_id", String(24), ForeignKey("guest.id")),
    Column("level", String(24)),
    Column("name", String(48), nullable=False),
    PrimaryKeyConstraint("chouette_id", "player"),
    UniqueConstraint("chouette_id", "guest_id"),
    Index("chouette_seat_by_guest", "guest_id"),
)
"""All players a chouette has had, by number. level, name: of a bot; the names of people are in `guest`."""

CHOUETTE_EVENT: Final = Table(
    "chouette_event",
    METADATA,
    Column("chouette_id", String(16), ForeignKey("chouette.id"), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("actor", String(8), nullable=False),
    Column("command_id", String(64)),
    Column("kind", String(16), nullable=False),
    Column("payload", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    PrimaryKeyConstraint("chouette_id", "seq"),
    UniqueConstraint("chouette_id", "actor", "command_id"),
)
"""actor: a player's number, or "server"."""

CHOUETTE_DRAFT: Final = Table(
    "chouette_draft",
    METADATA,
    Column("chouette_id", String(16), ForeignKey("chouette.id"), primary_key=True),
    Column("seq", Integer, nullable=False),
    Column("version", Integer, nullable=False),
    Column("moves", Text, nullable=False),
)

CHOUETTE_CHAT: Final = Table(
    "chouette_chat",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("chouette_id", String(16), ForeignKey("chouette.id"), nullable=False),
    Column("guest_id", String(24), ForeignKey("guest.id"), nullable=False),
    Column("text", String(300), nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("chouette_chat_by_table", "chouette_id", "id"),
    Index("chouette_chat_by_guest", "guest_id"),
)

CHOUETTE_MUTE: Final = Table(
    "chouette_mute",
    METADATA,
    Column("chouette_id", String(16), ForeignKey("chouette.id"), nullable=False),
    Column("guest_id", String(24), ForeignKey("guest.id"), nullable=False),
    PrimaryKeyConstraint("chouette_id", "guest_id"),
)
"""Players who have muted the chat of a chouette."""
