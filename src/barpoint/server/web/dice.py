"""The dice report of a finished match, and the page that verifies one in the browser."""

from __future__ import annotations

from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from barpoint.server.domain.chouette_dice_report import table_report
from barpoint.server.domain.dice_report import DiceReport, DiceSecret, report_of, write_report
from barpoint.server.live.chouettes import UnknownChouette
from barpoint.server.live.matches import UnknownMatch
from barpoint.server.services import service_of
from barpoint.server.web.rendering import render


async def dice_report(request: Request) -> Response:
    """The report of a match; 409 with only the commitment until the match is over."""
    try:
        live_match = await service_of(request).matches.live_match(request.path_params["match_id"])
    except UnknownMatch:
        raise HTTPException(404) from None
    if live_match.header.by_hand:
        raise HTTPException(404)  # real dice have no seed
    seeds = live_match.header.seeds
    try:
        report = report_of(seeds, live_match.match, live_match.header.seals)
    except DiceSecret as error:
        return JSONResponse({"error": str(error), "commitment": seeds.commitment}, 409)
    return _as_file(report)


async def table_dice_report(request: Request) -> Response:
    """The report of a chouette; 409 with only the commitment until the chouette is closed."""
    try:
        live_chouette = await service_of(request).chouettes.live_chouette(request.path_params["table_id"])
    except UnknownChouette:
        raise HTTPException(404) from None
    try:
        report = table_report(live_chouette.header, live_chouette.table)
    except DiceSecret as error:
        return JSONResponse({"error": str(error), "commitment": live_chouette.seeds.commitment}, 409)
    return _as_file(report)


def _as_file(report: DiceReport) -> Response:
    name = f'attachment; filename="dice-{report.match}.json"'
    return Response(write_report(report), media_type="application/json", headers={"Content-Disposition": name})


async def verify_page(request: Request) -> Response:
    """The page that verifies a report."""
    return render(request, "verify.html")


ROUTES: Final = (
    Route("/chouette/{table_id}/dice.json", table_dice_report),
    Route("/match/{match_id}/dice.json", dice_report),
    Route("/verify", verify_page),
)
