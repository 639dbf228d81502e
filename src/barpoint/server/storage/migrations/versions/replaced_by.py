"""Which corrected version of a match has taken the place of another one."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0041_since_0024"
down_revision: Final = "0040_since_0024"


def upgrade() -> None:
    """A column more in two tables: nothing has been corrected so far."""
    op.add_column("match", sa.Column("replaced_by", sa.String(length=16), nullable=True))
    op.add_column("review", sa.Column("replaced_by", sa.String(length=16), nullable=True))
