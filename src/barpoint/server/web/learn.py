"""Learning: the first game in ten steps, and the boards and pictures of lessons on all pages of rules."""

from __future__ import annotations

import asyncio
from typing import Annotated, Final

import msgspec
from msgspec import Meta
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from barpoint.draw import svg
from barpoint.error import BarpointError
from barpoint.game.event import MoveMade
from barpoint.moves import parse_play
from barpoint.server.services import service_of
from barpoint.server.study.lessons import Lesson, answer_event, answer_play, board_of, lessons, lessons_of
from barpoint.server.web.last_choice import newcomer_fields
from barpoint.server.web.rendering import render
from barpoint.server.web.requests import go

GUIDE: Final = "first-game"

_MOVES: Final[msgspec.json.Decoder[tuple[MoveMade, ...]]] = msgspec.json.Decoder(
    Annotated[tuple[MoveMade, ...], Meta(max_length=16)]
)


async def learn(_request: Request) -> Response:
    """Where the entry of the menu leads."""
    return go("/rules")


async def first_game(request: Request) -> Response:
    """The guide for newcomers."""
    return render(
        request, "first_game.html", steps=lessons_of(GUIDE), newcomer=newcomer_fields(service_of(request).opponents)
    )


def _lesson(request: Request) -> Lesson:
    found = lessons().get(request.path_params["lesson"])
    if found is None:
        raise HTTPException(404)
    return found


def _moves(request: Request) -> tuple[MoveMade, ...]:
    try:
        return _MOVES.decode(request.query_params.get("moves", "[]"))
    except msgspec.DecodeError:
        raise HTTPException(422) from None


async def board(request: Request) -> Response:
    """The board of a lesson after ?moves=."""
    lesson, moves = _lesson(request), _moves(request)
    try:
        shown = await asyncio.to_thread(lambda: msgspec.json.encode(board_of(lesson, moves)))
    except BarpointError as error:
        return JSONResponse({"message": error.translated()}, 422)
    return Response(shown, media_type="application/json")


async def answer(request: Request) -> Response:
    """What is said about ?moves=, or about ?event=."""
    lesson, moves = _lesson(request), _moves(request)
    event = request.query_params.get("event", "" if lesson.event or not lesson.dice else "play")
    if event == "play":
        said = await asyncio.to_thread(answer_play, lesson, moves)
    else:
        said = answer_event(lesson, event)
    return Response(msgspec.json.encode(said), media_type="application/json")


async def picture(request: Request) -> Response:
    """The picture of a lesson's position."""
    lesson = _lesson(request)
    rules = lesson.rules
    moves = parse_play(rules, lesson.position, lesson.dice, lesson.arrows).moves if lesson.arrows else ()
    drawn = svg(
        lesson.position,
        meeting=rules.movement.meeting,
        dice=lesson.dice,
        moves=moves,
        cube=lesson.cube or None,
        tokens=(1, 1) if rules.rerolls.tokens else None,
        theme="walnut",
    )
    return Response(drawn, media_type="image/svg+xml", headers={"Cache-Control": "max-age=86400"})


ROUTES: Final = (
    Route("/learn", learn),
    Route("/learn/first-game", first_game),
    Route("/learn/{lesson}/board.json", board),
    Route("/learn/{lesson}/answer.json", answer),
    Route("/learn/{lesson}/picture.svg", picture),
)
