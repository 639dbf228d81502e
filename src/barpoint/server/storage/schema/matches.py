"""Matches, their players, their event logs, and the moves being tried."""

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
    false,
)

from barpoint.server.storage.schema.metadata import METADATA

SETTING: Final = Table(
    "setting",
    METADATA,
    Column("name", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)
"""What the server stores about itself, such as the key that signs cookies."""

GUEST: Final = Table(
    "guest",
    METADATA,
    Column("id", String(24), primary_key=True),
    Column("name", String(24), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("bot", Boolean, nullable=False, server_default=false()),
)
"""bot: a program plays for this guest or account, and this is shown to everybody; it cannot be undone."""

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
    Column("time_control", String(24), nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("fee", Integer, nullable=False),
    Column("pause_ms", BigInteger, nullable=False, default=0),
    Column("adjourned_at", BigInteger),
    Column("asked_by", Integer),
    Column("claimed_by", Integer),
    Column("claimed_until", BigInteger),
    Index("match_by_deadline", "deadline_at"),
    Index("match_by_actor", "over", "to_act"),
)
"""seq: of the last event. to_act: the seat that must act; null for both, none or the server. Times in ms since 1970.

time_control: the clock, by name. fee: whole tickets. pause_ms: given back since the last event, for time in which
nobody could play. adjourned_at, asked_by, claimed_by: as in `Adjournment`. claimed_until: until then one process
handles the deadline, and others need not.
"""

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
    Column("commitment", String(64)),
    Column("by_player", Boolean, nullable=False),
    Column("invitation", String(24)),
    PrimaryKeyConstraint("match_id", "seat"),
    UniqueConstraint("invitation"),
    Index("seat_by_guest", "guest_id"),
)
"""kind: guest, bot or open. invitation: the secret of the link that takes an open seat.

client_seed: "" until it is revealed. commitment: its SHA-256, published before it. by_player: the player gives the
seed, not the server.
"""

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
    Column("lag_ms", Integer, nullable=False, default=0),
    Column("pause_ms", BigInteger, nullable=False, default=0),
    PrimaryKeyConstraint("match_id", "seq"),
    UniqueConstraint("match_id", "actor", "command_id"),
)
"""actor: "0" or "1" for a seat, "server" for actions of the server itself (then command_id is null).

lag_ms: given back for network lag of the command. pause_ms: given back for time before it in which nobody could play.
"""

DRAFT: Final = Table(
    "draft",
    METADATA,
    Column("match_id", String(16), ForeignKey("match.id"), primary_key=True),
    Column("seq", Integer, nullable=False),
    Column("version", Integer, nullable=False),
    Column("moves", Text, nullable=False),
)
"""Moves tried and not yet committed, by the player to move after event `seq`. Never part of the log."""

HEARTBEAT: Final = Table(
    "heartbeat",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),
)
