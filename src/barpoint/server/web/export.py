"""Matches as downloads."""

from __future__ import annotations

from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.error import FormatError
from barpoint.language import _
from barpoint.record import format_book
from barpoint.server.services import address_of, service_of
from barpoint.server.web.downloads import attachment
from barpoint.server.web.rendering import render
from barpoint.server.web.replay import RECORDING_PATHS, recording_of
from barpoint.server.web.requests import as_sentence

KINDS: Final = {
    "json": "application/json",
    "mat": "text/plain; charset=utf-8",
    "sgf": "application/x-go-sgf; charset=utf-8",
    "xg": "application/octet-stream",
}
"""File suffixes and their media types."""


async def export(request: Request) -> Response:
    """A match as a file: our log, or a format of other programs."""
    recording = await recording_of(request)
    suffix = request.path_params["suffix"]
    if suffix not in KINDS:
        raise HTTPException(404)
    services = service_of(request)
    try:
        body = await services.costly_pages.page(
            recording, address_of(request), lambda: format_book(recording.book, f".{suffix}"), "export", suffix
        )
    except FormatError as error:
        return render(request, "error.html", 422, title=_("Not possible"), text=as_sentence(error))
    return attachment(f"{recording.id}.{suffix}", KINDS[suffix], body)


ROUTES: Final = tuple(Route(f"{path}/export.{{suffix}}", export) for path in RECORDING_PATHS)
