"""Games in a row: score, Crawford rule, match equity, and the log."""

from barpoint.match.log import read_log, write_log
from barpoint.match.match import Finished, Match
from barpoint.match.met import Met
from barpoint.match.terms import Terms

__all__ = ["Finished", "Match", "Met", "Terms", "read_log", "write_log"]
