"""The pages of the openings: every first roll with its plays, the replies to a first play, and the roll after a reply."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

import msgspec
from msgspec import structs
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.draw import thumbnail
from barpoint.engine.opening_book import STAKE_NAMES, book_names
from barpoint.error import BarpointError
from barpoint.language import _
from barpoint.moves import parse_faces, parse_play
from barpoint.server.domain.titles import variant_title
from barpoint.server.services import address_of, service_of
from barpoint.server.study.nets import AnalysisRefused, net_of
from barpoint.server.study.openings import OpeningLines, OpeningPlay, OpeningQuery, OpeningRoll, moment_of, opening_of
from barpoint.server.web.rendering import render
from barpoint.variants import variant, variants

PATH: Final = "/openings"
_DEFAULTS: Final = structs.asdict(OpeningQuery())


@dataclass(frozen=True, slots=True)
class ShownOpening:
    """What the page shows. here: what was asked. rolls: (roll, address of its picture, its plays, each with the address of
    what follows or "")."""

    found: OpeningLines
    here: OpeningQuery
    rolls: list[tuple[OpeningRoll, str, list[tuple[OpeningPlay, str]]]]


async def openings_page(request: Request) -> Response:
    """The lines that the address asks for."""
    asked: dict[str, Any] = dict(request.query_params)
    try:
        query = msgspec.convert({name: value for name, value in asked.items() if value}, OpeningQuery)
    except msgspec.ValidationError:
        raise HTTPException(404) from None
    services = service_of(request)
    if not services.allowance.positions.spend(address_of(request)):
        raise HTTPException(429)
    try:
        found = await opening_of(query, services.advisers)
    except AnalysisRefused as refused:
        raise HTTPException(refused.status) from None
    except BarpointError as error:
        raise HTTPException(404, error.translated()) from None
    here = OpeningQuery(found.variant, found.stake, found.roll, found.play, found.reply_roll, found.reply)
    learned = (one.name for one in variants() if not one.is_sequence and net_of(variant(one.name)))
    games = list(dict.fromkeys((*learned, *(name for name, _stake in book_names()), found.variant)))
    return render(
        request,
        "openings.html",
        shown=ShownOpening(found, here, [_shown(here, each) for each in found.rolls]),
        found=found,
        net=found.book.net if found.book else net_of(variant(found.variant)),
        first=_address(structs.replace(here, roll="", play="", reply_roll="", reply="")),
        replies=_address(structs.replace(here, reply_roll="", reply="")),
        games=[(name, variant_title(variant(name))) for name in games],
        stakes=[(stake, _(title)) for stake, title in STAKE_NAMES.items()],
    )


def _shown(here: OpeningQuery, each: OpeningRoll) -> tuple[OpeningRoll, str, list[tuple[OpeningPlay, str]]]:
    best = each.plays[0].play if each.plays else ""
    picture = f"{PATH}/picture.svg?{_said(here, drawn_roll=each.roll if best else '', drawn=best)}"
    return each, picture, [(play, _after(here, each.roll, play)) for play in each.plays]


def _after(here: OpeningQuery, roll: str, play: OpeningPlay) -> str:
    """The address of what follows a play, "" where nothing is shown."""
    if not play.replies:
        return ""
    if here.play:
        return _address(structs.replace(here, reply_roll=roll, reply=play.play))
    return _address(structs.replace(here, roll=roll, play=play.play))


def _address(query: OpeningQuery) -> str:
    said = _said(query)
    return f"{PATH}?{said}" if said else PATH


def _said(query: OpeningQuery, **more: str) -> str:
    """The query of an address; what is the default is left out."""
    said = {name: value for name, value in structs.asdict(query).items() if value != _DEFAULTS[name]}
    return urlencode(said | {name: value for name, value in more.items() if value})


async def picture(request: Request) -> Response:
    """A small board of a moment of an opening, with the play ?drawn= of ?drawn_roll=."""
    asked: dict[str, Any] = dict(request.query_params)
    roll, play = asked.pop("drawn_roll", ""), asked.pop("drawn", "")
    try:
        moment = moment_of(msgspec.convert(asked, OpeningQuery))
        rules, position = moment.rules, moment.position
        moves = parse_play(rules, position, parse_faces(rules.dice.rows, roll), play).moves if play else ()
    except (BarpointError, msgspec.ValidationError):
        raise HTTPException(404) from None
    drawn = await asyncio.to_thread(thumbnail, position, meeting=rules.movement.meeting, moves=moves)
    return Response(drawn, media_type="image/svg+xml", headers={"Cache-Control": "max-age=86400"})


ROUTES: Final = (Route(PATH, openings_page), Route(f"{PATH}/picture.svg", picture))
