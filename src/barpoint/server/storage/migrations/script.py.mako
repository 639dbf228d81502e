"""${message}"""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = ${repr(up_revision)}
down_revision: Final = ${repr(down_revision)}


def upgrade() -> None:
    """From the tables of the revision before to those of this one."""
    ${upgrades if upgrades else "pass"}
