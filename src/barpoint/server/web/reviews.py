"""The page that imports match files, with the stored ones and one's own finished matches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.record import SUFFIXES
from barpoint.server.domain.titles import variant_title
from barpoint.server.services import address_of, person_of, service_of
from barpoint.server.storage import lobby as lobby_storage
from barpoint.server.storage.reviews import ListedReview
from barpoint.server.study.reviews import GUESTS_KEPT_DAYS, MAX_FILE_BYTES, MAX_OF_ONE, UnknownReview, Unreadable
from barpoint.server.web.account import day
from barpoint.server.web.match_summary import match_summary
from barpoint.server.web.rendering import render
from barpoint.server.web.requests import TOO_MUCH, go, may_create, with_guest
from barpoint.variants import variant

FINISHED_SHOWN: Final = 12
"""Own finished matches on the page; the page of own matches has the others."""


@dataclass(frozen=True, slots=True)
class Brought:
    """An imported match in the list. what: the game and its length. on: the day of the import."""

    id: str
    file: str
    names: tuple[str, str]
    what: str
    score: str
    on: str


async def review_page(request: Request, problem: str = "", status: int = 200) -> Response:
    """The form to import a file, and the list of matches to review."""
    services, person = service_of(request), await person_of(request)
    brought, finished = list[ListedReview](), list[lobby_storage.ListedMatch]()
    if person is not None:
        brought = await services.reviews.listed(person.id)
        finished = await services.store.read(lobby_storage.matches_finished, person.id, FINISHED_SHOWN)
    return render(
        request,
        "review.html",
        status,
        problem=problem,
        suffixes=SUFFIXES,
        largest=MAX_FILE_BYTES,
        max_reviews=MAX_OF_ONE,
        days=GUESTS_KEPT_DAYS,
        brought=[_shown(one) for one in brought],
        finished=[match_summary(going, person.id if person else None) for going in finished],
    )


async def bring(request: Request) -> Response:
    """Imports a file and redirects to its replay."""
    services = service_of(request)
    if not services.allowance.files.spend(address_of(request)):
        return await review_page(request, "Too many files at once; try again in a minute.", 429)
    person = await person_of(request)
    if person is None and not may_create(request):
        return await review_page(request, TOO_MUCH, 429)
    async with request.form(max_files=1, max_fields=2) as form:
        brought = form.get("file")
        if not isinstance(brought, UploadFile) or not brought.filename:
            return await review_page(request, f"No file was chosen; allowed: one of {', '.join(SUFFIXES)}.", 422)
        name, data = brought.filename, await brought.read(MAX_FILE_BYTES + 1)
    person = person or await services.accounts.new_guest()
    try:
        review_id = await services.reviews.add(person.id, name, data)
    except Unreadable as error:
        return with_guest(request, person, await review_page(request, str(error), error.status))
    return with_guest(request, person, go(f"/review/{review_id}/replay"))


async def delete(request: Request) -> Response:
    """Deletes an imported match of the user."""
    person = await person_of(request)
    if person is None:
        raise UnknownReview("nobody is known here")
    await service_of(request).reviews.drop(person.id, request.path_params["review_id"])
    return go("/review")


def _shown(one: ListedReview) -> Brought:
    length = f"{one.length} point{'' if one.length == 1 else 's'}" if one.length else "money session"
    title = variant_title(variant(one.variant))
    return Brought(one.id, one.file, one.names, f"{title}, {length}", one.score, day(one.created_at))


ROUTES: Final = (
    Route("/review", review_page),
    Route("/review", bring, methods=["POST"]),
    Route("/review/{review_id}/delete", delete, methods=["POST"]),
)
