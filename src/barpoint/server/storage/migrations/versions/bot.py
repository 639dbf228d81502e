"""Guests that are programs are marked as such."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0004"
down_revision: Final = "0003"


def upgrade() -> None:
    """Adds the mark; nobody has it yet."""
    op.add_column("guest", sa.Column("bot", sa.Boolean(), nullable=False, server_default=sa.false()))
