"""Messages from one person to another, also those left by FIBS clients."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0045_since_0024"
down_revision: Final = "0044_since_0024"


def upgrade() -> None:
    """A table more. What FIBS clients have left for people stands in it, too."""
    op.create_table(
        "message",
        sa.Column("id", sa.Integer(), primary_key=True, autoincrement=True, nullable=False),
        sa.Column("guest_id", sa.String(length=24), sa.ForeignKey("guest.id"), nullable=False),
        sa.Column("other_id", sa.String(length=24), sa.ForeignKey("guest.id"), nullable=False),
        sa.Column("text", sa.String(length=2000), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("read_at", sa.BigInteger(), nullable=True),
        sa.Column("told", sa.Boolean(), nullable=False),
    )
    op.create_index("message_by_guest", "message", ["guest_id", "other_id"])
    op.create_index("message_by_other", "message", ["other_id", "read_at"])
    op.create_index("message_untold", "message", ["told", "at"])
    left = "SELECT guest_id, other_id, text, at, TRUE FROM fibs_message ORDER BY id"
    op.execute(f"INSERT INTO message (guest_id, other_id, text, at, told) {left}")
    op.execute("DELETE FROM fibs_message")
