"""The pages of the openings: every first roll with its plays, the replies to a first play, and the roll after a reply; and what one plays."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Annotated, Any, Final
from urllib.parse import urlencode

import msgspec
from msgspec import Meta, structs
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.board import Position
from barpoint.draw import thumbnail
from barpoint.engine.opening_book import STAKE_NAMES, book_names
from barpoint.error import BarpointError
from barpoint.language import N_, _
from barpoint.moves import parse_faces, parse_play
from barpoint.number_text import number_in
from barpoint.server.domain.titles import variant_title
from barpoint.server.services import address_of, person_of, service_of
from barpoint.server.study.nets import AnalysisRefused, net_of
from barpoint.server.study.openings import OpeningLines, OpeningPlay, OpeningQuery, OpeningRoll, moment_of, opening_of
from barpoint.server.study.statistics import Day, StatisticsQuery
from barpoint.server.web.own_openings import OwnOpenings, own_openings
from barpoint.server.web.rendering import render
from barpoint.server.web.requests import as_sentence, form_of, go
from barpoint.server.web.statistics import LAST
from barpoint.variants import variant, variants

PATH: Final = "/openings"


class OpeningsAddress(OpeningQuery, frozen=True):
    """What an address of the page asks for. since, last: which of one's own matches count, as in `StatisticsQuery`."""

    since: Day = ""
    last: Annotated[int, Meta(ge=0, le=1_000_000)] = 0


MADE: Final = {
    "new": N_("The card is made; it waits under Practice."),
    "known": N_("You have this card already."),
}
"""What the page says of a card, by the ?card= of its address."""

_DEFAULTS: Final = structs.asdict(OpeningsAddress())


@dataclass(frozen=True, slots=True)
class ShownOpening:
    """What the page shows. here: what was asked. rolls: (roll, address of its picture, its plays, each with the address of
    what follows or "", what the person plays)."""

    found: OpeningLines
    here: OpeningsAddress
    rolls: list[tuple[OpeningRoll, str, list[tuple[OpeningPlay, str]], str]]


async def openings_page(request: Request) -> Response:
    """The lines that the address asks for."""
    made = request.query_params.get("card", "")
    return await _page(request, said=_(MADE[made]) if made in MADE else "")


async def _page(request: Request, said: str = "", problem: str = "", status: int = 200) -> Response:
    """said: of a card that was made. problem: why none was."""
    asked: dict[str, Any] = dict(request.query_params)
    given = {name: value for name, value in asked.items() if value}
    try:
        query = msgspec.convert(given, OpeningsAddress, strict=False)
    except msgspec.ValidationError:
        raise HTTPException(404) from None
    services = service_of(request)
    if not services.allowance.positions.spend(address_of(request)):
        raise HTTPException(429)
    try:
        moment = await asyncio.to_thread(moment_of, query)
        found = await opening_of(moment, services.advisers)
    except AnalysisRefused as refused:
        raise HTTPException(refused.status) from None
    except BarpointError as error:
        raise HTTPException(404, error.translated()) from None
    here = OpeningsAddress(
        found.variant, found.stake, found.roll, found.play, found.reply_roll, found.reply, query.since, query.last
    )
    counted = StatisticsQuery(variant=found.variant, since=query.since, last=query.last)
    back = request.url.replace(path=PATH).remove_query_params("card")
    person = await person_of(request)
    own = await own_openings(services.analysed_matches, person, moment.rules, found.stake, counted, back)
    learned = (one.name for one in variants() if not one.is_sequence and net_of(variant(one.name)))
    games = list(dict.fromkeys((*learned, *(name for name, _stake in book_names()), found.variant)))
    return render(
        request,
        "openings.html",
        status,
        shown=ShownOpening(found, here, [_shown(here, each, own, moment.position) for each in found.rolls]),
        own=own,
        here=_said(here),
        said=said,
        problem=problem,
        found=found,
        net=found.book.net if found.book else net_of(variant(found.variant)),
        first=_address(structs.replace(here, roll="", play="", reply_roll="", reply="")),
        replies=_address(structs.replace(here, reply_roll="", reply="")),
        games=[(name, variant_title(variant(name))) for name in games],
        stakes=[(stake, _(title)) for stake, title in STAKE_NAMES.items()],
        last=[("", _("all of them")), *((str(count), _("the last %(count)s", count=count)) for count in LAST)],
        **(own.names if own else {"every_name": []}),
    )


async def make_card(request: Request) -> Response:
    """Makes a card of a moment, and returns to the page that the address asks for, which says so."""
    person, form = await person_of(request), await form_of(request)
    if person is None:
        raise HTTPException(403)
    source, player = form.get("source", ""), form.get("player", "")
    event = number_in(form.get("event", ""), 0, 999_999_999)
    if source not in ("match", "review") or event is None or player not in ("0", "1"):
        raise HTTPException(400)
    try:
        made = await service_of(request).practice.add_moment(
            person, "match" if source == "match" else "review", form.get("match", ""), event, int(player)
        )
    except BarpointError as error:
        return await _page(request, problem=as_sentence(error), status=422)
    page = request.url.include_query_params(card="new" if made.cards else "known")
    return go(f"{PATH}?{page.query}")


def _shown(
    here: OpeningsAddress, each: OpeningRoll, own: OwnOpenings | None, position: Position
) -> tuple[OpeningRoll, str, list[tuple[OpeningPlay, str]], str]:
    best = each.plays[0].play if each.plays else ""
    drawn = _said(structs.replace(here, since="", last=0), drawn_roll=each.roll if best else "", drawn=best)
    said = own.said_of(position, parse_faces(variant(here.variant).dice.rows, each.roll)) if own else ""
    return each, f"{PATH}/picture.svg?{drawn}", [(play, _after(here, each.roll, play)) for play in each.plays], said


def _after(here: OpeningsAddress, roll: str, play: OpeningPlay) -> str:
    """The address of what follows a play, "" where nothing is shown."""
    if not play.replies:
        return ""
    if here.play:
        return _address(structs.replace(here, reply_roll=roll, reply=play.play))
    return _address(structs.replace(here, roll=roll, play=play.play))


def _address(query: OpeningsAddress) -> str:
    said = _said(query)
    return f"{PATH}?{said}" if said else PATH


def _said(query: OpeningsAddress, **more: str) -> str:
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


ROUTES: Final = (
    Route(PATH, openings_page),
    Route(f"{PATH}/card", make_card, methods=["POST"]),
    Route(f"{PATH}/picture.svg", picture),
)
