"""Messages from one person to another."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from barpoint.server.domain.limits import MAX_MESSAGE_TEXT
from barpoint.server.storage.schema.shapes import METADATA, column, reference, time

MESSAGE: Final = sa.Table(
    "message",
    METADATA,
    column("id", sa.Integer, primary_key=True, autoincrement=True),
    reference("guest"),
    reference("guest", "other_id"),
    column("text", sa.String(MAX_MESSAGE_TEXT)),
    time("at"),
    time("read_at", nullable=True),
    column("told", sa.Boolean),
    sa.Index("message_by_guest", "guest_id", "other_id"),
    sa.Index("message_by_other", "other_id", "read_at"),
    sa.Index("message_untold", "told", "at"),
)
"""guest_id has written to other_id. read_at: null until they have read it. told: by mail or push, or there is no need to."""
