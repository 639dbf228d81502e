"""The settings of boards and pages: kept with the account, where only browsers kept them."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0039_since_0024"
down_revision: Final = "0038_since_0024"


def upgrade() -> None:
    """A column more; an account without settings takes those of the browser that it is next used in."""
    op.add_column("account", sa.Column("settings", sa.Text(), nullable=True))
