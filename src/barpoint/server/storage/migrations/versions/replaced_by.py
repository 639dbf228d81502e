"""Which corrected version of a match has taken the place of another one."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0041_since_0024"
down_revision: Final = "0040_since_0024"


def upgrade() -> None:
    """Two columns more in two tables: nothing has been corrected so far."""
    for table in ("match", "review"):
        op.add_column(table, sa.Column("replaced_by", sa.String(length=16), nullable=True))
        op.add_column(table, sa.Column("replaced_at", sa.BigInteger(), nullable=True))
        op.create_index(f"{table}_by_replacement", table, ["replaced_by"])
