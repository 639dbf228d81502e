"""What every request passes through: it is counted, guarded against other sites, and its sender is looked up."""

from __future__ import annotations

import logging
from time import perf_counter
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from barpoint.server.services import person_of
from barpoint.server.study.reviews import LARGEST
from barpoint.server.web.errors import unexpected_error

LOG: Final = logging.getLogger("barpoint.http")

IMPERSONAL_PATHS: Final = ("/static/", "/healthz", "/metrics", "/picture", "/card", "/api/")
"""Beginnings of addresses that are the same for everybody, or that ask in their own way who it is."""

MAX_BODY: Final = 16_384
"""Bytes of the largest form that is read."""

LARGER_BODIES: Final = {"/review": LARGEST + MAX_BODY}
"""The same of forms that bring a file, by their address."""


class RequestLog:
    """Counts what is answered over HTTP, and says it to who wants to read it.

    Only the beginning of an address is said, since the rest of some is a secret.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = perf_counter(), 500

        async def observed(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, observed)
        finally:
            scope["app"].state.services.store.metrics.requests.labels(str(status)).inc()
            beginning = scope["path"].split("/")[1]
            taken_ms = round((perf_counter() - began) * 1000, 1)
            said = {"method": scope["method"], "beginning": f"/{beginning}", "status": status, "ms": taken_ms}
            LOG.info("answered", extra=said)


class RecognizePerson:
    """Looks up who asks for a page, so that its header can say so."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not scope["path"].startswith(IMPERSONAL_PATHS):
            await person_of(Request(scope))
        await self._app(scope, receive, send)


class Guard:
    """Headers that keep a page to itself, a page for a fault of ours, and no forms from other sites or of any length."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        host = request.headers.get("host", "")
        begun = False

        async def guarded(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                headers = MutableHeaders(scope=message)
                headers["Content-Security-Policy"] = policy(host)
                headers["X-Content-Type-Options"] = "nosniff"
                headers["Referrer-Policy"] = "same-origin"
                headers["Cross-Origin-Opener-Policy"] = "same-origin"
                if scope["path"].startswith("/static/"):
                    headers["Cache-Control"] = "no-cache"  # asked for each time, answered with 304
                else:
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        refused = self._refused(request)
        if refused is not None:
            await refused(scope, receive, guarded)
        else:
            try:
                await self._app(scope, receive, guarded)
            except Exception as error:
                if begun:
                    raise
                await (await unexpected_error(request, error))(scope, receive, guarded)

    def _refused(self, request: Request) -> Response | None:
        if request.method in ("GET", "HEAD"):
            return None
        origin, site = request.headers.get("origin"), request.headers.get("sec-fetch-site", "same-origin")
        elsewhere = origin is not None and origin.partition("//")[2] != request.headers.get("host")
        if elsewhere or site not in ("same-origin", "none"):
            return Response("This form was sent from another site.", 403, media_type="text/plain")
        length = request.headers.get("content-length", "")
        if not length.isdigit() or int(length) > LARGER_BODIES.get(request.url.path, MAX_BODY):
            return Response("This form is too long.", 413, media_type="text/plain")
        return None


def policy(host: str) -> str:
    """The content security policy of every page: nothing from anywhere else, and no script or style in the page.

    Some browsers do not count a WebSocket to the same host as 'self', so it is named.
    """
    known = host if host and all(c.isalnum() or c in ".-:[]" for c in host) else ""
    sockets = f" ws://{known} wss://{known}" if known else ""
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        f"connect-src 'self'{sockets}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )
