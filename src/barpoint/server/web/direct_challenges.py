"""Challenging one person by name: the form, reached from their profile or the lobby; the answers are in the lobby."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.error import BarpointError, FormatError
from barpoint.server.domain.agreement_form import read_agreement
from barpoint.server.domain.agreements import clock_choices
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.limits import MAX_POINTS
from barpoint.server.live.direct_challenges import summon
from barpoint.server.services import Services, person_of, service_of
from barpoint.server.storage import guests as guest_storage
from barpoint.server.web.last_choice import challenge_choice_of, keep_challenge
from barpoint.server.web.rendering import render
from barpoint.server.web.requests import TOO_MUCH, as_sentence, fields_of, go, may_create, with_guest
from barpoint.server.web.variants import games_listed, name_from


async def challenge_page(request: Request, problem: str = "", status: int = 200, name: str = "") -> Response:
    """The form for a challenge; ?name= fills in whom."""
    return render(
        request,
        "direct_challenge.html",
        status,
        problem=problem,
        name=name or request.query_params.get("name", ""),
        games=games_listed(),
        lengths=range(1, MAX_POINTS + 1),
        time_controls=clock_choices(),
        choice=challenge_choice_of(request),
    )


async def challenge(request: Request) -> Response:
    """Challenges the person named, and leads to the match that waits for them."""
    services, fields = service_of(request), await fields_of(request)
    name, person = dict(fields).get("name", "").strip(), await person_of(request)
    if not may_create(request):
        return await challenge_page(request, TOO_MUCH, 429, name)
    try:
        form = {**dict(fields), "variant": name_from(fields), "crawford": "1"}
        agreement = read_agreement(form, registered=person is not None and person.registered)
        other = await _challenged(services, person, name)
        person = person or await services.accounts.new_guest()
        header = await summon(services.matches, person, other, agreement)
    except BarpointError as error:
        return await challenge_page(request, as_sentence(error), 422, name)
    response = with_guest(request, person, go(f"/match/{header.id}"))
    keep_challenge(request, response, fields, person)
    return response


async def _challenged(services: Services, person: Guest | None, name: str) -> Guest:
    """The person whom somebody may challenge; FormatError."""
    other = await services.store.read(guest_storage.find_challenged, name)
    if other is None or not other.registered:
        raise FormatError("nobody is called %(name)r here", name=name[:40])
    if person is None:
        return other
    if other.id == person.id:
        raise FormatError("this is your own name")
    return other


ROUTES: Final = (
    Route("/challenge", challenge_page),
    Route("/challenge", challenge, methods=["POST"]),
)
