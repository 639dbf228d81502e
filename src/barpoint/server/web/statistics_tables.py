"""What the page of statistics shows in its tables: errors with the cube, and two periods side by side; and where the library has the decisions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from barpoint.analysis.findings import GROUPS
from barpoint.analysis.statistics import ComparedLine, CubeErrorLine, Statistics
from barpoint.analysis.statistics_comparison import MIN_DECISIONS
from barpoint.analysis.statistics_text import HEADINGS as OF_TABLES
from barpoint.analysis.statistics_text import name_of
from barpoint.analysis.theme_text import theme_title
from barpoint.language import N_, _, number, percent
from barpoint.server.study.statistics import StatisticsQuery

HEADINGS: Final = {
    "group": dict(OF_TABLES)["group"],
    "kind": N_("By cube action"),
    "stage": dict(OF_TABLES)["stage"],
    "score": dict(OF_TABLES)["score"],
}
"""The tables of a comparison."""

LIBRARY_FIELDS: Final = ("source", "variant", "opponent", "since", "until")
"""Fields that the library has too."""


@dataclass(frozen=True, slots=True)
class ShownCubeError:
    """A row of the table of errors with the cube. rate: in how many of the decisions it was made, as a percentage, "–" without decisions;
    other: the same of the period that is compared with."""

    title: str
    line: CubeErrorLine
    rate: str
    other: str


@dataclass(frozen=True, slots=True)
class ShownComparison:
    """Two periods side by side. said: what the difference of the ratings means. tables: heading and rows with their titles."""

    said: str
    total: ComparedLine
    matches: int
    tables: list[tuple[str, list[tuple[str, ComparedLine]]]]


def cube_errors_shown(found: Statistics) -> list[ShownCubeError]:
    """The rows of the table of errors with the cube."""
    others = {one.name: one for one in found.compared.cube_errors} if found.compared else {}
    return [
        ShownCubeError(theme_title(one.name), one, _rate(one), _rate(others.get(one.name))) for one in found.cube_errors
    ]


def _rate(line: CubeErrorLine | None) -> str:
    return percent(line.mistakes / line.decisions, 1) if line and line.decisions else "–"


def comparison_shown(found: Statistics) -> ShownComparison | None:
    """The comparison that was asked for, None for none or where there is nothing to compare with."""
    compared = found.compared
    if compared is None or not (compared.matches and found.matches):
        return None
    rows = {key: [(name_of(key, one.name), one) for one in compared.by[key] if _listed(key, one)] for key in HEADINGS}
    tables = [(_(heading), rows[key]) for key, heading in HEADINGS.items() if len(rows[key]) > 1]
    return ShownComparison(_sentence(compared.total), compared.total, compared.matches, tables)


def _listed(key: str, line: ComparedLine) -> bool:
    """Of kinds those with the cube alone: the others are groups of their own."""
    return key != "kind" or line.name in GROUPS["cube"]


def _sentence(total: ComparedLine) -> str:
    """Whether the rating differs by more than chance explains."""
    if total.beyond_chance is None:
        return _(
            "One of the periods has fewer than %(count)s decisions; that is too few to compare.", count=MIN_DECISIONS
        )
    numbers = {"difference": number(abs(total.difference), 2), "margin": number(total.margin, 2)}
    if not total.beyond_chance:
        return _("The rating differs by %(difference)s ± %(margin)s, which chance alone explains.", **numbers)
    if total.difference < 0:
        return _("The rating is better by %(difference)s ± %(margin)s, which is more than chance explains.", **numbers)
    return _("The rating is worse by %(difference)s ± %(margin)s, which is more than chance explains.", **numbers)


def library_address(query: StatisticsQuery, first_day: str) -> Callable[..., str]:
    """Gives the address of the decisions of these matches in the library, with further fields. first_day: of the latest matches, "" for no limit."""
    fields = {name: getattr(query, name) for name in LIBRARY_FIELDS}
    fields["since"] = max(fields["since"], first_day)

    def address(**more: str) -> str:
        pairs = [(name, value) for name, value in (fields | more).items() if value]
        return f"/library?{urlencode([*pairs, *(('name', one) for one in query.name)])}"

    return address
