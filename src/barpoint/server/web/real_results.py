"""The page on which the result of a real board is counted for ratings: its players are named, and confirm."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.server.domain.agreement_form import describe_agreement
from barpoint.server.domain.matches import BOTH
from barpoint.server.domain.titles import variant_title
from barpoint.server.live.real_results import RealResultRefused
from barpoint.server.services import person_of, service_of
from barpoint.server.storage import real_results as real_storage
from barpoint.server.storage import results as result_storage
from barpoint.server.storage.real_results import BoardPlayer
from barpoint.server.storage.results import RatingChange
from barpoint.server.web.rendering import render
from barpoint.server.web.requests import TOO_MUCH, as_sentence, form_of, go, may_create


async def result_page(request: Request, problem: str = "", status: int = 200) -> Response:
    """The result of a real board: who played, who has confirmed, and what it changed."""
    services, viewer = service_of(request), await person_of(request)
    live = await services.matches.live_match(request.path_params["match_id"])
    header, match = live.header, live.match
    if not header.by_hand or match.winner is None or not header.terms.length:
        raise HTTPException(404)

    def work(connection: Connection) -> tuple[tuple[BoardPlayer, ...], list[RatingChange | None]]:
        players = real_storage.board_players(connection, header.id)
        return players, [result_storage.change_of(connection, header.id, one.person.id) for one in players]

    players, changes = await services.store.read(work)
    own = next((one for one in players if viewer is not None and one.person.id == viewer.id), None)
    return render(
        request,
        "real_result.html",
        status,
        problem=problem,
        header=header,
        title=variant_title(header.rules),
        terms=describe_agreement(header.agreement),
        names=tuple(seat.shown_name for seat in header.seats),
        score=match.score,
        winner=match.winner,
        players=tuple(zip(players, changes, strict=True)),
        counted=any(changes),
        keeps=header.seat_of(viewer.id if viewer else None) == BOTH,
        asked=own is not None and not own.confirmed,
        viewer=viewer,
    )


async def act(request: Request) -> Response:
    """Names the players, or confirms or refuses the result."""
    services, match_id, person = service_of(request), request.path_params["match_id"], await person_of(request)
    if person is None:
        return go(f"/login?back=/match/{match_id}/result")
    if not may_create(request):
        return await result_page(request, TOO_MUCH, 429)
    form = await form_of(request)
    try:
        match form.get("do", ""):
            case "name":
                await services.real_results.name_players(
                    match_id, person, (form.get("player1", ""), form.get("player2", ""))
                )
            case "confirm" | "refuse":
                await services.real_results.answer(match_id, person, confirmed=form["do"] == "confirm")
            case _:
                raise HTTPException(400)
    except RealResultRefused as error:
        return await result_page(request, as_sentence(error), 422)
    return go(f"/match/{match_id}/result")


ROUTES: Final = (
    Route("/match/{match_id}/result", result_page),
    Route("/match/{match_id}/result", act, methods=["POST"]),
)
