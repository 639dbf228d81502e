"""A decision of a match with its analysis as text, to paste elsewhere."""

from __future__ import annotations

from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from barpoint.error import BarpointError
from barpoint.language import _
from barpoint.number_text import number_in
from barpoint.server.services import address_of, person_of, service_of
from barpoint.server.study.decision_text import text_of_moment
from barpoint.server.study.nets import AnalysisRefused
from barpoint.server.study.rollouts import RolloutAsker
from barpoint.server.web.analysis import key_of
from barpoint.server.web.replay import RECORDING_PATHS, recording_of
from barpoint.server.web.requests import TOO_MUCH


async def decision_text_json(request: Request) -> Response:
    """The decision of ?event=, ?player= and ?kind= by the report of ?plies=: {"text": "..."}; ?deeper= says that a deeper answer is shown."""
    recording, services, person = await recording_of(request), service_of(request), await person_of(request)
    asked = request.query_params
    if not recording.complete:
        raise HTTPException(404)
    event, player = _number(asked.get("event", "")), _number(asked.get("player", ""))
    if not (1 <= event <= len(recording.match.events) and player in (0, 1)):
        raise HTTPException(404)
    if not services.allowance.positions.spend(address_of(request)):
        return JSONResponse({"message": _(TOO_MUCH)}, 429)
    asker = RolloutAsker(person.id if person else address_of(request), person is not None and person.registered)
    try:
        packed = await services.analyses.report_of_any_net(key_of(request, recording, asked.get("plies", "")))
        if packed is None:
            raise AnalysisRefused("the match has to be analysed first", 409)
        moment = event, player, asked.get("kind", "")
        text = await text_of_moment(
            services.advisers, services.rollouts, recording, packed, asker, moment, _number(asked.get("deeper", "0"))
        )
    except AnalysisRefused as refused:
        return JSONResponse({"message": str(refused)}, refused.status)
    except BarpointError as error:
        return JSONResponse({"message": error.translated()}, 422)
    return JSONResponse({"text": text})


def _number(text: str) -> int:
    number = number_in(text, 0, 999_999)
    if number is None:
        raise HTTPException(404)
    return number


ROUTES: Final = tuple(Route(f"{path}/decision-text.json", decision_text_json) for path in RECORDING_PATHS)
