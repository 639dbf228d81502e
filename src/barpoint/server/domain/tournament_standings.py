"""The standings of a tournament, and its prizes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import zip_longest

from barpoint.server.domain import arena, bracket, round_robin, swiss
from barpoint.server.domain.swiss import StandingsLine
from barpoint.server.domain.tournament_events import Form, TournamentStage
from barpoint.server.domain.tournament_matches import arena_meetings, bracket_results, group_tables, meetings
from barpoint.server.domain.tournaments import Tournament


def standings(now: Tournament) -> tuple[StandingsLine, ...]:
    """The standings, best first. In a knock-out only the rank and the matches won are meaningful.

    With groups: first the players of the knock-out, then everybody else, who share the rank if their group has them on the
    same place. The first rank of a knock-out that is over stays empty if its last match has no winner.
    """
    if now.plan.form.continuous:
        return arena.standings(now.order, arena_meetings(now))
    if now.plan.form.in_rounds and not now.plan.form.eliminating:
        ranked = swiss.standings if now.plan.form is Form.SWISS else round_robin.standings
        return ranked(now.order, meetings(now))
    won = Counter(done.winner for done in now.results.values())
    ranked_so_far = list(_ranking(now))
    over = now.stage is TournamentStage.OVER and bool(now.seeds)
    empty = int(over and len(ranked_so_far[0][1]) > 1)
    lines: list[StandingsLine] = []
    for rank, together in ranked_so_far:
        lines += [StandingsLine(one, rank + empty, won[one], 0, 0, 0) for one in together]
    return tuple(lines)


def champions(now: Tournament) -> tuple[str, ...]:
    """Who has won a tournament that is over; () if nobody has, as when both players of the final did not come."""
    if now.stage is not TournamentStage.OVER or (now.plan.form.eliminating and not now.seeds):
        return ()
    first = (line for line in standings(now) if line.rank == 1)
    return tuple(line.player for line in first if now.plan.form.eliminating or line.points)


def _ranking(now: Tournament) -> Iterator[tuple[int, list[str]]]:
    """Ranks of a knock-out and who shares them, best first, then those who did not advance from their groups."""
    ahead = 0
    if now.seeds:
        for rank, together in bracket.ranking(now.bracket, bracket_results(now)):
            yield rank, [now.seeds[one] for one in together]
            ahead += len(together)
    for place in zip_longest(*group_tables(now)):
        players = [line.player for line in place if line is not None and line.player not in now.knockout]
        yield ahead + 1, players
        ahead += len(players)


def prizes(pot: int, shares: Iterable[int], groups: Iterable[tuple[str, ...]]) -> dict[str, int]:
    """What each player gets of all fees, in whole tickets that sum to them exactly.

    shares: percent for each rank. groups: players who share ranks, best first; they share their prizes too. What no
    rank takes, and what cannot be divided, goes to the first group.
    """
    left = list(shares)
    found: dict[str, int] = {}
    best: tuple[str, ...] = ()
    for group in groups:
        best = best or group
        percent, left = sum(left[: len(group)]), left[len(group) :]
        found |= dict.fromkeys(group, pot * percent // (100 * len(group)))
    each, more = divmod(pot - sum(found.values()), max(1, len(best)))
    for index, player in enumerate(best):
        found[player] += each + (index < more)
    return {player: amount for player, amount in found.items() if amount}


def prizes_of(now: Tournament) -> dict[str, int]:
    """What each player has got of the pot; {} before the end, and without an entry fee."""
    if now.stage is not TournamentStage.OVER or not now.plan.fee:
        return {}
    return prizes(now.plan.fee * len(now.entrants), now.plan.prizes, winners(now))


def winners(now: Tournament) -> tuple[tuple[str, ...], ...]:
    """Players eligible for prizes, grouped by rank: everybody who has not left for good."""
    groups: dict[int, list[str]] = {}
    for line in standings(now):
        if line.player not in now.gone:
            groups.setdefault(line.rank, []).append(line.player)
    return tuple(tuple(group) for group in groups.values())
