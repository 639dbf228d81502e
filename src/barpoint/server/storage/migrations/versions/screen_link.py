"""A link that shows a tournament on a big screen without an account."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0033_since_0024"
down_revision: Final = "0032_since_0024"


def upgrade() -> None:
    """One column more; tournaments that exist have no such link."""
    op.add_column("tournament", sa.Column("screen_link", sa.String(length=16), nullable=True))
    op.create_index("tournament_by_screen_link", "tournament", ["screen_link"], unique=True)
