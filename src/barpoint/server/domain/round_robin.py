"""Round robins: the pairings of all rounds, and the standings with their tie-breaks."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence

from barpoint.server.domain.swiss import BYE, StandingsLine, SwissResult, direct_wins, points_of


def rounds(players: int) -> int:
    """How many rounds it takes until everybody has met everybody."""
    return players - 1 if players % 2 == 0 else players


def pair(order: Sequence[str], number: int) -> tuple[tuple[str, str], ...]:
    """The pairs of round `number`, from 1; with an odd number of players the last pair has BYE.

    The circle method: the first player stays, the others move on by one place each round.
    """
    places = [*order, BYE] if len(order) % 2 else list(order)
    turned = places[1:]
    shift = (number - 1) % len(turned)
    circle = [places[0], *turned[-shift:], *turned[:-shift]] if shift else places
    half = len(circle) // 2
    pairs = [(circle[index], circle[-1 - index]) for index in range(half)]
    met = [(second, first) if first == BYE else (first, second) for first, second in pairs]
    return tuple(sorted(met, key=lambda both: both[1] == BYE))


def make_up(order: Sequence[str], pairs: Collection[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """A round of as many of these pairs as can play at the same time; the other players have BYE."""
    import networkx  # imported here, since most processes pair nobody

    found = networkx.max_weight_matching(networkx.Graph(list(pairs)), maxcardinality=True)
    playing = [both for both in pairs if both in found or both[::-1] in found]
    there = {player for both in playing for player in both}
    return (*playing, *((player, BYE) for player in order if player not in there))


def standings(order: Sequence[str], meetings: Collection[SwissResult]) -> tuple[StandingsLine, ...]:
    """The standings, best first.

    Order: matches won, byes not counted; then matches won against players who are still equal, if all of these have met;
    then Sonneborn-Berger, the wins of everybody whom the player has beaten. Players who remain equal share the rank.
    """
    played = [meeting for meeting in meetings if meeting.second != BYE]
    won = points_of(played)
    beaten: Counter[str] = Counter()
    for meeting in played:
        if meeting.winner is not None:
            loser = meeting.second if meeting.winner == meeting.first else meeting.first
            beaten[meeting.winner] += won[loser]
    groups: dict[int, list[str]] = defaultdict(list)
    for player in order:
        groups[won[player]].append(player)
    lines: list[StandingsLine] = []
    for points in sorted(groups, reverse=True):
        direct = direct_wins(groups[points], played)
        for player in sorted(groups[points], key=lambda one: (-direct[one], -beaten[one])):
            line = StandingsLine(player, len(lines) + 1, points, 0, 0, direct[player], beaten[player])
            equal = lines and _key(lines[-1]) == _key(line)
            lines.append(
                StandingsLine(player, lines[-1].rank, points, 0, 0, direct[player], beaten[player]) if equal else line
            )
    return tuple(lines)


def _key(line: StandingsLine) -> tuple[int, int, int]:
    return line.points, line.direct, line.beaten
