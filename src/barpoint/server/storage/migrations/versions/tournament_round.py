"""When a match of a tournament may not be put off any longer."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0011"
down_revision: Final = "0010"


def upgrade() -> None:
    """One column more; matches that were made before have no such time."""
    op.add_column("tournament_game", sa.Column("ends_at", sa.BigInteger(), nullable=True))
