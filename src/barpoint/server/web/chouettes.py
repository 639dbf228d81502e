"""Pages of chouettes: the list, a new one, and the chouette itself."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.chouette import MAX_PLAYERS, write_log
from barpoint.chouette.pair_match import pair_matches
from barpoint.error import FormatError, StakesError, UnknownVariant, VariantsClash
from barpoint.language import N_, _
from barpoint.record import Book, format_book
from barpoint.server.bots.opponents import OURS
from barpoint.server.domain.chouettes import DECISIONS
from barpoint.server.domain.clubs import ClubRefused, EventKind
from barpoint.server.domain.titles import variant_title
from barpoint.server.live.chouettes import ChouetteRefused
from barpoint.server.live.new_chouette import read_chouette
from barpoint.server.protocol.chouette_sheet import score_sheet, sheet_text
from barpoint.server.protocol.chouette_view import describe_chouette, listed_chouettes
from barpoint.server.services import address_of, person_of, service_of
from barpoint.server.storage import clubs as club_storage
from barpoint.server.storage.event_log import Conflict
from barpoint.server.study.file_reader import FileReader
from barpoint.server.study.reviews import Unreadable
from barpoint.server.web.chat import SAID
from barpoint.server.web.downloads import attachment
from barpoint.server.web.link_preview import preview_of_text
from barpoint.server.web.rendering import render
from barpoint.server.web.requests import TOO_MUCH, as_sentence, fields_of, go, may_create, with_guest
from barpoint.server.web.variants import games_listed, name_from
from barpoint.variants import variant

CONSULTING: Final = {
    "free": N_("the whole team"),
    "in_game": N_("who has a turned cube"),
    "none": N_("nobody, the captain decides"),
}


async def chouettes_page(request: Request, problem: str = "", status: int = 200) -> Response:
    """The public chouettes, and a form for a new one."""
    services, person = service_of(request), await person_of(request)
    listed = await services.chouettes.listed()
    return render(
        request,
        "chouettes.html",
        status,
        problem=problem,
        club=(await services.clubs.known(club_id)).club if (club_id := request.query_params.get("club")) else None,
        chouettes=listed_chouettes(listed, person, await services.chouettes.waiting_for(person, listed)),
        games=games_listed(in_turn=False),
        levels=services.opponents.levels,
        level=next((level for level in reversed(services.opponents.levels) if level.engine == OURS), None),
        decisions=list(DECISIONS),
        consulting=CONSULTING,
        max_bots=MAX_PLAYERS - 1,
    )


async def open_chouette(request: Request) -> Response:
    """Opens a chouette and redirects to it."""
    services = service_of(request)
    if not may_create(request):
        return await chouettes_page(request, TOO_MUCH, 429)
    fields = await fields_of(request)
    try:
        wanted = read_chouette(services.opponents, variant(name_from(fields)), dict(fields))
    except (FormatError, StakesError, UnknownVariant, VariantsClash) as error:
        return await chouettes_page(request, error.translated(), 422)
    person, also = await person_of(request), None
    if club_id := request.query_params.get("club"):
        if person is None:
            raise HTTPException(403)
        private = "private" in dict(fields)
        try:
            also = await services.clubs.event(club_id, person, EventKind.CHOUETTE, private)
        except ClubRefused as error:
            return await chouettes_page(request, as_sentence(error), 422)
        wanted = replace(wanted, listed=wanted.listed and not private)
    person = person or await services.accounts.new_guest()
    return with_guest(request, person, go(f"/chouette/{await services.chouettes.open(person, wanted, also)}"))


async def chouette_page(request: Request) -> Response:
    """The page of a chouette, for players and watchers; once it is closed, its score sheet."""
    services, person = service_of(request), await person_of(request)
    live_chouette = await services.chouettes.live_chouette(request.path_params["chouette_id"])
    if live_chouette.chouette.over and "board" not in request.query_params:
        return await sheet_page(request)
    header, own = live_chouette.header, live_chouette.number_of(person.id if person else None)
    base = str(request.base_url).rstrip("/")
    title, terms = variant_title(header.rules), describe_chouette(header.rules, header.terms, header.decision_ms)
    return render(
        request,
        "chouette.html",
        preview=preview_of_text(request, _("Chouette, %(title)s", title=title), f"{terms}."),
        chouette=header,
        title=title,
        terms=terms,
        sits=live_chouette.player_of(person.id if person else None) is not None,
        said=SAID.get(request.query_params.get("said", ""), ""),
        others=[place for place in live_chouette.places if place.guest and place.player != own]
        if own is not None
        else [],
        commitment=live_chouette.seeds.commitment,
        link=f"{base}/chouette/{header.id}",
        club=await services.store.read(club_storage.club_of, header.id),
    )


async def sheet_page(request: Request, problem: str = "", status: int = 200) -> Response:
    """The score sheet of a closed chouette, with its games to replay and analyse."""
    live_chouette = await service_of(request).chouettes.live_chouette(request.path_params["chouette_id"])
    sheet, name = score_sheet(live_chouette.scene), live_chouette.scene.name
    games = [
        (f"{number} {player}", number, name(game.line[0]), name(player))
        for number, game in enumerate(live_chouette.chouette.finished, 1)
        for player, _ in game.results
    ]
    return render(
        request,
        "chouette_sheet.html",
        status,
        preview=preview_of_text(
            request,
            _("Chouette, %(title)s", title=sheet.title),
            ". ".join((sheet.terms, _("The chouette is closed."))),
            f"/chouette/{live_chouette.header.id}",
        ),
        sheet=sheet,
        id=live_chouette.header.id,
        games=games,
        problem=problem,
    )


async def review_game(request: Request) -> Response:
    """Imports a game of a closed chouette, the box against one player, as a match to review; leads to its replay."""
    services, person = service_of(request), await person_of(request)
    live_chouette = await services.chouettes.live_chouette(request.path_params["chouette_id"])
    if person is None or live_chouette.number_of(person.id) is None or not live_chouette.chouette.over:
        raise HTTPException(403)
    if not services.allowance.files.spend(address_of(request)):
        return await sheet_page(request, TOO_MUCH, 429)
    wanted = dict(await fields_of(request)).get("game", "")
    found = await asyncio.to_thread(lambda: list(pair_matches(live_chouette.chouette)))
    chosen = next((one for one in found if f"{one.game} {one.player}" == wanted), None)
    if chosen is None:
        raise HTTPException(404)
    names = live_chouette.scene.name(chosen.box), live_chouette.scene.name(chosen.player)
    data = await asyncio.to_thread(format_book, Book(chosen.match, names), ".sgf")
    file = f"chouette-{live_chouette.header.id}-{chosen.game}.sgf"
    try:
        async with FileReader() as reader:
            (made,) = await services.reviews.add(person, file, data, reader)
    except Unreadable as error:
        return await sheet_page(request, as_sentence(error), error.status)
    if made.refused is not None:
        return await sheet_page(request, as_sentence(made.refused), made.refused.status)
    return go(f"{made.path}/replay")


async def sheet_file(request: Request) -> Response:
    """The score sheet as a text file."""
    live_chouette = await service_of(request).chouettes.live_chouette(request.path_params["chouette_id"])
    body = sheet_text(score_sheet(live_chouette.scene))
    return attachment(f"chouette-{live_chouette.header.id}.txt", "text/plain; charset=utf-8", body)


async def export(request: Request) -> Response:
    """The event log of a chouette as a file."""
    live_chouette = await service_of(request).chouettes.live_chouette(request.path_params["chouette_id"])
    return attachment(f"chouette-{live_chouette.header.id}.json", "application/json", write_log(live_chouette.chouette))


async def join_chouette(request: Request) -> Response:
    """Joins a chouette."""
    services, chouette_id = service_of(request), request.path_params["chouette_id"]
    if not may_create(request):
        raise HTTPException(429)
    await services.chouettes.live_chouette(chouette_id)  # before a guest is made for it
    person = await person_of(request) or await services.accounts.new_guest()
    with suppress(ChouetteRefused, Conflict):  # the page shows that the chouette is full or closed; they may watch
        await services.chouettes.join(chouette_id, person)
    return with_guest(request, person, go(f"/chouette/{chouette_id}"))


ROUTES: Final = (
    Route("/chouettes", chouettes_page),
    Route("/chouette", open_chouette, methods=["POST"]),
    Route("/chouette/{chouette_id}", chouette_page),
    Route("/chouette/{chouette_id}/review", review_game, methods=["POST"]),
    Route("/chouette/{chouette_id}/sheet.txt", sheet_file),
    Route("/chouette/{chouette_id}/export.json", export),
    Route("/chouette/{chouette_id}/join", join_chouette, methods=["POST"]),
)
