"""What results change: ratings, and play money with double-entry bookkeeping."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from barpoint.server.domain.limits import MAX_VARIANT_NAME
from barpoint.server.storage.schema.shapes import METADATA, column, reference, time

RATING: Final = sa.Table(
    "rating",
    METADATA,
    reference("guest"),
    column("pool", sa.String(MAX_VARIANT_NAME)),
    column("value", sa.Double),
    column("experience", sa.Integer),
    column("glicko", sa.Double),
    column("deviation", sa.Double),
    column("volatility", sa.Double),
    column("matches", sa.Integer),
    sa.PrimaryKeyConstraint("guest_id", "pool"),
    sa.Index("rating_by_pool", "pool", "value"),
)
"""A person's rating in a pool; the pool is the name of the rules with their options. Derived from RATING_CHANGE."""

RATING_CHANGE: Final = sa.Table(
    "rating_change",
    METADATA,
    column("number", sa.Integer, primary_key=True, autoincrement=True),
    reference("match"),
    reference("guest"),
    reference("guest", "other_id"),
    column("pool", sa.String(MAX_VARIANT_NAME)),
    column("length", sa.Integer),
    column("won", sa.Boolean),
    time("at"),
    column("before", sa.Double),
    column("after", sa.Double),
    column("experience", sa.Integer),
    column("deviation", sa.Double),
    sa.UniqueConstraint("match_id", "guest_id"),
    sa.Index("rating_change_by_guest", "guest_id", "pool", "number"),
)
"""What a match changed. number: the order in which the changes build on each other.

after, experience, deviation: including the match.
"""

BOARD_PLAYER: Final = sa.Table(
    "board_player",
    METADATA,
    reference("match"),
    column("seat", sa.Integer),
    reference("guest"),
    time("confirmed_at", nullable=True),
    sa.PrimaryKeyConstraint("match_id", "seat"),
    sa.Index("board_player_by_guest", "guest_id"),
)
"""Whose ratings the match of a real board shall change. confirmed_at: when they confirmed the result; null before."""

TRANSFER: Final = sa.Table(
    "transfer",
    METADATA,
    column("number", sa.Integer, primary_key=True, autoincrement=True),
    column("key", sa.String(64)),
    column("reason", sa.String(16)),
    reference("match", nullable=True),
    time("at"),
    sa.UniqueConstraint("key"),
    sa.Index("transfer_by_match", "match_id"),
)
"""Transfers of play money (`ledger.Transfer`); none is ever changed or deleted."""

LEDGER_LINE: Final = sa.Table(
    "ledger_line",
    METADATA,
    column("key", sa.String(64), sa.ForeignKey("transfer.key")),
    column("account", sa.String(40)),
    column("amount", sa.BigInteger),
    sa.PrimaryKeyConstraint("key", "account"),
    sa.Index("ledger_line_by_account", "account"),
)
"""The lines of a transfer sum to zero."""

BALANCE: Final = sa.Table(
    "balance",
    METADATA,
    column("account", sa.String(40), primary_key=True),
    column("amount", sa.BigInteger),
)
"""The balance of an account: the sum of its lines, stored so that nobody can spend twice at the same time."""
