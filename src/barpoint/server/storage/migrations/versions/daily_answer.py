"""Answers to the position of the day, and the days of practice that count."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0035_since_0024"
down_revision: Final = "0034_since_0024"

DAY_MS: Final = 24 * 3600 * 1000


def upgrade() -> None:
    """Two tables more. Of the past, days with ten drill answers count, and those on which cards were answered: whether a session was
    finished is not known.
    """
    op.create_table(
        "daily_answer",
        sa.Column("guest_id", sa.String(length=24), nullable=False),
        sa.Column("day", sa.Integer(), nullable=False),
        sa.Column("question", sa.String(length=40), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("answer", sa.String(length=80), nullable=False),
        sa.Column("right", sa.Boolean(), nullable=False),
        sa.Column("off", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["guest_id"], ["guest.id"]),
        sa.PrimaryKeyConstraint("guest_id", "day", "question"),
    )
    op.create_index("daily_answer_by_day", "daily_answer", ["day", "question"])
    op.create_table(
        "practice_day",
        sa.Column("guest_id", sa.String(length=24), nullable=False),
        sa.Column("day", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["guest_id"], ["guest.id"]),
        sa.PrimaryKeyConstraint("guest_id", "day"),
    )
    op.execute(
        f"""
        INSERT INTO practice_day (guest_id, day)
        SELECT guest_id, at / {DAY_MS} FROM drill_answer GROUP BY guest_id, at / {DAY_MS} HAVING count(*) >= 10
        UNION
        SELECT guest_id, at / {DAY_MS} FROM card_review
        """
    )
