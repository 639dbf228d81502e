"""Challenges, presence, chat and blocking."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from barpoint.server.domain.limits import MAX_REPORT_TEXT, MAX_VARIANT_NAME
from barpoint.server.storage.schema.shapes import METADATA, chat_table, column, mute_table, reference, time

CHALLENGE: Final = sa.Table(
    "challenge",
    METADATA,
    column("id", sa.String(16), primary_key=True),
    reference("guest"),
    column("variant", sa.String(MAX_VARIANT_NAME)),
    column("terms", sa.Text),
    column("time_control", sa.String(24)),
    column("rated", sa.Boolean),
    column("fee", sa.Integer),
    time("created_at"),
    reference("match", nullable=True),
    column("quick", sa.Boolean, server_default=sa.false()),
    sa.Index("challenge_by_guest", "guest_id"),
    sa.Index("challenge_by_match", "match_id"),
)
"""Invitations to anybody, each with an agreement.

match_id: the match it became; null while it is open. Withdrawn challenges are deleted. quick: made by quick pairing,
which keeps looking for a player of similar strength.
"""

DIRECT_CHALLENGE: Final = sa.Table(
    "direct_challenge",
    METADATA,
    reference("match", primary_key=True),
    reference("guest"),
    reference("guest", "other_id"),
    time("closed_at", nullable=True),
    sa.Index("direct_challenge_by_guest", "guest_id"),
    sa.Index("direct_challenge_by_other", "other_id"),
)
"""A challenge to one person: the match waits with its open seat. closed_at: accepted, declined or withdrawn."""

PRESENCE: Final = sa.Table(
    "presence",
    METADATA,
    reference("guest", primary_key=True),
    time("seen_at"),
    sa.Index("presence_by_time", "seen_at"),
)
"""When a person's browser was last connected."""

CHAT: Final = chat_table("chat", "match", index="chat_by_match")
MUTE: Final = mute_table("mute", "match")

BLOCK: Final = sa.Table(
    "block",
    METADATA,
    reference("guest"),
    reference("guest", "other_id"),
    time("at"),
    sa.PrimaryKeyConstraint("guest_id", "other_id"),
    sa.Index("block_by_other", "other_id"),
)
"""guest_id has blocked other_id: neither sees the other's challenges or chat."""

FRIEND: Final = sa.Table(
    "friend",
    METADATA,
    reference("guest"),
    reference("guest", "other_id"),
    time("at"),
    sa.PrimaryKeyConstraint("guest_id", "other_id"),
    sa.Index("friend_by_other", "other_id"),
)
"""guest_id has other_id among their friends: they see them first, and at a glance whether they are on line."""

CHAT_REPORT: Final = sa.Table(
    "chat_report",
    METADATA,
    column("id", sa.Integer, primary_key=True, autoincrement=True),
    reference("guest"),
    reference("guest", "about_id"),
    reference("match", nullable=True),
    column("text", sa.String(MAX_REPORT_TEXT)),
    time("at"),
    time("closed_at", nullable=True),
    sa.Index("chat_report_by_about", "about_id"),
)
"""Reports to the administrators about a person."""
