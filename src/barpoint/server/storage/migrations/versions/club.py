"""Clubs with their members, seasons, events and ladders; what administrators do."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0024"
down_revision: Final = "0023"


def upgrade() -> None:
    """Nine tables more."""
    _clubs()
    _ladders()
    op.create_table(
        "administration",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("guest_id", sa.String(length=24)),
        sa.Column("act", sa.String(length=24), nullable=False),
        sa.Column("about", sa.String(length=60), nullable=False),
        sa.Column("note", sa.String(length=200), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["guest_id"], ["guest.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("administration_by_guest", "administration", ["guest_id"])


def _clubs() -> None:
    op.create_table(
        "club",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("text", sa.String(length=2000), nullable=False),
        sa.Column("joining", sa.String(length=12), nullable=False),
        sa.Column("invitation", sa.String(length=24), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("closed_at", sa.BigInteger()),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("invitation"),
    )
    op.create_table(
        "club_member",
        sa.Column("club_id", sa.String(length=16), nullable=False),
        sa.Column("guest_id", sa.String(length=24), nullable=False),
        sa.Column("role", sa.String(length=12), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["club_id"], ["club.id"]),
        sa.ForeignKeyConstraint(["guest_id"], ["guest.id"]),
        sa.PrimaryKeyConstraint("club_id", "guest_id"),
    )
    op.create_index("club_member_by_guest", "club_member", ["guest_id"])
    op.create_table(
        "club_season",
        sa.Column("club_id", sa.String(length=16), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("begun_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["club_id"], ["club.id"]),
        sa.PrimaryKeyConstraint("club_id", "number"),
    )
    op.create_table(
        "club_event",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("club_id", sa.String(length=16), nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("private", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["club_id"], ["club.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("club_event_by_club", "club_event", ["club_id", "kind", "created_at"])
    op.create_table(
        "club_result",
        sa.Column("event_id", sa.String(length=16), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("guest_id", sa.String(length=24), nullable=False),
        sa.Column("club_id", sa.String(length=16), nullable=False),
        sa.Column("won", sa.Boolean(), nullable=False),
        sa.Column("played", sa.Boolean(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["club_id"], ["club.id"]),
        sa.ForeignKeyConstraint(["guest_id"], ["guest.id"]),
        sa.PrimaryKeyConstraint("event_id", "number", "guest_id"),
    )
    op.create_index("club_result_by_club", "club_result", ["club_id", "at"])
    op.create_index("club_result_by_guest", "club_result", ["guest_id"])


def _ladders() -> None:
    op.create_table(
        "ladder",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("club_id", sa.String(length=16), nullable=False),
        sa.Column("plan", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("closed_at", sa.BigInteger()),
        sa.ForeignKeyConstraint(["club_id"], ["club.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ladder_by_club", "ladder", ["club_id"])
    op.create_table(
        "ladder_place",
        sa.Column("ladder_id", sa.String(length=16), nullable=False),
        sa.Column("guest_id", sa.String(length=24), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["guest_id"], ["guest.id"]),
        sa.ForeignKeyConstraint(["ladder_id"], ["ladder.id"]),
        sa.PrimaryKeyConstraint("ladder_id", "guest_id"),
    )
    op.create_index("ladder_place_by_guest", "ladder_place", ["guest_id"])
    op.create_table(
        "ladder_match",
        sa.Column("match_id", sa.String(length=16), nullable=False),
        sa.Column("ladder_id", sa.String(length=16), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("guest_id", sa.String(length=24), nullable=False),
        sa.Column("other_id", sa.String(length=24), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("outcome", sa.String(length=12)),
        sa.ForeignKeyConstraint(["guest_id"], ["guest.id"]),
        sa.ForeignKeyConstraint(["ladder_id"], ["ladder.id"]),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.ForeignKeyConstraint(["other_id"], ["guest.id"]),
        sa.PrimaryKeyConstraint("match_id"),
        sa.UniqueConstraint("ladder_id", "number"),
    )
    op.create_index("ladder_match_by_guest", "ladder_match", ["guest_id"])
    op.create_index("ladder_match_open", "ladder_match", ["outcome", "due_at"])
