"""The page of a tournament for a big screen, which a secret link opens without an account, and which matches it shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from barpoint.server.domain.tournament_events import Form
from barpoint.server.live.match_transactions import new_id
from barpoint.server.live.pubsub import tournament_named
from barpoint.server.live.tournaments import UnknownTournament
from barpoint.server.services import Services, person_of, service_of
from barpoint.server.storage import tournament_screens
from barpoint.server.web.connections import POLICY, same_origin
from barpoint.server.web.fragments import keep_fresh
from barpoint.server.web.rendering import part, render
from barpoint.server.web.requests import go
from barpoint.server.web.tournament_boxes import Column
from barpoint.server.web.tournament_view import TournamentScene, scene
from barpoint.server.web.tournaments import tournament_values


def rounds_shown(shown: TournamentScene) -> tuple[Column, ...]:
    """The rounds of which a big screen shows the matches, without empty places: those with one that is open, or else the last.

    In a league, whose matches are all open at once, those in progress; in an arena the latest results too.
    """
    form, listed = shown.known.now.plan.form, list[Column]()
    rounds = shown.turns if form.continuous else shown.turns[::-1]
    stays = not shown.parts  # the rounds of groups go once the knock-out is drawn
    for title, columns, kept in (("", rounds, stays), *((*one, True) for one in shown.parts)):
        for column in _played(columns, form, kept):
            known = tuple(box for box in column.boxes if not box.free and any(side.name != "…" for side in box.sides))
            free = (side.name for box in column.boxes if box.free and not box.blank for side in box.sides if side.name)
            called = f"{title}: {column.title}" if title and column.title != title else column.title
            listed.append(replace(column, title=called, boxes=known, byes=(*column.byes, *free)))
    return tuple(listed)


def _played(columns: Sequence[Column], form: Form, stays: bool) -> Sequence[Column]:
    """The rounds of one part that are being played. stays: where none is, the last that has been played is shown."""
    if form.continuous:
        return columns
    if form is Form.LEAGUE:
        playing = (replace(one, boxes=tuple(box for box in one.boxes if box.live)) for one in columns)
        return [one for one in playing if one.boxes]
    open_ones = [one for one in columns if any(box.open for box in one.boxes)]
    decided = [one for one in columns if any(side.won for box in one.boxes for side in box.sides)]
    return open_ones or (decided[-1:] if stays else [])


async def screen_page(request: Request) -> Response:
    """A tournament for a big screen that everybody sees: matches being played, and the standings."""
    tournament_id = request.path_params["tournament_id"]
    return await _screen(request, tournament_id, f"/ws/tournament/{tournament_id}/screen")


async def linked_page(request: Request) -> Response:
    """The same for whoever has the link, also where the tournament is for members of a club only."""
    secret = request.path_params["secret"]
    tournament_id = await service_of(request).store.read(tournament_screens.find_screen_link, secret)
    if tournament_id is None:
        raise HTTPException(404)
    return await _screen(request, tournament_id, f"/ws/screen/{secret}")


async def _screen(request: Request, tournament_id: str, live: str) -> Response:
    services = service_of(request)
    shown = scene(await services.tournaments.known(tournament_id), None)
    return render(request, "tournament_screen.html", live=live, **await _values(services, shown))


async def _values(services: Services, shown: TournamentScene) -> dict[str, Any]:
    return {"rounds_shown": rounds_shown(shown), **await tournament_values(services, shown, None)}


async def screen_socket(websocket: WebSocket) -> None:
    """Sends what the screen shows after every change; a link that is withdrawn leads to a page that says so."""
    services, secret = service_of(websocket), websocket.path_params.get("secret")
    tournament_id = websocket.path_params.get("tournament_id")
    if secret is not None:
        tournament_id = await services.store.read(tournament_screens.find_screen_link, secret)
    if tournament_id is None or not same_origin(websocket) or not await _exists(services, tournament_id):
        await websocket.close(POLICY)
        return

    async def look() -> tuple[str, str | None]:
        if secret is not None and await services.store.read(tournament_screens.find_screen_link, secret) is None:
            return "", f"/screen/{secret}"
        shown = scene(await services.tournaments.known(tournament_id), None)
        return part("tournament_screen_live.html", **await _values(services, shown)), None

    person = await services.guest(websocket.cookies)
    await keep_fresh(websocket, services, person, (tournament_named(tournament_id),), look)


async def _exists(services: Services, tournament_id: str) -> bool:
    try:
        await services.tournaments.known(tournament_id)
    except UnknownTournament:
        return False
    return True


async def make_link(request: Request) -> Response:
    """Makes a new secret link of the big screen, for a director; an earlier one stops working."""
    return await _set_link(request, new_id())


async def withdraw_link(request: Request) -> Response:
    """Withdraws the secret link of the big screen, for a director."""
    return await _set_link(request, None)


async def _set_link(request: Request, secret: str | None) -> Response:
    services, person = service_of(request), await person_of(request)
    known = await services.tournaments.known(request.path_params["tournament_id"])
    if person is None or not known.directed_by(person):
        raise HTTPException(403)
    await services.store.write(tournament_screens.set_screen_link, known.id, secret)
    services.pubsub.publish(tournament_named(known.id))
    return go(f"/tournament/{known.id}#links")


ROUTES: Final = (
    Route("/tournament/{tournament_id}/screen", screen_page),
    Route("/tournament/{tournament_id}/screen/link", make_link, methods=["POST"]),
    Route("/tournament/{tournament_id}/screen/withdraw", withdraw_link, methods=["POST"]),
    Route("/screen/{secret}", linked_page),
    WebSocketRoute("/ws/tournament/{tournament_id}/screen", screen_socket),
    WebSocketRoute("/ws/screen/{secret}", screen_socket),
)
"""The addresses of these pages."""
