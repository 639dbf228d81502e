"""Matches as downloads, and the report of their analysis as a page to print."""

from __future__ import annotations

import gzip
from contextlib import suppress
from hashlib import sha256
from typing import Final

import msgspec
from msgspec import UNSET, structs
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.analysis import Report
from barpoint.analysis.other_verdicts import other_findings
from barpoint.error import FormatError
from barpoint.language import _
from barpoint.record import format_book
from barpoint.server.services import Services, address_of, service_of
from barpoint.server.study.nets import AnalysisRefused
from barpoint.server.study.recordings import Recording
from barpoint.server.web.downloads import attachment
from barpoint.server.web.rendering import render
from barpoint.server.web.replay import RECORDING_PATHS, recording_of
from barpoint.server.web.requests import as_sentence

HTML: Final = "text/html; charset=utf-8"

KINDS: Final = {
    "json": "application/json",
    "mat": "text/plain; charset=utf-8",
    "sgf": "application/x-go-sgf; charset=utf-8",
    "xg": "application/octet-stream",
}
"""File suffixes and their media types."""


async def export(request: Request) -> Response:
    """A match as a file: our log, or a format of other programs."""
    recording = await recording_of(request)
    suffix = request.path_params["suffix"]
    if suffix not in KINDS:
        raise HTTPException(404)
    services = service_of(request)
    try:
        body = await services.costly_pages.page(
            recording, address_of(request), lambda: format_book(recording.book, f".{suffix}"), "export", suffix
        )
    except FormatError as error:
        return render(request, "error.html", 422, title=_("Not possible"), text=as_sentence(error))
    return attachment(f"{recording.id}.{suffix}", KINDS[suffix], body)


async def report_page(request: Request) -> Response:
    """The deepest report of a match as a page of its own, with its mistakes, to read or to print."""
    recording, services = await recording_of(request), service_of(request)
    packed = await _report_of(services, recording)
    if packed is None:
        text = _("The match has to be analysed first.")
        return render(request, "error.html", 409, title=_("Not possible"), text=text)
    body = await services.costly_pages.page(
        recording, address_of(request), lambda: _sheet(recording, packed), "report", sha256(packed).digest()
    )
    return attachment(f"{recording.id}.html", HTML, body)


async def _report_of(services: Services, recording: Recording) -> bytes | None:
    """None also for a match that is being played, of which nothing is analysed, and where no net covers the rules."""
    if not recording.complete:
        return None
    with suppress(AnalysisRefused):
        return await services.analyses.deepest_report(recording.id, recording.match.rules, recording.source)
    return None


def _sheet(recording: Recording, packed: bytes) -> str:
    """The report, which is stored without names, with those of the players."""
    report = msgspec.json.decode(gzip.decompress(packed), type=Report)
    names = recording.players
    players = tuple(structs.replace(one, name=name) for one, name in zip(report.players, names, strict=True))
    other = other_findings(recording.book) or UNSET
    return structs.replace(report, names=names, players=players, other=other).html(recording.match)


ROUTES: Final = tuple(
    route
    for path in RECORDING_PATHS
    for route in (Route(f"{path}/export.html", report_page), Route(f"{path}/export.{{suffix}}", export))
)
