"""The quiz on the replay page: the board of a decision, and the evaluation of an answer."""

from __future__ import annotations

import asyncio
from typing import Annotated, Final

import msgspec
from msgspec import Meta
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from barpoint.error import BarpointError
from barpoint.game.event import MoveMade
from barpoint.language import _, ngettext, number
from barpoint.number_text import number_in
from barpoint.server.services import address_of, service_of
from barpoint.server.study.costly_pages import TooManyPages
from barpoint.server.study.nets import AnalysisRefused
from barpoint.server.study.quiz import GivenAnswer, QuizScore, is_play, moment, score
from barpoint.server.study.recordings import Recording
from barpoint.server.web.analysis import key_of
from barpoint.server.web.replay import RECORDING_PATHS, recording_of
from barpoint.server.web.requests import TOO_MUCH, form_of

MAX_GIVEN: Final = 2000
"""Answers that are counted together; a long match has fewer decisions."""

_MOVES: Final[msgspec.json.Decoder[tuple[MoveMade, ...]]] = msgspec.json.Decoder(
    Annotated[tuple[MoveMade, ...], Meta(max_length=64)]
)


_ANSWERS: Final[msgspec.json.Decoder[list[GivenAnswer]]] = msgspec.json.Decoder(
    Annotated[list[GivenAnswer], Meta(max_length=MAX_GIVEN)]
)


async def quiz_json(request: Request) -> Response:
    """The board before ?event= as ?player= saw it; with ?moves= the play after these moves."""
    recording = await _complete(request)
    event, player = _event(recording, request.query_params.get("event", "")), request.query_params.get("player", "")
    if player not in ("0", "1"):
        raise HTTPException(404)
    wanted = request.query_params.get("moves")
    if wanted is not None and not is_play(recording, event):
        raise HTTPException(404)
    try:
        moves = None if wanted is None else _moves(wanted)
        shown = await service_of(request).costly_pages.page(
            recording,
            address_of(request),
            lambda: msgspec.json.encode(moment(recording, event, int(player), moves)),
            *("quiz", event, player, moves),
        )
    except TooManyPages:
        return JSONResponse({"message": _(TOO_MUCH)}, 429)
    except BarpointError as error:
        return JSONResponse({"message": error.translated()}, 422)
    return Response(shown, media_type="application/json")


async def answer(request: Request) -> Response:
    """What a play loses in place of the one that was made; with a choice, what it loses in a decision of another kind."""
    recording, services = await _complete(request), service_of(request)
    form = await form_of(request)
    event = _event(recording, form.get("event", ""))
    try:
        packed = await services.analyses.report_of_any_net(key_of(request, recording, form.get("plies", "")))
        if packed is None:
            raise AnalysisRefused("the match has to be analysed first", 409)
        if not services.allowance.answers.spend(address_of(request)):
            raise AnalysisRefused("so many answers at once; try again in a moment", 429)
        if "choice" in form:
            found = await services.examiner.choice(packed, event, form.get("kind", ""), form["choice"])
        else:
            found = await services.examiner.answer(recording, packed, event, _moves(form.get("moves", "")))
    except AnalysisRefused as refused:
        return JSONResponse({"message": str(refused)}, refused.status)
    except BarpointError as error:
        return JSONResponse({"message": error.translated()}, 422)
    return Response(msgspec.json.encode(found), media_type="application/json")


async def score_json(request: Request) -> Response:
    """The performance rating of answers that were graded, beside that of the same decisions in the match; and both in a sentence.

    The body is JSON of `GivenAnswer`: [[12, "play", 0.031], ...]. [{"player": null, "decisions": 57, "own": 5.8, "theirs": 4.1, "text": "..."}]
    """
    recording, services = await _complete(request), service_of(request)
    body, plies = await request.body(), request.query_params.get("plies", "")
    try:
        packed = await services.analyses.report_of_any_net(key_of(request, recording, plies))
        if packed is None:
            raise AnalysisRefused("the match has to be analysed first", 409)
        scores = await asyncio.to_thread(score, packed, _given(body))
    except AnalysisRefused as refused:
        return JSONResponse({"message": str(refused)}, refused.status)
    told = [msgspec.structs.asdict(one) | {"text": _score_text(one, recording)} for one in scores]
    return JSONResponse(told)


def _given(body: bytes) -> list[GivenAnswer]:
    try:
        return _ANSWERS.decode(body)
    except msgspec.DecodeError as error:
        raise AnalysisRefused("answers: %(error)s", 422, error=error) from None


def _score_text(found: QuizScore, recording: Recording) -> str:
    own, theirs = number(found.own, 1), number(found.theirs, 1)
    if found.player is None:
        return ngettext(
            "Your PR on %(num)s decision of both sides is %(own)s, theirs %(theirs)s.",
            "Your PR on these %(num)s decisions of both sides is %(own)s, theirs %(theirs)s.",
            found.decisions,
            own=own,
            theirs=theirs,
        )
    return ngettext(
        "%(player)s, %(num)s decision: your PR is %(own)s, theirs %(theirs)s.",
        "%(player)s, %(num)s decisions: your PR is %(own)s, theirs %(theirs)s.",
        found.decisions,
        player=recording.names.of(found.player),
        own=own,
        theirs=theirs,
    )


async def _complete(request: Request) -> Recording:
    """A match that is over; 404 for one in progress, which would reveal what its players do not see."""
    recording = await recording_of(request)
    if not recording.complete:
        raise HTTPException(404)
    return recording


def _event(recording: Recording, text: str) -> int:
    event = number_in(text, 1, len(recording.match.events))
    if event is None:
        raise HTTPException(404)
    return event


def _moves(text: str) -> tuple[MoveMade, ...]:
    try:
        return _MOVES.decode(text)
    except msgspec.DecodeError as error:
        raise AnalysisRefused("moves: %(error)s", 422, error=error) from None


ROUTES: Final = tuple(
    route
    for path in RECORDING_PATHS
    for route in (
        Route(f"{path}/quiz.json", quiz_json),
        Route(f"{path}/quiz", answer, methods=["POST"]),
        Route(f"{path}/quiz/score", score_json, methods=["POST"]),
    )
)
