"""The tutor of a match against a bot: what the page asks before the player acts."""

from __future__ import annotations

from typing import Final

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from barpoint.error import BarpointError
from barpoint.server.services import address_of, person_of, service_of
from barpoint.server.study.nets import AnalysisRefused
from barpoint.server.study.tutor import TutorQuestion, may_tutor
from barpoint.server.web.requests import as_sentence, form_of


async def tutor(request: Request) -> Response:
    """What the tutor says of what the player is about to do."""
    services, person = service_of(request), await person_of(request)
    live = await services.matches.live_match(request.path_params["match_id"])
    try:
        asked = msgspec.json.decode(await request.body(), type=TutorQuestion)
        if not services.allowance.positions.spend(address_of(request)):
            raise AnalysisRefused("so many questions at once; try again in a moment", 429)
        found = await services.tutor.answer(live, live.header.seat_of(person.id if person else None), asked)
    except (msgspec.DecodeError, UnicodeError) as error:
        return JSONResponse({"message": str(error)}, 400)
    except AnalysisRefused as refused:
        return JSONResponse({"message": as_sentence(refused)}, refused.status)
    except BarpointError as error:
        return JSONResponse({"message": as_sentence(error)}, 422)
    return Response(msgspec.json.encode(found), media_type="application/json")


async def tutored(request: Request) -> Response:
    """Keeps whether the player wants the tutor in this match: a form with `on`, or without."""
    services, person = service_of(request), await person_of(request)
    live = await services.matches.live_match(request.path_params["match_id"])
    seat = live.header.seat_of(person.id if person else None)
    if seat is None or not may_tutor(live.header, seat):
        raise HTTPException(403)
    await services.matches.set_tutored(live.header.id, seat, "on" in await form_of(request))
    return Response(status_code=204)


ROUTES: Final = (
    Route("/match/{match_id}/tutor", tutor, methods=["POST"]),
    Route("/match/{match_id}/tutored", tutored, methods=["POST"]),
)
