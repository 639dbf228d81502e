"""Notices of clubs, which had one text only."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0029_since_0024"
down_revision: Final = "0028_since_0024"


def upgrade() -> None:
    """A table more."""
    op.create_table(
        "club_notice",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("club_id", sa.String(length=16), nullable=False),
        sa.Column("guest_id", sa.String(length=24), nullable=False),
        sa.Column("text", sa.String(length=1000), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["club_id"], ["club.id"]),
        sa.ForeignKeyConstraint(["guest_id"], ["guest.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("club_notice_by_club", "club_notice", ["club_id", "id"])
    op.create_index("club_notice_by_guest", "club_notice", ["guest_id"])
