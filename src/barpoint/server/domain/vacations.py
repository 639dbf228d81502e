"""Vacations from correspondence matches as values: how many days a year, and when one may begin."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from barpoint.error import BarpointError
from barpoint.server.domain.time_control import DAY

ALLOWANCE_DAYS: Final = 30
"""Days of vacation in a calendar year (UTC); a vacation belongs to the year in which it begins."""

NOTICE_MS: Final = DAY
"""How long before it begins a vacation must be announced, so that nobody saves a clock that runs out."""

AHEAD_MS: Final = 365 * DAY
"""How far ahead a vacation may begin."""


class VacationRefused(BarpointError):
    """A vacation cannot be taken so; the message may be shown."""


@dataclass(frozen=True, slots=True)
class Vacation:
    """A vacation of a person. Times in ms since 1970; it ends just before ends_at."""

    id: int
    begins_at: int
    ends_at: int

    @property
    def days(self) -> int:
        """The days it takes from the allowance; a day that has begun counts."""
        return -(-(self.ends_at - self.begins_at) // DAY)


def year_of(at: int) -> int:
    """The calendar year (UTC) of a time in ms since 1970."""
    return datetime.fromtimestamp(at / 1000, UTC).year


def days_left(vacations: Collection[Vacation], year: int) -> int:
    """The days of vacation that a person has left in a year."""
    return max(0, ALLOWANCE_DAYS - sum(one.days for one in vacations if year_of(one.begins_at) == year))


def check_vacation(vacations: Collection[Vacation], begins_at: int, days: int, now: int) -> None:
    """Raises VacationRefused unless a person with these vacations may take another one. Times in ms since 1970."""
    if not now + NOTICE_MS <= begins_at <= now + AHEAD_MS:
        raise VacationRefused("a vacation begins a day after it is announced at the earliest, and within a year")
    left = days_left(vacations, year_of(begins_at))
    if not 1 <= days <= left:
        raise VacationRefused("%(days)s days; left in that year: %(left)s", days=days, left=left)
    ends_at = begins_at + days * DAY
    if any(one.begins_at < ends_at and begins_at < one.ends_at for one in vacations):
        raise VacationRefused("you have a vacation in these days already")
