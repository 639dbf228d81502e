"""The decisions of an analysis as an array, for the library; it follows 0022, which was published first."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0021"
down_revision: Final = "0022"


def upgrade() -> None:
    """Two columns more in both tables of analyses, filled when a library first asks."""
    for table in ("analysis", "review_analysis"):
        op.add_column(table, sa.Column("decisions", sa.LargeBinary()))
        op.add_column(table, sa.Column("decisions_version", sa.Integer()))
