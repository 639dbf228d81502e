"""The dice report of a finished match, and the page that verifies one in the browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from barpoint.server.domain.chouette_dice_report import chouette_report
from barpoint.server.domain.dice import Seeds
from barpoint.server.domain.dice_report import DiceReport, DiceSecret, report_of, write_report
from barpoint.server.services import service_of
from barpoint.server.web.downloads import attachment
from barpoint.server.web.rendering import render


async def dice_report(request: Request) -> Response:
    """The report of a match; 409 with only the commitment until the match is over."""
    live_match = await service_of(request).matches.live_match(request.path_params["match_id"])
    if live_match.header.by_hand:
        raise HTTPException(404)  # real dice have no seed
    seeds = live_match.header.seeds
    return _answer(seeds, lambda: report_of(seeds, live_match.match, live_match.header.commitments))


async def chouette_dice_report(request: Request) -> Response:
    """The report of a chouette; 409 with only the commitment until the chouette is closed."""
    live_chouette = await service_of(request).chouettes.live_chouette(request.path_params["chouette_id"])
    return _answer(live_chouette.seeds, lambda: chouette_report(live_chouette.header, live_chouette.chouette))


def _answer(seeds: Seeds, made: Callable[[], DiceReport]) -> Response:
    """The report as a file, or the refusal while the dice are secret."""
    try:
        report = made()
    except DiceSecret as error:
        return JSONResponse({"error": str(error), "commitment": seeds.commitment}, 409)
    return attachment(f"dice-{report.match}.json", "application/json", write_report(report))


async def verify_page(request: Request) -> Response:
    """The page that verifies a report."""
    return render(request, "verify.html")


ROUTES: Final = (
    Route("/chouette/{chouette_id}/dice.json", chouette_dice_report),
    Route("/match/{match_id}/dice.json", dice_report),
    Route("/verify", verify_page),
)
