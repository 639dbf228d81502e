"""Imported matches that were played here: which one each is a copy of, so that no match counts twice in statistics."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0047_since_0024"
down_revision: Final = "0046_since_0024"


def upgrade() -> None:
    """A column more; the copies there are go on counting like other matches."""
    op.add_column("review", sa.Column("played_here", sa.String(length=16), nullable=True))
