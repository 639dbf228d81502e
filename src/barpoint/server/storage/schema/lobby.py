"""Challenges, presence, chat and blocking."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    false,
)

from barpoint.server.storage.schema.metadata import METADATA

CHALLENGE: Final = Table(
    "challenge",
    METADATA,
    Column("id", String(16), primary_key=True),
    Column("guest_id", String(24), ForeignKey("guest.id"), nullable=False),
    Column("variant", String(300), nullable=False),
    Column("terms", Text, nullable=False),
    Column("time_control", String(24), nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("fee", Integer, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("match_id", String(16), ForeignKey("match.id")),
    Column("quick", Boolean, nullable=False, server_default=false()),
    Index("challenge_by_guest", "guest_id"),
    Index("challenge_by_match", "match_id"),
)
"""Invitations to anybody, each with an agreement.

match_id: the match it became; null while it is open. Withdrawn challenges are deleted. quick: made by quick pairing,
which keeps looking for a player of similar strength.
"""

DIRECT_CHALLENGE: Final = Table(
    "direct_challenge",
    METADATA,
    Column("match_id", String(16), ForeignKey("match.id"), primary_key=True),
    Column("guest_id", String(24), ForeignKey("guest.id"), nullable=False),
    Column("other_id", String(24), ForeignKey("guest.id"), nullable=False),
    Column("closed_at", BigInteger),
    Index("direct_challenge_by_guest", "guest_id"),
    Index("direct_challenge_by_other", "other_id"),
)
"""A challenge to one person: the match waits with its open seat. closed_at: accepted, declined or withdrawn."""

PRESENCE: Final = Table(
    "presence",
    METADATA,
    Column("guest_id", String(24), ForeignKey("guest.id"), primary_key=True),
    Column("seen_at", BigInteger, nullable=False),
    Index("presence_by_time", "seen_at"),
)
"""When a person's browser was last connected."""

CHAT: Final = Table(
    "chat",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("match_id", String(16), ForeignKey("match.id"), nullable=False),
    Column("guest_id", String(24), ForeignKey("guest.id"), nullable=False),
    Column("text", String(300), nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("chat_by_match", "match_id", "id"),
    Index("chat_by_guest", "guest_id"),
)

MUTE: Final = Table(
    "mute",
    METADATA,
    Column("match_id", String(16), ForeignKey("match.id"), nullable=False),
    Column("guest_id", String(24), ForeignKey("guest.id"), nullable=False),
    PrimaryKeyConstraint("match_id", "guest_id"),
)
"""Players who have muted the chat of a match."""

BLOCK: Final = Table(
    "block",
    METADATA,
    Column("guest_id", String(24), ForeignKey("guest.id"), nullable=False),
    Column("other_id", String(24), ForeignKey("guest.id"), nullable=False),
    Column("at", BigInteger, nullable=False),
    PrimaryKeyConstraint("guest_id", "other_id"),
)
"""guest_id has blocked other_id: neither sees the other's challenges or chat."""

CHAT_REPORT: Final = Table(
    "chat_report",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("guest_id", String(24), ForeignKey("guest.id"), nullable=False),
    Column("about_id", String(24), ForeignKey("guest.id"), nullable=False),
    Column("match_id", String(16), ForeignKey("match.id")),
    Column("text", String(1000), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("closed_at", BigInteger),
    Index("chat_report_by_about", "about_id"),
)
"""Reports to the administrators about a person."""
