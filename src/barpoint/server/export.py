"""Matches as files to take away."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from barpoint.match import write_log
from barpoint.record import Book, format_mat
from barpoint.server.hall import UnknownMatch
from barpoint.server.service import service_of


async def export(request: Request) -> Response:
    """A match as a file: our log, or match text that other programs read."""
    try:
        room = await service_of(request).hall.room(request.path_params["match_id"])
    except UnknownMatch:
        raise HTTPException(404) from None
    suffix = request.path_params["suffix"]
    if suffix == "json":
        body, kind = write_log(room.match), "application/json"
    elif suffix == "mat":
        first, second = room.entry.seats
        body, kind = format_mat(Book(room.match, (first.name, second.name))).encode(), "text/plain; charset=utf-8"
    else:
        raise HTTPException(404)
    name = f'attachment; filename="{room.entry.id}.{suffix}"'
    return Response(body, media_type=kind, headers={"Content-Disposition": name})
