"""Analysis of a finished or imported match, and second looks at many of its decisions: requests, progress, and the report."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Mapping
from dataclasses import asdict
from typing import Final

import msgspec
from msgspec import structs
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from barpoint.analysis.deepening import ROLLED, Depth, Which
from barpoint.number_text import number_in
from barpoint.server.services import address_of, person_of, service_of
from barpoint.server.storage.analyses import Key
from barpoint.server.study.analyses import PLIES, AnalysisState
from barpoint.server.study.nets import AnalysisRefused, net_of
from barpoint.server.study.recordings import Recording
from barpoint.server.study.report_parts import of_game, outline
from barpoint.server.study.statistics import match_ratings
from barpoint.server.web.match_summary import rating_of_both
from barpoint.server.web.replay import RECORDING_PATHS, recording_of
from barpoint.server.web.requests import as_sentence, form_of

SETTINGS: Final = {"games": "games", "truncate": "truncate", "play_plies": "plies", "cube_plies": "cube_plies"}
"""Fields of the form by which rollouts of many decisions are set."""


async def analysis_json(request: Request) -> Response:
    """The report; until it is ready, 202 with the progress. ?outline=1: of a long report its outline; ?game=: what was found in that game."""
    recording = await recording_of(request)
    analyses, asked = service_of(request).analyses, request.query_params
    try:
        key = key_of(request, recording, asked.get("plies", ""))
    except AnalysisRefused as refused:
        return _refusal(refused)
    game = number_in(asked.get("game", ""), 0, 99_999)
    if asked.get("game") and game is None:
        raise HTTPException(404)
    # A part belongs to the report that is shown, also while one by a newer net is made.
    kept = None if game is None else await analyses.report_of_any_net(key)
    packed = kept or await analyses.report_or_state(key)
    if isinstance(packed, AnalysisState):
        return _state(packed)
    if game is not None:
        packed = await asyncio.to_thread(of_game, packed, game)
    elif asked.get("outline"):
        packed = await asyncio.to_thread(outline, packed)
    headers = {"Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(packed, media_type="application/json", headers={**headers, "Content-Encoding": "gzip"})
    return Response(gzip.decompress(packed), media_type="application/json", headers=headers)


async def ask_analysis(request: Request) -> Response:
    """Requests the analysis of a finished match."""
    recording = await recording_of(request)
    services = service_of(request)
    form = await form_of(request)
    by, registered = await _asker(request)
    try:
        key = key_of(request, recording, form.get("plies", ""))
        if (await services.analyses.state(key)).state == "none" and not services.allowance.analyses.spend(
            address_of(request)
        ):
            raise AnalysisRefused("so many analyses at once; try again in a few minutes", 429)
        return _state(await services.analyses.ask(key, recording.match, by, registered=registered))
    except AnalysisRefused as refused:
        return _refusal(refused)


async def deepening_json(request: Request) -> Response:
    """How far a second look at many decisions is."""
    try:
        services, key = service_of(request), key_of(request, await recording_of(request), "")
        return JSONResponse(asdict(await services.deepenings.state(key, (await _asker(request))[0])))
    except AnalysisRefused as refused:
        return _refusal(refused)


async def ask_deepening(request: Request) -> Response:
    """Requests a second look: which decisions, and how deep; "" for a rollout, whose settings may be fields of the form too."""
    services, form = service_of(request), await form_of(request)
    by, registered = await _asker(request)
    try:
        key = key_of(request, await recording_of(request), "")
        which, depth = _chosen(form)
        if not services.allowance.analyses.spend(address_of(request)):
            raise AnalysisRefused("so many analyses at once; try again in a few minutes", 429)
        return JSONResponse(asdict(await services.deepenings.ask(key, which, depth, by, registered=registered)), 202)
    except AnalysisRefused as refused:
        return _refusal(refused)


async def stop_deepening(request: Request) -> Response:
    """Stops a second look of the same person."""
    try:
        services, key = service_of(request), key_of(request, await recording_of(request), "")
        return JSONResponse(asdict(await services.deepenings.stop(key, (await _asker(request))[0])))
    except AnalysisRefused as refused:
        return _refusal(refused)


def _chosen(form: Mapping[str, str]) -> tuple[Which, Depth]:
    """The requested decisions and depth; of others the page is not found."""
    try:
        which = msgspec.convert(form.get("which", ""), Which)
        if form.get("plies"):
            return which, msgspec.convert({"plies": int(form["plies"])}, Depth)
        asked = {field: int(form[name]) for name, field in SETTINGS.items() if form.get(name)}
        return which, Depth(rollout=structs.replace(ROLLED, **asked))
    except (msgspec.ValidationError, ValueError):
        raise HTTPException(404) from None


async def ratings_json(request: Request) -> Response:
    """How well both have played, in a sentence, "" while it is not known; and whether a deeper analysis is under way."""
    recording, services = await recording_of(request), service_of(request)
    found = (await match_ratings(services.store, [recording.id], recording.source)).get(recording.id)
    keys = [key_of(request, recording, str(plies)) for plies in PLIES] if net_of(recording.match.rules) else []
    coming = any([(await services.analyses.state(key)).state in ("waiting", "running") for key in keys])
    return JSONResponse({"text": _ratings_text(found, recording) if found else "", "coming": coming})


def _ratings_text(ratings: tuple[float, float], recording: Recording) -> str:
    one, other = recording.players
    return rating_of_both(ratings, (one, other), recording.seat if recording.seat in (0, 1) else None)


def key_of(request: Request, recording: Recording, plies: str) -> Key:
    """The requested analysis, 2-ply by default. Refused."""
    deep = number_in(plies, 0, 9) if plies else PLIES[-1]
    if deep is None:
        raise AnalysisRefused(
            "plies %(plies)r; allowed: %(allowed)s", 422, plies=plies[:8], allowed=", ".join(map(str, PLIES))
        )
    return service_of(request).analyses.key(recording.id, recording.match.rules, deep, recording.source)


async def _asker(request: Request) -> tuple[str, bool]:
    """The name by which whoever asks is counted, and whether they have an account."""
    person = await person_of(request)
    return (person.id, person.registered) if person else (address_of(request), False)


def _state(state: AnalysisState) -> Response:
    return Response(msgspec.json.encode(state), 200 if state.state == "done" else 202, media_type="application/json")


def _refusal(refused: AnalysisRefused) -> Response:
    return JSONResponse({"state": "refused", "message": as_sentence(refused)}, refused.status)


ROUTES: Final = tuple(
    route
    for path in RECORDING_PATHS
    for route in (
        Route(f"{path}/analysis.json", analysis_json),
        Route(f"{path}/analysis", ask_analysis, methods=["POST"]),
        Route(f"{path}/deepening.json", deepening_json),
        Route(f"{path}/deepening", ask_deepening, methods=["POST"]),
        Route(f"{path}/deepening/stop", stop_deepening, methods=["POST"]),
        Route(f"{path}/pr", ratings_json),
    )
)
