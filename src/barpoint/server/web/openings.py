"""The pages of the opening book: every first roll with its plays, and the replies to each good first play."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.board import Position
from barpoint.draw import thumbnail
from barpoint.engine.opening_book import STAKE_NAMES, book_names
from barpoint.error import BarpointError
from barpoint.language import _
from barpoint.moves import Play, parse_faces, parse_play
from barpoint.rules import Rules
from barpoint.server.domain.titles import variant_title
from barpoint.server.study.openings import OpeningLines, OpeningPlay, OpeningQuery, opening_of
from barpoint.server.web.rendering import render
from barpoint.variants import variant


@dataclass(frozen=True, slots=True)
class ShownOpening:
    """What the page shows. rolls: (roll, its board, its plays, each with the address of the replies or "")."""

    found: OpeningLines
    title: str
    rolls: list[tuple[str, str, list[tuple[OpeningPlay, str]]]]


async def openings_page(request: Request) -> Response:
    """The lines of the book that the address asks for."""
    asked: dict[str, Any] = dict(request.query_params)
    try:
        query = msgspec.convert({name: value for name, value in asked.items() if value}, OpeningQuery)
    except msgspec.ValidationError:
        raise HTTPException(404) from None
    try:
        shown = await asyncio.to_thread(_shown, query)
    except BarpointError as error:
        raise HTTPException(404, error.translated()) from None
    return render(
        request,
        "openings.html",
        shown=shown,
        found=shown.found,
        first=_address(query, "", ""),
        picture_of=lambda roll, play: f"/openings/picture.svg?{_said(query, query.roll, query.play, roll, play)}",
        games=[(name, variant_title(variant(name))) for name in dict.fromkeys(name for name, _stake in book_names())],
        stakes=[(stake, _(STAKE_NAMES[stake])) for name, stake in book_names() if name == query.variant],
    )


def _shown(query: OpeningQuery) -> ShownOpening:
    found = opening_of(query)
    rolls = [
        (
            each.roll,
            each.board,
            [(play, _address(query, each.roll, play.play) if play.replies else "") for play in each.plays],
        )
        for each in found.rolls
    ]
    return ShownOpening(found, variant_title(variant(found.variant)), rolls)


def _address(query: OpeningQuery, roll: str, play: str) -> str:
    """The address of the replies to a first play, or without one of the first plays."""
    said = _said(query, roll, play)
    return f"/openings?{said}" if said else "/openings"


def _said(query: OpeningQuery, roll: str, play: str, reply_roll: str = "", reply: str = "") -> str:
    """The query of an address; what is the default is left out."""
    said = {"variant": query.variant, "stake": query.stake, "roll": roll, "play": play}
    said |= {"reply_roll": reply_roll, "reply": reply}
    default = {"variant": "backgammon", "stake": "money"}
    return urlencode({name: value for name, value in said.items() if value not in ("", default.get(name))})


async def picture(request: Request) -> Response:
    """A small board with the play ?reply= of ?reply_roll=, at the start or after the first ?play= of ?roll=."""
    asked = request.query_params
    try:
        rules = variant(asked.get("variant", "backgammon"))
        position = rules.start
        if asked.get("play"):
            position = _played(rules, position, asked.get("roll", ""), asked["play"]).result.flip()
        moves = _played(rules, position, asked.get("reply_roll", ""), asked.get("reply", "")).moves
    except BarpointError:
        raise HTTPException(404) from None
    drawn = thumbnail(position, meeting=rules.movement.meeting, moves=moves)
    return Response(drawn, media_type="image/svg+xml", headers={"Cache-Control": "max-age=86400"})


def _played(rules: Rules, position: Position, roll: str, play: str) -> Play:
    return parse_play(rules, position, parse_faces(rules.dice.rows, roll), play)


ROUTES: Final = (Route("/openings", openings_page), Route("/openings/picture.svg", picture))
