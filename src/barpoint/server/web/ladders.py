"""Pages of ladders: who stands where, whom one may challenge, and the latest challenges."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.error import FormatError, UnknownVariant, VariantsClash
from barpoint.language import N_, _, date, time
from barpoint.match import MatchTerms
from barpoint.server.domain.agreement_form import describe_agreement, read_agreement
from barpoint.server.domain.agreements import Agreement
from barpoint.server.domain.clubs import ClubRefused
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.ladders import Ladder, LadderChallenge, LadderOutcome, LadderPlan, LadderRefused
from barpoint.server.domain.limits import MAX_CLUB_NAME, MIN_CLUB_NAME
from barpoint.server.domain.time_control import DAY
from barpoint.server.domain.titles import variant_title
from barpoint.server.live.clubs import clean
from barpoint.server.services import Services, person_of, service_of
from barpoint.server.storage.event_log import Conflict
from barpoint.server.web.clubs import club_page
from barpoint.server.web.rendering import render
from barpoint.server.web.requests import TOO_MUCH, as_sentence, fields_of, go, may_create
from barpoint.server.web.variants import name_from
from barpoint.variants import variant

REACHES: Final = (1, 2, 3, 4, 5, 10)
DAYS: Final = (3, 7, 14, 28)
ENDED: Final = {
    LadderOutcome.TAKEN: N_("took the place"),
    LadderOutcome.KEPT: N_("did not take the place"),
    LadderOutcome.LAPSED: N_("not played"),
}

SURE: Final = {
    "leave": (N_("Leave the ladder?"), N_("Leave the ladder")),
    "result": (N_("Enter the result?"), N_("Enter the result")),
    "close": (N_("Close the ladder?"), N_("Close it for good")),
}
"""Actions that are asked about first: question and button. None of them can be undone."""


def read_ladder(fields: list[tuple[str, str]]) -> LadderPlan:
    """The ladder that a form describes; FormatError, ClubRefused, UnknownVariant, VariantsClash."""
    form = dict(fields)
    agreement = read_agreement({**form, "variant": name_from(fields), "crawford": "1"}, registered=True)
    reach, days = form.get("reach", ""), form.get("days", "")
    if reach not in map(str, REACHES) or days not in map(str, DAYS) or not agreement.terms.length:
        raise FormatError(
            "reach %(reach)r, days %(days)r: a ladder has both, and matches to points", reach=reach[:9], days=days[:9]
        )
    return LadderPlan(
        clean(form.get("name", ""), MAX_CLUB_NAME, MIN_CLUB_NAME, "name"),
        agreement.rules.name,
        agreement.terms.length,
        agreement.terms.cube,
        agreement.time_control,
        agreement.rated,
        int(reach),
        int(days) * DAY,
    )


async def open_ladder(request: Request) -> Response:
    """Opens a ladder in a club, and leads to it."""
    services, club_id, person = service_of(request), request.path_params["club_id"], await person_of(request)
    if person is None:
        raise HTTPException(403)
    try:
        ladder_id = await services.ladders.open(club_id, person, read_ladder(await fields_of(request)))
    except (FormatError, ClubRefused, UnknownVariant, VariantsClash) as error:
        return await club_page(request, as_sentence(error), 422)
    return go(f"/ladder/{ladder_id}")


async def ladder_page(request: Request, problem: str = "", status: int = 200) -> Response:
    """A ladder."""
    services, viewer = service_of(request), await person_of(request)
    ladder = await services.ladders.known(request.path_params["ladder_id"])
    club, plan = await services.clubs.known(ladder.club_id), ladder.plan
    rules, own = variant(plan.variant), viewer.id if viewer is not None else ""
    terms = MatchTerms(length=plan.length, cube=plan.cube, crawford=plan.cube)
    directs = club.directs(viewer)
    return render(
        request,
        "ladder.html",
        status,
        problem=problem,
        ladder=ladder,
        club=club.club,
        plan=plan,
        viewer=viewer,
        title=variant_title(rules),
        terms=describe_agreement(Agreement(rules, terms, plan.time_control, plan.rated)),
        days=plan.play_ms // DAY,
        stands=ladder.place_of(own) is not None,
        may_join=club.belongs(viewer) and club.role_of(viewer) is not None and ladder.closed_at is None,
        directs=directs,
        above={one.id for one in ladder.people if own and ladder.may_challenge(own, one.id)},
        waiting=[(one, time(one.due_at), _winners(one, own, directs)) for one in ladder.waiting],
        ended=[(one, _(ENDED[one.outcome]), date(one.at)) for one in ladder.challenges if one.outcome is not None],
    )


def _winners(one: LadderChallenge, own: str, directs: bool) -> list[Guest]:
    """Whom the viewer can enter as the winner of an open challenge at a real board: the other one, or for who runs the club either."""
    involved = directs or own in [person.id for person in one.players]
    return [person for person in one.players if involved and not one.begun and (directs or person.id != own)]


async def _asked(services: Services, ladder: Ladder, person: Guest, action: str, form: Mapping[str, str]) -> str | None:
    """What an action is about that is asked about first; None where it is done, or refused, at once."""
    if action not in SURE:
        return None
    if action == "leave":
        return None if ladder.place_of(person.id) is None else ""
    directs = (await services.clubs.known(ladder.club_id)).directs(person)
    if action == "close":
        return "" if directs and ladder.closed_at is None else None
    for one in ladder.waiting:
        for winner in _winners(one, person.id, directs):
            if (one.match_id, winner.id) == (form.get("match"), form.get("winner")):
                both = _("%(first)s against %(second)s", first=one.challenger.name, second=one.other.name)
                outcome = _("%(player)s wins", player=winner.name)
                return f"{both}: {outcome}"
    return None


async def act(request: Request) -> Response:
    """Joins, leaves, challenges, enters the result of a real board, or closes."""
    services, ladder_id, person = service_of(request), request.path_params["ladder_id"], await person_of(request)
    known = await services.ladders.known(ladder_id)
    if person is None or not person.registered:
        return go(f"/login?back=/ladder/{ladder_id}")
    action, form = request.path_params["action"], dict(await fields_of(request))
    if action == "challenge" and not may_create(request):
        return await ladder_page(request, TOO_MUCH, 429)
    if "sure" not in form and (about := await _asked(services, known, person, action, form)) is not None:
        title, button = SURE[action]
        return render(
            request,
            "sure.html",
            back=f"/ladder/{ladder_id}",
            title=_(title),
            button=_(button),
            name=known.plan.name,
            about=about,
            final=True,
            form=form,
        )
    try:
        match action:
            case "join":
                await services.ladders.join(ladder_id, person)
            case "leave":
                await services.ladders.leave(ladder_id, person)
            case "challenge":
                return go(f"/match/{await services.ladders.challenge(ladder_id, person, form.get('person', ''))}")
            case "result":
                await services.ladders.enter_result(ladder_id, person, form.get("match", ""), form.get("winner", ""))
            case "close":
                await services.ladders.close(ladder_id, person)
            case _:
                raise HTTPException(404)
    except (LadderRefused, Conflict) as error:
        return await ladder_page(request, as_sentence(error), 409)
    return go(f"/ladder/{ladder_id}")


ROUTES: Final = (
    Route("/clubs/{club_id}/ladder", open_ladder, methods=["POST"]),
    Route("/ladder/{ladder_id}", ladder_page),
    Route("/ladder/{ladder_id}/{action}", act, methods=["POST"]),
)
"""The addresses of these pages."""
