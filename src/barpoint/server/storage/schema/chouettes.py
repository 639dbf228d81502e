"""Chouettes: their event logs, who sits there, and chat."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from barpoint.server.domain.limits import MAX_VARIANT_NAME
from barpoint.server.storage.schema.shapes import (
    METADATA,
    chat_table,
    column,
    draft_table,
    event_table,
    mute_table,
    reference,
    time,
)

CHOUETTE: Final = sa.Table(
    "chouette",
    METADATA,
    column("id", sa.String(16), primary_key=True),
    column("variant", sa.String(MAX_VARIANT_NAME)),
    column("rules_version", sa.Integer),
    column("terms", sa.Text),
    column("server_seed", sa.LargeBinary(32)),
    time("created_at"),
    column("decision_ms", sa.BigInteger),
    column("listed", sa.Boolean),
    column("seq", sa.Integer),
    column("state", sa.Text),
    column("over", sa.Boolean),
    time("acted_at"),
    time("deadline_at", nullable=True),
    sa.Index("chouette_by_deadline", "deadline_at"),
    sa.Index("chouette_by_act", "over", "acted_at"),
)
"""Chouettes. seq, state: as of a match. decision_ms: time limit per decision. listed: in the lobby.

acted_at: the time of the last event. Times in ms since 1970.
"""

CHOUETTE_SEAT: Final = sa.Table(
    "chouette_seat",
    METADATA,
    reference("chouette"),
    column("player", sa.Integer),
    reference("guest", nullable=True),
    column("level", sa.String(24), nullable=True),
    column("name", sa.String(48)),
    sa.PrimaryKeyConstraint("chouette_id", "player"),
    sa.UniqueConstraint("chouette_id", "guest_id"),
    sa.Index("chouette_seat_by_guest", "guest_id"),
)
"""All players a chouette has had, by number. level, name: of a bot; the names of people are in `guest`."""

CHOUETTE_EVENT: Final = event_table("chouette_event", "chouette")

CHOUETTE_DRAFT: Final = draft_table("chouette_draft", "chouette")
CHOUETTE_CHAT: Final = chat_table("chouette_chat", "chouette", index="chouette_chat_by_table")
CHOUETTE_MUTE: Final = mute_table("chouette_mute", "chouette")
