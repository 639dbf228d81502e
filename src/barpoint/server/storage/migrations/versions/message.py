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
    connection = op.get_bind()
    last = connection.scalar(sa.text("SELECT COALESCE(MAX(id), 0) FROM fibs_message"))  # old programs may add more
    left = "SELECT guest_id, other_id, text, at, FALSE FROM fibs_message WHERE id <= :last ORDER BY id"
    for step in (
        f"INSERT INTO message (guest_id, other_id, text, at, told) {left}",
        "DELETE FROM fibs_message WHERE id <= :last",
    ):
        connection.execute(sa.text(step), {"last": last})
