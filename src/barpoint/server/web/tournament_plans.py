"""The forms that announce a tournament, and that change its plan before the start."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta, tzinfo
from typing import Final
from urllib.parse import quote

from msgspec import structs
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.error import FormatError, UnknownVariant, VariantsClash
from barpoint.language import _
from barpoint.server.domain.clubs import Club, ClubRefused, EventKind
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.own_settings import zone_in, zone_of
from barpoint.server.domain.time_control import DAY
from barpoint.server.domain.tournament_events import TournamentError, TournamentStage
from barpoint.server.domain.tournament_plans import MAX_PLAYERS
from barpoint.server.live.tournament_direction import NotDirector
from barpoint.server.services import person_of, service_of
from barpoint.server.storage.accounts import set_zone
from barpoint.server.storage.event_log import Conflict
from barpoint.server.storage.tournaments import TournamentRecord
from barpoint.server.web.rendering import render
from barpoint.server.web.requests import as_sentence, form_of, go, may_create
from barpoint.server.web.tournament_choices import choices
from barpoint.server.web.tournament_form import AGREED_FIELDS, NEW, plan_fields, read_plan, with_agreed

WEEK: Final = 7 * DAY

REFUSED: Final = (FormatError, UnknownVariant, VariantsClash, Conflict, TournamentError, ClubRefused)


async def new_page(
    request: Request, problem: str = "", status: int = 200, fields: Mapping[str, str] | None = None
) -> Response:
    """The form that announces a tournament. fields: as it was sent, if that was refused.

    ?like=: a tournament that the viewer directs, whose plan it shows at first.
    """
    club = await _club_of(request, request.query_params.get("club", ""))
    private = {"private": "1"} if club is not None else {}
    shown = fields or await _as_before(request) or {**plan_fields(NEW), "patience": "", **private}
    return render(
        request,
        "tournament_new.html",
        status,
        problem=problem,
        club=club,
        back=_address(club),
        fields=shown,
        choices=choices(shown),
        max_players=MAX_PLAYERS,
        fixed=frozenset(),
    )


async def _as_before(request: Request) -> dict[str, str] | None:
    """The fields of a tournament that is announced again, as many weeks later as bring it into the future.

    It begins at the same time of day where its director is, also after a change to summer time or back.
    """
    if not (tournament_id := request.query_params.get("like", "")):
        return None
    services, person = service_of(request), await person_of(request)
    known = await services.tournaments.known(tournament_id)
    if person is None or not known.directed_by(person):
        raise HTTPException(404)
    plan, now = known.now.plan, services.matches.clock()
    if plan.starts_at is not None:
        zone = zone_of(request.state.own_settings)
        plan = structs.replace(plan, starts_at=weeks_later(plan.starts_at, now, zone))
    return plan_fields(plan) | ({"private": "1"} if known.club is not None and known.club.private else {})


def weeks_later(starts_at: int, now: int, zone: tzinfo) -> int:
    """The first time in the future that is one week or more after another, on the same day at the same hour in a zone; ms since 1970."""
    begins = datetime.fromtimestamp(starts_at / 1000, zone)
    weeks = max(1, (now - starts_at) // WEEK)
    while (later := int((begins + timedelta(weeks=weeks)).timestamp() * 1000)) <= now:
        weeks += 1
    return later


async def _keep_zone(request: Request, person: Guest, name: str) -> None:
    """Keeps the time zone of a director, in which their tournament is announced again; without scripts the form says UTC."""
    if name != "UTC" and (zone := zone_in(name)) is not None:
        await service_of(request).store.write(set_zone, person.id, zone)


def _address(club: Club | None) -> str:
    """The page of the form."""
    return f"/tournaments/new?club={club.id}" if club is not None else "/tournaments/new"


async def _club_of(request: Request, club_id: str) -> Club | None:
    """The club that a tournament is announced for; None if it is for everybody."""
    return (await service_of(request).clubs.known(club_id)).club if club_id else None


async def announce(request: Request) -> Response:
    """Creates the tournament of a form and redirects to it."""
    services = service_of(request)
    form = await form_of(request)
    if not may_create(request):
        return await new_page(request, _("Too many tournaments at once; try again in a minute."), 429, form)
    person = await person_of(request)
    if person is None or not person.registered:
        return go(f"/login?back={quote(_address(await _club_of(request, request.query_params.get('club', ''))))}")
    try:
        plan = read_plan(form, services.matches.clock())
        also = None
        if club := await _club_of(request, request.query_params.get("club", "")):
            also = await services.clubs.event(club.id, person, EventKind.TOURNAMENT, "private" in form)
        tournament_id = await services.tournaments.announce(person, plan, also)
    except REFUSED as error:
        return await new_page(request, error.translated(), 422, form)
    await _keep_zone(request, person, form.get("zone", ""))
    return go(f"/tournament/{tournament_id}")


async def plan_page(request: Request) -> Response:
    """The form that changes the plan of a tournament before its start, for its director."""
    known = await _directed(request)
    return _plan_page(request, known, plan_fields(known.now.plan))


def _plan_page(
    request: Request, known: TournamentRecord, fields: Mapping[str, str], problem: str = "", status: int = 200
) -> Response:
    return render(
        request,
        "tournament_plan.html",
        status,
        problem=problem,
        club=None,
        id=known.id,
        plan=known.now.plan,
        fields=fields,
        choices=choices(fields),
        max_players=MAX_PLAYERS,
        fixed=AGREED_FIELDS if known.now.entrants else frozenset(),
    )


async def _directed(request: Request) -> TournamentRecord:
    """A tournament that has not begun and that the sender directs; 404 for others."""
    known = await service_of(request).tournaments.known(request.path_params["tournament_id"])
    person = await person_of(request)
    if person is None or not known.directed_by(person) or known.now.stage is not TournamentStage.OPEN:
        raise HTTPException(404)
    return known


async def change(request: Request) -> Response:
    """Changes the plan of a tournament to that of a form."""
    services, known, form = service_of(request), await _directed(request), await form_of(request)
    person = await person_of(request)
    assert person is not None
    sent = with_agreed(form, known.now.plan) if known.now.entrants else form
    try:
        await services.tournaments.change(known.id, person, read_plan(sent, services.matches.clock()))
    except (*REFUSED, NotDirector) as error:
        return _plan_page(request, known, sent, as_sentence(error), 422)
    await _keep_zone(request, person, form.get("zone", ""))
    return go(f"/tournament/{known.id}")


ROUTES: Final = (
    Route("/tournaments/new", new_page),
    Route("/tournaments/new", announce, methods=["POST"]),
    Route("/tournament/{tournament_id}/plan", plan_page),
    Route("/tournament/{tournament_id}/plan", change, methods=["POST"]),
)
"""The addresses of these pages."""
