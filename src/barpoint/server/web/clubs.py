"""Pages of clubs: the list, founding one, the club itself with its notices, events and season table, and its invitation link."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Connection
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.error import FormatError, UnknownVariant, VariantsClash
from barpoint.language import N_, _, date
from barpoint.number_text import number_in
from barpoint.server.domain.agreement_form import read_agreement
from barpoint.server.domain.agreements import clock_choices
from barpoint.server.domain.appointments import Appointment
from barpoint.server.domain.clubs import (
    Admission,
    ClubNotice,
    ClubRecord,
    ClubRefused,
    ClubRole,
    EventKind,
    Season,
    SeasonLine,
    season_table,
)
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.ladders import LadderPlan
from barpoint.server.domain.limits import MAX_POINTS, MAX_SEASON_NAME
from barpoint.server.domain.matches import open_seat
from barpoint.server.domain.tournament_events import TournamentStage
from barpoint.server.domain.vacations import year_of
from barpoint.server.live.clubs import read_club
from barpoint.server.live.matches import seat_for
from barpoint.server.protocol.chouette_view import listed_chouettes
from barpoint.server.services import Services, person_of, service_of
from barpoint.server.storage import club_notices as notice_storage
from barpoint.server.storage import clubs as club_storage
from barpoint.server.storage import ladders as ladder_storage
from barpoint.server.storage import lobby as lobby_storage
from barpoint.server.storage import matches as match_storage
from barpoint.server.storage import tournament_lists
from barpoint.server.storage.appointments import agreed_in_club
from barpoint.server.storage.event_log import Conflict
from barpoint.server.storage.lobby import ListedMatch
from barpoint.server.web.appointments import times_shown
from barpoint.server.web.link_preview import preview_of_text
from barpoint.server.web.match_summary import match_summary
from barpoint.server.web.rendering import qr_picture, render
from barpoint.server.web.requests import TOO_MUCH, address_here, as_sentence, fields_of, form_of, go, may_create
from barpoint.server.web.tournament_form import ticket
from barpoint.server.web.variants import games_listed, name_from

LISTED: Final = 100
NOTICES_SHOWN: Final = 3
"""Notices that a club's page shows unfolded."""

EVENTS_LISTED: Final = 20

ROLES: Final = {ClubRole.OWNER: N_("owner"), ClubRole.DIRECTOR: N_("director"), ClubRole.MEMBER: N_("member")}
WAYS: Final = {
    Admission.OPEN: N_("Anybody with an account joins"),
    Admission.REQUEST: N_("Who asks is admitted by a director"),
    Admission.INVITATION: N_("Only by the club’s link"),
}


SURE: Final = {
    "leave": (N_("Leave the club?"), N_("Leave the club"), False),
    "season": (N_("End this season and begin a new one?"), N_("Begin it"), True),
    "link": (N_("Make a new link? The old one stops working."), N_("Make a new link"), True),
    "role": (N_("Remove the member?"), N_("Remove the member"), False),
    "keep-out": (N_("Remove the member and keep them out?"), N_("Remove and keep out"), False),
    "unpost": (N_("Remove the notice?"), N_("Remove the notice"), True),
    "close": (N_("Close the club?"), N_("Close it for good"), True),
}
"""Actions that are asked about first: question, button, and whether they cannot be undone."""


async def clubs_page(request: Request) -> Response:
    """The clubs, one's own first."""
    person = await person_of(request)
    found = await service_of(request).store.read(
        club_storage.clubs_listed, person.id if person is not None else None, LISTED
    )
    return render(request, "clubs.html", clubs=found, roles=ROLES, ways=WAYS)


async def new_page(request: Request, problem: str = "", status: int = 200) -> Response:
    """The form that founds a club; its first season is called by the year unless somebody says otherwise."""
    year = year_of(service_of(request).matches.clock())
    return render(request, "club_new.html", status, problem=problem, club=None, ways=WAYS, year=year)


async def found(request: Request) -> Response:
    """Founds a club and leads to it."""
    if not may_create(request):
        return await new_page(request, TOO_MUCH, 429)
    person, form = await person_of(request), await form_of(request)
    if person is None or not person.registered:
        return go("/login?back=/clubs/new")
    try:
        plan = read_club(form)
        club_id = await service_of(request).clubs.found(person, plan, form.get("season", ""))
    except ClubRefused as error:
        return await new_page(request, as_sentence(error), 422)
    return go(f"/clubs/{club_id}")


async def club_page(request: Request, problem: str = "", status: int = 200, written: str = "") -> Response:
    """A club: its text, notices, season table, events and members; the invitation and the desk for who may use them.

    written: a notice that was refused, to be written anew.
    """
    services, viewer = service_of(request), await person_of(request)
    known = await services.clubs.known(request.path_params["club_id"])
    season = chosen_season(known, request.query_params.get("season", ""))
    values = await _values(services, known, viewer, season)
    link = address_here(request, f"/clubs/invitation/{known.club.invitation}")
    address = address_here(request, f"/clubs/{known.club.id}")
    values |= {"preview": preview_of_text(request, known.club.name, _about(known)), "link": link, "address": address}
    return render(request, "club.html", status, problem=problem, written=written, **values)


def _about(known: ClubRecord) -> str:
    """What a club says of itself, or else how one joins it."""
    return known.club.text or f"{_(WAYS[known.club.joining])}."


def chosen_season(known: ClubRecord, number: str) -> Season:
    """The season with a number, or the present one."""
    return next((one for one in known.seasons if str(one.number) == number), known.seasons[0])


async def _values(services: Services, known: ClubRecord, viewer: Guest | None, season: Season) -> dict[str, Any]:
    club_id, belongs, now = known.club.id, known.belongs(viewer), services.matches.clock()
    stages = (TournamentStage.OPEN, TournamentStage.RUNNING, TournamentStage.OVER)

    def work(
        connection: Connection,
    ) -> tuple[
        tuple[SeasonLine, ...],
        list[dict[str, object]],
        list[ListedMatch],
        list[tuple[str, LadderPlan, int]],
        list[ClubNotice],
        list[Appointment],
    ]:
        found = tournament_lists.listed(connection, stages, EVENTS_LISTED, public=not belongs, club=club_id)
        won = tournament_lists.winners_of(connection, [one for one in found if one.stage is TournamentStage.OVER])
        return (
            season_table(club_storage.season_counts(connection, club_id, season)),
            [ticket(one, won.get(one.id, ())) for one in found],
            lobby_storage.matches_in_club(connection, club_id, EVENTS_LISTED) if belongs else [],
            ladder_storage.ladders_of(connection, club_id),
            notice_storage.notices_of(connection, club_id) if known.reads_notices(viewer) else [],
            agreed_in_club(connection, club_id, viewer.id, now) if belongs and viewer is not None else [],
        )

    table, tournaments, matches, ladders, notices, appointments = await services.store.read(work)
    chouettes = await services.chouettes.listed(club_id) if belongs else []
    return {
        "club": known.club,
        "known": known,
        "viewer": viewer,
        "role": known.role_of(viewer),
        "belongs": belongs,
        "directs": known.directs(viewer),
        "owns": known.owns(viewer),
        "founded": date(known.club.created_at),
        "season": season,
        "begun": date(season.begun_at),
        "ended": date(season.ended_at) if season.ended_at is not None else "",
        "table": table,
        "tournaments": tournaments,
        "matches": [match_summary(one, viewer.id if viewer is not None else None) for one in matches],
        "chouettes": listed_chouettes(chouettes, viewer, await services.chouettes.waiting_for(viewer, chouettes)),
        "ladders": ladders,
        "appointments": times_shown(appointments, viewer.id if viewer is not None else ""),
        "notices": [(one, date(one.at)) for one in notices],
        "unfolded": NOTICES_SHOWN,
        "closed_notices": not known.reads_notices(None),
        "roles": ROLES,
        "ways": WAYS,
        "games": games_listed(),
        "lengths": range(1, MAX_POINTS + 1),
        "time_controls": clock_choices(),
    }


async def act(request: Request) -> Response:
    """Executes an action of a member, a director or an owner; the last part of the path names it."""
    services, club_id = service_of(request), request.path_params["club_id"]
    known = await services.clubs.known(club_id)
    person, fields = await person_of(request), await fields_of(request)
    action = request.path_params["action"]
    if person is None or not person.registered:
        return go(f"/login?back=/clubs/{club_id}")
    written = dict(fields).get("text", "") if action == "post" else ""
    slow = action == "post" and not services.allowance.chat.spend(f"notice by {person.id}")
    if slow or (action in ("match", "join") and not may_create(request)):
        return await club_page(request, TOO_MUCH, 429, written)
    if action == "role" and dict(fields).get("role", "") == "out":
        action = "keep-out"
    if "sure" not in dict(fields) and (asked := _asked(known, person, action, dict(fields))):
        return render(request, "sure.html", back=f"/clubs/{club_id}", name=known.club.name, form=dict(fields), **asked)
    try:
        to = await _do(services, club_id, person, action, fields)
    except (ClubRefused, Conflict, FormatError, UnknownVariant, VariantsClash) as error:
        return await club_page(request, as_sentence(error), 409, written)
    return go(to or f"/clubs/{club_id}")


def _asked(known: ClubRecord, person: Guest, action: str, form: dict[str, str]) -> dict[str, Any]:
    """What is asked before an action: title, button, whom or what it is about, and whether it cannot be undone."""
    if action == "leave" and known.role_of(person) in (None, ClubRole.ASKED):
        return {}
    about = form.get("name", "").strip()[:MAX_SEASON_NAME] if action == "season" else ""
    if action == "role" and form.get("role", ""):
        return {}
    if action in ("role", "keep-out"):
        about = next((one.person.name for one in known.members if one.person.id == form.get("person", "")), "")
    if action not in SURE:
        return {}
    title, button, final = SURE[action]
    return {"title": _(title), "button": _(button), "about": about, "final": final}


async def _do(
    services: Services, club_id: str, person: Guest, action: str, fields: list[tuple[str, str]]
) -> str | None:
    """Where to go next; None for the page of the club."""
    clubs, form = services.clubs, dict(fields)
    match action:
        case "join":
            await clubs.join(club_id, person)
        case "leave":
            await clubs.leave(club_id, person)
        case "match":
            return await _open_match(services, club_id, person, fields)
        case "sit":
            return await _seat(services, club_id, person, form.get("match", ""))
        case "admit" | "refuse":
            await clubs.answer(club_id, person, form.get("person", ""), action == "admit")
            return f"/clubs/{club_id}#asking"
        case "post":
            await clubs.post_notice(club_id, person, form.get("text", ""))
        case "unpost":
            await clubs.remove_notice(club_id, person, _number(form.get("notice", "")))
        case "season":
            await clubs.begin_season(club_id, person, form.get("name", ""))
        case "edit":
            plan = read_club(form)
            await clubs.edit(club_id, person, plan)
        case "link":
            await clubs.renew_link(club_id, person)
        case "role":
            await clubs.set_role(club_id, person, form.get("person", ""), _role(form.get("role", "")))
        case "keep-out":
            await clubs.keep_out(club_id, person, form.get("person", ""))
        case "let-in":
            await clubs.let_in(club_id, person, form.get("person", ""))
        case "close":
            await clubs.close(club_id, person)
        case _:
            raise HTTPException(404)
    return None


def _role(text: str) -> ClubRole | None:
    """The role that a form names; None to remove the member."""
    if text and text not in ROLES:
        raise ClubRefused("role: %(found)r; allowed: %(allowed)s", found=text[:20], allowed=", ".join(ROLES))
    return ClubRole(text) if text else None


def _number(text: str) -> int:
    """The number of a notice in a form."""
    number = number_in(text, 0, 999_999_999)
    if number is None:
        raise ClubRefused("notice: %(found)r; allowed: the number of one that is up", found=text[:20])
    return number


async def _open_match(services: Services, club_id: str, person: Guest, fields: list[tuple[str, str]]) -> str:
    """Opens a match whose other seat any member may take."""
    form = {**dict(fields), "variant": name_from(fields), "crawford": "1"}
    agreement = read_agreement(form, registered=True)
    also = await services.clubs.event(club_id, person, EventKind.MATCH, True)
    header = await services.matches.make(
        agreement, (seat_for(person), open_seat()), lambda connection, made: also(connection, made.id)
    )
    return f"/match/{header.id}"


async def _seat(services: Services, club_id: str, person: Guest, match_id: str) -> str:
    """Takes the open seat of a match of the club."""
    if not (await services.clubs.known(club_id)).belongs(person):
        raise HTTPException(403)

    def work(connection: Connection) -> str | None:
        club = club_storage.club_of(connection, match_id)
        return match_storage.open_seat(connection, match_id) if club is not None and club.id == club_id else None

    invitation = await services.store.read(work)
    if invitation is None:
        raise ClubRefused("somebody has taken this seat")
    await services.matches.join(invitation, person)
    return f"/match/{match_id}"


async def invitation_page(request: Request, problem: str = "", status: int = 200) -> Response:
    """What a club's link leads to: the club, and a button that joins it."""
    known = await _invited(request)
    viewer = await person_of(request)
    return render(
        request,
        "club_join.html",
        410 if known.club.closed_at is not None else status,
        preview=preview_of_text(request, _("The club %(name)s invites you", name=known.club.name), _about(known)),
        problem=problem,
        club=known.club,
        members=len(known.members),
        belongs=known.role_of(viewer) not in (None, ClubRole.ASKED),
        viewer=viewer,
    )


async def accept_invitation(request: Request) -> Response:
    """Joins a club by its link."""
    known, person = await _invited(request), await person_of(request)
    if person is None or not person.registered:
        return go(f"/login?back={request.url.path}")
    try:
        await service_of(request).clubs.join(known.club.id, person, request.path_params["invitation"])
    except ClubRefused as error:
        return await invitation_page(request, as_sentence(error), 409)
    return go(f"/clubs/{known.club.id}")


async def qr_code(request: Request) -> Response:
    """A club's link as a picture for the camera of a phone."""
    known = await _invited(request)
    return qr_picture(address_here(request, f"/clubs/invitation/{known.club.invitation}"))


async def _invited(request: Request) -> ClubRecord:
    services = service_of(request)
    club_id = await services.store.read(club_storage.find_invitation, request.path_params["invitation"])
    if club_id is None:
        raise HTTPException(404)
    return await services.clubs.known(club_id)


ROUTES: Final = (
    Route("/clubs", clubs_page),
    Route("/clubs/new", new_page),
    Route("/clubs/new", found, methods=["POST"]),
    Route("/clubs/invitation/{invitation}", invitation_page),
    Route("/clubs/invitation/{invitation}", accept_invitation, methods=["POST"]),
    Route("/clubs/invitation/{invitation}/qr.svg", qr_code),
    Route("/clubs/{club_id}", club_page),
    Route("/clubs/{club_id}/{action}", act, methods=["POST"]),
)
"""The addresses of these pages."""
