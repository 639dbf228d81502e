"""The page on which the two players of a match agree on a time to play it or call it off, and the agreed time as a file for calendars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from sqlalchemy import Connection
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from barpoint.error import BarpointError
from barpoint.language import _, time
from barpoint.number_text import number_in
from barpoint.server.domain.appointments import (
    MAX_TIMES,
    Appointment,
    AppointmentRefused,
    CalendarEntry,
    CalendarMethod,
)
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.own_settings import zone_in
from barpoint.server.domain.titles import variant_title
from barpoint.server.live.appointments import APART, accept, call_off, propose, withdraw
from barpoint.server.services import Services, person_of, service_of
from barpoint.server.storage import appointments as appointment_storage
from barpoint.server.storage.accounts import set_zone
from barpoint.server.storage.lobby import kept_apart
from barpoint.server.web.connections import POLICY, same_origin
from barpoint.server.web.downloads import attachment
from barpoint.server.web.fragments import keep_fresh
from barpoint.server.web.rendering import part, render
from barpoint.server.web.requests import TOO_MUCH, address_here, as_sentence, fields_of, go, may_create
from barpoint.server.web.tournament_form import entered_time


async def _other_player(services: Services, match_id: str, viewer: Guest | None) -> Guest | None:
    """The other player of a match of the viewer; None for everybody else, and once it is over."""
    players = await services.store.read(appointment_storage.players_of, match_id) or ()
    if viewer is None or viewer.id not in {one.id for one in players}:
        return None
    return next(one for one in players if one.id != viewer.id)


async def _players(request: Request) -> tuple[Guest, Guest]:
    """The viewer and the other player of the match; 404 for everybody else, and once it is over."""
    viewer = await person_of(request)
    other = await _other_player(service_of(request), request.path_params["match_id"], viewer)
    if viewer is None or other is None:
        raise HTTPException(404)
    return viewer, other


async def _shown(services: Services, match_id: str, viewer: Guest, other: Guest) -> dict[str, object]:
    """What is proposed, agreed on or called off, for the template."""
    now = services.matches.clock()

    def work(connection: Connection) -> tuple[Appointment | None, bool]:
        one = appointment_storage.appointment_of(connection, match_id)
        return one, other.id in kept_apart(connection, viewer.id)

    found, apart = await services.store.read(work)
    return {
        "match_id": match_id,
        "other": other,
        "by": found.by if found else other,
        "own": found is not None and found.by.id == viewer.id,
        "agreed": found.agreed(now) if found else None,
        "called_off": found.called_off(now) if found else None,
        "cancels": bool(services.mailer.sender),  # who organizes what a calendar drops
        "offered": found.offered(now) if found and not apart else (),
        "apart": as_sentence(AppointmentRefused(APART)) if apart else "",
    }


async def time_page(
    request: Request, problem: str = "", status: int = 200, entered: Sequence[str] = (), zone: str = ""
) -> Response:
    """What is proposed or agreed on, and a form to propose times. entered, zone: of a proposal that was refused."""
    (viewer, other), services = await _players(request), service_of(request)
    match_id = request.path_params["match_id"]
    shown = await _shown(services, match_id, viewer, other)
    if shown["called_off"] and not shown["own"]:
        await services.store.write(appointment_storage.seen_off, match_id, viewer.id, services.matches.clock())
    return render(
        request,
        "appointment.html",
        status,
        problem=problem,
        title=variant_title((await services.matches.live_match(match_id)).header.rules),
        due=await services.store.read(appointment_storage.due_of, match_id),
        entered=[*entered, *[""] * MAX_TIMES][:MAX_TIMES],
        zone=zone,
        **shown,
    )


async def time_socket(websocket: WebSocket) -> None:
    """Sends what is proposed or agreed on after every change."""
    services, match_id = service_of(websocket), websocket.path_params["match_id"]
    viewer = await services.guest(websocket.cookies)
    other = await _other_player(services, match_id, viewer)
    if not same_origin(websocket) or viewer is None or other is None:
        await websocket.close(POLICY)
        return

    async def look() -> tuple[str, None]:
        return part("appointment_live.html", **await _shown(services, match_id, viewer, other)), None

    await keep_fresh(websocket, services, viewer, (), look)


async def propose_times(request: Request) -> Response:
    """Proposes the times of the form."""
    viewer, _other = await _players(request)
    fields, match_id = await fields_of(request), request.path_params["match_id"]
    zone, entered = dict(fields).get("zone", ""), [value for name, value in fields if name == "date" and value]
    if not may_create(request):
        return await time_page(request, TOO_MUCH, 429, entered, zone)
    try:
        times = [at for at in (entered_time(one, zone) for one in entered) if at is not None]
        await propose(service_of(request).matches, match_id, viewer, times)
    except BarpointError as error:
        return await time_page(request, as_sentence(error), 422, entered, zone)
    await _keep_zone(request, viewer, zone)
    return go(f"/match/{match_id}/time")


async def accept_time(request: Request) -> Response:
    """Accepts the time whose button was pressed."""
    viewer, _other = await _players(request)
    match_id, fields = request.path_params["match_id"], dict(await fields_of(request))
    try:
        await accept(service_of(request).matches, match_id, viewer, _time(fields))
    except AppointmentRefused as error:
        return await time_page(request, as_sentence(error), 409)
    await _keep_zone(request, viewer, fields.get("zone", ""))
    return go(f"/match/{match_id}/time")


async def withdraw_times(request: Request) -> Response:
    """Withdraws what the viewer has proposed."""
    viewer, _other = await _players(request)
    match_id = request.path_params["match_id"]
    try:
        await withdraw(service_of(request).matches, match_id, viewer)
    except AppointmentRefused as error:
        return await time_page(request, as_sentence(error), 409)
    return go(f"/match/{match_id}/time")


async def call_off_time(request: Request) -> Response:
    """Calls off the agreed time that the page showed, once they are sure."""
    (viewer, other), services = await _players(request), service_of(request)
    match_id, fields = request.path_params["match_id"], dict(await fields_of(request))
    back = f"/match/{match_id}/time"
    if "sure" not in fields:
        name = await _game_against(services, match_id, other)
        return render(
            request,
            "sure.html",
            back=back,
            title=_("Time to play"),
            button=_("Call it off"),
            name=name,
            about="",
            final=False,
            form=fields,
        )
    await call_off(services.matches, match_id, viewer, _time(fields))
    return go(back)


def _time(fields: Mapping[str, str]) -> int:
    """The time of a button, 0 for none."""
    return number_in(fields.get("at", ""), 0, 10**15) or 0


async def _keep_zone(request: Request, viewer: Guest, name: str) -> None:
    """Keeps the time zone of somebody who agrees on times, for mails that name one; without scripts it is not known."""
    if (zone := zone_in(name)) is not None:
        await service_of(request).store.write(set_zone, viewer.id, zone)


async def _game_against(services: Services, match_id: str, other: Guest) -> str:
    game = variant_title((await services.matches.live_match(match_id)).header.rules)
    return _("%(game)s against %(name)s", game=game, name=other.name)


async def calendar_file(request: Request) -> Response:
    """The agreed time as an entry of a calendar, or, once it was called off, what takes it out of one again, where mails are sent."""
    (_viewer, other), services = await _players(request), service_of(request)
    match_id, now = request.path_params["match_id"], services.matches.clock()
    found = await services.store.read(appointment_storage.appointment_of, match_id)
    agreed, off = (found.agreed(now), found.called_off(now)) if found else (None, None)
    organizer = services.mailer.sender
    at = agreed or (off if organizer else None)
    if at is None:
        raise HTTPException(404)
    summary, address = await _game_against(services, match_id, other), address_here(request, f"/match/{match_id}")
    method = CalendarMethod.PUBLISH if agreed else CalendarMethod.CANCEL
    entry = CalendarEntry(match_id, at, summary, address, organizer, method)
    return attachment(f"match-{match_id}.ics", "text/calendar; charset=utf-8", entry.text(now))


def times_shown(found: Sequence[Appointment], viewer: str) -> list[tuple[str, str, int, str]]:
    """Agreed times as lists show them: address, names, the time, and the same as text; the viewer's own lead to the page of the time."""
    return [
        (
            f"/match/{one.match_id}/time" if viewer in (one.by.id, one.other.id) else f"/match/{one.match_id}",
            one.opponent_of(viewer).name
            if viewer in (one.by.id, one.other.id)
            else _("%(first)s and %(second)s", first=one.by.name, second=one.other.name),
            one.agreed_at or 0,
            time(one.agreed_at or 0),
        )
        for one in found
    ]


ROUTES: Final = (
    Route("/match/{match_id}/time", time_page),
    Route("/match/{match_id}/time", propose_times, methods=["POST"]),
    Route("/match/{match_id}/time/accept", accept_time, methods=["POST"]),
    Route("/match/{match_id}/time/withdraw", withdraw_times, methods=["POST"]),
    Route("/match/{match_id}/time/call-off", call_off_time, methods=["POST"]),
    Route("/match/{match_id}/time.ics", calendar_file),
    WebSocketRoute("/ws/match/{match_id}/time", time_socket),
)
