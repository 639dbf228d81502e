"""Vacations from correspondence matches: how many days, when they may begin, and which are refused."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from barpoint.server.domain.time_control import DAY, HOUR
from barpoint.server.domain.vacations import ALLOWANCE_DAYS, Vacation, VacationRefused, check_vacation, days_left

NOW = int(datetime(2026, 5, 1, tzinfo=UTC).timestamp() * 1000)
NEXT_YEAR = int(datetime(2027, 1, 1, tzinfo=UTC).timestamp() * 1000)


def test_a_year_has_thirty_days_and_a_day_that_has_begun_counts() -> None:
    taken = [Vacation(1, NOW, NOW + 10 * DAY), Vacation(2, NEXT_YEAR, NEXT_YEAR + 5 * DAY)]
    assert days_left([], 2026) == ALLOWANCE_DAYS == 30
    assert days_left(taken, 2026) == 20
    assert days_left(taken, 2027) == 25
    assert days_left([Vacation(1, NOW, NOW + DAY + HOUR)], 2026) == 28


def test_a_vacation_is_announced_a_day_before() -> None:
    check_vacation([], NOW + DAY, 30, NOW)
    for begins_at in (NOW, NOW + DAY - 1, NOW + 366 * DAY):
        with pytest.raises(VacationRefused, match="a day after"):
            check_vacation([], begins_at, 5, NOW)


def test_more_days_than_are_left_and_days_taken_twice_are_refused() -> None:
    taken = [Vacation(1, NOW + 2 * DAY, NOW + 22 * DAY)]
    for days in (0, 11):
        with pytest.raises(VacationRefused, match="left in that year: 10"):
            check_vacation(taken, NOW + 40 * DAY, days, NOW)
    check_vacation(taken, NEXT_YEAR, 11, NOW)
    check_vacation(taken, NOW + 22 * DAY, 5, NOW)
    with pytest.raises(VacationRefused, match="in these days already"):
        check_vacation(taken, NOW + 21 * DAY, 5, NOW)
