"""Tournaments as values: the state is a fold over the events, and this is what each event may do and does.

The event log is the source of truth, as in a match.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from msgspec.structs import replace as changed

from barpoint.language import N_
from barpoint.server.domain.swiss import BYE
from barpoint.server.domain.tournament_byes import ask_bye, give_bye
from barpoint.server.domain.tournament_corrections import correct, corrected, require_score, take_back, taken_back
from barpoint.server.domain.tournament_events import (
    Advanced,
    ByeAsked,
    ByeGiven,
    Changed,
    Closed,
    Decided,
    Extended,
    Form,
    HelperNamed,
    How,
    Joined,
    Left,
    Paired,
    PairedAgain,
    Plan,
    Renamed,
    Reported,
    Started,
    TakenBack,
    TournamentCancelled,
    TournamentError,
    TournamentEvent,
    TournamentStage,
    is_person,
    is_walk_in,
)
from barpoint.server.domain.tournament_latecomers import bye_taken, take_bye
from barpoint.server.domain.tournament_matches import (
    TournamentState,
    first_of_last_round,
    free_players,
    games,
    groups_over,
    is_over,
    require_stage,
)


@dataclass(frozen=True, slots=True)
class Tournament(TournamentState):
    """A tournament: the fold of its events."""

    def apply(self, event: TournamentEvent) -> Tournament:
        """The tournament after an event; TournamentError if the event is not allowed."""
        after = replace(_after(self, event), seq=self.seq + 1)
        ended = after.stage is TournamentStage.RUNNING and is_over(after)
        return replace(after, stage=TournamentStage.OVER) if ended else after


def replay(plan: Plan, events: Iterable[TournamentEvent]) -> Tournament:
    """The tournament after a log whose events were checked when they were written: in one go, not match by match.

    plan: as it is now.
    """
    log = tuple(events)
    now = announced(plan, log)
    for _event, after in steps(now, log):
        now = after
    now = replace(now, seq=len(log))
    ended = now.stage is TournamentStage.RUNNING and is_over(now)
    return replace(now, stage=TournamentStage.OVER) if ended else now


def steps(now: Tournament, log: Iterable[TournamentEvent]) -> Iterator[tuple[TournamentEvent, Tournament]]:
    """Each event of a log that was checked when it was written, with the tournament after it; only `replay` counts them and says when it is over.

    now: before the log. Look at one before you ask for the next: they share their results, which grow.
    """
    results = dict(now.results)
    now = replace(now, results=results)
    for event in log:
        if isinstance(event, Decided) and not event.corrects:
            results[event.game] = event
            now = _paused(now, event)
        else:
            now = _recorded(now, event)
        if now.results is not results:
            results = dict(now.results)
            now = replace(now, results=results)
        yield event, now


def _recorded(now: Tournament, event: TournamentEvent) -> Tournament:
    """The tournament after an event, other than a first result, that was checked when it was written."""
    match event:
        case Decided():
            return corrected(now, event)
        case Paired():
            return _paired(now, event)
        case PairedAgain():
            return _unpaired(now)
        case TakenBack():
            return taken_back(now, event)
        case Reported():
            return _reported(now, event)
        case Joined(player, name, game) if game is not None:
            return _named(bye_taken(now, event), player, name)
        case Advanced(order):
            return replace(now, knockout=order)
    return _after(now, event)


def announced(plan: Plan, log: Iterable[TournamentEvent]) -> Tournament:
    """The tournament before its log, with the plan it was announced with; plan: as it is now."""
    return Tournament(next((event.before for event in log if isinstance(event, Changed)), plan))


def _after(now: Tournament, event: TournamentEvent) -> Tournament:
    match event:
        case Joined(player, name, bye, rounds):
            joined = _join(now, player, rounds) if bye is None else take_bye(now, event)
            return _named(joined, player, name)
        case Renamed(player, name):
            return _rename(now, player, name)
        case Left(player, removed):
            return _leave(now, player, removed)
        case Started(order, rounds, until):
            require_stage(now, TournamentStage.OPEN)
            if sorted(order) != sorted(now.entrants) or len(order) < 2:
                raise TournamentError("players: %(count)s; two or more that have entered are needed", count=len(order))
            return replace(now, stage=TournamentStage.RUNNING, order=order, rounds=rounds, until=until)
        case Closed():
            return _close(now)
        case Paired():
            return _pair(now, event)
        case PairedAgain():
            return _pair_again(now)
        case ByeAsked(player, wanted):
            return ask_bye(now, player, wanted)
        case ByeGiven(player, given):
            return give_bye(now, player, given)
        case Reported():
            return _report(now, event)
        case Advanced(order):
            return _advance(now, order)
        case Extended(until):
            return _extend(now, until)
        case Decided(number, winner):
            return correct(now, event) if event.corrects else _decide(now, number, winner, event)
        case TakenBack():
            return take_back(now, event)
        case HelperNamed(player, named):
            return _name_helper(now, player, named)
        case Changed(plan):
            return _change(now, plan)
        case TournamentCancelled(reason):
            require_stage(now, TournamentStage.OPEN, TournamentStage.RUNNING)
            return replace(now, stage=TournamentStage.CANCELLED, reason=reason)


def _join(now: Tournament, player: str, rounds: int) -> Tournament:
    if not now.late:
        require_stage(now, TournamentStage.OPEN)
    if now.may_return(player):
        return replace(now, away=now.away - {player})
    if player in now.entrants:
        raise TournamentError("you have entered already")
    if len(now.entrants) >= now.plan.max_players:
        raise TournamentError("all %(max_players)s places are taken", max_players=now.plan.max_players)
    if not now.late:
        return replace(now, entrants=(*now.entrants, player))
    rounds = max(now.rounds, rounds)
    return replace(now, entrants=(*now.entrants, player), order=(*now.order, player), rounds=rounds)


def _named(now: Tournament, player: str, name: str) -> Tournament:
    return replace(now, given_names={**now.given_names, player: name}) if name else now


def _rename(now: Tournament, player: str, name: str) -> Tournament:
    require_stage(now, TournamentStage.OPEN, TournamentStage.RUNNING, TournamentStage.OVER)
    if not is_walk_in(player) or player not in now.entrants:
        raise TournamentError("only players without an account are given another name")
    return _named(now, player, name)


def _leave(now: Tournament, player: str, removed: bool) -> Tournament:
    require_stage(now, TournamentStage.OPEN, TournamentStage.RUNNING)
    if player not in now.entrants or player in now.gone or (player in now.away and not removed):
        raise TournamentError("nobody of that name plays in it")
    now = replace(now, asking=now.asking - {player}, byes=now.byes - {player})
    if now.stage is TournamentStage.OPEN:
        return replace(now, entrants=tuple(other for other in now.entrants if other != player))
    return replace(now, away=now.away | {player}, removed=now.removed | {player} if removed else now.removed)


MAX_HELPERS: Final = 20
"""Helpers of one tournament."""


def _name_helper(now: Tournament, player: str, named: bool) -> Tournament:
    require_stage(now, TournamentStage.OPEN, TournamentStage.RUNNING, TournamentStage.OVER)
    others = tuple(helper for helper in now.helpers if helper != player)
    if not is_person(player):
        raise TournamentError("only a person with an account enters results")
    if named and player in now.helpers:
        raise TournamentError("this person enters results already")
    if not named and player not in now.helpers:
        raise TournamentError("this person enters no results")
    if named and len(others) >= MAX_HELPERS:
        raise TournamentError("%(count)s helpers; allowed: at most %(most)s", count=len(others) + 1, most=MAX_HELPERS)
    return replace(now, helpers=(*others, player) if named else others)


def _close(now: Tournament) -> Tournament:
    require_stage(now, TournamentStage.RUNNING)
    if not now.plan.form.continuous or now.closed:
        raise TournamentError("only an arena that pairs its players is closed")
    return replace(now, closed=True)


def _pair(now: Tournament, event: Paired) -> Tournament:
    require_stage(now, TournamentStage.RUNNING)
    form, playing = now.plan.form, sorted(player for both in event.pairs for player in both if player != BYE)
    if form.continuous:
        if now.closed or len(set(playing)) < len(playing) or not set(playing) <= set(free_players(now)):
            raise TournamentError("players who are free are paired, nobody twice, until the time is over")
        return _paired(now, event)
    if not form.in_rounds or not (form is Form.LEAGUE or all(game.decided for game in games(now))):
        raise TournamentError("the round before is not over")
    everybody = sorted(set(now.order) - now.away if form is Form.SWISS else now.order)
    in_groups = form is Form.GROUPS and len(set(playing)) == len(playing) and set(playing) <= set(everybody)
    if playing != everybody and not in_groups:
        raise TournamentError("everybody who is there plays in a round, and nobody twice")
    return _paired(now, event)


def _paired(now: Tournament, event: Paired) -> Tournament:
    planned = (*now.planned, now.rounds)
    return replace(now, pairings=(*now.pairings, event), planned=planned, asking=frozenset(), byes=frozenset())


ROUND_BEGUN: Final = N_("a match of this round has a result or is being played; until then a round is paired again")


def _pair_again(now: Tournament) -> Tournament:
    require_stage(now, TournamentStage.RUNNING)
    if now.plan.form is not Form.SWISS or not now.pairings:
        raise TournamentError("only the last round of a Swiss tournament is paired again")
    first = first_of_last_round(now)
    played = any(number >= first and result.how is not How.AWAY for number, result in now.results.items())
    if played or any(number >= first for number in now.reports):
        raise TournamentError(ROUND_BEGUN)
    return _unpaired(now)


def _unpaired(now: Tournament) -> Tournament:
    """Without the last round and without what players who left have lost in it; byes that were given for it hold for the next pairing."""
    last, first = now.pairings[-1], first_of_last_round(now)
    results = {number: result for number, result in now.results.items() if number < first}
    byes = (now.byes | set(last.excused)) - now.away
    return replace(now, pairings=now.pairings[:-1], planned=now.planned[:-1], results=results, byes=byes)


def _advance(now: Tournament, order: tuple[str, ...]) -> Tournament:
    require_stage(now, TournamentStage.RUNNING)
    if now.plan.form is not Form.GROUPS or now.knockout or not groups_over(now):
        raise TournamentError("the groups are not over")
    if not order or len(set(order)) < len(order) or not set(order) <= set(now.order):
        raise TournamentError("players of the groups advance, and nobody twice")
    return replace(now, knockout=order)


AGREED: Final = (
    "form",
    "variant",
    "lengths",
    "consolation",
    "cube",
    "time_control",
    "rated",
    "fee",
    "prizes",
    "bots",
    "boards",
    "boards_only",
)
"""Fields of a plan that do not change once somebody has entered."""


def _change(now: Tournament, plan: Plan) -> Tournament:
    if now.stage is TournamentStage.RUNNING:
        return _change_late(now, plan)
    require_stage(now, TournamentStage.OPEN)
    fixed = [name for name in AGREED if getattr(plan, name) != getattr(now.plan, name)] if now.entrants else []
    if fixed:
        raise TournamentError(
            "%(fields)s: fixed, because players have entered for it; allowed: to change its name, places, times, rounds, "
            "groups and byes",
            fields=", ".join(fixed),
        )
    if plan.max_players < len(now.entrants):
        raise TournamentError(
            "%(places)s places; %(count)s players have entered", places=plan.max_players, count=len(now.entrants)
        )
    return replace(now, plan=plan)


def _change_late(now: Tournament, plan: Plan) -> Tournament:
    if now.plan.form is not Form.SWISS or plan == now.plan or changed(plan, late=now.plan.late) != now.plan:
        raise TournamentError("the tournament has begun; allowed: to change the late entries of a Swiss tournament")
    return replace(now, plan=plan)


def _extend(now: Tournament, until: int) -> Tournament:
    require_stage(now, TournamentStage.OPEN, TournamentStage.RUNNING)
    if now.closed:
        raise TournamentError("the time of this arena is over")
    if not now.plan.round_ms and not now.plan.form.continuous:
        raise TournamentError("the rounds of this tournament have no end")
    if until <= now.until:
        raise TournamentError("rounds are not made shorter")
    return replace(now, until=until)


def _decide(now: Tournament, number: int, winner: str | None, event: Decided) -> Tournament:
    require_stage(now, TournamentStage.RUNNING)
    game = next((game for game in games(now) if game.number == number), None)
    if game is None or not game.playable or winner not in (None, *game.players):
        raise TournamentError("this game cannot be decided so: it waits for nobody, or has been decided")
    require_score(event)
    return _paused(replace(now, results={**now.results, number: event}), event)


def _paused(now: Tournament, event: Decided) -> Tournament:
    """Who did not come to a match of an arena is not paired again until they come back."""
    if not now.plan.form.continuous or event.how not in (How.ABSENT, How.LEFT):
        return now
    return replace(now, away=now.away | (set(now.pairs[event.game]) - {event.winner}))


def _report(now: Tournament, event: Reported) -> Tournament:
    require_stage(now, TournamentStage.RUNNING)
    if not now.plan.boards:
        raise TournamentError("this tournament is not played at real boards")
    if now.plan.boards_only and event.withdrawn:
        raise TournamentError("all matches of this tournament are played at real boards")
    game = next((game for game in games(now) if game.number == event.game), None)
    if game is None or not game.playable or not {event.player, event.winner or event.player} <= set(game.players):
        raise TournamentError("only the two players report the result of their open match")
    require_score(event)
    return _reported(now, event)


def _reported(now: Tournament, event: Reported) -> Tournament:
    """With a report, or without one's own and those that say no more than that it is played at a real board."""
    before = now.reports.get(event.game, {})
    if not event.withdrawn:
        return replace(now, reports={**now.reports, event.game: {**before, event.player: event}})
    others = {number: said for number, said in now.reports.items() if number != event.game}
    kept = {player: said for player, said in before.items() if said.winner and player != event.player}
    return replace(now, reports={**others, event.game: kept} if kept else others)
