"""A later version of the program, which has one migration more.

As a program: a server process of that version, python -m tests.support.later_version FOLDER DATABASE PORT [PUBSUB].
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from barpoint.server.storage import migration

LATER: Final = "later"
"""Its revision, after the existing ones; programs of today do not know whether they work with its tables."""

SUITABLE: Final = f"later{migration.SINCE}{migration.number(migration.HEAD)}"
"""The same for a migration that leaves to programs of today what they need."""

STEP: Final = """
from alembic import op
import sqlalchemy as sa
revision = "{later}"
down_revision = "{head}"
def upgrade():
    op.add_column("guest", sa.Column("colour", sa.String(8)))
    {more}
"""


def later_migrations(folder: Path, more: str = "pass", revision: str = LATER) -> Path:
    """Our migrations and one more, in a folder of their own. more: what it does besides adding a column."""
    copy = folder / "migrations"
    (copy / "versions").mkdir(parents=True, exist_ok=True)
    for file in migration.FOLDER.rglob("*.py"):
        (copy / file.relative_to(migration.FOLDER)).write_text(file.read_text())
    (copy / "versions" / "later.py").write_text(STEP.format(later=revision, head=migration.HEAD, more=more))
    return copy


if __name__ == "__main__":
    from tests.support import server_process

    folder, *arguments = sys.argv[1:]
    migration.FOLDER = later_migrations(Path(folder), revision=SUITABLE)  # type: ignore[misc]
    migration.HEAD = SUITABLE  # type: ignore[misc]
    server_process.main(*arguments)
