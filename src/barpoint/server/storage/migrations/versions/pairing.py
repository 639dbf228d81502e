"""Challenges of quick pairing wait for somebody of like strength."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0005"
down_revision: Final = "0004"


def upgrade() -> None:
    """Adds the mark; those that are open were made by hand."""
    op.add_column("challenge", sa.Column("quick", sa.Boolean(), nullable=False, server_default=sa.false()))
