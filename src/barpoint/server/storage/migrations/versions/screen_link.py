"""A link that shows a tournament on a big screen without an account."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0033_since_0024"
down_revision: Final = "0032_since_0024"


def upgrade() -> None:
    """A table more; tournaments that exist have no such link."""
    op.create_table(
        "tournament_screen",
        sa.Column("tournament_id", sa.String(length=16), nullable=False),
        sa.Column("secret", sa.String(length=16), nullable=False),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournament.id"]),
        sa.PrimaryKeyConstraint("tournament_id"),
    )
    op.create_index("tournament_screen_by_secret", "tournament_screen", ["secret"], unique=True)
