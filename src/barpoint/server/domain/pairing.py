"""Quick pairing: matches players of similar Glicko-2 ratings, in a range that widens with waiting time."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from barpoint.server.domain.ratings import Glicko

WIDER_A_SECOND: Final = 5.0
"""Rating points per second by which the range widens."""

ANYBODY_MS: Final = 120_000
"""After this time in ms a person is paired with anybody."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A person who waits. id: of their challenge. since: ms since 1970."""

    id: str
    person: str
    glicko: Glicko
    since: int


def in_reach(one: Glicko, other: Glicko, waited_ms: int) -> bool:
    """Whether two people may be paired when one of them has waited this long.

    At first their ratings may differ by the deviations of both, so that newcomers meet almost anybody.
    """
    if waited_ms >= ANYBODY_MS:
        return True
    reach = math.hypot(one.deviation, other.deviation) + WIDER_A_SECOND * waited_ms / 1000
    return abs(one.rating - other.rating) <= reach


def nearest(own: Waiting, others: Iterable[Waiting], now: int) -> list[Waiting]:
    """The people who may be paired now, nearest rating first; ties go to who has waited longest."""
    found = [other for other in others if in_reach(own.glicko, other.glicko, now - min(own.since, other.since))]
    return sorted(found, key=lambda other: (abs(other.glicko.rating - own.glicko.rating), other.since, other.id))


def pairs(
    waiting: Iterable[Waiting], now: int, apart: Collection[tuple[str, str]] = ()
) -> list[tuple[Waiting, Waiting]]:
    """Pairs people who wait for the same agreement, each at most once; who has waited longest chooses first.

    apart: pairs of persons who must not meet, in either order.
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
