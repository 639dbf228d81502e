"""Error pages: refused addresses, a database that does not answer, server errors."""

from __future__ import annotations

import logging
import re
from contextlib import suppress
from http import HTTPStatus
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Scope
from starlette.websockets import WebSocket

from barpoint.error import StoreError, StoreFull
from barpoint.language import N_, _
from barpoint.server.domain.studies import UnknownStudy
from barpoint.server.live.chouettes import UnknownChouette
from barpoint.server.live.clubs import NotClubDirector, UnknownClub
from barpoint.server.live.event_log import ForeignSeat
from barpoint.server.live.ladders import UnknownLadder
from barpoint.server.live.matches import UnknownMatch
from barpoint.server.live.tournament_direction import NotDirector
from barpoint.server.live.tournaments import UnknownTournament
from barpoint.server.study.costly_pages import TooManyPages
from barpoint.server.study.reviews import UnknownReview
from barpoint.server.web.connections import TRY_AGAIN
from barpoint.server.web.rendering import render
from barpoint.server.web.requests import TOO_MUCH, go

LOG: Final = logging.getLogger("barpoint.server")

STATUS: Final[dict[type[Exception], int]] = {
    **dict.fromkeys(
        (UnknownMatch, UnknownChouette, UnknownTournament, UnknownReview, UnknownClub, UnknownLadder, UnknownStudy), 404
    ),
    **dict.fromkeys((ForeignSeat, NotDirector, NotClubDirector), 403),
    TooManyPages: 429,
}
"""Errors that mean the same on every page."""


MEMBERS_PATHS: Final = ("/match/", "/join/", "/tournament/", "/chouette/")
"""Beginnings of addresses that may lead to what only members of a club see."""

MISSING: Final = {
    "/join/": N_("There is no such invitation: it was withdrawn, or the link is incomplete."),
    "/clubs/invitation/": N_("There is no such invitation: it was withdrawn, or the link is incomplete."),
    "/recover/": N_("This link has expired, or has been used already."),
    "/match/": N_("There is no such match: it was given up before it began, or the address is incomplete."),
    "/review/": N_("There is no such match: it was deleted, or the address is incomplete."),
    "/player/": N_("Nobody here has this name."),
    "/study/": N_("There is no such study: it was deleted, or only its owner sees it."),
    "/clubs/": N_("There is no such club; check the address."),
    "/ladder/": N_("There is no such ladder; check the address."),
    "/tournament/": N_("There is no such tournament; check the address."),
    "/chouette/": N_("There is no such chouette; check the address."),
}
"""What is missing at addresses that begin like this, in the order in which they are looked through."""

ELSEWHERE: Final = {"/recover/": ("/recover", N_("A lost password")), "/player/": ("/players", N_("Players"))}
"""The page at which people look for it, and its name."""

PAGES: Final = {"/chouette": "/chouettes"}
"""Pages of forms whose addresses do not begin like them."""


def beginning_of(path: str) -> str:
    """The start of a path, as logs have it: the rest may be a secret."""
    return f"/{path.split('/')[1]}"


def route_of(scope: Scope) -> str:
    """The path of a request that was answered with the names of its parts, such as /match/{match_id}; its beginning where it leads nowhere."""
    if "endpoint" not in scope:
        return beginning_of(scope["path"])
    route = scope["path"]
    for name, value in scope["path_params"].items():
        route = re.sub(rf"/{re.escape(str(value))}(?=/|$)", f"/{{{name}}}", route, count=1)
    return str(route)


def page_of(request: Request) -> str:
    """The page that a form belongs to, whose own address has none: the same path without its last part."""
    above = PAGES.get(request.url.path) or request.url.path.rpartition("/")[0] or "/"
    return f"{above}?{request.url.query}" if request.url.query else above


def _answers_in_json(path: str) -> bool:
    """Whether what is at an address is JSON, so that a refusal is it too."""
    return path == "/api" or path.startswith("/api/") or path.endswith(".json")


async def http_error(request: Request, error: Exception) -> Response:
    """The page for unknown addresses and forbidden actions."""
    status = error.status_code if isinstance(error, HTTPException) else STATUS.get(type(error), 500)
    headers = error.headers if isinstance(error, HTTPException) else None
    if _answers_in_json(request.url.path):
        found = f"{request.method} {request.url.path[:80]}"
        code, message = "unknown", f"{found} leads nowhere; see /api/openapi.json"
        if status == 405:
            message = f"{found} is not offered; allowed: {(headers or {}).get('Allow')}; see /api/openapi.json"
        if status == 429:
            code, message = "rate", _(TOO_MUCH)
        if status == 400:
            code, message = "format", _("The server did not understand this.")
        return JSONResponse({"error": {"code": code, "message": message}}, status, headers)
    if status == 405 and request.method == "GET":
        return go(page_of(request))
    return _error_page(request, status, error)


def _error_page(request: Request, status: int, error: Exception) -> Response:
    """The page of a status."""
    person, path = getattr(request.state, "person", None), request.url.path
    member = bool(person and person.registered)
    start = _missing_at(path, error) if status == 404 else ""
    texts = {
        404: (_("Nothing here"), _(MISSING[start]) if start else _("No page of this server has this address.")),
        403: (_("Not yours"), _("Only whoever it belongs to, or who directs it, can do this.")),
        413: (_("Not possible"), _("This form is too long.")),
        429: (_("One moment"), _(TOO_MUCH)),
        405: (_("Not like this"), _("This address cannot be used that way.")),
        503: (_("Not now"), _("The server cannot do this just now; try again in a minute.")),
    }
    title, text = texts.get(status, (_("Not possible"), _reason(error) or _("The server did not understand this.")))
    way = ELSEWHERE.get(start)
    return render(
        request,
        "error.html",
        status,
        title=title,
        text=text,
        hidden=status == 404 and path.startswith(MEMBERS_PATHS) and not member,
        logged_out=(path if request.method == "GET" else page_of(request)) if status == 403 and not member else None,
        way=(way[0], _(way[1])) if way else None,
    )


def _missing_at(path: str, error: Exception) -> str:
    """The beginning of an address at which something is missing, as in MISSING; "" where it is only a part of something."""
    for start in MISSING:
        if path.startswith(start) and (type(error) in STATUS or "/" not in path.removeprefix(start)):
            return start
    return ""


def _reason(error: Exception) -> str:
    """What a handler says about a refused request; "" where it says nothing."""
    if not isinstance(error, HTTPException):
        return ""
    return "" if error.detail == HTTPStatus(error.status_code).phrase else error.detail


async def storage_error(connection: Request | WebSocket, error: Exception) -> Response | None:
    """Answers while the database does not read or write; a WebSocket is closed, and its client comes again."""
    if isinstance(connection, Request):
        return storage_page(connection, error)
    LOG.warning("a WebSocket at %s was closed: %s", beginning_of(connection.url.path), error)
    with suppress(RuntimeError):  # the client has gone
        await connection.close(TRY_AGAIN)
    return None


def storage_page(request: Request, error: Exception) -> Response:
    """The page for a database that does not read or write."""
    LOG.warning("%s %s was not done: %s", request.method, beginning_of(request.url.path), error)
    full = isinstance(error, StoreFull)
    if full:
        text = _("The disk of this server is full. Nothing was changed; try again in a minute.")
    else:
        text = _("The database does not answer just now. Nothing was changed; try again in a minute.")
    return render(request, "error.html", 503, title=_("Not now"), text=text)


async def unexpected_error(request: Request, error: Exception) -> Response:
    """The page for an internal error; the log has the details."""
    LOG.error("a fault in %s", beginning_of(request.url.path), exc_info=error)
    text = _("Something went wrong here. Your matches are safe: every move that was shown is stored.")
    return render(request, "error.html", 500, title=_("A fault"), text=text)


HANDLERS: Final[dict[Any, Any]] = {
    HTTPException: http_error,
    StoreError: storage_error,
    **dict.fromkeys(STATUS, http_error),
}
"""The page of each kind of error, for the application."""
