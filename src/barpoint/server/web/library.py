"""The library: one's matches and their decisions, searched; positions like another one."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import urlencode

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.analysis.findings import BLUNDER, DOUBTFUL, ERROR, GROUPS, STAGES
from barpoint.analysis.score_kinds import SCORE_KINDS
from barpoint.analysis.text import faces_text
from barpoint.analysis.theme_text import TEXTS, theme_title
from barpoint.analysis.words import SCORE_WORDS, WORDS, choice_text
from barpoint.draw import thumbnail
from barpoint.error import BarpointError
from barpoint.language import N_, _, ngettext
from barpoint.server.domain.analysis_board import PATH as BOARD
from barpoint.server.domain.analysis_board import parse_address, path_of, query_of
from barpoint.server.domain.dates import day_text
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.titles import variant_title
from barpoint.server.services import address_of, person_of, service_of
from barpoint.server.storage import library as library_storage
from barpoint.server.storage.library import OwnMatch
from barpoint.server.storage.own_notes import OwnNote
from barpoint.server.study.library import FoundDecision, LibraryQuery, PersonLibrary, library_query_of
from barpoint.server.study.reference import nearest_references
from barpoint.server.web.analysis_board import setup_of_moment
from barpoint.server.web.reference import SIMILAR, ReferenceCard, reference_card
from barpoint.server.web.rendering import render
from barpoint.server.web.replay import RECORDING_PATHS
from barpoint.server.web.requests import as_sentence, go
from barpoint.server.web.statistics import depths_text, own_names_shown
from barpoint.variants import variant

PATH: Final = "/library"

PAGE: Final = 24
"""Decisions on a page."""

MATCHES: Final = 200
"""Matches on the page."""

HOLDS: Final = (
    ("own-anchors-1", N_("an anchor")),
    ("own-anchors-2", N_("two anchors")),
    ("own-bar-1", N_("on the bar")),
    ("own-bar-1+their-home-4", N_("on the bar against four points")),
    ("own-blots-3", N_("three blots")),
    ("own-prime-4", N_("four points in a row")),
    ("own-prime-5", N_("five points in a row")),
    ("own-home-5", N_("five points at home")),
    ("own-off-1", N_("checkers borne off")),
    ("their-anchors-1", N_("the other side has an anchor")),
    ("their-anchors-2", N_("the other side has two anchors")),
    ("their-bar-1", N_("the other side is on the bar")),
    ("their-prime-5", N_("the other side has five points in a row")),
)
"""Conditions that the page offers; an address can have others."""

REFERENCES: Final = 12
"""Reference positions on a page."""

FURTHER: Final = (
    *("source", "variant", "since", "until", "side", "kind", "luck", "score", "score_kind", "holds"),
    *("tag", "starred", "comment"),
)
"""Fields that the page folds away while they ask for nothing."""


@dataclass(frozen=True, slots=True)
class ShownDecision:
    """A decision as a card. picture: an SVG. score: points to go, "" for money. similar: the link to positions like it. note: one's own."""

    picture: str
    roll: str
    made: str
    best: str
    loss: float
    mark: str
    about: str
    score: str
    opponent: str
    on: str
    replay: str
    board: str
    similar: str
    pips: int
    note: OwnNote | None = None


@dataclass(frozen=True, slots=True)
class ShownMatch:
    """A match in the list. rating: the person's, None if it is not analysed or nobody knows which side is theirs. note: one's own."""

    path: str
    names: tuple[str, str]
    what: str
    on: str
    rating: float | None
    luck: float | None
    analysed: bool
    note: OwnNote | None


async def library_page(request: Request) -> Response:
    """The decisions, or the matches, that the address asks for."""
    person = await person_of(request)
    if person is None:
        return render(request, "library.html", found=None, problem="")
    query, problem = LibraryQuery(), ""
    show = "matches" if request.query_params.get("show") == "matches" else "decisions"
    given = [pair for pair in request.query_params.multi_items() if pair[0] != "show"]
    try:
        query = library_query_of(given)
    except msgspec.ValidationError as error:
        problem = str(error)
    services = service_of(request)
    opened = await services.library.of(person.id)
    names = query.name or opened.studied.own_names(person.name)
    shown: dict[str, Any] = {}
    if show == "matches":
        shown = await _matches(request, person, opened, query, names)
    else:
        try:
            hits = await asyncio.to_thread(opened.search, query, names)
            decisions = await services.library.decisions(hits.part((query.page - 1) * PAGE, PAGE))
            noted = {(note.path, note.event): note for note in opened.notes}
            shown = {"decisions": await asyncio.to_thread(lambda: [_shown(one, noted) for one in decisions])}
            shown |= {"count": len(hits), "pages": max(1, -(-len(hits) // PAGE))}
        except BarpointError as error:
            problem, shown = as_sentence(error), {"decisions": [], "count": 0, "pages": 1}
    return render(
        request,
        "library.html",
        found=True,
        show=show,
        problem=problem,
        query=query,
        further=any(getattr(query, field) != getattr(LibraryQuery(), field) for field in FURTHER),
        choices=_choices(opened),
        holds=[(value, _(title)) for value, title in HOLDS],
        noting=person.registered,
        has_notes=bool(opened.notes),
        back=request.url.path + (f"?{request.url.query}" if request.url.query else ""),
        empty=not (opened.studied.matches or opened.studied.not_analysed),
        not_analysed=opened.studied.not_analysed,
        depths=depths_text(one.match.plies for one in opened.matches(query, names)),
        link=lambda **more: _link(given, show, **more),
        wanted=urlencode([pair for pair in given if pair[0] != "page"]),
        **own_names_shown(opened.studied, names, request.url),
        **shown,
    )


def _link(given: Sequence[tuple[str, str]], shown: str, /, **more: object) -> str:
    """The address of the page with other fields."""
    kept = [(name, value) for name, value in given if name not in more and name != "page" and value]
    pairs = kept + [(name, str(value)) for name, value in {"show": shown, **more}.items() if value not in ("", 1)]
    return f"{PATH}?{urlencode([pair for pair in pairs if pair != ('show', 'decisions')])}"


async def _matches(
    request: Request, person: Guest, opened: PersonLibrary, query: LibraryQuery, names: Sequence[str]
) -> dict[str, Any]:
    every = await service_of(request).store.read(library_storage.matches, person.id)
    analysed = {one.path: one for one in opened.matches(query, names)}
    others = {one.path for one in opened.not_analysed(query, every)}
    noted = {note.path: note for note in opened.notes if not note.event}
    shown = []
    for match in every:
        path = match.path
        on = day_text(match.played_on, match.at)
        if path in analysed:
            one = analysed[path]
            own = None if one.seat is None else one.match.players[one.seat]
            rating, luck = (None, None) if own is None else (own.losses.rating, own.luck)
            shown.append(ShownMatch(path, match.names, _what(match), on, rating, luck, True, noted.get(path)))
        elif path in others:
            shown.append(ShownMatch(path, match.names, _what(match), on, None, None, False, noted.get(path)))
    return {"matches": shown[:MATCHES], "count": len(shown)}


def _what(match: OwnMatch) -> str:
    length = ngettext("%(num)s point", "%(num)s points", match.length) if match.length else _("Money session")
    return f"{_variant_title(match.variant)}, {length}"


def _variant_title(name: str) -> str:
    try:
        return variant_title(variant(name))
    except BarpointError:
        return name


def _shown(one: FoundDecision, noted: Mapping[tuple[str, int], OwnNote] = MappingProxyType({})) -> ShownDecision:
    decision, match = one.decision, one.of.match
    own, other = (int(away) for away in one.row["away"])
    moves = decision.best.moves if decision.kind == "play" else ()
    about = [theme_title(decision.themes[0].name)] if decision.themes else []
    return ShownDecision(
        picture=thumbnail(one.position, meeting=variant(one.variant).movement.meeting, moves=moves),
        roll=faces_text(decision.faces),
        made=choice_text(decision.made.text, decision.level),
        best=choice_text(decision.best.text, decision.level),
        loss=decision.loss,
        mark=decision.mark,
        about=" · ".join([*about, _(WORDS[decision.stage])]),
        score=f"{own}-{other}" if own else "",
        opponent=match.names[1 - decision.player] or _("unknown"),
        on=day_text(match.played_on, one.of.finished.at),
        replay=one.replay,
        board=one.board,
        similar=f"{one.of.path}/similar?before={decision.event}&player={decision.player}",
        pips=one.pips,
        note=noted.get((one.of.path, decision.event)),
    )


def _choices(opened: PersonLibrary) -> dict[str, list[tuple[str, str]]]:
    """What can be chosen: values with their titles."""
    tags = {tag.casefold(): tag for note in opened.notes for tag in note.tags}
    variants = sorted({match.rules for _one, match in opened.studied.matches})
    return {
        "source": [("", _("all matches")), ("match", _("played here")), ("review", _("imported"))],
        "variant": [("", _("every game")), *((name, _variant_title(name)) for name in variants)],
        "side": [("own", _("mine")), ("their", _("the other side’s")), ("both", _("both sides’"))],
        "kind": [("", _("plays and cube")), *((group, _(WORDS[group])) for group in GROUPS)],
        "stage": [("", _("every stage")), *((stage, _(WORDS[stage])) for stage in STAGES)],
        "theme": [
            ("", _("every theme")),
            *sorted(((name, theme_title(name)) for name in TEXTS), key=lambda one: one[1]),
        ],
        "loss": [
            (str(BLUNDER), _("blunders")),
            (str(ERROR), _("errors and blunders")),
            (str(DOUBTFUL), _("doubtful and worse")),
            ("0.0", _("right ones too")),
        ],
        "score_kind": [("", _("any score")), *((kind, _(SCORE_WORDS[kind])) for kind in SCORE_KINDS)],
        "luck": [("", _("any roll")), ("lucky", _("lucky rolls")), ("unlucky", _("unlucky rolls"))],
        "tag": [("", _("any tag")), *((tag, tag) for _key, tag in sorted(tags.items()))],
        "sort": [("loss", _("the worst first")), ("date", _("the latest first"))],
    }


async def similar_page(request: Request) -> Response:
    """The reference positions, and a person's own decisions, that are nearest to the position of the address."""
    person, problem, setup, found = await person_of(request), "", None, list[FoundDecision]()
    references = list[ReferenceCard]()
    if not service_of(request).allowance.positions.spend(address_of(request)):
        raise HTTPException(429)
    try:
        setup = await asyncio.to_thread(parse_address, dict(request.query_params))
    except BarpointError as error:
        problem = as_sentence(error)
    if setup is not None:
        rules, position = setup.rules, setup.of_actor
        near = await asyncio.to_thread(nearest_references, rules, position, REFERENCES)
        references = await asyncio.to_thread(lambda: [reference_card(one) for one in near.decisions])
    if setup is not None and person is not None:
        library = service_of(request).library
        opened, wanted = await library.of(person.id), setup
        hits = await asyncio.to_thread(lambda: opened.similar(wanted.rules, wanted.of_actor, PAGE))
        found = await library.decisions(hits)
    return render(
        request,
        "similar.html",
        problem=problem,
        picture="" if setup is None else f"{BOARD}/picture.svg?{query_of(setup.address)}",
        board="" if setup is None else path_of(setup),
        references=references,
        decisions=await asyncio.to_thread(lambda: [_shown(one) for one in found]),
    )


async def similar_moment(request: Request) -> Response:
    """Redirects to the positions like that of a moment of a finished match: ?before= an event, ?player= at the bottom."""
    return go(f"{SIMILAR}?{query_of((await setup_of_moment(request)).address)}")


ROUTES: Final = (
    Route(PATH, library_page),
    Route(SIMILAR, similar_page),
    *(Route(f"{path}/similar", similar_moment) for path in RECORDING_PATHS),
)
