"""Compares a player's statistics over two periods: what differs, and by more than chance explains."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, sqrt
from typing import Final

from msgspec import structs

from barpoint.analysis.statistics import (
    ComparedLine,
    PeriodComparison,
    PlayedMatch,
    Statistics,
    StatisticsLine,
    statistics_of,
)

COMPARED: Final = ("group", "kind", "stage", "score")
"""The tables whose lines are compared."""

MIN_DECISIONS: Final = 30
"""Decisions in both periods below which an interval of their mean loss says nothing: most decisions lose nothing, a few lose much."""


def statistics_of_periods(played: Sequence[PlayedMatch], others: Sequence[PlayedMatch] | None) -> Statistics:
    """The statistics of the matches of a period, compared with other matches; None for no comparison."""
    found = statistics_of(played)
    if others is None:
        return found
    other = statistics_of(others)
    comparison = PeriodComparison(
        matches=other.matches,
        won=other.won,
        lost=other.lost,
        total=_compared(found.total, other.total),
        by={key: _lines(found.by[key], other.by[key]) for key in COMPARED},
        cube_errors=other.cube_errors,
    )
    return structs.replace(found, compared=comparison)


def _lines(lines: tuple[StatisticsLine, ...], others: tuple[StatisticsLine, ...]) -> tuple[ComparedLine, ...]:
    """Each line that either period has, in the order of the first."""
    found, beside = {one.name: one for one in lines}, {one.name: one for one in others}
    names = dict.fromkeys((*found, *beside))
    return tuple(_compared(found.get(name) or _empty(name), beside.get(name) or _empty(name)) for name in names)


def _empty(name: str) -> StatisticsLine:
    return StatisticsLine(name, 0, 0, 0.0, 0.0, 0.0, 0.0, 0, 0, 0, 0.0)


def _margin(line: StatisticsLine, other: StatisticsLine) -> float:
    """Half the interval of the difference, if both periods spread alike: a short one without errors alone would show no spread."""
    here, there = line.decisions, other.decisions
    if not here or not there:
        return hypot(line.margin, other.margin)
    return hypot(here * line.margin, there * other.margin) / sqrt(here * there)


def _compared(line: StatisticsLine, other: StatisticsLine) -> ComparedLine:
    difference, margin = line.rating - other.rating, _margin(line, other)
    enough = min(line.decisions, other.decisions) >= MIN_DECISIONS
    return ComparedLine(line.name, line, other, difference, margin, abs(difference) > margin if enough else None)
