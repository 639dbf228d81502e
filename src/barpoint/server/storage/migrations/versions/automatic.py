"""Automatic turns of players who are away."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0034_since_0024"
down_revision: Final = "0033_since_0024"


def upgrade() -> None:
    """A table more; in the matches there are, players do everything themselves."""
    op.create_table(
        "automatic_turns",
        sa.Column("match_id", sa.String(length=16), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("guest_id", sa.String(length=24), nullable=False),
        sa.Column("rolls", sa.String(length=12), nullable=False),
        sa.Column("passes", sa.Boolean(), nullable=False),
        sa.Column("forced", sa.Boolean(), nullable=False),
        sa.Column("bears_off", sa.Boolean(), nullable=False),
        sa.Column("answer", sa.String(length=4), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.ForeignKeyConstraint(["guest_id"], ["guest.id"]),
        sa.PrimaryKeyConstraint("match_id", "seat"),
    )
    op.create_index("automatic_turns_by_guest", "automatic_turns", ["guest_id"])
