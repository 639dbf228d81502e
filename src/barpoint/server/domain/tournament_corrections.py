"""Corrections of results: when they are allowed, and which matches follow from them."""

from __future__ import annotations

from dataclasses import replace

from barpoint.server.domain import groups
from barpoint.server.domain.tournament_events import Decided, Reported, TournamentError, TournamentStage
from barpoint.server.domain.tournament_matches import (
    State,
    TournamentState,
    before_bracket,
    games,
    group_tables,
    require_stage,
)


def require_score(event: Decided | Reported) -> None:
    """TournamentError for a score that no winner can have."""
    if event.score is not None and (not event.winner or not event.score[0] > event.score[1] >= 0):
        raise TournamentError(
            "score: %(found)s; allowed: more points for the winner, or none",
            found=":".join(map(str, event.score)),
        )


def correct(now: State, event: Decided) -> State:
    """With a corrected result; TournamentError if that is not allowed."""
    if now.stage is TournamentStage.OVER and now.plan.fee:
        raise TournamentError(
            "the tournament is over and its prizes are paid; results are corrected before its last match ends"
        )
    require_stage(now, TournamentStage.RUNNING, TournamentStage.OVER)
    found = games(now)
    game = next((game for game in found if game.number == event.game), None)
    if game is None or game.how is None or event.winner not in (None, *game.players):
        raise TournamentError(
            "only the result of a match that is decided is corrected; allowed: to decide an open match"
        )
    require_score(event)
    if event.winner == game.winner and event.score == now.results[event.game].score:
        raise TournamentError("this is its result already")
    moved = moved_by(now, event)
    if any(later.number in moved and (later.how or later.number in now.reports) for later in found):
        raise TournamentError(
            "a later match that depends on this result has its own result or is being played; "
            "allowed: to correct a result until then, and to decide matches that are open"
        )
    return corrected(now, event)


def corrected(now: State, event: Decided) -> State:
    """With a corrected result, by which it may go on; the knock-out after groups is drawn again if other players or seeds follow from it."""
    after = replace(now, stage=TournamentStage.RUNNING, results={**now.results, event.game: event})
    same_winner = event.winner == now.results[event.game].winner
    if not now.knockout or same_winner or event.game >= before_bracket(now):
        return after
    same = groups.seeds(group_tables(after), now.plan.advance, now.away) == now.knockout
    return after if same else replace(after, knockout=())


def moved_by(now: TournamentState, event: Decided) -> frozenset[int]:
    """The matches that other players play, or that are drawn again, after a correction that is allowed."""
    after = {game.number: game.players for game in games(corrected(now, event))}
    return frozenset(game.number for game in games(now) if game.players != after.get(game.number))
