"""The language in which the owner of an account is written to."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0015"
down_revision: Final = "0014"


def upgrade() -> None:
    """One column more; accounts that exist are written to in English, as before."""
    op.add_column("account", sa.Column("language", sa.String(length=16), nullable=True))
