"""Stored values under the field's words: a tournament's number of players, seats at a real board, analyses."""

from __future__ import annotations

import json
from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0014"
down_revision: Final = "0013"

PLAN: Final = {"least": "min_players", "most": "max_players"}
"""Fields of a tournament's plan: {name before: name after}."""


def upgrade() -> None:
    """Renames fields of plans and the kind of a seat at a real board. Deletes cached analyses."""
    connection = op.get_bind()
    for row in connection.execute(sa.text("SELECT id, plan FROM tournament")).all():
        plan = {PLAN.get(name, name): value for name, value in json.loads(row.plan).items()}
        text = json.dumps(plan, ensure_ascii=False, separators=(",", ":"))
        connection.execute(sa.text("UPDATE tournament SET plan = :plan WHERE id = :id"), {"id": row.id, "plan": text})
    connection.execute(sa.text("UPDATE seat SET kind = 'board' WHERE kind = 'table'"))
    for cache in ("analysis", "review_analysis"):  # `worth` is `value` in their reports; they are recomputed on request
        connection.execute(sa.text(f"DELETE FROM {cache}"))
