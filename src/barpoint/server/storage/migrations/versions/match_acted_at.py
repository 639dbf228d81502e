"""When something last happened in a match, kept beside its log, so that matches are found by it."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0036_since_0024"
down_revision: Final = "0035_since_0024"


def upgrade() -> None:
    """A column more with an index: the time of the last event; of the beginning where there is none."""
    op.add_column("match", sa.Column("acted_at", sa.BigInteger(), nullable=False, server_default=sa.text("0")))
    last = 'SELECT event.at FROM event WHERE event.match_id = "match".id AND event.seq = "match".seq'
    op.execute(sa.text(f'UPDATE "match" SET acted_at = COALESCE(({last}), created_at)'))
    op.create_index("match_by_act", "match", ["over", "acted_at"])
