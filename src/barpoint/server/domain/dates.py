"""Days of moments."""

from __future__ import annotations

from datetime import UTC, datetime


def iso_day(at: int) -> str:
    """The day in UTC of a moment, ms since 1970, such as 2026-11-29."""
    return datetime.fromtimestamp(at / 1000, UTC).date().isoformat()
