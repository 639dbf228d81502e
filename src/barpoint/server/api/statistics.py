"""A person's own statistics in the bot API."""

from __future__ import annotations

import asyncio

import msgspec
from starlette.responses import Response

from barpoint.analysis.statistics_comparison import statistics_of_periods
from barpoint.server.api.requests import Call, answer_with, guarded, query_refused
from barpoint.server.study.statistics import StatisticsQuery, query_of


@guarded(None)
async def statistics(call: Call) -> Response:
    """The statistics of the token's owner, over the analysed matches that the query asks for."""
    try:
        query = query_of(call.request.query_params.multi_items())
    except msgspec.ValidationError as error:
        raise query_refused(error, dict(call.request.query_params), StatisticsQuery) from None
    mine = await call.services.analysed_matches.of(call.person.id)
    names = query.name or mine.own_names(call.person.name)
    return answer_with(await asyncio.to_thread(lambda: statistics_of_periods(*mine.periods(query, names))))
