"""Analysis: the errors of a match, the luck of its rolls, and the totals of both players."""

from barpoint.analysis.findings import Decision, DecisionOption, PlayerTotals, RollLuck, Tally
from barpoint.analysis.report import Report
from barpoint.analysis.study import Study, analyse

__all__ = ["Decision", "DecisionOption", "PlayerTotals", "Report", "RollLuck", "Study", "Tally", "analyse"]
