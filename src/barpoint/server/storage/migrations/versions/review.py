"""Matches from files, and their analyses."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0009"
down_revision: Final = "0008"


def upgrade() -> None:
    """Two tables more."""
    op.create_table(
        "review",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("guest_id", sa.String(length=24), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("file", sa.String(length=80), nullable=False),
        sa.Column("first", sa.String(length=48), nullable=False),
        sa.Column("second", sa.String(length=48), nullable=False),
        sa.Column("variant", sa.String(length=300), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("score", sa.String(length=24), nullable=False),
        sa.Column("log", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["guest_id"], ["guest.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("guest_id", "digest"),
    )
    op.create_table(
        "review_analysis",
        sa.Column("review_id", sa.String(length=16), nullable=False),
        sa.Column("net", sa.String(length=24), nullable=False),
        sa.Column("plies", sa.Integer(), nullable=False),
        sa.Column("asked_at", sa.BigInteger(), nullable=False),
        sa.Column("alive_at", sa.BigInteger(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("events", sa.Integer(), nullable=False),
        sa.Column("report", sa.LargeBinary()),
        sa.ForeignKeyConstraint(["review_id"], ["review.id"]),
        sa.PrimaryKeyConstraint("review_id", "net", "plies"),
    )
