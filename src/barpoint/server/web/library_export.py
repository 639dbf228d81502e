"""Downloads of what a library lists: decisions as an Anki deck, a table or a page, matches as a zip."""

from __future__ import annotations

import asyncio
from typing import Final

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.error import BarpointError
from barpoint.language import language
from barpoint.record.zip_worker import NamedMatch
from barpoint.server.child_process import JobFailed, run
from barpoint.server.domain.guests import Guest
from barpoint.server.services import Services, person_of, service_of
from barpoint.server.storage import library as library_storage
from barpoint.server.storage.analyses import Key
from barpoint.server.study.analyses import log_of
from barpoint.server.study.library import LibraryQuery, PersonLibrary, library_query_of
from barpoint.server.study.library_export import cards_of, format_anki, format_page, format_table
from barpoint.server.web.downloads import attachment
from barpoint.server.web.requests import as_sentence

MAX_CARDS: Final = 500
"""Decisions of a deck or a page."""

MAX_LINES: Final = 5_000
"""Decisions of a table."""

MAX_BOOKS: Final = 500
"""Matches of a zip; it says how many more there were."""

MAX_S: Final = 300.0
"""Time limit for a zip in seconds."""

TYPES: Final = {
    "apkg": "application/octet-stream",
    "csv": "text/csv; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "mat.zip": "application/zip",
    "sgf.zip": "application/zip",
    "xg.zip": "application/zip",
}
"""Endings of the downloads and their media types."""


async def export_library(request: Request) -> Response:
    """What the address of the library asks for, in one of TYPES."""
    ending, person = request.path_params["ending"], await person_of(request)
    if ending not in TYPES or person is None:
        raise HTTPException(404)
    services = service_of(request)
    if not services.allowance.exports.spend(person.id):
        raise HTTPException(429)
    try:
        query = library_query_of(pair for pair in request.query_params.multi_items() if pair[0] != "show")
        opened = await services.library.of(person.id)
        names = query.name or opened.studied.own_names(person.name)
        body = await _body(request, ending, person, opened, query, names)
    except msgspec.ValidationError as error:
        raise HTTPException(400, str(error)) from None
    except BarpointError as error:
        raise HTTPException(400, as_sentence(error)) from None
    return attachment(f"barpoint.{ending}", TYPES[ending], body)


async def _body(
    request: Request, ending: str, person: Guest, opened: PersonLibrary, query: LibraryQuery, names: tuple[str, ...]
) -> bytes | str:
    services = service_of(request)
    if ending.endswith(".zip"):
        return await _zipped(services, person, opened, query, names, ending.removesuffix(".zip"))
    hits = (await asyncio.to_thread(opened.search, query, names)).part(0, MAX_LINES if ending == "csv" else MAX_CARDS)
    found = await services.library.decisions(hits)
    if ending == "csv":
        return await asyncio.to_thread(format_table, found)
    address = services.settings.address.rstrip("/") or str(request.base_url).rstrip("/")
    cards = await cards_of(services.store, found, address)
    if ending == "html":
        return await asyncio.to_thread(format_page, cards)
    return await asyncio.to_thread(format_anki, cards, services.matches.clock())


async def _zipped(
    services: Services, person: Guest, opened: PersonLibrary, query: LibraryQuery, names: tuple[str, ...], suffix: str
) -> bytes:
    """The matches that are meant, analysed or not, each as a file."""
    every = await services.store.read(library_storage.matches, person.id)
    analysed = {one.path for one in opened.matches(query, names)}
    meant = analysed | {one.path for one in opened.not_analysed(query, every)}
    chosen = [one for one in every if one.path in meant]
    lines = []
    for one in chosen[:MAX_BOOKS]:
        log = await services.store.read(log_of, Key(one.id, "", 0, one.source))
        lines.append(msgspec.json.encode(NamedMatch(f"{one.source}-{one.id}", one.names, msgspec.Raw(log))))
    try:
        more = max(0, len(chosen) - MAX_BOOKS)
        words = (f".{suffix}", language(), str(more))
        return await run("barpoint.record.zip_worker", *words, data=b"\n".join(lines), patience_s=MAX_S)
    except JobFailed:
        raise BarpointError("these are too many matches at once; choose fewer of them") from None


ROUTES: Final = (Route("/library/export.{ending}", export_library),)
