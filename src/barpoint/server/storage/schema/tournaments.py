"""Tournaments: their event logs, players and matches."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from barpoint.server.storage.schema.shapes import METADATA, column, reference, time

TOURNAMENT: Final = sa.Table(
    "tournament",
    METADATA,
    column("id", sa.String(16), primary_key=True),
    reference("guest"),
    column("plan", sa.Text),
    time("created_at"),
    column("seq", sa.Integer),
    column("stage", sa.String(12)),
    time("starts_at", nullable=True),
    column("players", sa.Integer),
    column("max_players", sa.Integer),
    time("ends_at", nullable=True),
    sa.Index("tournament_by_stage", "stage", "starts_at"),
    sa.Index("tournament_by_guest", "guest_id"),
)
"""guest_id: the director. plan: JSON. seq: of the last event; stage, players: after it. ends_at: of an arena that pairs its players.
"""

TOURNAMENT_SCREEN: Final = sa.Table(
    "tournament_screen",
    METADATA,
    reference("tournament", primary_key=True),
    column("secret", sa.String(16)),
    sa.Index("tournament_screen_by_secret", "secret", unique=True),
)
"""Links that show a tournament on a big screen to whoever has them; at most one of each. No log has them, because they can be withdrawn."""

TOURNAMENT_EVENT: Final = sa.Table(
    "tournament_event",
    METADATA,
    reference("tournament"),
    column("seq", sa.Integer),
    column("actor", sa.String(24), nullable=True),
    column("command_id", sa.String(64), nullable=True),
    column("kind", sa.String(12)),
    column("payload", sa.Text),
    time("at"),
    sa.PrimaryKeyConstraint("tournament_id", "seq"),
    sa.Index("tournament_event_command", "tournament_id", "actor", "command_id", unique=True),
)
"""The events of tournaments. actor: a person; null for actions of the server itself."""

TOURNAMENT_PLAYER: Final = sa.Table(
    "tournament_player",
    METADATA,
    reference("tournament"),
    reference("guest"),
    sa.PrimaryKeyConstraint("tournament_id", "guest_id"),
    sa.Index("tournament_player_by_guest", "guest_id"),
)
"""Persons who play, or have played, in a tournament; derived from its events."""

TOURNAMENT_MATCH: Final = sa.Table(
    "tournament_match",
    METADATA,
    reference("match", primary_key=True),
    reference("tournament"),
    column("number", sa.Integer),
    column("attempt", sa.Integer),
    time("due_at"),
    column("settled", sa.Boolean),
    time("ends_at", nullable=True),
    sa.UniqueConstraint("tournament_id", "number", "attempt"),
    sa.Index("tournament_match_open", "settled", "due_at"),
)
"""Matches of tournaments. number: index in the bracket or the rounds. attempt: from 0; a voided match is replayed.

due_at: a player who is not there by then loses. settled: the outcome of the match is in the tournament's log. ends_at:
if the match is adjourned then, it is decided.
"""
