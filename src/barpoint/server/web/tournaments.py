"""Pages of tournaments: the list, and a tournament with live bracket or standings."""

from __future__ import annotations

import asyncio
import re
from typing import Any, Final, cast

from msgspec import UNSET
from sqlalchemy import Connection
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from barpoint.error import FormatError
from barpoint.language import N_, _, pgettext, time
from barpoint.number_text import number_in
from barpoint.server.domain import arena
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.limits import MAX_CANCEL_REASON
from barpoint.server.domain.titles import variant_title
from barpoint.server.domain.tournament_actions import ACTION_KINDS, ActionKind, TournamentAction
from barpoint.server.domain.tournament_events import Form, TournamentError, TournamentStage
from barpoint.server.domain.tournament_matches import byes_left, games, pairs_again
from barpoint.server.domain.tournament_plans import describe_plan, duration
from barpoint.server.live import tournament_actions
from barpoint.server.live.pubsub import seats_of, tournament_named
from barpoint.server.live.tournament_actions import NotSure
from barpoint.server.live.tournament_direction import may_pair_again
from barpoint.server.live.tournament_step import name_of
from barpoint.server.live.tournaments import UnknownTournament
from barpoint.server.services import Services, person_of, service_of
from barpoint.server.storage import results as result_storage
from barpoint.server.storage import tournament_lists, tournament_screens
from barpoint.server.storage.event_log import Conflict
from barpoint.server.storage.tournament_lists import ListedTournament
from barpoint.server.storage.tournaments import TournamentRecord
from barpoint.server.web.connections import POLICY, same_origin
from barpoint.server.web.fragments import keep_fresh
from barpoint.server.web.link_preview import preview_of_text
from barpoint.server.web.rendering import part, qr_picture, render
from barpoint.server.web.requests import TOO_MUCH, address_here, as_sentence, form_of, go, may_create, with_guest
from barpoint.server.web.tournament_boxes import offered_score
from barpoint.server.web.tournament_choices import DURATIONS, ROUNDS
from barpoint.server.web.tournament_desk import desk_of, match_text
from barpoint.server.web.tournament_form import ticket
from barpoint.server.web.tournament_view import TournamentScene, scene
from barpoint.server.web.variants import rules_page_of
from barpoint.variants import variant

SURE: Final = {
    "begin": (N_("Begin the tournament?"), N_("Begin now"), True),
    "leave": (N_("Leave the tournament?"), N_("Leave the tournament"), True),
    "decide": (N_("Decide the match?"), N_("Decide it"), False),
    "correct": (N_("Correct the result?"), N_("Correct it"), False),
    "take-back": (N_("Take the result back?"), N_("Take the result back"), False),
    "remove": (N_("Remove the player?"), N_("Remove the player"), True),
    "cancel": (N_("Cancel the tournament?"), N_("Cancel the tournament"), True),
}
"""Actions that are asked about first: question, button, and whether they cannot be undone."""

LISTED: Final = 60
OVER_LISTED: Final = 20

MAX_NUMBER: Final = 99_999
"""The largest number of a match that a form may name."""


async def tournaments_page(request: Request) -> Response:
    """Tournaments open for entry, in progress, and recently finished."""

    person = await person_of(request)
    viewer = person.id if person is not None else None

    def work(connection: Connection) -> tuple[list[ListedTournament], list[ListedTournament], list[ListedTournament]]:
        return (
            tournament_lists.listed(connection, (TournamentStage.OPEN,), LISTED, viewer=viewer),
            tournament_lists.listed(connection, (TournamentStage.RUNNING,), LISTED, viewer=viewer),
            tournament_lists.listed(connection, (TournamentStage.OVER,), OVER_LISTED, viewer=viewer),
        )

    waiting, running, over = await service_of(request).store.read(work)
    lists = [
        (_("Open to enter"), [ticket(one) for one in waiting]),
        (_("Being played"), [ticket(one) for one in running]),
        (pgettext("tournaments", "Over"), [ticket(one) for one in over]),
    ]
    return render(request, "tournaments.html", lists=lists)


async def tournament_page(
    request: Request, problem: str = "", status: int = 200, entering: tuple[str, bool] | None = None
) -> Response:
    """A tournament: its plan, players and standings.

    entering: names that were refused, and whether they are of players without an account; without it ?walk-in says so.
    """
    services, person = service_of(request), await person_of(request)
    known = await services.tournaments.known(request.path_params["tournament_id"])
    if person is not None:
        services.presence.seen(person.id)
    shown = scene(known, person)
    values = await tournament_values(services, shown, person)
    names, walk_in = entering or ("", "walk-in" in request.query_params)
    secret = await services.store.read(tournament_screens.screen_link_of, known.id) if shown.directs else None
    return render(
        request,
        "tournament.html",
        status,
        preview=preview_of_text(request, known.now.plan.name, f"{values['title']}: {values['terms']}."),
        problem=problem,
        names_typed=names,
        walk_in=walk_in,
        helpers=known.helpers,
        desk=await asyncio.to_thread(desk_of, known) if shown.enters_results else None,
        link=address_here(request, f"/tournament/{known.id}"),
        screen_link=address_here(request, f"/screen/{secret}") if secret else "",
        **values,
    )


async def qr_code(request: Request) -> Response:
    """The link of a tournament as a picture for the camera of a phone."""
    known = await service_of(request).tournaments.known(request.path_params["tournament_id"])
    return qr_picture(address_here(request, f"/tournament/{known.id}"))


async def tournament_values(services: Services, shown: TournamentScene, person: Guest | None) -> dict[str, Any]:
    """The template values of the page of a tournament, and of its big screen."""
    known, now = shown.known, shown.known.now
    plan, rules = now.plan, variant(now.plan.variant)
    barred = (plan.rated or plan.fee > 0) and not (person is not None and person.registered)
    tickets = 0
    if person is not None and plan.fee:
        tickets = await services.store.read(result_storage.tickets_of, person.id)
    return {
        "id": known.id,
        "plan": plan,
        "now": now,
        "stage": now.stage.value,
        "in_rounds": plan.form.in_rounds and not plan.form.eliminating,
        "by_rounds": plan.form.in_rounds and plan.form is not Form.LEAGUE and not now.knockout,
        "late": now.late,
        "until": time(shown.to_play[0][0].due_at) if shown.to_play else "",
        "by": known.by,
        "club": known.club,
        "shown": shown,
        "title": variant_title(rules),
        "rules_page": rules_page_of(rules),
        "terms": describe_plan(plan),
        "starts": time(plan.starts_at) if plan.starts_at is not None else None,
        "patience": duration(plan.patience_ms),
        "round": duration(plan.round_ms),
        "rounds": DURATIONS if plan.form.continuous else ROUNDS,
        "ends": time(shown.call[0].ends_at) if shown.call is not None and shown.call[0].ends_at is not None else "",
        "due": time(shown.call[0].due_at) if shown.call is not None else "",
        "barred": barred,
        "tickets": tickets,
        "viewer": person,
        "levels": services.opponents.levels_for(rules) if plan.bots and not plan.fee else (),
        "open_games": [game for game in games(now) if game.playable],
        "to_decide": {game.number: game.players for game in games(now) if game.playable},
        "may_pair_again": shown.directs and may_pair_again(known),
        "names": {
            player: row.name for player, row in zip((r.line.player for r in shown.rows), shown.rows, strict=True)
        },
        "pot": plan.fee * len(now.entrants),
        "arena_until": time(now.until),
        "win": arena.WIN,
        "streak": arena.STREAK,
        "asking": [name_of(known, player) for player in sorted(now.asking)],
        "may_have_bye": _may_have_bye(known),
    }


def _may_have_bye(known: TournamentRecord) -> list[tuple[str, str, str]]:
    """(id, name, note) of players to whom the director can give a bye in the next round; who asks for one comes first."""
    now = known.now
    if not now.plan.form.has_byes or not pairs_again(now):
        return []
    there = [player for player in now.entrants if player not in now.away and byes_left(now, player) > 0]
    there.sort(key=lambda player: (player not in now.asking, player not in now.byes))
    notes = {player: _("asks for it") for player in now.asking} | {player: _("has it") for player in now.byes}
    return [(player, name_of(known, player), notes.get(player, "")) for player in there]


async def tournament_socket(websocket: WebSocket) -> None:
    """Sends the page's live part after every change, and the match to go to when one's own is ready."""
    services = service_of(websocket)
    tournament_id = websocket.path_params["tournament_id"]
    if not same_origin(websocket):
        await websocket.close(POLICY)
        return
    try:
        await services.tournaments.known(tournament_id)
    except UnknownTournament:
        await websocket.close(POLICY)
        return
    person = await services.guest(websocket.cookies)
    called: str | None = websocket.query_params.get("called")  # the match that the page already names, if any

    async def look() -> tuple[str, str | None]:
        nonlocal called
        shown = scene(await services.tournaments.known(tournament_id), person)
        before, called = called, shown.calls_to_board
        to = f"/match/{called}" if called and called != before else None
        return part("tournament_live.html", **await tournament_values(services, shown, person)), to

    topics = (tournament_named(tournament_id), *((seats_of(person.id),) if person is not None else ()))
    await keep_fresh(websocket, services, person, topics, look)


async def act(request: Request) -> Response:
    """Executes an action of a player or the director; the last part of the path names it."""
    services, tournament_id = service_of(request), request.path_params["tournament_id"]
    await services.tournaments.known(tournament_id)  # before a guest is made for it
    if not may_create(request):
        return await tournament_page(request, TOO_MUCH, 429)
    person, form = await person_of(request), await form_of(request)
    action = request.path_params["action"]
    if person is None and action != "join":
        raise HTTPException(403)
    person = await services.accounts.guest(person, form.get("name", "") if action == "join" else "")
    try:
        await tournament_actions.act(services.tournaments, tournament_id, person, _kind(action), _said(form))
    except NotSure:
        return _asking(request, await services.tournaments.known(tournament_id), action, form)
    except (TournamentError, FormatError, Conflict) as error:
        return with_guest(request, person, await tournament_page(request, as_sentence(error), 409))
    called = None
    if action == "join":
        called = scene(await services.tournaments.known(tournament_id), person).calls_to_board
    return with_guest(request, person, go(f"/match/{called}" if called else _back(tournament_id, form)))


def _back(tournament_id: str, form: dict[str, str]) -> str:
    """The page of a tournament, at the match whose result was entered if there is one."""
    number, _space, _winner = form.get("result", "").partition(" ")
    at_match = f"#m-{number}" if number_in(number, 0, MAX_NUMBER) is not None else ""
    return f"/tournament/{tournament_id}{at_match}"


def _kind(text: str) -> ActionKind:
    if text not in ACTION_KINDS:
        raise HTTPException(404)
    return cast(ActionKind, text)


def _said(form: dict[str, str]) -> TournamentAction:
    """What a form says about an action; FormatError."""
    number, _space, winner = form.get("result", "").partition(" ")
    decided = "result" in form
    if form.get("player") == "":
        raise FormatError("player: nobody is chosen; allowed: one of the players")
    return TournamentAction(
        sure="sure" in form,
        player=form.get("player", ""),
        given=form.get("given") == "1",
        game=_number(number) if decided else UNSET,
        winner=winner or None if decided else UNSET,
        score=_score(form.get("score", "")) if winner else None,
        level=form.get("level", ""),
        name=form.get("name", ""),
        rounds=_number(form.get("late", "0")),
        minutes=_number(form.get("round", "0")),
        reason=form.get("reason", "").strip()[:MAX_CANCEL_REASON],
    )


def _asking(request: Request, known: TournamentRecord, action: str, form: dict[str, str]) -> Response:
    """Asks whether something shall be done that changes much."""
    title, button, final = SURE[action]
    about = name_of(known, form["player"]) if "player" in form else form.get("reason", "").strip()[:MAX_CANCEL_REASON]
    score, hint = None, ""
    if action == "take-back":
        hint = _(
            "The match is open again: it is played anew, or its result is entered. "
            "Ratings stay as they are; if it is played here again, that counts, too."
        )
        number, _space, _none = form.get("result", "").partition(" ")
        about = next((match_text(known, one) for one in games(known.now) if str(one.number) == number), "")
    if action in ("decide", "correct"):
        about, score = _decision(known, form.get("result", ""))
        score = score if score is None else form.pop("score", "") or score
    name = known.now.plan.name
    return render(
        request,
        "sure.html",
        back=_back(known.id, form),
        title=_(title),
        button=_(button),
        name=name,
        about=about,
        final=final,
        form=form,
        score=score,
        hint=hint,
    )


def _decision(known: TournamentRecord, result: str) -> tuple[str, str | None]:
    """The result of a form in words, and the score that is offered for it; None where nobody wins."""
    number, _space, winner = result.partition(" ")
    game = next((one for one in games(known.now) if str(one.number) == number), None)
    if game is None:
        return "", None
    bout = {bout.game: bout for bout in known.bouts}.get(game.number)  # of several attempts the last
    score = offered_score(known, game, bout, winner) if winner else None
    first, second = (name_of(known, player or "") for player in game.players)
    outcome = _("%(player)s wins", player=name_of(known, winner)) if winner else _("both lose")
    both = _("%(first)s against %(second)s", first=first, second=second)
    return f"{both}: {outcome}", score


def _score(text: str) -> tuple[int, int] | None:
    """A score in a form, such as 5:3, with the points of the winner first; None for none. FormatError."""
    if not text.strip():
        return None
    found = re.fullmatch(r"\s*(\d{1,3})\s*\D\s*(\d{1,3})\s*", text, re.ASCII)
    if found is None:
        raise FormatError("score: %(found)r; allowed: such as 5:3", found=text[:20])
    first, second = map(int, found.groups())
    return max(first, second), min(first, second)


def _number(text: str) -> int:
    """A number in a form, such as that of a match; FormatError."""
    number = number_in(text, 0, MAX_NUMBER)
    if number is None:
        raise FormatError("result: a game and its winner are needed")
    return number


ROUTES: Final = (
    Route("/tournaments", tournaments_page),
    Route("/tournament/{tournament_id}", tournament_page),
    Route("/tournament/{tournament_id}/qr.svg", qr_code),
    Route("/tournament/{tournament_id}/{action}", act, methods=["POST"]),
    WebSocketRoute("/ws/tournament/{tournament_id}", tournament_socket),
)
"""The addresses of these pages."""
