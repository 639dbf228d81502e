"""Pages of studies: one's own in a list, and one as a tree beside the board."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.language import date
from barpoint.server.domain.studies import MAX_TITLE, UnknownStudy
from barpoint.server.services import person_of, service_of
from barpoint.server.web.rendering import render
from barpoint.server.web.requests import go


async def list_page(request: Request) -> Response:
    """One's own studies."""
    person = await person_of(request)
    mine = await service_of(request).studies.of(person) if person is not None and person.registered else None
    return render(request, "studies.html", mine=mine, date=date)


async def study_page(request: Request) -> Response:
    """A study; its script draws the tree and asks for the board."""
    found = await service_of(request).studies.study(request.path_params["study"])
    person = await person_of(request)
    return render(
        request,
        "study.html",
        study=found,
        mine=person is not None and person.id == found.guest_id,
        member=person is not None and person.registered,
        longest=MAX_TITLE,
    )


async def remove(request: Request) -> Response:
    """Deletes a study of one's own."""
    person = await person_of(request)
    if person is not None:
        with suppress(UnknownStudy):  # it is gone already
            await service_of(request).studies.drop(person, request.path_params["study"])
    return go("/study")


ROUTES: Final = (
    Route("/study", list_page),
    Route("/study/{study}", study_page),
    Route("/study/{study}/remove", remove, methods=["POST"]),
)
