"""What statistics keep of an analysis, and the day on which an imported match was played."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0019"
down_revision: Final = "0018"


def upgrade() -> None:
    """Two columns more in both tables of analyses, filled when statistics first ask; and the day of an imported match."""
    op.add_column("review", sa.Column("played_on", sa.String(10), nullable=False, server_default=sa.text("''")))
    for table in ("analysis", "review_analysis"):
        op.add_column(table, sa.Column("summary", sa.LargeBinary()))
        op.add_column(table, sa.Column("summary_version", sa.Integer()))
