"""Matches as files to take away."""

from __future__ import annotations

import asyncio
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from barpoint.record import Book, format_book
from barpoint.server.hall import UnknownMatch
from barpoint.server.service import service_of

KINDS: Final = {
    "json": "application/json",
    "mat": "text/plain; charset=utf-8",
    "sgf": "application/x-go-sgf; charset=utf-8",
}
"""Suffixes of the files, and what they are."""


async def export(request: Request) -> Response:
    """A match as a file: our log, or what other programs read."""
    try:
        room = await service_of(request).hall.room(request.path_params["match_id"])
    except UnknownMatch:
        raise HTTPException(404) from None
    suffix = request.path_params["suffix"]
    if suffix not in KINDS:
        raise HTTPException(404)
    first, second = room.entry.seats
    body = await asyncio.to_thread(format_book, Book(room.match, (first.name, second.name)), f".{suffix}")
    name = f'attachment; filename="{room.entry.id}.{suffix}"'
    return Response(body, media_type=KINDS[suffix], headers={"Content-Disposition": name})
