"""Answers to positions of studies that ask first."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0040_since_0024"
down_revision: Final = "0039_since_0024"


def upgrade() -> None:
    """A table more."""
    op.create_table(
        "study_answer",
        sa.Column("study_id", sa.String(length=16), nullable=False),
        sa.Column("guest_id", sa.String(length=24), nullable=False),
        sa.Column("node", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("answer", sa.String(length=80), nullable=False),
        sa.Column("loss", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["study_id"], ["study_tree.id"]),
        sa.ForeignKeyConstraint(["guest_id"], ["guest.id"]),
        sa.PrimaryKeyConstraint("study_id", "guest_id", "node"),
    )
    op.create_index("study_answer_by_person", "study_answer", ["guest_id"])
