"""A match replayed on a page of its own, by its players and by who watches."""

from __future__ import annotations

import asyncio

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from barpoint.server.analyst import net_of
from barpoint.server.form import describe_offer
from barpoint.server.hall import UnknownMatch
from barpoint.server.phrase import Names
from barpoint.server.replay import Reel, contents, frames, spectator
from barpoint.server.room import Room
from barpoint.server.service import person_of, service_of
from barpoint.server.template import render
from barpoint.server.title import variant_title


async def room_of(request: Request) -> Room:
    """The match that an address names; 404."""
    try:
        return await service_of(request).hall.room(request.path_params["match_id"])
    except UnknownMatch:
        raise HTTPException(404) from None


async def names_for(request: Request, room: Room) -> Names:
    """What the players are called for who asks."""
    person = await person_of(request)
    seat = room.entry.seat_of(person.id if person else None)
    return spectator([seat.name for seat in room.entry.seats], seat)


async def replay_page(request: Request) -> Response:
    """The board, and everything that steps through the match."""
    room = await room_of(request)
    entry = room.entry
    return render(
        request,
        "replay.html",
        entry=entry,
        title=variant_title(entry.rules),
        terms=describe_offer(entry.offer),
        over=room.match.over,
        covered=net_of(entry.rules) is not None,
    )


async def replay_json(request: Request) -> Response:
    """Every event as a line; with ?game= the boards of that game. Of a running match what has happened so far."""
    room = await room_of(request)
    names = await names_for(request, room)
    reel = Reel(room.match, tuple(room.told))
    game = request.query_params.get("game", "")
    if not game:
        body = await asyncio.to_thread(lambda: msgspec.json.encode(contents(reel, names)))
    elif game.isdecimal() and len(game) < 6 and 1 <= int(game) <= reel.games:
        body = await asyncio.to_thread(lambda: msgspec.json.encode(frames(reel, names, int(game))))
    else:
        raise HTTPException(404)
    return Response(body, media_type="application/json")
