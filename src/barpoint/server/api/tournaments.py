"""Tournaments in the bot API: the list, one with its matches and standings, entering and leaving."""

from __future__ import annotations

from typing import Final

from starlette.responses import Response

from barpoint.server.api import messages
from barpoint.server.api.requests import Call, RequestRefused, answer_with, guarded
from barpoint.server.domain.swiss import BYE
from barpoint.server.domain.tournament_events import Plan, TournamentStage
from barpoint.server.domain.tournament_standings import standings
from barpoint.server.domain.tournaments import games, length_of
from barpoint.server.live.tournament_step import name_of
from barpoint.server.storage import tournaments as tournament_storage
from barpoint.server.storage.tournaments import ListedTournament

LISTED: Final = 200


def tournament_shown(
    tournament_id: str, plan: Plan, stage: TournamentStage, players: int
) -> messages.TournamentListing:
    """A tournament as in every answer."""
    return messages.TournamentListing(
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
    """Tournaments open for entry or in progress."""
    store = call.services.store
    found: list[ListedTournament] = await store.read(
        tournament_storage.listed, (TournamentStage.OPEN, TournamentStage.RUNNING), LISTED
    )
    return answer_with(
        messages.TournamentList(tuple(tournament_shown(one.id, one.plan, one.stage, one.players) for one in found))
    )


@guarded(None)
async def tournament(call: Call) -> Response:
    """A tournament: its matches so far, and its standings."""
    known = await call.services.tournaments.known(call.request.path_params["tournament"])
    now = known.now
    rows = tuple(
        messages.StandingMessage(
            line.player, name_of(known, line.player), line.rank, line.points, line.median, line.buchholz
        )
        for line in standings(now)
    )
    matches = {bout.game: bout.match_id for bout in known.bouts}
    entrants = tuple(messages.Entrant(player, name_of(known, player)) for player in now.entrants)
    played = tuple(
        messages.TournamentMatchMessage(
            number=game.number,
            round=game.round,
            length=length_of(now, game),
            players=(game.players[0] or None, game.players[1] or None),
            bye=BYE in game.players,
            winner=game.winner,
            how=game.how.value if game.how else None,
            match=matches.get(game.number),
            group=game.group,
        )
        for game in games(now)
    )
    shown = tournament_shown(known.id, now.plan, now.stage, len(now.entrants))
    return answer_with(messages.TournamentShown(shown, entrants, played, rows))


@guarded("challenge")
async def enter_tournament(call: Call) -> Response:
    """Enters a tournament, or leaves it. Its matches appear in the stream of events like all others."""
    action, tournament_id = call.request.path_params["action"], call.request.path_params["tournament"]
    tournaments = call.services.tournaments
    if action == "join":
        await tournaments.join(tournament_id, call.person, program=True)
    elif action == "leave":
        await tournaments.leave(tournament_id, call.person)
    else:
        raise RequestRefused(404, "unknown", f"{action[:20]!r}; allowed: join, leave")
    return answer_with(messages.DoneMessage())
