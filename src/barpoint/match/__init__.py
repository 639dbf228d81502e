"""Matches and money sessions: score, Crawford rule, match equity, and the log."""

from barpoint.match.log import log_of_payloads, read_log, write_log
from barpoint.match.match import FinishedGame, Match
from barpoint.match.met import Met
from barpoint.match.proposition import Proposition
from barpoint.match.starting_position import StartingPosition
from barpoint.match.take_points import gammon_value, take_point
from barpoint.match.terms import MAX_LENGTH, MatchTerms

__all__ = [
    "MAX_LENGTH",
    "FinishedGame",
    "Match",
    "MatchTerms",
    "Met",
    "Proposition",
    "StartingPosition",
    "gammon_value",
    "log_of_payloads",
    "read_log",
    "take_point",
    "write_log",
]
