"""Giving up a match against a bot that will not be finished: a page that says what it means, and the act."""

from __future__ import annotations

from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.error import IllegalEvent
from barpoint.server.domain.titles import variant_title
from barpoint.server.live.discards import DiscardRefused, counts, discard
from barpoint.server.services import person_of, service_of
from barpoint.server.web.rendering import render
from barpoint.server.web.requests import go


async def discard_page(request: Request) -> Response:
    """Asks whether the match shall be given up, and says what follows; what is not possible leads back to the match."""
    services, person, match_id = service_of(request), await person_of(request), request.path_params["match_id"]
    header = (await services.matches.live_match(match_id)).header
    seat = header.seat_of(person.id if person else None)
    if person is None or seat is None:
        raise HTTPException(403)
    try:
        lost = await counts(services.matches, match_id, person)
    except DiscardRefused:
        return go(f"/match/{match_id}")
    other = header.seats[1 - seat].shown_name
    return render(request, "discard.html", id=match_id, other=other, title=variant_title(header.rules), lost=lost)


async def discard_match(request: Request) -> Response:
    """Gives the match up, and leads to one's matches."""
    services, person, match_id = service_of(request), await person_of(request), request.path_params["match_id"]
    if person is None:
        raise HTTPException(403)
    try:
        await discard(services.matches, match_id, person)
    except (DiscardRefused, IllegalEvent):  # over, or somebody else's
        return go(f"/match/{match_id}")
    return go("/matches")


ROUTES: Final = (
    Route("/match/{match_id}/discard", discard_page),
    Route("/match/{match_id}/discard", discard_match, methods=["POST"]),
)
