"""Columns and stored values under the names of version 2 (CHANGELOG has the table of what was renamed)."""

from __future__ import annotations

import json
from typing import Any, Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0012"
down_revision: Final = "0011"

COLUMNS: Final = (("match", "pace", "time_control"), ("challenge", "pace", "time_control"))
"""(table, name before, name after)."""

PLAN: Final = {"pace": "time_control"}
"""Fields of a tournament's plan."""


def upgrade() -> None:
    """Renames what is there; no value changes."""
    for table, before, after in COLUMNS:
        op.alter_column(table, before, new_column_name=after)
    connection = op.get_bind()
    for row in connection.execute(sa.text("SELECT id, plan FROM tournament")).all():
        connection.execute(
            sa.text("UPDATE tournament SET plan = :plan WHERE id = :id"),
            {"id": row.id, "plan": json.dumps(_renamed(json.loads(row.plan), PLAN))},
        )


def _renamed(found: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    return {names.get(name, name): value for name, value in found.items()}
