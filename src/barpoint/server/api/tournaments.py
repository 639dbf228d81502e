"""Tournaments in the bot API: the list, one with its matches, standings and log; announcing, entering and directing."""

from __future__ import annotations

from typing import Final, cast

from starlette.responses import Response

from barpoint.server.api import messages
from barpoint.server.api import tournament_messages as shapes
from barpoint.server.api.challenges import may_create
from barpoint.server.api.requests import Call, RequestRefused, answer_with, guarded, person_shown, query_in
from barpoint.server.domain.clubs import EventKind
from barpoint.server.domain.swiss import BYE
from barpoint.server.domain.tournament_actions import ACTION_KINDS, ActionKind, TournamentAction
from barpoint.server.domain.tournament_events import Plan, TournamentStage
from barpoint.server.domain.tournament_matches import TournamentMatch, games, length_of
from barpoint.server.domain.tournament_plans import checked_plan
from barpoint.server.domain.tournament_standings import prizes_of, standings
from barpoint.server.live import tournament_actions
from barpoint.server.live.tournament_step import SentCommand, is_bot, name_of, points_of
from barpoint.server.storage import tournament_lists
from barpoint.server.storage import tournaments as tournament_storage
from barpoint.server.storage.tournament_lists import ListedTournament
from barpoint.server.storage.tournaments import MatchProgress, TournamentRecord

LISTED: Final = 200


def tournament_shown(tournament_id: str, plan: Plan, stage: TournamentStage, players: int) -> shapes.TournamentListing:
    """A tournament as in every answer."""
    return shapes.TournamentListing(
        id=tournament_id,
        name=plan.name,
        form=plan.form.value,
        variant=plan.variant,
        lengths=plan.lengths,
        time_control=plan.time_control,
        rated=plan.rated,
        fee=plan.fee,
        prizes=plan.prizes,
        bots=plan.bots,
        stage=stage.value,
        players=players,
        max_players=plan.max_players,
        starts_at=plan.starts_at,
        round_ms=plan.round_ms,
    )


@guarded(None)
async def tournaments(call: Call) -> Response:
    """Tournaments that anybody may see, latest first: those open for entry or in progress, or at another stage."""
    query: shapes.TournamentQuery = query_in(call.request, shapes.TournamentQuery)
    stages = (TournamentStage(query.stage),) if query.stage else (TournamentStage.OPEN, TournamentStage.RUNNING)
    found: list[ListedTournament] = await call.services.store.read(tournament_lists.listed, stages, LISTED)
    return answer_with(
        shapes.TournamentList(tuple(tournament_shown(one.id, one.plan, one.stage, one.players) for one in found))
    )


@guarded(None)
async def tournament(call: Call) -> Response:
    """A tournament: its plan, players, matches so far, and standings."""
    return await _answer(call, call.request.path_params["tournament"])


async def _answer(call: Call, tournament_id: str, status: int = 200) -> Response:
    known = await call.services.tournaments.known(tournament_id)
    now = known.now
    bouts = {bout.game: bout for bout in known.bouts}
    shown = shapes.TournamentShown(
        tournament_shown(known.id, now.plan, now.stage, len(now.entrants)),
        now.plan,
        now.seq,
        person_shown(known.by),
        known.directed_by(call.person),
        known.club.id if known.club else None,
        len(now.pairings),
        now.rounds,
        now.late,
        now.reason,
        tuple(_entrant(known, player) for player in now.entrants),
        tuple(_match(known, game, bouts.get(game.number)) for game in games(now)),
        _standings(known),
        known.results_entered_by(call.person),
        tuple(map(person_shown, known.helpers)),
    )
    return answer_with(shown, status)


def _entrant(known: TournamentRecord, player: str) -> shapes.Entrant:
    now = known.now
    marks = (player in now.away, player in now.asking, player in now.byes)
    return shapes.Entrant(player, name_of(known, player), is_bot(known, player), *marks)


def _match(known: TournamentRecord, game: TournamentMatch, bout: MatchProgress | None) -> shapes.TournamentMatchMessage:
    said = known.now.reports.get(game.number, {})
    return shapes.TournamentMatchMessage(
        number=game.number,
        round=game.round,
        length=length_of(known.now, game),
        players=(game.players[0] or None, game.players[1] or None),
        bye=BYE in game.players,
        winner=game.winner,
        how=game.how.value if game.how else None,
        match=bout.match_id if bout else None,
        group=game.group,
        score=points_of(known, game, bout) or (bout.score if bout else None),
        due_at=bout.due_at if bout else None,
        ends_at=bout.ends_at if bout else None,
        reports={player: one.winner for player, one in said.items()},
        reported_scores={player: one.score for player, one in said.items() if one.score},
        corrected=game.corrected,
    )


def _standings(known: TournamentRecord) -> tuple[shapes.StandingMessage, ...]:
    paid = prizes_of(known.now)
    return tuple(
        shapes.StandingMessage(
            line.player,
            name_of(known, line.player),
            line.rank,
            line.points,
            line.median,
            line.buchholz,
            line.beaten,
            paid.get(line.player, 0),
            line.won,
            line.played,
        )
        for line in standings(known.now)
    )


@guarded(None)
async def tournament_log(call: Call) -> Response:
    """Everything that has happened in a tournament, in order."""
    tournament_id = call.request.path_params["tournament"]
    await call.services.tournaments.known(tournament_id)
    written = await call.services.store.read(tournament_storage.log_of, tournament_id)
    entries = (
        shapes.TournamentLogEntry(number, at, None if actor is None else written.name_of(actor), event)
        for number, (event, actor, at) in enumerate(written.events, 1)
    )
    return answer_with(shapes.TournamentLogShown(tuple(entries)))


@guarded("challenge")
async def announce_tournament(call: Call) -> Response:
    """Announces a tournament, which the token's owner directs; only with an account."""
    asked, services = await call.body(shapes.TournamentBody), call.services
    plan = checked_plan(asked.plan, services.matches.clock())
    may_create(call)
    also = None
    if asked.club:
        also = await services.clubs.event(asked.club, call.person, EventKind.TOURNAMENT, asked.private)
    return await _answer(call, await services.tournaments.announce(call.person, plan, also), 201)


@guarded("challenge")
async def change_tournament(call: Call) -> Response:
    """Changes the plan of a tournament before its start; what players have entered for stays as it is."""
    asked, tournament_id = await call.body(shapes.PlanBody), call.request.path_params["tournament"]
    plan = checked_plan(asked.plan, call.services.matches.clock())
    await call.services.tournaments.change(tournament_id, call.person, plan, SentCommand(asked.id, asked.seq))
    return await _answer(call, tournament_id)


@guarded("challenge")
async def act_in_tournament(call: Call) -> Response:
    """Enters a tournament or leaves it, reports a result, or directs it; rounds are paired by themselves.

    Its matches appear in the stream of events like all others.
    """
    kind, tournament_id = call.request.path_params["tournament_action"], call.request.path_params["tournament"]
    if kind not in ACTION_KINDS:
        raise RequestRefused(404, "unknown", f"{kind[:20]!r}; allowed: {', '.join(ACTION_KINDS)}")
    said = await call.body(TournamentAction)
    number = await tournament_actions.act(
        call.services.tournaments, tournament_id, call.person, cast(ActionKind, kind), said, program=True
    )
    return answer_with(messages.DoneMessage(number))
