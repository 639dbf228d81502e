"""The report of an analysis: what it found, as JSON, text or a page."""

from __future__ import annotations

from html import escape

import msgspec

from barpoint.analysis.decision_table import DecisionTable, table_of
from barpoint.analysis.findings import Findings
from barpoint.analysis.sheet import format_sheet
from barpoint.analysis.text import format_report
from barpoint.error import ArgumentError, check_kind
from barpoint.match import Match
from barpoint.record import Book


class Report(Findings, frozen=True):
    """The analysis of a match, which it can format itself. `str` is its text.

    Reports are compared by what they hold, and have no hash: `report.json()` is a key for dictionaries.
    """

    def __repr__(self) -> str:
        first, second = (f"{one.name!r} PR {one.rating:.2f}" for one in self.players)
        return f"<Report of {self.rules}, {first}, {second}, {self.events} events>"

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.text())}</pre>"

    def json(self) -> bytes:
        """The report as JSON, UTF-8; docs/analysis.md has its fields."""
        return msgspec.json.encode(self)

    def text(self, worst: int | None = 20) -> str:
        """The report as text: the summary, then the worst errors. worst: how many, None for all."""
        return format_report(self, worst)

    def table(self, match: Match | Book) -> DecisionTable:
        """[n] of `decision_table.ROW`: a row for each decision, with position, score, loss and luck, for numpy.

        match: the one that was analysed, whose events tell the positions; ArgumentError for another.
        """
        return table_of(self._analysed(match), self)

    def html(self, match: Match | Book | None = None) -> str:
        """The report as a page that stands alone, to read or to print.

        match: the one that was analysed, for a picture of every marked decision as it had to be made; without it only the positions after
        the best plays are drawn. ArgumentError for another match.
        """
        return format_sheet(self, None if match is None else self._analysed(match))

    def _analysed(self, match: Match | Book) -> Match:
        check_kind("match", match, Match, Book)
        match = match.match if isinstance(match, Book) else match
        if match.rules.name != self.rules or len(match.events) < self.events:
            raise ArgumentError(
                "%(match)s; this report is of a match of %(rules)s with %(count)s events or more",
                match=repr(match),
                rules=self.rules,
                count=self.events,
            )
        return match
