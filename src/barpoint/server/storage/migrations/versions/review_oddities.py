"""What was odd about an imported file."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0017"
down_revision: Final = "0016"


def upgrade() -> None:
    """One column more, empty for files imported before."""
    op.add_column("review", sa.Column("oddities", sa.Text(), nullable=False, server_default="[]"))
