"""The names of a person in imported matches, where the pages guessed them anew each time."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0028_since_0024"
down_revision: Final = "0027_since_0024"


def upgrade() -> None:
    """A table more."""
    op.create_table(
        "own_name",
        sa.Column("guest_id", sa.String(length=24), nullable=False),
        sa.Column("name", sa.String(length=48), nullable=False),
        sa.ForeignKeyConstraint(["guest_id"], ["guest.id"]),
        sa.PrimaryKeyConstraint("guest_id", "name"),
    )
