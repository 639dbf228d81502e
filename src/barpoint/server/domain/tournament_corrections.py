"""Results that are corrected or taken back: when that is allowed, and which matches follow from it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from barpoint.server.domain import groups
from barpoint.server.domain.tournament_events import (
    Decided,
    Reported,
    TakenBack,
    TournamentError,
    TournamentStage,
)
from barpoint.server.domain.tournament_matches import (
    State,
    TournamentState,
    before_bracket,
    games,
    group_tables,
    length_of,
    require_stage,
)

MAX_GAME_POINTS: Final = 3 * 64
"""Points that the last game of a match at most adds: a backgammon with the cube at 64."""


def require_score(event: Decided | Reported) -> None:
    """TournamentError for a score that no winner can have."""
    if event.score is not None and (not event.winner or not event.score[0] > event.score[1] >= 0):
        raise TournamentError(
            "score: %(found)s; allowed: more points for the winner, or none",
            found=":".join(map(str, event.score)),
        )


def require_score_within(now: State, event: Decided | Reported) -> None:
    """TournamentError for a score that is not one of a match to its length. Asked of what is entered now alone: older logs hold higher ones."""
    game = next((game for game in games(now) if game.number == event.game), None)
    if event.score is None or game is None:
        return
    length, (won, lost) = length_of(now, game), event.score
    most = length - 1 + MAX_GAME_POINTS
    if won > most or lost >= length:
        raise TournamentError(
            "score: %(found)s in a match to %(length)s; allowed: at most %(most)s for the winner, less than %(length)s for the loser",
            found=":".join(map(str, event.score)),
            length=length,
            most=most,
        )


def correct(now: State, event: Decided) -> State:
    """With a corrected result; TournamentError if that is not allowed."""
    _require_unpaid(now)
    game = next((game for game in games(now) if game.number == event.game), None)
    if game is None or game.how is None or event.winner not in (None, *game.players):
        raise TournamentError(
            "only the result of a match that is decided is corrected; allowed: to decide an open match"
        )
    require_score(event)
    if event.winner == game.winner and event.score == now.results[event.game].score:
        raise TournamentError("this is its result already")
    _require_free(now, moved_by(now, event))
    return corrected(now, event)


def take_back(now: State, event: TakenBack) -> State:
    """With a match that is open again; TournamentError if that is not allowed."""
    _require_unpaid(now)
    if now.plan.form.continuous:
        raise TournamentError("in an arena results are corrected and not taken back: its players play others by now")
    game = next((game for game in games(now) if game.number == event.game), None)
    if game is None or not (game.how or game.playable):
        raise TournamentError("only the result of a match that is decided or being played is taken back")
    if now.gone & set(game.players):
        raise TournamentError(
            "a player of this match has left, and loses it as often as it is open; allowed: to correct its result"
        )
    _require_free(now, moved_by(now, event))
    return taken_back(now, event)


def taken_back(now: State, event: TakenBack) -> State:
    """With a match that is open again; from that of a group, the knock-out is drawn again."""
    results = {number: done for number, done in now.results.items() if number != event.game}
    reports = {number: said for number, said in now.reports.items() if number != event.game}
    knockout = () if event.game < before_bracket(now) else now.knockout
    return replace(now, stage=TournamentStage.RUNNING, results=results, reports=reports, knockout=knockout)


def _require_unpaid(now: TournamentState) -> None:
    """TournamentError before the start of a tournament, and once its prizes are paid."""
    if now.stage is TournamentStage.OVER and now.plan.fee:
        raise TournamentError(
            "the tournament is over and its prizes are paid; results are corrected before its last match ends"
        )
    require_stage(now, TournamentStage.RUNNING, TournamentStage.OVER)


def _require_free(now: TournamentState, moved: Collection[int]) -> None:
    """TournamentError if one of the matches that depend on a result has a result, or is being played at a real board."""
    if any(later.number in moved and (later.how or later.number in now.reports) for later in games(now)):
        raise TournamentError(
            "a later match that depends on this result has its own result or is being played; "
            "allowed: to take that one back first"
        )


def corrected(now: State, event: Decided) -> State:
    """With a corrected result, by which it may go on; the knock-out after groups is drawn again if other players or seeds follow from it."""
    after = replace(now, stage=TournamentStage.RUNNING, results={**now.results, event.game: event})
    same_winner = event.winner == now.results[event.game].winner
    if not now.knockout or same_winner or event.game >= before_bracket(now):
        return after
    same = groups.seeds(group_tables(after), now.plan.advance, now.away) == now.knockout
    return after if same else replace(after, knockout=())


def moved_by(now: TournamentState, event: Decided | TakenBack) -> frozenset[int]:
    """The matches that other players play, or that are drawn again, after a result is corrected or taken back."""
    changed = corrected(now, event) if isinstance(event, Decided) else taken_back(now, event)
    after = {game.number: game.players for game in games(changed)}
    return frozenset(game.number for game in games(now) if game.players != after.get(game.number))
