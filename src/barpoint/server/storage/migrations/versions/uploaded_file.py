"""Files that wait to be read."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0020"
down_revision: Final = "0019"


def upgrade() -> None:
    """One table more."""
    op.create_table(
        "uploaded_file",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("upload", sa.String(length=16), nullable=False),
        sa.Column("guest_id", sa.String(length=24), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.Column("leased_until", sa.BigInteger(), nullable=False),
        sa.Column("refused", sa.Text()),
        sa.ForeignKeyConstraint(["guest_id"], ["guest.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("uploaded_file_by_guest", "uploaded_file", ["guest_id"])
