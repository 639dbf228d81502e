"""The options of an engine, checked."""

from __future__ import annotations

import os
from types import NoneType
from typing import Any, Literal, TypedDict

from barpoint.chances import Chances, Margins
from barpoint.engine.limits import MAX_PLIES, MAX_THREADS
from barpoint.engine.playout import RolloutSettings
from barpoint.engine.time_budget import check_time
from barpoint.error import OptionError, check_kind, whole_number
from barpoint.match import Met
from barpoint.native import core
from barpoint.rules import Rules

PerChecker = Literal["acey-deucey", "european-acey-deucey"]
"""The variants that score by the checker, for type checkers."""


class EngineOptions(TypedDict, total=False):
    """Keywords of `Engine`."""

    time_ms: float | None
    rollout: bool | RolloutSettings
    met: Met | None


def check_options(plies: int, threads: int, net: object, time_ms: float | None, rollout: object, met: object) -> None:
    """ArgumentError for options of another kind than `Engine` takes, OptionError for those it does not offer."""
    check_kind("net", net, core.Net, str, os.PathLike, NoneType)
    if not 0 <= plies <= MAX_PLIES:
        raise OptionError("%(plies)s plies; 0 to %(max_plies)s are offered", plies=plies, max_plies=MAX_PLIES)
    if not 1 <= threads <= MAX_THREADS:
        raise OptionError(
            "%(threads)s threads; 1 to %(max_threads)s are offered", threads=threads, max_threads=MAX_THREADS
        )
    check_time(time_ms)
    check_kind("rollout", rollout, bool, RolloutSettings)
    check_kind("met", met, Met, NoneType)
    if rollout and time_ms is not None:
        raise OptionError("both time_ms and rollout given; one of them is allowed")


def checked_limit(limit: int | None) -> int | None:
    """So many plays, None for all; OptionError below 1, ArgumentError for what is no number."""
    limit = None if limit is None else whole_number("limit", limit, NoneType)
    if limit is not None and limit < 1:
        raise OptionError("limit %(limit)s; 1 or more, or None for every play", limit=limit)
    return limit


def outcome_of(rules: Rules, asked: Any) -> Any:
    """Chances or Margins, as games are paid under these rules; OptionError where the other one is asked for."""
    outcome = Margins if rules.scoring.per_checker else Chances
    if asked not in (None, outcome):
        raise OptionError(
            "outcome %(outcome)r; %(name)s has %(expected)s",
            outcome=asked,
            name=rules.name,
            expected=outcome.__name__,
        )
    return outcome
