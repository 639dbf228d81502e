"""Error pages: refused addresses, a database that does not answer, server errors."""

from __future__ import annotations

import logging
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from barpoint.error import StoreFull
from barpoint.server.web.rendering import render

LOG: Final = logging.getLogger("barpoint.server")


async def http_error(request: Request, error: Exception) -> Response:
    """The page for unknown addresses and forbidden actions."""
    if request.url.path.startswith("/api/"):
        said = {
            "code": "unknown",
            "message": f"{request.method} {request.url.path[:80]} leads nowhere; see /api/openapi.json",
        }
        return JSONResponse({"error": said}, error.status_code if isinstance(error, HTTPException) else 500)
    status = error.status_code if isinstance(error, HTTPException) else 500
    texts = {
        404: ("Nothing here", "This address leads nowhere. A match or an invitation may have been mistyped."),
        403: ("Not yours", "Only the players of a match can do this."),
        429: ("One moment", "Too many requests; try again in a minute."),
        405: ("Not like this", "This address cannot be used that way."),
    }
    title, text = texts.get(status, ("Not possible", "The server did not understand this."))
    return render(request, "error.html", status, title=title, text=text)


async def storage_error(request: Request, error: Exception) -> Response:
    """The page for a database that does not read or write."""
    LOG.warning("%s %s was not done: %s", request.method, request.url.path, error)
    full = isinstance(error, StoreFull)
    text = "The disk of this server is full." if full else "The database does not answer just now."
    return render(
        request, "error.html", 503, title="Not now", text=f"{text} Nothing was changed; try again in a minute."
    )


async def unexpected_error(request: Request, error: Exception) -> Response:
    """The page for an internal error; the log has the details."""
    LOG.error("a fault in %s", request.url.path, exc_info=error)
    text = "Something went wrong here. Your matches are safe: every move that was shown is stored."
    return render(request, "error.html", 500, title="A fault", text=text)
