"""Matches, their players, their event logs, and the moves being tried."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from barpoint.server.domain.limits import MAX_VARIANT_NAME
from barpoint.server.storage.schema.shapes import METADATA, column, draft_table, event_table, reference, time

SETTING: Final = sa.Table(
    "setting",
    METADATA,
    column("name", sa.String(40), primary_key=True),
    column("value", sa.Text),
)
"""What the server stores about itself, such as the key that signs cookies."""

GUEST: Final = sa.Table(
    "guest",
    METADATA,
    column("id", sa.String(24), primary_key=True),
    column("name", sa.String(24)),
    time("created_at"),
    column("bot", sa.Boolean, server_default=sa.false()),
)
"""bot: a program plays for this guest or account, and this is shown to everybody; it cannot be undone."""

MATCH: Final = sa.Table(
    "match",
    METADATA,
    column("id", sa.String(16), primary_key=True),
    column("variant", sa.String(MAX_VARIANT_NAME)),
    column("rules_version", sa.Integer),
    column("terms", sa.Text),
    column("server_seed", sa.LargeBinary(32)),
    column("commitment", sa.String(64)),
    time("created_at"),
    column("seq", sa.Integer),
    column("state", sa.Text),
    column("to_act", sa.Integer, nullable=True),
    column("over", sa.Boolean),
    time("deadline_at", nullable=True),
    column("rematch", sa.String(16), nullable=True),
    column("time_control", sa.String(24)),
    column("rated", sa.Boolean),
    column("fee", sa.Integer),
    column("pause_ms", sa.BigInteger, default=0),
    time("adjourned_at", nullable=True),
    column("asked_by", sa.Integer, nullable=True),
    column("claimed_by", sa.Integer, nullable=True),
    time("claimed_until", nullable=True),
    column("acted_at", sa.BigInteger, server_default=sa.text("0")),
    column("replaced_by", sa.String(16), nullable=True),
    time("replaced_at", nullable=True),
    sa.Index("match_by_deadline", "deadline_at"),
    sa.Index("match_by_actor", "over", "to_act"),
    sa.Index("match_by_act", "over", "acted_at"),
    sa.Index("match_by_replacement", "replaced_by"),
)
"""seq: of the last event. to_act: the seat that must act; null for both, none or the server. Times in ms since 1970.

time_control: the clock, by name. fee: whole tickets. pause_ms: given back since the last event, for time in which
nobody could play. adjourned_at, asked_by, claimed_by: as in `Adjournment`. claimed_until: until then one process
handles the deadline, and others need not. acted_at: the time of the last event, or of the beginning; earlier, or 0, where a
program from before 0036 has written since. replaced_by: the corrected version of the record of a real board, which stands in lists in its place. replaced_at: since when.
"""

SEAT: Final = sa.Table(
    "seat",
    METADATA,
    reference("match"),
    column("seat", sa.Integer),
    column("kind", sa.String(8)),
    reference("guest", nullable=True),
    column("level", sa.String(24), nullable=True),
    column("name", sa.String(48)),
    column("client_seed", sa.String(64)),
    column("commitment", sa.String(64), nullable=True),
    column("by_player", sa.Boolean),
    column("tutored", sa.Boolean, server_default=sa.false()),
    column("invitation", sa.String(24), nullable=True),
    sa.PrimaryKeyConstraint("match_id", "seat"),
    sa.UniqueConstraint("invitation"),
    sa.Index("seat_by_guest", "guest_id"),
)
"""kind: a SeatKind. invitation: the secret of the link that takes an open seat.

client_seed: "" until it is revealed. commitment: its SHA-256, published before it. by_player: the player gives the
seed, not the server. tutored: the player wants a tutor.
"""

EVENT: Final = event_table(
    "event", "match", column("lag_ms", sa.Integer, default=0), column("pause_ms", sa.BigInteger, default=0)
)
"""lag_ms: given back for network lag of the command.

pause_ms: given back for time before it in which nobody could play.
"""

DRAFT: Final = draft_table("draft", "match")

AUTOMATIC_TURNS: Final = sa.Table(
    "automatic_turns",
    METADATA,
    reference("match"),
    column("seat", sa.Integer),
    reference("guest"),
    column("rolls", sa.String(12)),
    column("passes", sa.Boolean),
    column("forced", sa.Boolean),
    column("bears_off", sa.Boolean),
    column("answer", sa.String(4)),
    sa.PrimaryKeyConstraint("match_id", "seat"),
    sa.Index("automatic_turns_by_guest", "guest_id"),
)
"""What the server does for a player in a match, as in `AutomaticTurns`; gone when the match is over. Apart from the seat, whose row both players may read."""

VACATION: Final = sa.Table(
    "vacation",
    METADATA,
    column("id", sa.Integer, primary_key=True, autoincrement=True),
    reference("guest"),
    time("begins_at"),
    time("ends_at"),
    time("announced_at"),
    sa.Index("vacation_by_guest", "guest_id", "ends_at"),
    sa.Index("vacation_by_time", "ends_at", "begins_at"),
)
"""Days in which the clocks of a person's correspondence matches stand still."""

VACATION_PAUSE: Final = sa.Table(
    "vacation_pause",
    METADATA,
    reference("match"),
    reference("guest"),
    time("until"),
    sa.PrimaryKeyConstraint("match_id", "guest_id"),
    sa.Index("vacation_pause_by_guest", "guest_id"),
)
"""until: up to when a person's vacations have been given back to their clock in a match."""

HEARTBEAT: Final = sa.Table(
    "heartbeat",
    METADATA,
    column("id", sa.Integer, primary_key=True),
    time("at"),
)
