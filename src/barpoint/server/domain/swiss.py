"""Swiss tournaments: the pairings of the next round, and the standings with their tie-breaks.

Pairing is a minimum-cost matching of all players: first as few repeated pairings as possible, then points as equal as
possible, then the upper half of those with equal points against the lower half. So every round can be paired.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

REPEAT: Final = 10**13
"""Cost of a repeated pairing or a second bye: more than all other costs of a round together."""

APART: Final = 10**7
"""Cost per squared point of difference between two opponents."""

BYE: Final = ""
"""Stands for the missing opponent of a bye."""


@dataclass(frozen=True, slots=True)
class SwissResult:
    """A match of a round. second: BYE for a bye. winner: None if both lost it."""

    round: int
    first: str
    second: str
    winner: str | None


@dataclass(frozen=True, slots=True)
class StandingsLine:
    """A line of the standings. rank: from 1, shared by players who remain equal. points: matches won and byes.

    median, buchholz, direct: the tie-breaks, in order of precedence (`standings`). beaten: that of a round robin, the
    wins of everybody whom the player has beaten. won, played, streak: of an arena, matches, and those won in a row.
    """

    player: str
    rank: int
    points: int
    median: float
    buchholz: float
    direct: int
    beaten: int = 0
    won: int = 0
    played: int = 0
    streak: int = 0


def points_of(meetings: Iterable[SwissResult]) -> Counter[str]:
    """Matches won, byes included, by player."""
    return Counter(meeting.winner for meeting in meetings if meeting.winner is not None)


def pair(order: Sequence[str], meetings: Collection[SwissResult]) -> tuple[tuple[str, str], ...]:
    """The pairs of the next round, best first; with an odd number of players the last pair has BYE.

    order: the players, by seed. meetings: of all rounds before.
    """
    met = Counter(frozenset((meeting.first, meeting.second)) for meeting in meetings)
    points = points_of(meetings)
    ranked = sorted(order, key=lambda player: (-points[player], order.index(player)))
    place = {player: index for index, player in enumerate(ranked)}
    half = {player: _half(ranked, points, player) for player in ranked}

    def cost(one: str, other: str) -> int:
        again = REPEAT * met[frozenset((one, other))]
        if other == BYE:
            return again + APART * points[one] ** 2 + len(ranked) - place[one]
        apart = points[one] - points[other]
        return again + APART * apart**2 + (place[other] - place[one] - half[one]) ** 2

    pairs = cheapest_pairs([*ranked, BYE] if len(ranked) % 2 else ranked, cost)
    return tuple(sorted(pairs, key=lambda both: both[1] == BYE))


def cheapest_pairs(ranked: Sequence[str], cost: Callable[[str, str], int | None]) -> list[tuple[str, str]]:
    """As many pairs as can be, of all such with the least costs together; in each, and among them, who ranks higher comes first.

    cost: of a pair, None where the two do not meet.
    """
    import networkx  # imported here, since most processes pair nobody

    graph = networkx.Graph()
    for one, other in combinations(ranked, 2):
        if (price := cost(one, other)) is not None:
            graph.add_edge(one, other, weight=-price)
    found = {frozenset(both) for both in networkx.max_weight_matching(graph, maxcardinality=True)}
    return [both for both in combinations(ranked, 2) if frozenset(both) in found]


def _half(ranked: Sequence[str], points: Counter[str], player: str) -> int:
    """How far below a player their opponent ranks if the upper half of a group meets the lower half."""
    return max(1, sum(points[other] == points[player] for other in ranked) // 2)


def standings(order: Sequence[str], meetings: Collection[SwissResult]) -> tuple[StandingsLine, ...]:
    """The standings, best first.

    Order: points; then median Buchholz, the opponents' points without the highest and the lowest; then Buchholz, all of
    them; then matches won against players who are still equal, if all of these have met. A bye counts as an opponent
    with half a point for every round so far. Players who remain equal share the rank and are listed by seed.
    """
    points = points_of(meetings)
    sums = _opponents(order, meetings, points)
    groups: dict[tuple[float, ...], list[str]] = defaultdict(list)
    for player in order:
        found = sums[player]
        groups[points[player], sum(found[1:-1]), sum(found)].append(player)
    lines: list[StandingsLine] = []
    for key in sorted(groups, reverse=True):
        direct = direct_wins(groups[key], meetings)
        inside = sorted(groups[key], key=lambda player: -direct[player])
        for player in inside:
            shared = lines and _key(lines[-1]) == (*key, direct[player])
            rank = lines[-1].rank if shared else len(lines) + 1
            lines.append(StandingsLine(player, rank, int(key[0]), key[1], key[2], direct[player]))
    return tuple(lines)


def _key(line: StandingsLine) -> tuple[float, ...]:
    return line.points, line.median, line.buchholz, line.direct


def _opponents(order: Sequence[str], meetings: Collection[SwissResult], points: Counter[str]) -> dict[str, list[float]]:
    """The points of everybody's opponents, in ascending order."""
    rounds = max((meeting.round for meeting in meetings), default=0)
    found: dict[str, list[float]] = {player: [] for player in order}
    for meeting in meetings:
        for one, other in ((meeting.first, meeting.second), (meeting.second, meeting.first)):
            if one in found:
                found[one].append(rounds / 2 if other == BYE else points[other])
    return {player: sorted(sums) for player, sums in found.items()}


def direct_wins(group: Sequence[str], meetings: Collection[SwissResult]) -> Counter[str]:
    """Matches that tied players have won against each other; empty unless all of them have met."""
    inside = [meeting for meeting in meetings if meeting.first in group and meeting.second in group]
    met = {frozenset((meeting.first, meeting.second)) for meeting in inside}
    if len(group) == 1 or len(met) < len(group) * (len(group) - 1) // 2:
        return Counter()
    return points_of(inside)
