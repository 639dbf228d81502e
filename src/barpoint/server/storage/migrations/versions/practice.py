"""Cards to practise, their decks, and the answers to them."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0022"
down_revision: Final = "0020"


def upgrade() -> None:
    """Three tables more."""
    op.create_table(
        "deck",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("guest_id", sa.String(length=24), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("shared", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["guest_id"], ["guest.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("guest_id", "name"),
    )
    op.create_table(
        "card",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("guest_id", sa.String(length=24), nullable=False),
        sa.Column("deck_id", sa.String(length=16), nullable=True),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("theme", sa.String(length=24), nullable=False),
        sa.Column("source", sa.String(length=120), nullable=False),
        sa.Column("made", sa.String(length=80), nullable=False),
        sa.Column("loss", sa.Float(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("stability", sa.Float(), nullable=True),
        sa.Column("difficulty", sa.Float(), nullable=True),
        sa.Column("reviewed_at", sa.BigInteger(), nullable=True),
        sa.Column("reviews", sa.Integer(), nullable=False),
        sa.Column("lapses", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["guest_id"], ["guest.id"]),
        sa.ForeignKeyConstraint(["deck_id"], ["deck.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("guest_id", "digest"),
    )
    op.create_index("card_by_due", "card", ["guest_id", "due_at"])
    op.create_table(
        "card_review",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("card_id", sa.String(length=16), nullable=False),
        sa.Column("guest_id", sa.String(length=24), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("grade", sa.String(length=8), nullable=False),
        sa.Column("loss", sa.Float(), nullable=False),
        sa.Column("answer", sa.String(length=80), nullable=False),
        sa.Column("before", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["card_id"], ["card.id"]),
        sa.ForeignKeyConstraint(["guest_id"], ["guest.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("card_review_by_card", "card_review", ["card_id", "id"])
    op.create_index("card_review_by_person", "card_review", ["guest_id", "at"])
