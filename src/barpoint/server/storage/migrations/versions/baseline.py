"""The tables of the first revision, in one file however long, because a migration is never changed after it has been pushed."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0001"
down_revision: Final = None


def upgrade() -> None:
    """From nothing to the tables of this revision."""

    op.create_table(
        "balance",
        sa.Column("account", sa.String(length=40), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("account"),
    )
    op.create_table(
        "guest",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("name", sa.String(length=24), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "heartbeat",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "match",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("variant", sa.String(length=300), nullable=False),
        sa.Column("rules_version", sa.Integer(), nullable=False),
        sa.Column("terms", sa.Text(), nullable=False),
        sa.Column("server_seed", sa.LargeBinary(length=32), nullable=False),
        sa.Column("commitment", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("to_act", sa.Integer(), nullable=True),
        sa.Column("over", sa.Boolean(), nullable=False),
        sa.Column("deadline_at", sa.BigInteger(), nullable=True),
        sa.Column("rematch", sa.String(length=16), nullable=True),
        sa.Column("pace", sa.String(length=24), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("fee", sa.Integer(), nullable=False),
        sa.Column("pause_ms", sa.BigInteger(), nullable=False),
        sa.Column("adjourned_at", sa.BigInteger(), nullable=True),
        sa.Column("asked_by", sa.Integer(), nullable=True),
        sa.Column("claimed_by", sa.Integer(), nullable=True),
        sa.Column("claimed_until", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("match_by_actor", "match", ["over", "to_act"], unique=False)
    op.create_index("match_by_deadline", "match", ["deadline_at"], unique=False)
    op.create_table(
        "setting",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "account",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("name", sa.String(length=24), nullable=False),
        sa.Column("name_key", sa.String(length=80), nullable=False),
        sa.Column("look", sa.String(length=80), nullable=False),
        sa.Column("password", sa.Text(), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=True),
        sa.Column("email_confirmed", sa.Boolean(), nullable=False),
        sa.Column("notices", sa.Boolean(), nullable=False),
        sa.Column("administrator", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("banned_at", sa.BigInteger(), nullable=True),
        sa.Column("ban_reason", sa.String(length=200), nullable=True),
        sa.ForeignKeyConstraint(
            ["id"],
            ["guest.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("look"),
        sa.UniqueConstraint("name_key"),
    )
    op.create_table(
        "block",
        sa.Column("guest_id", sa.String(length=24), nullable=False),
        sa.Column("other_id", sa.String(length=24), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["guest_id"],
            ["guest.id"],
        ),
        sa.ForeignKeyConstraint(
            ["other_id"],
            ["guest.id"],
        ),
        sa.PrimaryKeyConstraint("guest_id", "other_id"),
    )
    op.create_table(
        "challenge",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("guest_id", sa.String(length=24), nullable=False),
        sa.Column("variant", sa.String(length=300), nullable=False),
        sa.Column("terms", sa.Text(), nullable=False),
        sa.Column("pace", sa.String(length=24), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("fee", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("match_id", sa.String(length=16), nullable=True),
        sa.ForeignKeyConstraint(
            ["guest_id"],
            ["guest.id"],
        ),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["match.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("challenge_by_guest", "challenge", ["guest_id"], unique=False)
    op.create_index("challenge_by_match", "challenge", ["match_id"], unique=False)
    op.create_table(
        "chat",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("match_id", sa.String(length=16), nullable=False),
        sa.Column("guest_id", sa.String(length=24), nullable=False),
        sa.Column("text", sa.String(length=300), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["guest_id"],
            ["guest.id"],
        ),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["match.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("chat_by_guest", "chat", ["guest_id"], unique=False)
    op.create_index("chat_by_match", "chat", ["match_id", "id"], unique=False)
    op.create_table(
        "draft",
        sa.Column("match_id", sa.String(length=16), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("moves", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["match.id"],
        ),
        sa.PrimaryKeyConstraint("match_id"),
    )
    op.create_table(
        "event",
        sa.Column("match_id", sa.String(length=16), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("actor", sa.String(length=8), nullable=False),
        sa.Column("command_id", sa.String(length=64), nullable=True),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("lag_ms", sa.Integer(), nullable=False),
        sa.Column("pause_ms", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["match.id"],
        ),
        sa.PrimaryKeyConstraint("match_id", "seq"),
        sa.UniqueConstraint("match_id", "actor", "command_id"),
    )
    op.create_table(
        "mute",
        sa.Column("match_id", sa.String(length=16), nullable=False),
        sa.Column("guest_id", sa.String(length=24), nullable=False),
        sa.ForeignKeyConstraint(
            ["guest_id"],
            ["guest.id"],
        ),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["match.id"],
        ),
        sa.PrimaryKeyConstraint("match_id", "guest_id"),
    )
    op.create_table(
        "notice",
        sa.Column("match_id", sa.String(length=16), nullable=False),
        sa.Column("guest_id", sa.String(length=24), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["guest_id"],
            ["guest.id"],
        ),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["match.id"],
        ),
        sa.PrimaryKeyConstraint("match_id", "guest_id"),
    )
    op.create_table(
        "presence",
        sa.Column("guest_id", sa.String(length=24), nullable=False),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["guest_id"],
            ["guest.id"],
        ),
        sa.PrimaryKeyConstraint("guest_id"),
    )
    op.create_index("presence_by_time", "presence", ["seen_at"], unique=False)
    op.create_table(
        "rating",
        sa.Column("guest_id", sa.String(length=24), nullable=False),
        sa.Column("pool", sa.String(length=300), nullable=False),
        sa.Column("value", sa.Double(), nullable=False),
        sa.Column("experience", sa.Integer(), nullable=False),
        sa.Column("glicko", sa.Double(), nullable=False),
        sa.Column("deviation", sa.Double(), nullable=False),
        sa.Column("volatility", sa.Double(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["guest_id"],
            ["guest.id"],
        ),
        sa.PrimaryKeyConstraint("guest_id", "pool"),
    )
    op.create_index("rating_by_pool", "rating", ["pool", "value"], unique=False)
    op.create_table(
        "rating_change",
        sa.Column("number", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("match_id", sa.String(length=16), nullable=False),
        sa.Column("guest_id", sa.String(length=24), nullable=False),
        sa.Column("other_id", sa.String(length=24), nullable=False),
        sa.Column("pool", sa.String(length=300), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("won", sa.Boolean(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("before", sa.Double(), nullable=False),
        sa.Column("after", sa.Double(), nullable=False),
        sa.Column("experience", sa.Integer(), nullable=False),
        sa.Column("deviation", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["guest_id"],
            ["guest.id"],
        ),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["match.id"],
        ),
        sa.ForeignKeyConstraint(
            ["other_id"],
            ["guest.id"],
        ),
        sa.PrimaryKeyConstraint("number"),
        sa.UniqueConstraint("match_id", "guest_id"),
    )
    op.create_index("rating_change_by_guest", "rating_change", ["guest_id", "pool", "number"], unique=False)
    op.create_table(
        "report",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("guest_id", sa.String(length=24), nullable=False),
        sa.Column("about_id", sa.String(length=24), nullable=False),
        sa.Column("match_id", sa.String(length=16), nullable=True),
        sa.Column("text", sa.String(length=1000), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("closed_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["about_id"],
            ["guest.id"],
        ),
        sa.ForeignKeyConstraint(
            ["guest_id"],
            ["guest.id"],
        ),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["match.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("report_by_about", "report", ["about_id"], unique=False)
    op.create_table(
        "seat",
        sa.Column("match_id", sa.String(length=16), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("guest_id", sa.String(length=24), nullable=True),
        sa.Column("level", sa.String(length=24), nullable=True),
        sa.Column("name", sa.String(length=48), nullable=False),
        sa.Column("client_seed", sa.String(length=64), nullable=False),
        sa.Column("sealed", sa.String(length=64), nullable=True),
        sa.Column("by_player", sa.Boolean(), nullable=False),
        sa.Column("token", sa.String(length=24), nullable=True),
        sa.ForeignKeyConstraint(
            ["guest_id"],
            ["guest.id"],
        ),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["match.id"],
        ),
        sa.PrimaryKeyConstraint("match_id", "seat"),
        sa.UniqueConstraint("token"),
    )
    op.create_index("seat_by_guest", "seat", ["guest_id"], unique=False)
    op.create_table(
        "summons",
        sa.Column("match_id", sa.String(length=16), nullable=False),
        sa.Column("guest_id", sa.String(length=24), nullable=False),
        sa.Column("other_id", sa.String(length=24), nullable=False),
        sa.Column("closed_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["guest_id"],
            ["guest.id"],
        ),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["match.id"],
        ),
        sa.ForeignKeyConstraint(
            ["other_id"],
            ["guest.id"],
        ),
        sa.PrimaryKeyConstraint("match_id"),
    )
    op.create_index("summons_by_guest", "summons", ["guest_id"], unique=False)
    op.create_index("summons_by_other", "summons", ["other_id"], unique=False)
    op.create_table(
        "token",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("guest_id", sa.String(length=24), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("scopes", sa.String(length=80), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["guest_id"],
            ["guest.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("token_by_guest", "token", ["guest_id"], unique=False)
    op.create_table(
        "transfer",
        sa.Column("number", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("reason", sa.String(length=16), nullable=False),
        sa.Column("match_id", sa.String(length=16), nullable=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["match.id"],
        ),
        sa.PrimaryKeyConstraint("number"),
        sa.UniqueConstraint("key"),
    )
    op.create_index("transfer_by_match", "transfer", ["match_id"], unique=False)
    op.create_table(
        "ledger_line",
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("account", sa.String(length=40), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["key"],
            ["transfer.key"],
        ),
        sa.PrimaryKeyConstraint("key", "account"),
    )
    op.create_index("ledger_line_by_account", "ledger_line", ["account"], unique=False)
    op.create_table(
        "letter",
        sa.Column("token", sa.String(length=64), nullable=False),
        sa.Column("account_id", sa.String(length=24), nullable=False),
        sa.Column("purpose", sa.String(length=8), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["account.id"],
        ),
        sa.PrimaryKeyConstraint("token"),
    )
    op.create_index("letter_by_account", "letter", ["account_id"], unique=False)
    op.create_table(
        "recovery",
        sa.Column("account_id", sa.String(length=24), nullable=False),
        sa.Column("code", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["account.id"],
        ),
        sa.PrimaryKeyConstraint("account_id", "code"),
    )
    op.create_table(
        "session",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("account_id", sa.String(length=24), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("agent", sa.String(length=120), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["account.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("session_by_account", "session", ["account_id"], unique=False)
