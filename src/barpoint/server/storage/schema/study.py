"""Analyses, and imported matches."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Integer,
    LargeBinary,
    PrimaryKeyConstraint,
    String,
    Table,
    UniqueConstraint,
)

from barpoint.server.storage.schema.metadata import METADATA


def _of_an_analysis() -> tuple[Column[Any], ...]:
    """The columns for progress and report, shared by both tables of analyses."""
    return (
        Column("net", String(24), nullable=False),
        Column("plies", Integer, nullable=False),
        Column("asked_at", BigInteger, nullable=False),
        Column("alive_at", BigInteger, nullable=False),
        Column("done", Integer, nullable=False),
        Column("events", Integer, nullable=False),
        Column("report", LargeBinary),
    )


ANALYSIS: Final = Table(
    "analysis",
    METADATA,
    Column("match_id", String(16), ForeignKey("match.id"), nullable=False),
    *_of_an_analysis(),
    PrimaryKeyConstraint("match_id", "net", "plies"),
)
"""Analyses of finished matches; a cache that can be recomputed. It names no player.

net: by its content. done, events: how many of how many events are analysed. alive_at: when its process last reported.
report: as JSON, compressed with gzip; null until it is finished.
"""

REVIEW: Final = Table(
    "review",
    METADATA,
    Column("id", String(16), primary_key=True),
    Column("guest_id", String(24), ForeignKey("guest.id"), nullable=False),
    Column("digest", String(64), nullable=False),
    Column("file", String(80), nullable=False),
    Column("first", String(48), nullable=False),
    Column("second", String(48), nullable=False),
    Column("variant", String(300), nullable=False),
    Column("length", Integer, nullable=False),
    Column("score", String(24), nullable=False),
    Column("log", LargeBinary, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    UniqueConstraint("guest_id", "digest"),
)
"""Imported matches. digest: SHA-256 of the file. file: its name.

first, second: names of the players in the file. log: our log of the match, compressed with gzip.
"""

REVIEW_ANALYSIS: Final = Table(
    "review_analysis",
    METADATA,
    Column("review_id", String(16), ForeignKey("review.id"), nullable=False),
    *_of_an_analysis(),
    PrimaryKeyConstraint("review_id", "net", "plies"),
)
"""Analyses of imported matches, like those of matches played here."""
