"""The reference positions: all of them by stage and by kind of decision, with their rollouts; and one of them as a card of a page."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.analysis.findings import STAGES
from barpoint.analysis.reference import ReferencePosition, reference_collection
from barpoint.analysis.text import faces_text
from barpoint.analysis.words import CUBE_CHOICES, WORDS
from barpoint.draw import thumbnail
from barpoint.error import BarpointError
from barpoint.language import N_, _
from barpoint.record import parse_position
from barpoint.server.domain.guests import Guest
from barpoint.server.services import person_of, service_of
from barpoint.server.storage import practice as card_storage
from barpoint.server.study.cards import digest_of
from barpoint.server.study.reference import ReferenceDecision, setup_of_reference, shown_reference
from barpoint.server.web.rendering import render
from barpoint.server.web.requests import as_sentence, form_of, go, may_create, page_in, with_guest

PATH: Final = "/library/reference"
SIMILAR: Final = "/library/similar"

PAGE: Final = 24
"""Positions on a page."""

KINDS: Final = {"": N_("plays and cube"), "play": N_("plays"), "cube": N_("cube actions")}
"""The kinds of decisions that can be asked for."""

CUBES: Final = {"": N_("cube centred"), "us": N_("own cube"), "them": N_("the other side’s cube")}


@dataclass(frozen=True, slots=True)
class ReferenceCard:
    """A reference position on a page. picture: an SVG. others: plays with what they lose, as negative numbers, or cube actions with
    their equities. error: the largest one of a cube action. similar: the link to positions like it.
    """

    picture: str
    roll: str
    best: str
    equity: float
    error: float
    others: list[tuple[str, float]]
    about: str
    cube: str
    board: str
    similar: str
    pips: int


def reference_card(one: ReferenceDecision) -> ReferenceCard:
    """A reference position as a page shows it, in the language that holds now."""
    position, best, others = parse_position(one.position), one.choices[0], one.choices[1:]
    if one.faces:
        title, said = one.best, [(choice.text, choice.equity - best.equity) for choice in others]
    else:
        title = _(CUBE_CHOICES[one.best])
        said = [(_(CUBE_CHOICES[choice.text]), choice.equity) for choice in one.choices]
    return ReferenceCard(
        picture=thumbnail(position, moves=one.moves),
        roll=faces_text(one.faces),
        best=title,
        equity=one.equity,
        error=max(choice.error for choice in one.choices) if not one.faces else best.error,
        others=said,
        about=_(WORDS[one.stage]),
        cube=_(CUBES[one.owner]),
        board=one.board,
        similar=f"{SIMILAR}?{urlencode({'position': one.position})}",
        pips=one.pips,
    )


async def reference_page(request: Request) -> Response:
    """The reference positions of a ?stage= and a ?kind= of decision."""
    return await _page(request, dict(request.query_params), await person_of(request))


async def _page(
    request: Request, query: dict[str, str], person: Guest | None, problem: str = "", status: int = 200
) -> Response:
    kind = query.get("kind", "") if query.get("kind") in KINDS else ""
    stage = query.get("stage", "") if query.get("stage") in STAGES else ""
    found = await asyncio.to_thread(_chosen, kind, stage)
    pages = max(1, -(-len(found) // PAGE))
    page = min(pages, page_in(query))
    shown = found[(page - 1) * PAGE : page * PAGE]
    digests = [digest_of(setup_of_reference(reference_collection().rules, one).address) for one in shown]
    held = await service_of(request).store.read(card_storage.digests, person.id, digests) if person else set()
    cards = await asyncio.to_thread(lambda: [reference_card(shown_reference(one)) for one in shown])
    return render(
        request,
        "reference.html",
        status,
        problem=problem,
        kind=kind,
        stage=stage,
        kinds=[(name, _(title)) for name, title in KINDS.items()],
        stages=[("", _("every stage")), *((name, _(WORDS[name])) for name in STAGES)],
        cards=[
            (one.key, _anchor_of(one), card, digest in held)
            for one, card, digest in zip(shown, cards, digests, strict=True)
        ],
        count=len(found),
        page=page,
        pages=pages,
        settings=reference_collection().settings,
        link=lambda to: reference_path(kind, stage, to),
    )


def reference_path(kind: str = "", stage: str = "", page: int = 1) -> str:
    """The address of a page of reference positions."""
    fields = {"kind": kind, "stage": stage, "page": page if page > 1 else ""}
    query = urlencode({name: value for name, value in fields.items() if value})
    return f"{PATH}?{query}" if query else PATH


def _chosen(kind: str, stage: str) -> list[ReferencePosition]:
    return [
        one
        for one in reference_collection().positions
        if stage in ("", one.stage) and kind in ("", "play" if one.faces else "cube")
    ]


async def make_card(request: Request) -> Response:
    """Makes a card of a reference position, for a new guest if nobody is known, and returns to it."""
    services, form = service_of(request), await form_of(request)
    one = reference_collection().by_key.get(form.get("key", ""))
    if one is None:
        raise HTTPException(404)
    person = await person_of(request)
    if person is None:
        if not may_create(request):
            raise HTTPException(429)
        person = await services.accounts.new_guest()
    try:
        await services.practice.add_position(person, setup_of_reference(reference_collection().rules, one))
    except BarpointError as error:
        return with_guest(request, person, await _page(request, form, person, as_sentence(error), 422))
    path = reference_path(form.get("kind", ""), form.get("stage", ""), page_in(form))
    return with_guest(request, person, go(f"{path}#{_anchor_of(one)}"))


def _anchor_of(one: ReferencePosition) -> str:
    """Where a position stands on the page."""
    return one.key.replace(" ", "-")


ROUTES: Final = (
    Route(PATH, reference_page),
    Route(f"{PATH}/card", make_card, methods=["POST"]),
)
