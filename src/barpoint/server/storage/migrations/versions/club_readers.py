"""Who stands in tables of performance ratings, clubs whose results everybody reads, and times at which people agree to play."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0044_since_0024"
down_revision: Final = "0041_since_0024"


def upgrade() -> None:
    """Two columns and a table more: everybody stands in the tables of ratings, and private results stay with members."""
    op.add_column("account", sa.Column("rating_shown", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.add_column("club", sa.Column("results_shown", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_table(
        "appointment",
        sa.Column("match_id", sa.String(length=16), sa.ForeignKey("match.id"), nullable=False),
        sa.Column("guest_id", sa.String(length=24), sa.ForeignKey("guest.id"), nullable=False),
        sa.Column("other_id", sa.String(length=24), sa.ForeignKey("guest.id"), nullable=False),
        sa.Column("times", sa.String(length=60), nullable=False),
        sa.Column("last_at", sa.BigInteger(), nullable=False),
        sa.Column("agreed_at", sa.BigInteger(), nullable=True),
        sa.Column("told_at", sa.BigInteger(), nullable=True),
        sa.Column("reminded", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("match_id"),
    )
    for name, column in (("guest", "guest_id"), ("other", "other_id"), ("time", "agreed_at")):
        op.create_index(f"appointment_by_{name}", "appointment", [column])
    op.create_index("appointment_untold", "appointment", ["told_at", "last_at"])
