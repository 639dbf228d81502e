"""Days of moments."""

from __future__ import annotations

from datetime import UTC, datetime

from barpoint.language import _, date, day


def iso_day(at: int) -> str:
    """The day in UTC of a moment, ms since 1970, such as 2026-11-29."""
    return datetime.fromtimestamp(at / 1000, UTC).date().isoformat()


def iso_minute(at: int) -> str:
    """The minute in UTC of a moment, ms since 1970, such as 2026-11-29 17:05."""
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M")


def day_text(played_on: str, at: int) -> str:
    """When a match was played, in the language that holds now. played_on: such as 2026-11-29, "" if nobody knows; then at says when it
    was imported, ms since 1970.
    """
    return day(played_on) if played_on else _("no date, imported on %(day)s", day=date(at))
