"""The openings over HTTP, without an account."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import Response

from barpoint.server.api.requests import answer_with, open_to_everybody, query_in
from barpoint.server.services import service_of
from barpoint.server.study.openings import OpeningQuery, moment_of, opening_of


@open_to_everybody
async def openings(request: Request) -> Response:
    """The plays of every first roll, the replies to a first play, or the plays of the roll after a reply."""
    query: OpeningQuery = query_in(request, OpeningQuery)
    moment = await asyncio.to_thread(moment_of, query)
    return answer_with(await opening_of(moment, service_of(request).advisers))
