"""The tables. The event log is the truth; what stands in `match.state` is a cache of its fold."""

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
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
)

SCHEMA_VERSION: Final = 1

METADATA: Final = MetaData()

SETTING: Final = Table(
    "setting",
    METADATA,
    Column("name", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)
"""The schema's version and the key that signs cookies."""

GUEST: Final = Table(
    "guest",
    METADATA,
    Column("id", String(24), primary_key=True),
    Column("name", String(24), nullable=False),
    Column("created_at", BigInteger, nullable=False),
)

MATCH: Final = Table(
    "match",
    METADATA,
    Column("id", String(16), primary_key=True),
    Column("variant", String(300), nullable=False),
    Column("rules_version", Integer, nullable=False),
    Column("terms", Text, nullable=False),
    Column("server_seed", LargeBinary(32), nullable=False),
    Column("commitment", String(64), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("state", Text, nullable=False),
    Column("to_act", Integer),
    Column("over", Boolean, nullable=False),
    Column("deadline_at", BigInteger),
    Column("rematch", String(16)),
    Index("match_by_deadline", "deadline_at"),
    Index("match_by_actor", "over", "to_act"),
)
"""seq: of the last event. to_act: the seat that must act; null for both, none or the server. Times in ms since 1970."""

SEAT: Final = Table(
    "seat",
    METADATA,
    Column("match_id", String(16), ForeignKey("match.id"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("kind", String(8), nullable=False),
    Column("guest_id", String(24), ForeignKey("guest.id")),
    Column("level", String(24)),
    Column("name", String(48), nullable=False),
    Column("client_seed", String(64), nullable=False),
    Column("token", String(24)),
    PrimaryKeyConstraint("match_id", "seat"),
    UniqueConstraint("token"),
    Index("seat_by_guest", "guest_id"),
)
"""kind: guest, bot or open. token: the secret of the link that takes an open seat."""

EVENT: Final = Table(
    "event",
    METADATA,
    Column("match_id", String(16), ForeignKey("match.id"), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("actor", String(8), nullable=False),
    Column("command_id", String(64)),
    Column("kind", String(16), nullable=False),
    Column("payload", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    PrimaryKeyConstraint("match_id", "seq"),
    UniqueConstraint("match_id", "actor", "command_id"),
)
"""actor: "0" or "1" for a seat, "server" for what the server does by itself (then command_id is null)."""

DRAFT: Final = Table(
    "draft",
    METADATA,
    Column("match_id", String(16), ForeignKey("match.id"), primary_key=True),
    Column("seq", Integer, nullable=False),
    Column("version", Integer, nullable=False),
    Column("moves", Text, nullable=False),
)
"""Moves tried and not yet committed, by whoever is to play after event `seq`. Never part of the log."""

HEARTBEAT: Final = Table(
    "heartbeat",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),
)
