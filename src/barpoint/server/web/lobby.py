"""Pages of the lobby, of matches to watch and of one's own matches, updated by WebSocket."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import Connection
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from barpoint.error import FormatError, UnknownVariant, VariantsClash
from barpoint.language import date, listed
from barpoint.server.domain.agreement_form import describe_agreement, read_agreement
from barpoint.server.domain.agreements import clock_choices
from barpoint.server.domain.chouettes import OwnChouette
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.limits import MAX_POINTS
from barpoint.server.domain.time_control import FAST, NORMAL
from barpoint.server.domain.titles import variant_title
from barpoint.server.live.direct_challenges import DirectChallengeGone, answer, direct_challenges_of
from barpoint.server.live.lobby import PLAIN, STAGES_SHOWN, TOURNAMENTS_SHOWN, ChallengeGone, Scene
from barpoint.server.live.pubsub import LOBBY
from barpoint.server.protocol.chouette_view import listed_chouettes
from barpoint.server.services import Services, person_of, service_of
from barpoint.server.storage import chouettes as chouette_storage
from barpoint.server.storage import clubs as club_storage
from barpoint.server.storage import lobby as lobby_storage
from barpoint.server.storage import own_notes as note_storage
from barpoint.server.storage import players as player_storage
from barpoint.server.storage import tournament_lists
from barpoint.server.storage.access_tokens import DirectChallenge
from barpoint.server.storage.event_log import Conflict
from barpoint.server.storage.lobby import Challenge, ListedMatch
from barpoint.server.storage.results import RatingStanding
from barpoint.server.storage.tournament_lists import CALLED_MS, AwaitedMatch, ListedTournament
from barpoint.server.study.statistics import match_ratings
from barpoint.server.web.connections import POLICY, same_origin
from barpoint.server.web.fragments import keep_fresh
from barpoint.server.web.last_choice import challenge_choice_of, keep_challenge
from barpoint.server.web.match_summary import MatchSummary, match_summary
from barpoint.server.web.rendering import part, render
from barpoint.server.web.requests import (
    TOO_MUCH,
    as_sentence,
    back_from,
    fields_of,
    form_of,
    go,
    may_create,
    page_in,
    with_guest,
)
from barpoint.server.web.tournament_form import ticket
from barpoint.server.web.variants import games_listed, name_from

PARTS: Final = {"lobby": "lobby_live.html", "watch": "watch_live.html"}
PRESETS: Final = ((1, FAST.name), (3, NORMAL.name), (5, NORMAL.name), (7, NORMAL.name))
"""Lengths and clocks that are looked for with one press."""

OWN_SHOWN: Final = 8
FINISHED_A_PAGE: Final = 30
CHOUETTES_SHOWN: Final = 30


def rating_text(standing: RatingStanding | None) -> str:
    """A rating as shown beside a name: "1512", with a question mark while it is provisional; "" for none."""
    return f"{standing.rating.value:.0f}{'?' if standing.glicko.provisional else ''}" if standing else ""


def _offered(challenge: Challenge, viewer: Guest | None, standing: RatingStanding | None) -> dict[str, object]:
    own = viewer is not None and challenge.by.id == viewer.id
    return {
        "id": challenge.id,
        "by": challenge.by,
        "rating": rating_text(standing),
        "quick": challenge.quick,
        "title": variant_title(challenge.agreement.rules),
        "terms": describe_agreement(challenge.agreement),
        "own": own,
        "barred": not own and challenge.agreement.needs_account and not (viewer and viewer.registered),
    }


async def _invited(services: Services, one: DirectChallenge) -> dict[str, object]:
    header = (await services.matches.live_match(one.match_id)).header
    return {
        "id": one.match_id,
        "by": one.guest,
        "title": variant_title(header.rules),
        "terms": describe_agreement(header.agreement),
    }


@dataclass(frozen=True, slots=True)
class OwnLobby:
    """What the lobby holds for one person. apart: who does not meet them. friends: those on line. tournaments: also those
    that only members of their clubs see.
    """

    apart: frozenset[str]
    unfinished: Sequence[ListedMatch]
    challenges: Sequence[Challenge]
    calls: Sequence[AwaitedMatch]
    friends: Sequence[Guest]
    tournaments: Sequence[ListedTournament]


_NOBODY: Final = OwnLobby(frozenset(), (), (), (), (), ())


def _found(connection: Connection, viewer: Guest, since: int, until: int) -> OwnLobby:
    """since: who was seen after it is on line. until: tournament matches due before it are called."""
    friends = player_storage.friends_of(connection, viewer.id)
    here = player_storage.present_among(connection, [one.id for one in friends], since)
    return OwnLobby(
        lobby_storage.kept_apart(connection, viewer.id),
        lobby_storage.matches_unfinished(connection, viewer.id, OWN_SHOWN),
        lobby_storage.challenges_of(connection, viewer.id),
        tournament_lists.calls(connection, viewer.id, until),
        [one for one in friends if one.id in here],
        tournament_lists.listed(connection, STAGES_SHOWN, TOURNAMENTS_SHOWN, viewer=viewer.id),
    )


async def _shown(services: Services, viewer: Guest | None, wanted: str) -> dict[str, Any]:
    """The template values of a part of a page for a viewer."""
    scene: Scene = await services.lobby.scene()
    running = [_watched(going, scene) for going in scene.running]
    if wanted == "watch":
        return {
            "running": [
                replace(one, picture=f"/match/{one.id}/board.svg?at={going.at}")
                for one, going in zip(running, scene.running, strict=True)
            ]
        }

    found, now = _NOBODY, services.matches.clock()
    if viewer is not None:
        found = await services.store.read(_found, viewer, services.presence.since, now + CALLED_MS)
    own, here = found.challenges, {one.id for one in found.friends}
    got = (
        [one for one in await direct_challenges_of(services.matches, viewer) if one.other.id == viewer.id]
        if viewer
        else []
    )
    mine = [one for one in own if one.match_id is None]
    others = [
        one for one in scene.challenges if one.by.id not in found.apart and not (viewer and one.by.id == viewer.id)
    ]
    others.sort(key=lambda one: one.by.id not in here)
    chouettes = await services.chouettes.listed()
    return {
        "challenges": [
            _offered(one, viewer, scene.standings.get((one.by.id, one.agreement.rules.name)))
            | {"friend": one.by.id in here}
            for one in (*mine, *others)
        ],
        "friends": [(one, rating_text(scene.standings.get((one.id, PLAIN)))) for one in found.friends],
        "people": [
            (one, rating_text(scene.standings.get((one.id, PLAIN)))) for one in scene.people if one.id not in here
        ],
        "invitations": [await _invited(services, one) for one in got],
        "running": running[:5],
        "saved": [match_summary(going, viewer.id, now=now) for going in found.unfinished] if viewer else [],
        "chouettes": listed_chouettes(chouettes, viewer, await services.chouettes.waiting_for(viewer, chouettes)),
        "viewer": viewer,
        "calls": found.calls,
        "tournaments": [ticket(one) for one in (found.tournaments if viewer else scene.tournaments)],
        "taken": {one.id: one.match_id for one in own if one.match_id},
        "waiting": {one.id for one in mine},
    }


def _watched(going: ListedMatch, scene: Scene) -> MatchSummary:
    pool = going.agreement.rules.name
    first, second = (rating_text(scene.standings.get((guest or "", pool))) for guest in going.guests)
    return replace(match_summary(going), standings=(first, second))


async def lobby_page(request: Request, problem: str = "", status: int = 200) -> Response:
    """Challenges, people on line, matches to watch."""
    services, person = service_of(request), await person_of(request)
    if person is not None:
        services.presence.seen(person.id)
    shown = await _shown(services, person, "lobby")
    return render(
        request,
        "lobby.html",
        status,
        problem=problem,
        games=games_listed(),
        lengths=range(1, MAX_POINTS + 1),
        time_controls=clock_choices(),
        choice=challenge_choice_of(request),
        presets=PRESETS,
        bots=services.opponents.levels,
        clubs=await services.store.read(club_storage.clubs_of, person.id) if person is not None else [],
        **shown,
    )


async def watch_page(request: Request) -> Response:
    """Matches in progress."""
    return render(request, "watch.html", **await _shown(service_of(request), await person_of(request), "watch"))


async def own_matches(request: Request) -> Response:
    """One's own matches: unfinished ones, those to act in first, and finished ones."""
    services, person, page = service_of(request), await person_of(request), page_in(request.query_params)
    if person is None:
        return render(request, "matches.html", saved=[], finished=[], chouettes=[], page=1, more=False, starred=None)

    def work(connection: Connection) -> tuple[list[ListedMatch], list[ListedMatch], list[OwnChouette]]:
        offset = (page - 1) * FINISHED_A_PAGE
        return (
            lobby_storage.matches_unfinished(connection, person.id, 200),
            lobby_storage.matches_finished(connection, person.id, FINISHED_A_PAGE + 1, offset),
            chouette_storage.chouettes_of(connection, person.id, CHOUETTES_SHOWN) if page == 1 else [],
        )

    unfinished, finished, chouettes = await services.store.read(work)
    starred = await services.store.read(note_storage.starred, person.id) if person.registered else None
    rated = await match_ratings(services.store, [one.id for one in finished])
    return render(
        request,
        "matches.html",
        saved=[match_summary(going, person.id, now=services.matches.clock()) for going in unfinished],
        finished=[match_summary(going, person.id, rated) for going in finished[:FINISHED_A_PAGE]],
        chouettes=[
            (one, variant_title(one.rules), listed([other.shown_name for other in one.others]), date(one.at))
            for one in chouettes
        ],
        page=page,
        more=len(finished) > FINISHED_A_PAGE,
        starred=starred,
        back=f"/matches?page={page}",
    )


async def next_board(request: Request) -> Response:
    """How many boards wait for the person besides that of a match, and the path of the one with the least time left, as JSON."""
    services, person = service_of(request), await person_of(request)
    but = request.query_params.get("but", "")
    first = await services.store.read(lobby_storage.next_board, person.id, but) if person else None
    if person is None or first is None:
        return JSONResponse({"count": 0, "path": ""})
    waiting = await services.store.read(lobby_storage.boards_waiting, person.id, but)
    return JSONResponse({"count": waiting, "path": f"/match/{first}"})


async def pair(request: Request) -> Response:
    """Pairs the user with somebody who waits for the same, or adds them to the lobby."""
    services = service_of(request)
    if not may_create(request):
        return await lobby_page(request, TOO_MUCH, 429)
    fields = _with_preset(await fields_of(request))
    person = await person_of(request)
    try:
        form = {**dict(fields), "variant": name_from(fields), "crawford": "1"}
        agreement = read_agreement(form, registered=person is not None and person.registered)
        person = person or await services.accounts.new_guest()
        match_id = await services.lobby.pair(person, agreement)
    except (FormatError, UnknownVariant, VariantsClash, Conflict) as error:
        return await lobby_page(request, error.translated(), 422)
    response = with_guest(request, person, go(f"/match/{match_id}" if match_id else "/lobby"))
    keep_challenge(request, response, fields, person)
    return response


def _with_preset(fields: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The fields of the form, with length and clock of the preset that was pressed, if one was."""
    pressed = dict(fields).get("preset", "")
    if pressed not in [str(number) for number in range(len(PRESETS))]:
        return fields
    points, clock = PRESETS[int(pressed)]
    kept = [(name, value) for name, value in fields if name not in ("length", "time_control", "preset")]
    return [*kept, ("length", str(points)), ("time_control", clock)]


async def pair_again(request: Request) -> Response:
    """Pairs a player of a match that was found in the lobby with somebody else on the same terms, or adds them to the lobby."""
    services, person = service_of(request), await person_of(request)
    header = (await services.matches.live_match(request.path_params["match_id"])).header
    if person is None or header.seat_of(person.id) is None:
        raise HTTPException(403)
    if not may_create(request):
        return await lobby_page(request, TOO_MUCH, 429)
    try:
        match_id = await services.lobby.pair(person, header.agreement)
    except (FormatError, Conflict) as error:
        return await lobby_page(request, error.translated(), 422)
    return go(f"/match/{match_id}" if match_id else "/lobby")


async def accept(request: Request) -> Response:
    """Accepts a challenge and redirects to the match."""
    services = service_of(request)
    if not may_create(request):
        return await lobby_page(request, TOO_MUCH, 429)
    person = await person_of(request) or await services.accounts.new_guest()
    try:
        match_id = await services.lobby.accept(request.path_params["challenge_id"], person)
    except ChallengeGone as error:
        return await lobby_page(request, as_sentence(error), 409)
    return with_guest(request, person, go(f"/match/{match_id}"))


async def answer_invitation(request: Request) -> Response:
    """Accepts or declines a direct challenge."""
    services, person, form = service_of(request), await person_of(request), await form_of(request)
    match_id, answered = request.path_params["match_id"], request.path_params["answer"]
    if person is None or answered not in ("accept", "decline"):
        raise HTTPException(404)
    try:
        await answer(services.matches, person, match_id, answered)
    except (DirectChallengeGone, Conflict) as error:
        return await lobby_page(request, as_sentence(error), 409)
    return go(f"/match/{match_id}" if answered == "accept" else back_from(form.get("back", ""), "/lobby"))


async def withdraw(request: Request) -> Response:
    """Withdraws one's own challenge."""
    person = await person_of(request)
    if person is None:
        raise HTTPException(403)
    await service_of(request).lobby.withdraw(request.path_params["challenge_id"], person)
    return go("/lobby")


async def lobby_socket(websocket: WebSocket) -> None:
    """Sends a part of a page after every change, and the match to go to when somebody accepts one's challenge."""
    wanted = websocket.query_params.get("part", "lobby")
    if not same_origin(websocket) or wanted not in PARTS:
        await websocket.close(POLICY)
        return
    services = service_of(websocket)
    person = await services.guest(websocket.cookies)
    waiting = set[str]()

    async def look() -> tuple[str, str | None]:
        nonlocal waiting
        shown = await _shown(services, person, wanted)
        taken = [one for one in shown.get("taken", {}) if one in waiting]
        waiting = shown.get("waiting", set())
        return part(PARTS[wanted], **shown), f"/match/{shown['taken'][taken[0]]}" if taken else None

    await keep_fresh(websocket, services, person, (LOBBY,), look)


ROUTES: Final = (
    Route("/lobby", lobby_page),
    Route("/lobby/pair", pair, methods=["POST"]),
    Route("/match/{match_id}/again", pair_again, methods=["POST"]),
    Route("/lobby/{challenge_id}/accept", accept, methods=["POST"]),
    Route("/lobby/invitation/{match_id}/{answer}", answer_invitation, methods=["POST"]),
    Route("/lobby/{challenge_id}/withdraw", withdraw, methods=["POST"]),
    Route("/watch", watch_page),
    Route("/matches", own_matches),
    Route("/matches/next", next_board),
    WebSocketRoute("/ws/lobby", lobby_socket),
)
