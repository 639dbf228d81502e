"""Groups before a knock-out: who plays in which group, the pairings of their rounds, and the seeds of the knock-out."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import product
from typing import Final

from barpoint.server.domain import bracket, round_robin
from barpoint.server.domain.swiss import StandingsLine, SwissResult

APART: Final = 10**6
"""Cost of two players of one group who can meet in the first round of the knock-out; a round later costs much less."""

LATER: Final = 40
"""By what that cost is divided for each round that they meet later."""


def drawn(order: Sequence[str], wanted: int, advancing: int) -> tuple[tuple[str, ...], ...]:
    """The groups, equally strong: the best are dealt from left to right, the next from right to left, and so on.

    order: the players, by seed. There are fewer groups than wanted if some would have nobody who does not go on.
    """
    count = max(1, min(wanted, len(order) // max(2, advancing + 1)))
    groups: list[list[str]] = [[] for _ in range(count)]
    for index, player in enumerate(order):
        row, place = divmod(index, count)
        groups[place if row % 2 == 0 else count - 1 - place].append(player)
    return tuple(tuple(group) for group in groups)


def rounds(groups: Collection[Sequence[str]]) -> int:
    """How many rounds it takes until everybody has met everybody of their group."""
    return max(round_robin.rounds(len(group)) for group in groups)


def pair(groups: Collection[Sequence[str]], number: int) -> tuple[tuple[str, str], ...]:
    """The pairs of round `number`, from 1, group by group; a group that is through has none."""
    through = [group for group in groups if number <= round_robin.rounds(len(group))]
    return tuple(both for group in through for both in round_robin.pair(group, number))


def tables(
    groups: Collection[Sequence[str]], meetings: Collection[SwissResult]
) -> tuple[tuple[StandingsLine, ...], ...]:
    """The standings of each group, as in a round robin."""
    return tuple(
        round_robin.standings(group, [meeting for meeting in meetings if meeting.first in group]) for group in groups
    )


def seeds(found: Sequence[Sequence[StandingsLine]], advancing: int, away: Collection[str]) -> tuple[str, ...]:
    """The players of the knock-out, by seed: first the winners of the groups, then those who came second, and so on.

    Among those of one place, more matches won come first, as far as players of one group then meet as late as possible.
    found: the standings of the groups. away: players who do not go on, so that the next of their group does.
    """
    through = [[line for line in table if line.player not in away][:advancing] for table in found]
    size = max(2, sum(map(len, through)))
    seated: dict[int, int] = {}
    names: list[str] = []
    for place in range(advancing):
        tier = [group for group, lines in enumerate(through) if len(lines) > place]
        tier.sort(key=lambda group: (-_share(through[group][place], found[group]), group))
        for group in _spread(tier, len(names), seated, size):
            seated[len(names)] = group
            names.append(through[group][place].player)
    return tuple(names)


def _share(line: StandingsLine, table: Sequence[StandingsLine]) -> float:
    """The share of their matches that a player has won; groups may differ by a player."""
    return line.points / max(1, len(table) - 1)


def _spread(tier: Sequence[int], first: int, seated: dict[int, int], size: int) -> list[int]:
    """The groups of a tier in the order of the seeds from `first` on. seated: the group of each seed so far."""
    import networkx  # imported here, since most processes pair nobody

    order = bracket.seed_order(1 << max(1, (size - 1).bit_length()))
    at = {seed: index for index, seed in enumerate(order)}
    graph = networkx.Graph()
    for (wish, group), place in product(enumerate(tier), range(len(tier))):
        own = [other for other, of in seated.items() if of == group]
        cost = sum(APART // LATER ** (_meets(at[first + place], at[other]) - 1) for other in own)
        graph.add_edge(("group", group), ("seed", first + place), weight=-(cost * len(tier) ** 3 + (wish - place) ** 2))
    found = networkx.max_weight_matching(graph, maxcardinality=True, weight="weight")
    by_seed = {dict(both)["seed"]: dict(both)["group"] for both in found}
    return [by_seed[seed] for seed in sorted(by_seed)]


def _meets(one: int, other: int) -> int:
    """The round, from 1, in which two places of a bracket meet."""
    return (one ^ other).bit_length()
