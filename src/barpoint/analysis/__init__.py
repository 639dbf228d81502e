"""Analysis: the decisions of a match judged, the luck of its rolls, and what both add up to."""

from barpoint.analysis.report import Decision, Luck, Option, PlayerTotals, Report, Tally
from barpoint.analysis.study import Study, analyse

__all__ = ["Decision", "Luck", "Option", "PlayerTotals", "Report", "Study", "Tally", "analyse"]
