"""The report of an analysis: what it found, as JSON, text or a page."""

from __future__ import annotations

from html import escape

import msgspec

from barpoint.analysis.findings import Findings
from barpoint.analysis.sheet import format_sheet
from barpoint.analysis.text import format_report


class Report(Findings, frozen=True):
    """The analysis of a match, which it can format itself. `str` is its text."""

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

    def html(self) -> str:
        """The report as a page that stands alone, with a picture of every marked play."""
        return format_sheet(self)
