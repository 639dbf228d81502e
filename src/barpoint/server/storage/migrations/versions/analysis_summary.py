"""What statistics keep of an analysis."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0019"
down_revision: Final = "0018"


def upgrade() -> None:
    """Two columns more in both tables of analyses, made when statistics first ask."""
    for table in ("analysis", "review_analysis"):
        op.add_column(table, sa.Column("summary", sa.LargeBinary()))
        op.add_column(table, sa.Column("summary_version", sa.Integer()))
