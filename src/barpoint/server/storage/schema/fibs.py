"""Data of players who use a FIBS client."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, String, Table, Text

from barpoint.server.storage.schema.metadata import METADATA

FIBS_PLAYER: Final = Table(
    "fibs_player",
    METADATA,
    Column("guest_id", String(24), ForeignKey("guest.id"), primary_key=True),
    Column("preferences", Text, nullable=False),
    Column("login_at", BigInteger, nullable=False),
    Column("logout_at", BigInteger),
)
"""Preferences of players who use a FIBS client, as JSON, and their last login and logout."""

FIBS_MESSAGE: Final = Table(
    "fibs_message",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("guest_id", String(24), ForeignKey("guest.id"), nullable=False),
    Column("other_id", String(24), ForeignKey("guest.id"), nullable=False),
    Column("text", String(300), nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("fibs_message_by_other", "other_id"),
)
"""Messages that guest_id has left for other_id; they are deleted on delivery."""
