"""A person's library in the bot API: their decisions, searched, and those whose positions are like another one."""

from __future__ import annotations

import asyncio

import msgspec
from msgspec import Struct
from starlette.responses import Response

from barpoint.game.event import MoveMade
from barpoint.record import format_position
from barpoint.server.api.requests import Call, RequestRefused, answer_with, guarded
from barpoint.server.domain.analysis_board import parse_address
from barpoint.server.study.library import FoundDecision, library_query_of

PAGE = 100
"""Decisions of an answer."""


class LibraryDecision(Struct, frozen=True):
    """A decision. match: the path of its match. event, game, player, kind, stage, mark, loss: as in a report.

    position: its ID, seen by whoever decides. away: points to go of whoever decides and the other side, () for money.
    luck: of the roll that was played, None elsewhere. moves: of the better play. replay, board: links. pips: how far the
    position is from the one asked about.
    """

    match: str
    event: int
    game: int
    player: int
    names: tuple[str, str]
    played_on: str
    variant: str
    kind: str
    stage: str
    theme: str
    mark: str
    loss: float
    luck: float | None
    away: tuple[int, ...]
    faces: tuple[int, ...]
    position: str
    made: str
    best: str
    moves: tuple[MoveMade, ...]
    replay: str
    board: str
    pips: int


class LibraryAnswer(Struct, frozen=True):
    """Some of the decisions that were found. count: of all. page, pages: which part this is, and of how many."""

    count: int
    page: int
    pages: int
    decisions: tuple[LibraryDecision, ...]


def decision_shown(one: FoundDecision) -> LibraryDecision:
    """A decision as programs get it."""
    decision, match, row = one.decision, one.of.match, one.row
    return LibraryDecision(
        match=one.of.path,
        event=decision.event,
        game=decision.game,
        player=decision.player,
        names=match.names,
        played_on=match.played_on,
        variant=match.rules,
        kind=decision.kind,
        stage=decision.stage,
        theme=decision.themes[0].name if decision.themes else "",
        mark=decision.mark,
        loss=decision.loss,
        luck=None if row["luck"] != row["luck"] else round(float(row["luck"]), 5),
        away=tuple(int(away) for away in row["away"] if away),
        faces=decision.faces,
        position=format_position(one.position),
        made=decision.made.text,
        best=decision.best.text,
        moves=decision.best.moves,
        replay=one.replay,
        board=one.board,
        pips=one.pips,
    )


@guarded(None)
async def library(call: Call) -> Response:
    """The decisions of the token's owner that the query asks for, a hundred at a time."""
    try:
        query = library_query_of(call.request.query_params.multi_items())
    except msgspec.ValidationError as error:
        raise RequestRefused(400, "format", f"the query: {error}") from None
    opened = await call.services.library.of(call.person.id)
    names = query.name or opened.studied.own_names(call.person.name)
    hits = await asyncio.to_thread(opened.search, query, names)
    found = await call.services.library.decisions(hits.part((query.page - 1) * PAGE, PAGE))
    shown = tuple(decision_shown(one) for one in found)
    return answer_with(LibraryAnswer(len(hits), query.page, max(1, -(-len(hits) // PAGE)), shown))


@guarded(None)
async def similar(call: Call) -> Response:
    """The decisions of the token's owner whose positions are nearest to that of the query."""
    setup = parse_address(dict(call.request.query_params))
    opened = await call.services.library.of(call.person.id)
    hits = await asyncio.to_thread(lambda: opened.similar(setup.rules, setup.of_actor, PAGE))
    found = await call.services.library.decisions(hits)
    return answer_with(LibraryAnswer(len(hits), 1, 1, tuple(decision_shown(one) for one in found)))
