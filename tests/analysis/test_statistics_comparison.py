"""Two periods compared: differences with their intervals, and whether chance explains them."""

from __future__ import annotations

from math import hypot

import pytest

from barpoint.analysis.statistics import Statistics, played_by, statistics_of
from barpoint.analysis.statistics_comparison import MIN_DECISIONS, statistics_of_periods
from tests.analysis.test_statistics import losses, summary


def compared(now: list[float], then: list[float]) -> Statistics:
    return statistics_of_periods(*(played_by([summary(losses(*each))], ["Anna"]) for each in (now, then)))


def test_a_difference_is_beyond_chance_where_it_is_larger_than_its_interval() -> None:
    often, seldom = [0.0, 0.2] * 50, [0.0] * 90 + [0.2] * 10
    found = compared(seldom, often)
    assert found.compared is not None
    total = found.compared.total
    assert total.difference == pytest.approx(10 - 50)
    assert total.margin == pytest.approx(hypot(losses(*seldom).margin, losses(*often).margin))
    assert total.beyond_chance is True
    same = compared(often, often[::-1]).compared
    assert same is not None
    assert same.total.beyond_chance is False
    assert [(one.name, one.difference) for one in same.by["stage"]] == [("contact", 0)]


def test_a_short_period_without_errors_is_no_better_than_a_long_one_with_rare_ones() -> None:
    clean, usual = [0.0] * MIN_DECISIONS, ([0.0] * 49 + [0.3]) * 20
    found = compared(clean, usual).compared
    assert found is not None
    assert found.total.line.margin == 0
    assert found.total.difference == pytest.approx(-3)
    assert found.total.margin > 3
    assert found.total.beyond_chance is False


def test_few_decisions_tell_nothing() -> None:
    enough = [0.0, 0.2] * MIN_DECISIONS
    found = compared([0.9] * (MIN_DECISIONS - 1), enough).compared
    assert found is not None
    assert found.total.beyond_chance is None


def test_a_line_that_one_period_lacks_stands_beside_an_empty_one() -> None:
    found = statistics_of_periods(played_by([summary(losses(0.1))], ["Anna"]), [])
    assert found.compared is not None
    (line,) = found.compared.by["group"]
    assert (line.name, line.line.decisions, line.other.decisions) == ("plays", 1, 0)
    assert statistics_of_periods([], None) == statistics_of([])
