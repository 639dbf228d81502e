"""What players of FIBS have set, and the messages left for them."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0003"
down_revision: Final = "0002"


def upgrade() -> None:
    """Two tables more."""
    op.create_table(
        "fibs_player",
        sa.Column("guest_id", sa.String(length=24), nullable=False),
        sa.Column("preferences", sa.Text(), nullable=False),
        sa.Column("login_at", sa.BigInteger(), nullable=False),
        sa.Column("logout_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["guest_id"], ["guest.id"]),
        sa.PrimaryKeyConstraint("guest_id"),
    )
    op.create_table(
        "fibs_message",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("guest_id", sa.String(length=24), nullable=False),
        sa.Column("other_id", sa.String(length=24), nullable=False),
        sa.Column("text", sa.String(length=300), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["guest_id"], ["guest.id"]),
        sa.ForeignKeyConstraint(["other_id"], ["guest.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("fibs_message_by_other", "fibs_message", ["other_id"], unique=False)
