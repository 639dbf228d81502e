"""The replay page of a match, played here or imported, and its data."""

from __future__ import annotations

from typing import Final

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.analysis.theme_text import theme_words
from barpoint.language import _, listed
from barpoint.record.transcriber import VARIATIONS
from barpoint.record.xg_writer import left_out
from barpoint.server.domain.titles import variant_title
from barpoint.server.services import address_of, person_of, service_of
from barpoint.server.study.advisers import MAX_PLIES, MAX_PLIES_OF_ACCOUNTS
from barpoint.server.study.nets import net_of
from barpoint.server.study.recordings import Recording, of_room
from barpoint.server.study.replay import contents, frames
from barpoint.server.web.rendering import render

RECORDING_PATHS: Final = ("/match/{match_id}", "/review/{review_id}")
"""Paths of recordings to replay, analyze and export: matches of this server, and imported ones."""


async def recording_of(request: Request) -> Recording:
    """The recording at an address, as the user may see it; UnknownMatch, UnknownReview."""
    services, person = service_of(request), await person_of(request)
    viewer = person.id if person else None
    if "review_id" in request.path_params:
        return await services.reviews.open(request.path_params["review_id"], viewer)
    return of_room(await services.matches.live_match(request.path_params["match_id"]), viewer)


async def replay_page(request: Request) -> Response:
    """The board, and the controls that step through the match."""
    recording, person = await recording_of(request), await person_of(request)
    rules = recording.match.rules
    if person is not None:
        await service_of(request).analyses.put_first(recording.id, rules, recording.source, person.id)
    deepest = MAX_PLIES_OF_ACCOUNTS if person is not None and person.registered else MAX_PLIES
    return render(
        request,
        "replay.html",
        recording=recording,
        title=variant_title(rules),
        net=net_of(rules),
        xg=rules.name in VARIATIONS,
        xg_left_out=listed([_(name) for name in left_out(recording.book)]),
        themes=theme_words(),
        deepest=deepest["position"],
    )


async def replay_json(request: Request) -> Response:
    """Every event as a line; with ?game= the boards of that game, with ?near= a player at the bottom.

    A match in progress shows its events so far.
    """
    recording = await recording_of(request)
    reel, names = recording.reel, recording.names
    game, below = request.query_params.get("game", ""), request.query_params.get("near", "")
    if below not in ("", "0", "1"):
        raise HTTPException(404)
    near = int(below) if below else None
    pages, address = service_of(request).costly_pages, address_of(request)
    if not game:
        body = await pages.page(
            recording, address, lambda: msgspec.json.encode(contents(reel, names, recording.notes)), "contents"
        )
    elif game.isdecimal() and len(game) < 6 and 1 <= int(game) <= reel.games:
        body = await pages.page(
            recording, address, lambda: msgspec.json.encode(frames(reel, names, int(game), near)), "boards", game, near
        )
    else:
        raise HTTPException(404)
    return Response(body, media_type="application/json")


ROUTES: Final = tuple(
    route
    for path in RECORDING_PATHS
    for route in (
        Route(f"{path}/replay", replay_page),
        Route(f"{path}/replay.json", replay_json),
    )
)
