"""The tables of the first release."""

from __future__ import annotations

from typing import Final

from alembic import op

from barpoint.server.schema import METADATA

revision: Final = "0001"
down_revision: Final = None


def upgrade() -> None:
    """From nothing to the tables of this revision."""
    METADATA.create_all(op.get_bind())  # until the first release, in which they are written out (tools/baseline)
