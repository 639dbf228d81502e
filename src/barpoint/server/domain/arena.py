"""Arenas: who is paired of those who are free, the points of a win, and the standings.

A win is worth WIN points, and twice that from the third in a row on. Players come and go as they like, so an arena has no rounds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from barpoint.server.domain.swiss import StandingsLine, cheapest_pairs

WIN: Final = 2
STREAK: Final = 2
"""So many wins in a row double the points of each that follows at once."""

FEW: Final = 6
"""With fewer players than this, two play each other again at once where nobody else is free."""

PLAYED: Final = 10**15
"""Cost of a match that a player has played already, more than all differences in points, after a day of programs too: who has played more sits out."""

ArenaResult = tuple[str, str, str | None]
"""Two players, and who of them won; None if both lost."""


def standings(order: Sequence[str], meetings: Iterable[ArenaResult]) -> tuple[StandingsLine, ...]:
    """The standings, best first: by points, then by matches won; who is equal even then shares the rank.

    order: the players, by seed. meetings: in the order in which they were decided.
    """
    points, won, played, streak = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for first, second, winner in meetings:
        for player in (first, second):
            played[player] += 1
            if player != winner:
                streak[player] = 0
                continue
            points[player] += WIN * (2 if streak[player] >= STREAK else 1)
            won[player] += 1
            streak[player] += 1

    def merit(player: str) -> tuple[int, int]:
        return points[player], won[player]

    lines = list[StandingsLine]()
    for place, player in enumerate(sorted(order, key=merit, reverse=True), 1):
        before = lines[-1] if lines else None
        equal = before is not None and merit(before.player) == merit(player)
        rank = before.rank if before is not None and equal else place
        counts = {"won": won[player], "played": played[player], "streak": streak[player]}
        lines.append(StandingsLine(player, rank, points[player], 0, 0, 0, **counts))
    return tuple(lines)


def pair(
    free: Collection[str], table: Sequence[StandingsLine], last: Mapping[str, str], there: int
) -> tuple[tuple[str, str], ...]:
    """The pairs of those who are free: as many as can be, and then players with nearly as many points.

    Nobody meets the player of their last match again at once, unless they are alone and fewer than FEW take part.

    table: the standings. last: by player, whom they met last. there: how many take part now, those who are playing among them.
    """
    lines = {line.player: line for line in table if line.player in free}

    def cost(one: str, other: str) -> int | None:
        again = last.get(one) == other or last.get(other) == one
        if again and not (there < FEW and len(lines) == 2):
            return None
        first, second = lines[one], lines[other]
        return PLAYED * (first.played + second.played) + (first.points - second.points) ** 2

    return tuple(cheapest_pairs(list(lines), cost))
