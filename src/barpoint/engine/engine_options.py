"""The options of an engine, checked."""

from __future__ import annotations

import os
from types import NoneType
from typing import Any

from barpoint.chances import Chances, Margins
from barpoint.engine.limits import MAX_PLIES, MAX_THREADS
from barpoint.engine.playout import RolloutSettings
from barpoint.engine.time_budget import check_time
from barpoint.error import StakesError, check_kind
from barpoint.match import Met
from barpoint.native import core
from barpoint.rules import Rules


def check_options(plies: int, threads: int, net: object, time_ms: float | None, rollout: object, met: object) -> None:
    """ArgumentError for options of another kind than `Engine` takes, StakesError for those it does not offer."""
    check_kind("plies", plies, int)
    check_kind("threads", threads, int)
    check_kind("net", net, core.Net, str, os.PathLike, NoneType)
    if not 0 <= plies <= MAX_PLIES:
        raise StakesError("%(plies)s plies; 0 to %(max_plies)s are offered", plies=plies, max_plies=MAX_PLIES)
    if not 1 <= threads <= MAX_THREADS:
        raise StakesError(
            "%(threads)s threads; 1 to %(max_threads)s are offered", threads=threads, max_threads=MAX_THREADS
        )
    check_time(time_ms)
    check_kind("rollout", rollout, bool, RolloutSettings)
    check_kind("met", met, Met, NoneType)
    if rollout and time_ms is not None:
        raise StakesError("both time_ms and rollout given; one of them is allowed")


def outcome_of(rules: Rules, asked: Any) -> Any:
    """Chances or Margins, as games are paid under these rules; StakesError where the other one is asked for."""
    outcome = Margins if rules.scoring.per_checker else Chances
    if asked not in (None, outcome):
        raise StakesError(
            "outcome %(outcome)r; %(name)s has %(expected)s",
            outcome=asked,
            name=rules.name,
            expected=outcome.__name__,
        )
    return outcome
