"""People whom a club keeps out; who was removed could walk straight in again."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0032_since_0024"
down_revision: Final = "0031_since_0024"


def upgrade() -> None:
    """A table more."""
    op.create_table(
        "club_kept_out",
        sa.Column("club_id", sa.String(length=16), nullable=False),
        sa.Column("guest_id", sa.String(length=24), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["club_id"], ["club.id"]),
        sa.ForeignKeyConstraint(["guest_id"], ["guest.id"]),
        sa.PrimaryKeyConstraint("club_id", "guest_id"),
    )
    op.create_index("club_kept_out_by_guest", "club_kept_out", ["guest_id"])
