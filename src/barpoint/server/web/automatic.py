"""What the server does for a player of a match while they are away: the page reads it and keeps what is changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from barpoint.server.domain.automatic import AutomaticTurns, Rolling, StandingAnswer, may_be_automatic
from barpoint.server.live.event_log import ForeignSeat
from barpoint.server.services import person_of, service_of
from barpoint.server.storage.event_log import Conflict
from barpoint.server.web.requests import form_of


async def automatic(request: Request) -> Response:
    """What is done for the player, as JSON; first keeps what a form says, with a field for each thing that is done."""
    services, person = service_of(request), await person_of(request)
    live_match = await services.matches.live_match(request.path_params["match_id"])
    seat = live_match.header.seat_of(person.id if person else None)
    if seat is None or not may_be_automatic(live_match.header, seat):
        raise HTTPException(403)
    if request.method == "POST":
        try:
            await services.matches.set_automatic(live_match.id, seat, _read(await form_of(request)))
        except ValueError:
            raise HTTPException(422) from None
        except ForeignSeat:
            raise HTTPException(403) from None
        except Conflict:
            raise HTTPException(409) from None
    return JSONResponse(asdict(live_match.automatic[seat]))


def _read(form: Mapping[str, str]) -> AutomaticTurns:
    """What a form asks for; ValueError for a choice that does not exist."""
    return AutomaticTurns(
        rolls=Rolling(form.get("rolls", "never")),
        passes="passes" in form,
        forced="forced" in form,
        bears_off="bears_off" in form,
        answer=StandingAnswer(form.get("answer", "")),
    )


ROUTES: Final = (Route("/match/{match_id}/automatic", automatic, methods=["GET", "POST"]),)
