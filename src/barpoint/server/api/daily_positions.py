"""The position of the day over HTTP: the question for everybody, and the answer of a token's owner, or of whoever uses the pages."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta
from starlette.requests import Request
from starlette.responses import Response

from barpoint.language import _
from barpoint.server.api import messages
from barpoint.server.api.practice import BoardOfCardQuery, moves_of, own
from barpoint.server.api.requests import Call, answer_with, open_to_everybody, query_in, spend
from barpoint.server.protocol.matches import Moves
from barpoint.server.services import address_of, service_of


class DailyAnswerBody(messages.Body, frozen=True):
    """An answer: the moves of a play, or a cube action by its name."""

    moves: Moves | None = None
    choice: Annotated[str, Meta(max_length=24)] = ""


@open_to_everybody
async def question(request: Request) -> Response:
    """The position of a day, after the moves tried."""
    moves = moves_of(query_in(request, BoardOfCardQuery).moves)
    return answer_with(await service_of(request).daily_positions.question(request.path_params["day"], moves))


@own
async def answer(call: Call) -> Response:
    """Judges one's answer to the position of a day, and says how everybody answered; once for each."""
    body = await call.body(DailyAnswerBody)
    spend(
        call.services.allowance.answers, address_of(call.request), _("so many answers at once; try again in a moment")
    )
    day = call.request.path_params["day"]
    return answer_with(await call.services.daily_positions.answer(call.person, day, body.choice, body.moves))


@own
async def answered(call: Call) -> Response:
    """The same again, for whoever has answered."""
    return answer_with(await call.services.daily_positions.answered(call.person, call.request.path_params["day"]))
