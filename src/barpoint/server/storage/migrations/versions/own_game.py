"""Games of one's own, kept beside the matches that are played of them."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0046_since_0024"
down_revision: Final = "0045_since_0024"


def upgrade() -> None:
    """A table more."""
    op.create_table(
        "own_game",
        sa.Column("name", sa.String(length=300), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("net", sa.LargeBinary(), nullable=False),
        sa.Column("added_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
