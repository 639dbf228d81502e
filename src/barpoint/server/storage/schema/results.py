"""What results change: ratings, and play money with double-entry bookkeeping."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    PrimaryKeyConstraint,
    String,
    Table,
    UniqueConstraint,
)

from barpoint.server.storage.schema.metadata import METADATA

RATING: Final = Table(
    "rating",
    METADATA,
    Column("guest_id", String(24), ForeignKey("guest.id"), nullable=False),
    Column("pool", String(300), nullable=False),
    Column("value", Double, nullable=False),
    Column("experience", Integer, nullable=False),
    Column("glicko", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("volatility", Double, nullable=False),
    Column("matches", Integer, nullable=False),
    PrimaryKeyConstraint("guest_id", "pool"),
    Index("rating_by_pool", "pool", "value"),
)
"""A person's rating in a pool; the pool is the name of the rules with their options. Derived from RATING_CHANGE."""

RATING_CHANGE: Final = Table(
    "rating_change",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("match_id", String(16), ForeignKey("match.id"), nullable=False),
    Column("guest_id", String(24), ForeignKey("guest.id"), nullable=False),
    Column("other_id", String(24), ForeignKey("guest.id"), nullable=False),
    Column("pool", String(300), nullable=False),
    Column("length", Integer, nullable=False),
    Column("won", Boolean, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("before", Double, nullable=False),
    Column("after", Double, nullable=False),
    Column("experience", Integer, nullable=False),
    Column("deviation", Double, nullable=False),
    UniqueConstraint("match_id", "guest_id"),
    Index("rating_change_by_guest", "guest_id", "pool", "number"),
)
"""What a match changed. number: the order in which the changes build on each other.

after, experience, deviation: including the match.
"""

TRANSFER: Final = Table(
    "transfer",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("key", String(64), nullable=False),
    Column("reason", String(16), nullable=False),
    Column("match_id", String(16), ForeignKey("match.id")),
    Column("at", BigInteger, nullable=False),
    UniqueConstraint("key"),
    Index("transfer_by_match", "match_id"),
)
"""Transfers of play money (`ledger.Transfer`); none is ever changed or deleted."""

LEDGER_LINE: Final = Table(
    "ledger_line",
    METADATA,
    Column("key", String(64), ForeignKey("transfer.key"), nullable=False),
    Column("account", String(40), nullable=False),
    Column("amount", BigInteger, nullable=False),
    PrimaryKeyConstraint("key", "account"),
    Index("ledger_line_by_account", "account"),
)
"""The lines of a transfer sum to zero."""

BALANCE: Final = Table(
    "balance",
    METADATA,
    Column("account", String(40), primary_key=True),
    Column("amount", BigInteger, nullable=False),
)
"""The balance of an account: the sum of its lines, stored so that nobody can spend twice at the same time."""
