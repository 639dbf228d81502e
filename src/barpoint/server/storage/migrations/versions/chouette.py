"""The tables of chouettes."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0007"
down_revision: Final = "0006"


def upgrade() -> None:
    """Adds them."""
    op.create_table(
        "chouette",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("variant", sa.String(length=300), nullable=False),
        sa.Column("rules_version", sa.Integer(), nullable=False),
        sa.Column("terms", sa.Text(), nullable=False),
        sa.Column("server_seed", sa.LargeBinary(length=32), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("decision_ms", sa.BigInteger(), nullable=False),
        sa.Column("listed", sa.Boolean(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("over", sa.Boolean(), nullable=False),
        sa.Column("acted_at", sa.BigInteger(), nullable=False),
        sa.Column("deadline_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("chouette_by_deadline", "chouette", ["deadline_at"])
    op.create_index("chouette_by_act", "chouette", ["over", "acted_at"])
    op.create_table(
        "chouette_seat",
        sa.Column("chouette_id", sa.String(length=16), nullable=False),
        sa.Column("player", sa.Integer(), nullable=False),
        sa.Column("guest_id", sa.String(length=24), nullable=True),
        sa.Column("level", sa.String(length=24), nullable=True),
        sa.Column("name", sa.String(length=48), nullable=False),
        sa.ForeignKeyConstraint(["chouette_id"], ["chouette.id"]),
        sa.ForeignKeyConstraint(["guest_id"], ["guest.id"]),
        sa.PrimaryKeyConstraint("chouette_id", "player"),
        sa.UniqueConstraint("chouette_id", "guest_id"),
    )
    op.create_index("chouette_seat_by_guest", "chouette_seat", ["guest_id"])
    op.create_table(
        "chouette_event",
        sa.Column("chouette_id", sa.String(length=16), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("actor", sa.String(length=8), nullable=False),
        sa.Column("command_id", sa.String(length=64), nullable=True),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["chouette_id"], ["chouette.id"]),
        sa.PrimaryKeyConstraint("chouette_id", "seq"),
        sa.UniqueConstraint("chouette_id", "actor", "command_id"),
    )
    op.create_table(
        "chouette_draft",
        sa.Column("chouette_id", sa.String(length=16), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("moves", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["chouette_id"], ["chouette.id"]),
        sa.PrimaryKeyConstraint("chouette_id"),
    )
    op.create_table(
        "chouette_chat",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("chouette_id", sa.String(length=16), nullable=False),
        sa.Column("guest_id", sa.String(length=24), nullable=False),
        sa.Column("text", sa.String(length=300), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["chouette_id"], ["chouette.id"]),
        sa.ForeignKeyConstraint(["guest_id"], ["guest.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("chouette_chat_by_table", "chouette_chat", ["chouette_id", "id"])
    op.create_index("chouette_chat_by_guest", "chouette_chat", ["guest_id"])
