"""Tournaments: their event logs, players and matches."""

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
    UniqueConstraint,
)

from barpoint.server.storage.schema.metadata import METADATA

TOURNAMENT: Final = Table(
    "tournament",
    METADATA,
    Column("id", String(16), primary_key=True),
    Column("guest_id", String(24), ForeignKey("guest.id"), nullable=False),
    Column("plan", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("stage", String(12), nullable=False),
    Column("starts_at", BigInteger),
    Column("players", Integer, nullable=False),
    Column("max_players", Integer, nullable=False),
    Index("tournament_by_stage", "stage", "starts_at"),
    Index("tournament_by_guest", "guest_id"),
)
"""guest_id: the director. plan: JSON. seq: of the last event; stage, players: after it."""

TOURNAMENT_EVENT: Final = Table(
    "tournament_event",
    METADATA,
    Column("tournament_id", String(16), ForeignKey("tournament.id"), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("actor", String(24)),
    Column("command_id", String(64)),
    Column("kind", String(12), nullable=False),
    Column("payload", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    PrimaryKeyConstraint("tournament_id", "seq"),
    Index("tournament_event_command", "tournament_id", "actor", "command_id", unique=True),
)
"""The events of tournaments. actor: a person; null for actions of the server itself."""

TOURNAMENT_PLAYER: Final = Table(
    "tournament_player",
    METADATA,
    Column("tournament_id", String(16), ForeignKey("tournament.id"), nullable=False),
    Column("guest_id", String(24), ForeignKey("guest.id"), nullable=False),
    PrimaryKeyConstraint("tournament_id", "guest_id"),
    Index("tournament_player_by_guest", "guest_id"),
)
"""Persons who play, or have played, in a tournament; derived from its events."""

TOURNAMENT_MATCH: Final = Table(
    "tournament_match",
    METADATA,
    Column("match_id", String(16), ForeignKey("match.id"), primary_key=True),
    Column("tournament_id", String(16), ForeignKey("tournament.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("due_at", BigInteger, nullable=False),
    Column("settled", Boolean, nullable=False),
    Column("ends_at", BigInteger),
    UniqueConstraint("tournament_id", "number", "attempt"),
    Index("tournament_match_open", "settled", "due_at"),
)
"""Matches of tournaments. number: index in the bracket or the rounds. attempt: from 0; a voided match is replayed.

due_at: a player who is not there by then loses. settled: the outcome of the match is in the tournament's log. ends_at:
if the match is adjourned then, it is decided.
"""
