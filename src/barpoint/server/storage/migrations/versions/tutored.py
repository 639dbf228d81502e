"""The tutor of a match: kept with the seat of who plays, where it was kept by their browser."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0026_since_0024"
down_revision: Final = "0025_since_0024"


def upgrade() -> None:
    """A column more; the matches there are have no tutor."""
    op.add_column("seat", sa.Column("tutored", sa.Boolean(), nullable=False, server_default=sa.false()))
