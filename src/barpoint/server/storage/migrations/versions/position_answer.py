"""Answers of the engine about positions of the analysis board."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0016"
down_revision: Final = "0015"


def upgrade() -> None:
    """One table more."""
    op.create_table(
        "position_answer",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("net", sa.String(length=24), nullable=False),
        sa.Column("plies", sa.Integer(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("answer", sa.LargeBinary(), nullable=False),
        sa.Column("games", sa.LargeBinary()),
        sa.PrimaryKeyConstraint("digest", "kind", "net", "plies"),
    )
