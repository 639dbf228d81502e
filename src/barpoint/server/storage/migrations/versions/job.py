"""A queue of jobs for workers; of analyses only those that are finished are kept."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0018"
down_revision: Final = "0017"


def upgrade() -> None:
    """One table more. Unfinished analyses are deleted: they can be asked for again."""
    op.create_table(
        "job",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("subject", sa.String(length=120), nullable=False),
        sa.Column("net", sa.String(length=24), nullable=False),
        sa.Column("task", sa.LargeBinary(), nullable=False),
        sa.Column("owner", sa.String(length=24), nullable=False),
        sa.Column("priority", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("asked_at", sa.BigInteger(), nullable=False),
        sa.Column("worker", sa.String(length=24), nullable=True),
        sa.Column("leased_until", sa.BigInteger(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("stopped", sa.Boolean(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("progress", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("kind", "subject"),
    )
    op.create_index("job_by_order", "job", ["priority", "turn", "id"])
    for table in ("analysis", "review_analysis"):
        op.execute(sa.text(f"DELETE FROM {table} WHERE report IS NULL"))
        with op.batch_alter_table(table) as batch:
            batch.drop_column("asked_at")
            batch.drop_column("done")
            batch.alter_column("alive_at", new_column_name="made_at", existing_type=sa.BigInteger())
            batch.alter_column("report", nullable=False, existing_type=sa.LargeBinary())
