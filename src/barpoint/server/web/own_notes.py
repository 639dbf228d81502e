"""The star that a person gives to a match in a list of their own."""

from __future__ import annotations

from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.language import _
from barpoint.server.domain.own_notes import NotesFull
from barpoint.server.services import person_of, service_of
from barpoint.server.storage.analyses import AnalysisSource
from barpoint.server.storage.own_notes import OwnNote
from barpoint.server.study.own_notes import keep_note
from barpoint.server.web.rendering import render
from barpoint.server.web.requests import TOO_MUCH, as_sentence, back_from, form_of, go


async def star(request: Request) -> Response:
    """Gives a match a star, or takes it away, and goes back to the list."""
    services, person, fields = service_of(request), await person_of(request), await form_of(request)
    if person is None:
        raise HTTPException(403)
    if not services.allowance.calls.spend(person.id):
        raise HTTPException(429, TOO_MUCH)
    source: AnalysisSource = "match" if "match_id" in request.path_params else "review"
    place = OwnNote(source, request.path_params[f"{source}_id"])
    starred = bool(fields.get("starred"))
    try:
        await services.store.write(keep_note, person, place, services.matches.clock(), starred=starred)
    except NotesFull as error:
        return render(request, "error.html", 409, title=_("Not possible"), text=as_sentence(error), hidden=False)
    return go(back_from(fields.get("back", ""), "/matches"))


ROUTES: Final = (
    Route("/match/{match_id}/star", star, methods=["POST"]),
    Route("/review/{review_id}/star", star, methods=["POST"]),
)
