"""Who is paired with whom: players of like strength, and the longer one waits the less alike (Glicko-2)."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from barpoint.server.domain.ratings import Glicko

WIDER_A_SECOND: Final = 5.0
"""Rating points by which the range grows while somebody waits."""

ANYBODY_MS: Final = 120_000
"""Who has waited so long plays anybody."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """Somebody who waits. id: of his challenge. since: ms since 1970."""

    id: str
    person: str
    glicko: Glicko
    since: int


def in_reach(one: Glicko, other: Glicko, waited_ms: int) -> bool:
    """Whether two may be paired, of whom one has waited so long.

    At first they differ by no more than the deviations of both leave open, so that newcomers meet almost anybody.
    """
    if waited_ms >= ANYBODY_MS:
        return True
    reach = math.hypot(one.deviation, other.deviation) + WIDER_A_SECOND * waited_ms / 1000
    return abs(one.rating - other.rating) <= reach


def nearest(own: Waiting, others: Iterable[Waiting], now: int) -> list[Waiting]:
    """Who of these may be met now, the one of the nearest rating first; of equals whoever has waited longest."""
    found = [other for other in others if in_reach(own.glicko, other.glicko, now - min(own.since, other.since))]
    return sorted(found, key=lambda other: (abs(other.glicko.rating - own.glicko.rating), other.since, other.id))


def pairs(
    waiting: Iterable[Waiting], now: int, apart: Collection[tuple[str, str]] = ()
) -> list[tuple[Waiting, Waiting]]:
    """Pairs that may be made of people who wait for the same, each at most once; who has waited longest chooses first.

    apart: persons that do not meet, in either order.
    """

    def may_meet(one: str, other: str) -> bool:
        return one != other and (one, other) not in apart and (other, one) not in apart

    left = sorted(waiting, key=lambda one: (one.since, one.id))
    found = []
    while left:
        first = left.pop(0)
        if others := nearest(first, (other for other in left if may_meet(first.person, other.person)), now):
            left.remove(others[0])
            found.append((first, others[0]))
    return found
