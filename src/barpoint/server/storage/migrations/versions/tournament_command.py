"""Which command an event of a tournament came from, so that a command that is repeated is done once."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0013"
down_revision: Final = "0012"


def upgrade() -> None:
    """One column more; events that were written before have no command."""
    op.add_column("tournament_event", sa.Column("command_id", sa.String(length=64), nullable=True))
    op.create_index(
        "tournament_event_command", "tournament_event", ["tournament_id", "actor", "command_id"], unique=True
    )
