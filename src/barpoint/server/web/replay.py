"""The replay page of a match, played here or imported, and its data."""

from __future__ import annotations

import asyncio
from typing import Final

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.analysis.answer import before
from barpoint.analysis.deepening import ROLLED
from barpoint.analysis.theme_text import theme_words
from barpoint.language import _, listed
from barpoint.number_text import number_in
from barpoint.record.transcriber import VARIATIONS
from barpoint.record.xg_writer import left_out
from barpoint.server.domain.analysis_board import setup_from_game
from barpoint.server.domain.titles import variant_title
from barpoint.server.services import address_of, person_of, service_of
from barpoint.server.storage.corrections import version_in_force
from barpoint.server.storage.own_notes import notes_of_match
from barpoint.server.study.advisers import MAX_PLIES, MAX_PLIES_OF_ACCOUNTS
from barpoint.server.study.corrections import may_correct
from barpoint.server.study.deepenings import max_games
from barpoint.server.study.nets import net_of
from barpoint.server.study.recordings import Recording, of_room
from barpoint.server.study.replay import contents, frames
from barpoint.server.study.rollouts import MIN_TRIALS
from barpoint.server.web.link_preview import LinkPreview, link_preview, match_text, question_of
from barpoint.server.web.rendering import render
from barpoint.server.web.requests import allow_framing

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
    """The board, and the controls that step through the match; ?at= the event after which it begins."""
    recording, person = await recording_of(request), await person_of(request)
    rules = recording.match.rules
    if person is not None:
        await service_of(request).analyses.put_first(recording.id, rules, recording.source, person.id)
    own = recording.owned or recording.seat is not None
    noting = own and person is not None and person.registered
    kept = (recording.source, recording.id)
    notes = await service_of(request).store.read(notes_of_match, person.id, *kept) if noting and person else ()
    deepest = MAX_PLIES_OF_ACCOUNTS if person is not None and person.registered else MAX_PLIES
    return render(
        request,
        "replay.html",
        preview=await _preview(request, recording),
        embedded=False,
        recording=recording,
        correctable=may_correct(recording),
        in_force=await service_of(request).store.read(version_in_force, recording.source, recording.id),
        title=variant_title(rules),
        net=net_of(rules),
        xg=rules.name in VARIATIONS,
        xg_left_out=listed([_(name) for name in left_out(recording.book)]),
        themes=theme_words(),
        notes=[msgspec.to_builtins(note) for note in notes] if noting else None,
        deepest=deepest["position"],
        rolled=ROLLED,
        min_games=MIN_TRIALS,
        max_games=max_games(registered=person is not None and person.registered),
    )


async def embedded_page(request: Request) -> Response:
    """The same board and controls for the page of another site, without all that belongs to a person."""
    recording = await recording_of(request)
    allow_framing(request)
    title = variant_title(recording.match.rules)
    return render(
        request,
        "replay.html",
        embedded=True,
        recording=recording,
        in_force=await service_of(request).store.read(version_in_force, recording.source, recording.id),
        title=title,
        net=None,
        themes={},
        deepest=0,
    )


async def _preview(request: Request, recording: Recording) -> LinkPreview:
    """The preview of the board after the event that ?at= names, or of the last one."""
    match, path = recording.match, f"{recording.path}/replay"
    at = number_in(request.query_params.get("at", ""), 0, len(match.events))
    if at is not None:
        path = f"{path}?at={at}"
        match = await asyncio.to_thread(before, match, at + 1)
    setup = setup_from_game(match, 0)
    text = f"{match_text(variant_title(match.rules), recording.terms, match)} {question_of(setup)}"
    return link_preview(request, " – ".join(recording.players), text, setup, path)


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
    elif number := number_in(game, 1, reel.games):
        body = await pages.page(
            recording, address, lambda: msgspec.json.encode(frames(reel, names, number, near)), "boards", number, near
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
        Route(f"{path}/embedded", embedded_page),
    )
)
