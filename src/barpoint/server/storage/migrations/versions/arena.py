"""When the time of an arena is over."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0031_since_0024"
down_revision: Final = "0030_since_0024"


def upgrade() -> None:
    """One column more; tournaments from before are no arenas."""
    op.add_column("tournament", sa.Column("ends_at", sa.BigInteger(), nullable=True))
