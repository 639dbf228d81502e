"""What follows by itself in a tournament: matches of players who left, the next round, the knock-out after groups."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace as changed

from barpoint.server.domain import arena, groups, round_robin, swiss
from barpoint.server.domain.swiss import BYE
from barpoint.server.domain.tournament_events import (
    Advanced,
    Decided,
    Form,
    How,
    Joined,
    Paired,
    Plan,
    TournamentEvent,
    TournamentStage,
)
from barpoint.server.domain.tournament_matches import (
    arena_meetings,
    free_players,
    games,
    group_tables,
    meetings,
    put_off,
    reported_score,
    reports_differ,
    swiss_rounds,
)
from barpoint.server.domain.tournaments import Tournament


def rounds_for(plan: Plan, order: Sequence[str]) -> int:
    """Rounds of a tournament that is played in rounds; of others 0."""
    players = len(order)
    if plan.form is Form.GROUPS:
        return groups.rounds(groups.drawn(order, plan.groups, plan.advance))
    if plan.form is Form.SWISS:
        return swiss_rounds(plan, players)
    return round_robin.rounds(players) if plan.form.in_rounds else 0


def with_rounds(now: Tournament, event: TournamentEvent) -> TournamentEvent:
    """The event as it is logged: a late entry in a Swiss tournament says how many rounds it has now, if those are more."""
    if not isinstance(event, Joined) or now.plan.form is not Form.SWISS or not now.late:
        return event
    there = [player for player in now.order if player not in now.away]
    rounds = rounds_for(now.plan, (*there, event.player))
    return changed(event, rounds=rounds) if rounds > now.rounds else event


def follows(now: Tournament) -> TournamentEvent | None:
    """The next automatic event: it decides a match of a player who left, or pairs the next round. None: nothing."""
    if now.stage is not TournamentStage.RUNNING:
        return None
    form, paired = now.plan.form, len(now.pairings)
    found = games(now) if not form.continuous or now.gone else ()  # an arena may have thousands
    for game in found:
        if game.playable and now.gone & set(game.players):
            there = [player for player in game.players if player not in now.gone]
            return Decided(game.number, there[0] if there else None, How.AWAY)
        said = now.reports.get(game.number, {})
        winners = [one.winner for one in said.values() if one.winner]
        if game.playable and len(winners) == 2 and not reports_differ(said):
            return Decided(game.number, winners[0], How.BOARD, score=reported_score(said))
    if form.continuous:
        return None if now.closed else _next_arena_pairs(now)
    if form is Form.LEAGUE and paired < now.rounds:
        return Paired(round_robin.pair(now.order, paired + 1))
    if not form.in_rounds or not all(game.decided for game in found):
        return None
    if form is Form.ROBIN or (form is Form.GROUPS and (paired < now.rounds or put_off(now))):
        return _next_robin_round(now)
    if form is Form.SWISS:
        return _next_swiss_round(now)
    if form is Form.GROUPS and not now.knockout:
        return Advanced(groups.seeds(group_tables(now), now.plan.advance, now.away))
    return None


def _next_arena_pairs(now: Tournament) -> Paired | None:
    """The players of an arena who are free and can be paired; None for none."""
    free, meetings = free_players(now), arena_meetings(now)
    if len(free) < 2:
        return None
    last = {player: other for one, two, _ in meetings for player, other in ((one, two), (two, one))}
    there = len(set(now.order) - now.away)
    pairs = arena.pair(free, arena.standings(now.order, meetings), last, there)
    return Paired(pairs) if pairs else None


def _next_robin_round(now: Tournament) -> Paired:
    """The next round of a round robin or of groups: a bye puts a match off until all regular rounds are over."""
    number = len(now.pairings) + 1
    if number > now.rounds:
        return Paired(round_robin.make_up(now.order, put_off(now)))
    pairs = groups.pair(now.groups, number) if now.groups else round_robin.pair(now.order, number)
    kept = tuple(both for both in pairs if not now.byes & set(both))
    excused = tuple((player, BYE) for both in pairs if both not in kept for player in both if player != BYE)
    return Paired((*kept, *excused), tuple(player for player, _ in excused if player in now.byes))


def _next_swiss_round(now: Tournament) -> Paired:
    """The next round: byes that the director gave are honoured if two players or more remain to be paired."""
    there = [player for player in now.order if player not in now.away]
    playing = [player for player in there if player not in now.byes]
    if len(playing) < 2:
        return Paired(swiss.pair(there, meetings(now)))
    excused = tuple(player for player in there if player in now.byes)
    return Paired((*swiss.pair(playing, meetings(now)), *((player, BYE) for player in excused)), excused)
