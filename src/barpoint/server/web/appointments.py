"""The page on which the two players of a match agree on a time to play it, and the agreed time as a file for calendars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.error import BarpointError
from barpoint.language import _, time
from barpoint.server.domain.appointments import MAX_TIMES, Appointment, AppointmentRefused, calendar_entry
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.titles import variant_title
from barpoint.server.live.appointments import accept, propose
from barpoint.server.services import person_of, service_of
from barpoint.server.storage import appointments as appointment_storage
from barpoint.server.web.downloads import attachment
from barpoint.server.web.rendering import render
from barpoint.server.web.requests import TOO_MUCH, address_here, as_sentence, fields_of, go, may_create
from barpoint.server.web.tournament_form import entered_time


async def _players(request: Request) -> tuple[Guest, Guest]:
    """The viewer and the other player of the match; 404 for everybody else, and once it is over."""
    match_id, viewer = request.path_params["match_id"], await person_of(request)
    players = await service_of(request).store.read(appointment_storage.players_of, match_id) or ()
    other = next((one for one in players if viewer is not None and one.id != viewer.id), None)
    if viewer is None or other is None or viewer.id not in {one.id for one in players}:
        raise HTTPException(404)
    return viewer, other


async def time_page(
    request: Request, problem: str = "", status: int = 200, entered: Sequence[str] = (), zone: str = "UTC"
) -> Response:
    """What is proposed or agreed on, and a form to propose times. entered, zone: of a proposal that was refused."""
    (viewer, other), services = await _players(request), service_of(request)
    match_id, now = request.path_params["match_id"], services.matches.clock()
    found = await services.store.read(appointment_storage.appointment_of, match_id)
    due = await services.store.read(appointment_storage.due_of, match_id)
    return render(
        request,
        "appointment.html",
        status,
        problem=problem,
        match_id=match_id,
        title=variant_title((await services.matches.live_match(match_id)).header.rules),
        other=other,
        agreed=found.agreed(now) if found else None,
        offered=found.offered(now) if found else (),
        own=found is not None and found.by.id == viewer.id,
        due=due,
        entered=[*entered, *[""] * MAX_TIMES][:MAX_TIMES],
        zone=zone,
    )


async def propose_times(request: Request) -> Response:
    """Proposes the times of the form."""
    viewer, _other = await _players(request)
    fields, match_id = await fields_of(request), request.path_params["match_id"]
    zone, entered = dict(fields).get("zone", "UTC"), [value for name, value in fields if name == "date" and value]
    if not may_create(request):
        return await time_page(request, TOO_MUCH, 429, entered, zone)
    try:
        times = [at for at in (entered_time(one, zone) for one in entered) if at is not None]
        await propose(service_of(request).matches, match_id, viewer, times)
    except BarpointError as error:
        return await time_page(request, as_sentence(error), 422, entered, zone)
    return go(f"/match/{match_id}/time")


async def accept_time(request: Request) -> Response:
    """Accepts the time whose button was pressed."""
    viewer, _other = await _players(request)
    match_id, said = request.path_params["match_id"], dict(await fields_of(request)).get("at", "")
    at = int(said) if said.isascii() and said.isdigit() and len(said) < 16 else 0
    try:
        await accept(service_of(request).matches, match_id, viewer, at)
    except AppointmentRefused as error:
        return await time_page(request, as_sentence(error), 409)
    return go(f"/match/{match_id}/time")


async def calendar_file(request: Request) -> Response:
    """The agreed time as an entry of a calendar."""
    (_viewer, other), services = await _players(request), service_of(request)
    match_id, now = request.path_params["match_id"], services.matches.clock()
    found = await services.store.read(appointment_storage.appointment_of, match_id)
    if found is None or found.agreed(now) is None:
        raise HTTPException(404)
    game = variant_title((await services.matches.live_match(match_id)).header.rules)
    summary = _("%(game)s against %(name)s", game=game, name=other.name)
    entry = calendar_entry(found, summary, address_here(request, f"/match/{match_id}"), now)
    return attachment(f"match-{match_id}.ics", "text/calendar; charset=utf-8", entry)


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
    Route("/match/{match_id}/time.ics", calendar_file),
)
