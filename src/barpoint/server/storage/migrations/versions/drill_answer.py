"""Answers to drills."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0023"
down_revision: Final = "0021"


def upgrade() -> None:
    """One table more."""
    op.create_table(
        "drill_answer",
        sa.Column("guest_id", sa.String(length=24), nullable=False),
        sa.Column("question", sa.String(length=80), nullable=False),
        sa.Column("drill", sa.String(length=16), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("right", sa.Boolean(), nullable=False),
        sa.Column("off", sa.Float(), nullable=False),
        sa.Column("ms", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["guest_id"], ["guest.id"]),
        sa.PrimaryKeyConstraint("guest_id", "question"),
    )
    op.create_index("drill_answer_by_drill", "drill_answer", ["guest_id", "drill", "at"])
