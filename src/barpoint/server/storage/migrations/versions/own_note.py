"""Own notes on matches and decisions."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0038_since_0024"
down_revision: Final = "0036_since_0024"


def upgrade() -> None:
    """A table more."""
    op.create_table(
        "own_note",
        sa.Column("guest_id", sa.String(length=24), nullable=False),
        sa.Column("source", sa.String(length=8), nullable=False),
        sa.Column("match_id", sa.String(length=16), nullable=False),
        sa.Column("event", sa.Integer(), nullable=False),
        sa.Column("starred", sa.Boolean(), nullable=False),
        sa.Column("tags", sa.Text(), nullable=False),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.Column("changed_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["guest_id"], ["guest.id"]),
        sa.PrimaryKeyConstraint("guest_id", "source", "match_id", "event"),
    )
    op.create_index("own_note_by_match", "own_note", ["match_id"])
