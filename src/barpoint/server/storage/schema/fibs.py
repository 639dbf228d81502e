"""Data of players who use a FIBS client."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from barpoint.server.domain.limits import MAX_CHAT_TEXT
from barpoint.server.storage.schema.shapes import METADATA, column, reference, time

FIBS_PLAYER: Final = sa.Table(
    "fibs_player",
    METADATA,
    reference("guest", primary_key=True),
    column("preferences", sa.Text),
    time("login_at"),
    time("logout_at", nullable=True),
)
"""Preferences of players who use a FIBS client, as JSON, and their last login and logout."""

FIBS_MESSAGE: Final = sa.Table(
    "fibs_message",
    METADATA,
    column("id", sa.Integer, primary_key=True, autoincrement=True),
    reference("guest"),
    reference("guest", "other_id"),
    column("text", sa.String(MAX_CHAT_TEXT)),
    time("at"),
    sa.Index("fibs_message_by_other", "other_id"),
)
"""Messages that programs before 0045 have left for other_id. Nothing reads it any more: a later migration moves what they have left since, and drops it."""
