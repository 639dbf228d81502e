"""A person's library in the bot API: their decisions, searched, and those whose positions are like another one."""

from __future__ import annotations

import asyncio

import msgspec
from msgspec import Struct
from starlette.responses import Response

from barpoint.server.api.requests import Call, answer_with, guarded, query_refused
from barpoint.server.domain.analysis_board import parse_address
from barpoint.server.study.library import LibraryQuery, library_query_of
from barpoint.server.study.library_export import LibraryDecision, decision_shown

PAGE = 100
"""Decisions of an answer."""


class LibraryAnswer(Struct, frozen=True):
    """Some of the decisions that were found. count: of all. page, pages: which part this is, and of how many."""

    count: int
    page: int
    pages: int
    decisions: tuple[LibraryDecision, ...]


@guarded(None)
async def library(call: Call) -> Response:
    """The decisions of the token's owner that the query asks for, a hundred at a time."""
    try:
        query = library_query_of(call.request.query_params.multi_items())
    except msgspec.ValidationError as error:
        raise query_refused(error, dict(call.request.query_params), LibraryQuery) from None
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
