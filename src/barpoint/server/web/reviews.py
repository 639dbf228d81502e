"""The page that imports match files, with the stored ones and one's own finished matches."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.error import FormatError
from barpoint.language import _, date, ngettext
from barpoint.record import SUFFIXES
from barpoint.record.collection import ZIP, MatchFile, unzipped
from barpoint.server.domain.titles import variant_title
from barpoint.server.services import Services, address_of, person_of, service_of
from barpoint.server.storage import lobby as lobby_storage
from barpoint.server.storage.reviews import ListedReview
from barpoint.server.study.reviews import GUESTS_KEPT_DAYS, MAX_FILE_BYTES, MAX_OF_ONE, UnknownReview, Unreadable, shown
from barpoint.server.web.match_summary import match_summary
from barpoint.server.web.rendering import render
from barpoint.server.web.requests import TOO_MUCH, go, may_create, with_guest
from barpoint.variants import variant

MAX_FILES: Final = 20
"""Maximum match files of one upload, those in zips included."""

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
    oddities: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A file that has just been uploaded. oddities: what was odd, and how it was read. refused: why it was not imported."""

    name: str
    id: str = ""
    oddities: tuple[str, ...] = ()
    refused: str = ""
    status: int = 200


async def review_page(
    request: Request, problem: str = "", status: int = 200, read: Sequence[ReadFile] = ()
) -> Response:
    """The form to import files, what became of those just uploaded, and the list of matches to review."""
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
        read=read,
        suffixes=(*SUFFIXES, ZIP),
        largest=MAX_FILE_BYTES,
        max_reviews=MAX_OF_ONE,
        days=GUESTS_KEPT_DAYS,
        brought=[_shown(one) for one in brought],
        finished=[match_summary(going, person.id if person else None) for going in finished],
    )


async def bring(request: Request) -> Response:
    """Imports files; redirects to the replay of a single one in which nothing was odd."""
    services = service_of(request)
    if not services.allowance.files.spend(address_of(request)):
        return await review_page(request, _("Too many files at once; try again in a minute."), 429)
    person = await person_of(request)
    if person is None and not may_create(request):
        return await review_page(request, TOO_MUCH, 429)
    async with request.form(max_files=MAX_FILES, max_fields=2) as form:
        uploads = [one for one in form.getlist("file") if isinstance(one, UploadFile) and one.filename]
        files = [MatchFile(one.filename or "", await one.read(MAX_FILE_BYTES + 1)) for one in uploads]
    if not files:
        return await review_page(
            request, _("No file was chosen; allowed: one of %(allowed)s.", allowed=", ".join((*SUFFIXES, ZIP))), 422
        )
    person = person or await services.accounts.new_guest()
    try:
        files = await asyncio.to_thread(_unpacked, files)
    except FormatError as error:
        return with_guest(request, person, await review_page(request, f"{shown(error.translated(), 300)}.", 422))
    read = [await _import(services, person.id, one) for one in files]
    if len(read) == 1 and read[0].refused:
        return with_guest(request, person, await review_page(request, read[0].refused, read[0].status))
    if len(read) == 1 and not read[0].oddities:
        return with_guest(request, person, go(f"/review/{read[0].id}/replay"))
    return with_guest(request, person, await review_page(request, read=read))


def _unpacked(files: list[MatchFile]) -> list[MatchFile]:
    """The files, with those of a zip in its place; FormatError when there are none, or too many."""
    found = list[MatchFile]()
    for file in files:
        found += unzipped(file.name, file.data, MAX_FILES, MAX_FILE_BYTES) if file.suffix == ZIP else [file]
    if not 0 < len(found) <= MAX_FILES:
        raise FormatError(
            "%(count)s match files at once; allowed: 1 to %(max_files)s", count=len(found), max_files=MAX_FILES
        )
    return found


async def _import(services: Services, person_id: str, file: MatchFile) -> ReadFile:
    """Imports one of several files."""
    name = shown(file.name, 80)
    try:
        imported = await services.reviews.add(person_id, file.name, file.data)
    except Unreadable as error:
        return ReadFile(name, refused=error.translated(), status=error.status)
    return ReadFile(name, imported.id, imported.oddities)


async def delete(request: Request) -> Response:
    """Deletes an imported match of the user."""
    person = await person_of(request)
    if person is None:
        raise UnknownReview("nobody is known here")
    await service_of(request).reviews.drop(person.id, request.path_params["review_id"])
    return go("/review")


def _shown(one: ListedReview) -> Brought:
    length = ngettext("%(num)s point", "%(num)s points", one.length) if one.length else _("Money session")
    title = variant_title(variant(one.variant))
    return Brought(one.id, one.file, one.names, f"{title}, {length}", one.score, date(one.created_at), one.oddities)


ROUTES: Final = (
    Route("/review", review_page),
    Route("/review", bring, methods=["POST"]),
    Route("/review/{review_id}/delete", delete, methods=["POST"]),
)
