"""Vacations from correspondence matches, friends, and whose ratings the match of a real board changes."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0027_since_0024"
down_revision: Final = "0026_since_0024"


def upgrade() -> None:
    """Four tables more."""
    op.create_table(
        "board_player",
        sa.Column("match_id", sa.String(length=16), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("guest_id", sa.String(length=24), nullable=False),
        sa.Column("confirmed_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.ForeignKeyConstraint(["guest_id"], ["guest.id"]),
        sa.PrimaryKeyConstraint("match_id", "seat"),
    )
    op.create_index("board_player_by_guest", "board_player", ["guest_id"])
    op.create_table(
        "friend",
        sa.Column("guest_id", sa.String(length=24), nullable=False),
        sa.Column("other_id", sa.String(length=24), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["guest_id"], ["guest.id"]),
        sa.ForeignKeyConstraint(["other_id"], ["guest.id"]),
        sa.PrimaryKeyConstraint("guest_id", "other_id"),
    )
    op.create_index("friend_by_other", "friend", ["other_id"])
    op.create_table(
        "vacation",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("guest_id", sa.String(length=24), nullable=False),
        sa.Column("begins_at", sa.BigInteger(), nullable=False),
        sa.Column("ends_at", sa.BigInteger(), nullable=False),
        sa.Column("announced_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["guest_id"], ["guest.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("vacation_by_guest", "vacation", ["guest_id", "ends_at"])
    op.create_index("vacation_by_time", "vacation", ["ends_at", "begins_at"])
    op.create_table(
        "vacation_pause",
        sa.Column("match_id", sa.String(length=16), nullable=False),
        sa.Column("guest_id", sa.String(length=24), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.ForeignKeyConstraint(["guest_id"], ["guest.id"]),
        sa.PrimaryKeyConstraint("match_id", "guest_id"),
    )
    op.create_index("vacation_pause_by_guest", "vacation_pause", ["guest_id"])
