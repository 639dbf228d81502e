"""Searches a ply deeper as long as a budget of time allows."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Final, TypeVar

import numpy as np

from barpoint.engine.limits import MAX_PLIES, MAX_TIME_MS
from barpoint.error import OptionError, check_kind

T = TypeVar("T")

GROWTH: Final = 12.0
"""How many times as long as a search the one that is a ply deeper is estimated to take: of plays of backgammon 5 to 15 times."""


def check_time(time_ms: float | None) -> None:
    """OptionError for a budget that is none, ArgumentError for one that is no number."""
    if time_ms is not None and not isinstance(time_ms, np.number):
        check_kind("time_ms", time_ms, int, float)
    if time_ms is not None and not 0 < time_ms <= MAX_TIME_MS:
        raise OptionError(
            "%(time_ms)s milliseconds; more than 0 and at most %(max_time_ms)s are offered",
            time_ms=time_ms,
            max_time_ms=MAX_TIME_MS,
        )


def deepest(search: Callable[[int], T], plies: int, time_ms: float | None, clock: Callable[[], float] = monotonic) -> T:
    """What `search` finds at the greatest depth that the budget allows, `plies` at least.

    The budget is wall time: it is what somebody waits for, and it means the same on any number of threads. A search is
    begun only if it would end in time when it takes GROWTH times as long as the one before; once begun, it is finished.
    clock: in seconds.
    """
    began = last = clock()
    found = search(plies)
    while time_ms is not None and plies < MAX_PLIES:
        now = clock()
        if now - began + GROWTH * (now - last) > time_ms / 1000:
            break
        plies, last = plies + 1, now
        found = search(plies)
    return found
