"""Analysis: the errors of a match, the luck of its rolls, and the totals of both players."""

from barpoint.analysis.findings import Decision, DecisionOption, PlayerTotals, RollLuck, Tally
from barpoint.analysis.position import PositionAnswer
from barpoint.analysis.position_features import Features, SideFeatures, features, features_array
from barpoint.analysis.race_counts import RaceCount
from barpoint.analysis.report import Report
from barpoint.analysis.study import Study, analyse

__all__ = [
    "Decision",
    "DecisionOption",
    "Features",
    "PlayerTotals",
    "PositionAnswer",
    "RaceCount",
    "Report",
    "RollLuck",
    "SideFeatures",
    "Study",
    "Tally",
    "analyse",
    "features",
    "features_array",
]
