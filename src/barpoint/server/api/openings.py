"""The opening book over HTTP, without an account."""

from __future__ import annotations

import asyncio

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from barpoint.server.api.analysis_board import open_to_everybody, query_in
from barpoint.server.study.openings import OpeningQuery, opening_of


@open_to_everybody
async def openings(request: Request) -> Response:
    """The opening book: the plays of every first roll, or the replies to a first play."""
    query: OpeningQuery = query_in(request, OpeningQuery)
    found = await asyncio.to_thread(opening_of, query)
    return Response(msgspec.json.encode(found), media_type="application/json")
