"""Who does not want to read what others write at the table of a chouette."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0010"
down_revision: Final = "0009"


def upgrade() -> None:
    """One table more."""
    op.create_table(
        "chouette_mute",
        sa.Column("chouette_id", sa.String(length=16), nullable=False),
        sa.Column("guest_id", sa.String(length=24), nullable=False),
        sa.ForeignKeyConstraint(["chouette_id"], ["chouette.id"]),
        sa.ForeignKeyConstraint(["guest_id"], ["guest.id"]),
        sa.PrimaryKeyConstraint("chouette_id", "guest_id"),
    )
