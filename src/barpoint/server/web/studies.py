"""Pages of studies: one's own in a list, one as a tree beside the board, and those made of a deck, the mistakes of a match, or positions from files."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.analysis.findings import BLUNDER, ERROR
from barpoint.analysis.theme_text import theme_words
from barpoint.analysis.words import choice_text
from barpoint.error import BarpointError
from barpoint.language import _, date
from barpoint.record.text_annotations import parse_annotated
from barpoint.server.domain.analysis_board import BoardAddress, setup_from_situation, setup_of
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.studies import MAX_NODES, MAX_TITLE, UnknownStudy, seen_study
from barpoint.server.live.event_log import ForeignSeat
from barpoint.server.services import address_of, person_of, service_of
from barpoint.server.storage import practice as card_storage
from barpoint.server.storage.practice import CardSelection, StoredCard
from barpoint.server.storage.studies import StoredStudy
from barpoint.server.study.file_notes import position_lines
from barpoint.server.study.nets import AnalysisRefused
from barpoint.server.study.practice import UnknownCard
from barpoint.server.web.link_preview import LinkPreview, link_preview
from barpoint.server.web.rendering import render
from barpoint.server.web.replay import RECORDING_PATHS, recording_of
from barpoint.server.web.requests import as_sentence, fields_of, form_of, go
from barpoint.variants import variant


async def list_page(request: Request) -> Response:
    """One's own studies."""
    person = await person_of(request)
    mine = await service_of(request).studies.of(person) if person is not None and person.registered else None
    return render(request, "studies.html", mine=mine, date=date)


async def study_page(request: Request) -> Response:
    """A study; its script draws the tree and asks for the board."""
    studies, person = service_of(request).studies, await person_of(request)
    found = await studies.study(request.path_params["study"])
    mine = person is not None and person.id == found.guest_id
    return render(
        request,
        "study.html",
        preview=_preview(request, found),
        study=found,
        mine=mine,
        known=person is not None,
        member=person is not None and person.registered,
        results=await studies.results(found) if mine else None,
        choice_text=choice_text,
        asks=any(node.asked for node in found.tree.nodes),
        themes=theme_words(),
        longest=MAX_TITLE,
    )


def _preview(request: Request, found: StoredStudy) -> LinkPreview:
    """The preview of the position that ?at= names, or of the first one."""
    nodes = seen_study(found.tree, ()).nodes  # nothing that a reader has to find
    node = next((one for one in nodes if str(one.id) == request.query_params.get("at")), nodes[0])
    said = (node.name, _("by %(name)s", name=found.owner), node.comment)
    path = f"/study/{found.id}?at={node.id}"
    return link_preview(request, found.tree.title, ". ".join(filter(None, said)), setup_of(node.board), path)


async def remove(request: Request) -> Response:
    """Deletes a study of one's own."""
    person = await person_of(request)
    if person is not None:
        with suppress(UnknownStudy):  # it is gone already
            await service_of(request).studies.drop(person, request.path_params["study"])
    return go("/study")


async def of_deck(request: Request) -> Response:
    """Makes a study that asks the cards of one's own deck, or of a shared one."""
    person, services = await _member(request), service_of(request)
    try:
        deck = await services.practice.deck(person, request.path_params["deck"])
    except UnknownCard:
        raise HTTPException(404) from None
    cards = await services.store.read(card_storage.listed, deck.guest_id, CardSelection(deck.id), MAX_NODES)
    return await _made(request, person, deck.name, cards)


async def of_match(request: Request) -> Response:
    """Makes a study that asks the mistakes of a match. The form: whose, of which size."""
    person, services = await _member(request), service_of(request)
    recording, form = await recording_of(request), await form_of(request)
    if not recording.complete:
        raise HTTPException(404)
    player = int(form["player"]) if form.get("player") in ("0", "1") else None
    least = {"error": ERROR, "blunder": BLUNDER}.get(form.get("size", ""), 0.0)
    try:
        cards = await services.practice.of_mistakes(person, recording, player, least, MAX_NODES)
    except AnalysisRefused as refused:
        return _refused(request, refused, refused.status)
    return await _made(request, person, " – ".join(recording.players), cards)


async def of_positions(request: Request) -> Response:
    """Makes a study of positions that were read from files. The form: `title`; of each a field `position`, its name in the first line, then a text with it."""
    person, fields = await _member(request), await fields_of(request)
    texts = [value for name, value in fields if name == "position"]
    title = next((value for name, value in fields if name == "title" and value.strip()), _("Positions from files"))
    try:
        found = await asyncio.to_thread(lambda: [_position_of(text) for text in texts[: MAX_NODES + 1]])
        made = await service_of(request).studies.make_of_positions(person, title, found)
    except BarpointError as error:
        return _refused(request, error, 422)
    return go(f"/study/{made.id}")


def _position_of(text: str) -> tuple[BoardAddress, str, str]:
    """The board of a position, its name and, as its comment, what its file says of it."""
    name, _line, said = text.partition("\n")
    game = variant("backgammon")
    read = parse_annotated(said)
    return setup_from_situation(read.situation, game).address, name, "\n".join(position_lines(read, game))


async def _member(request: Request) -> Guest:
    """Whoever has an account, and may make something now."""
    person = await person_of(request)
    if person is None or not person.registered:
        raise ForeignSeat("studies are for players with an account; log in or register")
    if not service_of(request).allowance.analyses.spend(address_of(request)):
        raise HTTPException(429)
    return person


async def _made(request: Request, person: Guest, title: str, cards: list[StoredCard]) -> Response:
    try:
        made = await service_of(request).studies.make_of_cards(person, title, cards)
    except BarpointError as error:
        return _refused(request, error, 422)
    return go(f"/study/{made.id}")


def _refused(request: Request, error: BarpointError, status: int) -> Response:
    return render(request, "error.html", status, title=_("Not possible"), text=as_sentence(error))


ROUTES: Final = (
    Route("/review/positions/study", of_positions, methods=["POST"]),
    *(Route(f"{path}/study", of_match, methods=["POST"]) for path in RECORDING_PATHS),
    Route("/practice/deck/{deck}/study", of_deck, methods=["POST"]),
    Route("/study", list_page),
    Route("/study/{study}", study_page),
    Route("/study/{study}/remove", remove, methods=["POST"]),
)
