"""Middleware for every request: logs it, protects against other sites, and identifies the user."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Awaitable
from contextlib import suppress
from functools import partial
from time import perf_counter
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from barpoint.error import StoreError
from barpoint.language import _
from barpoint.record.turn_lines import MAX_LINES_TEXT
from barpoint.server.direct_socket import when_ended
from barpoint.server.domain.accounts import SESSION_COOKIE
from barpoint.server.domain.limits import MAX_OPEN_FROM_ONE, Places
from barpoint.server.domain.studies import MAX_STUDY_BYTES
from barpoint.server.services import address_of, person_of, service_of, token_in
from barpoint.server.study.pasted_match import MAX_MATCH_TEXT
from barpoint.server.study.reviews import MAX_UPLOAD_BYTES
from barpoint.server.web.connections import POLICY, TRY_AGAIN
from barpoint.server.web.errors import http_error, route_of, storage_page, unexpected_error
from barpoint.server.web.rendering import render
from barpoint.server.web.requests import is_framed, with_session

LOG: Final = logging.getLogger("barpoint.http")

IMPERSONAL_PATHS: Final = (
    "/static/",
    "/manifest",
    "/worker.js",
    "/offline",
    "/healthz",
    "/metrics",
    "/picture",
    "/card",
    "/api/",
    "/language/",
)
"""Prefixes of paths that are the same for everybody, or that identify the user in their own way."""

THIS_MACHINE: Final = ("", "127.0.0.1", "::1", "testclient")
"""Addresses of programs beside the server; people have them only where a proxy hides where they come from."""

MAX_BODY: Final = 16_384
"""Maximum bytes of a form."""

LARGER_BODIES: Final = {
    "/review": MAX_UPLOAD_BYTES + MAX_BODY,
    "/api/analysis/read": 4 * MAX_MATCH_TEXT + MAX_BODY,
    "/review/positions/study": 3 * MAX_STUDY_BYTES + MAX_BODY,
}
"""The same for forms with a file, by path."""

CORRECTION: Final = re.compile(r"/(?:match|review)/[^/]+/correct(?:/board)?")
"""Paths of forms with a whole match in lines."""

MAX_CORRECTION: Final = 3 * MAX_LINES_TEXT + MAX_BODY
"""Maximum bytes of these; most signs take three in a form."""


class RequestLog:
    """Counts and logs HTTP responses. Of a path it logs what is the same for everybody, because the rest may be a secret."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """What a WebSocket waits for is not in a frame of its own here, nor below: thousands are open."""
        return (self._logged if scope["type"] == "http" else self._app)(scope, receive, send)

    async def _logged(self, scope: Scope, receive: Receive, send: Send) -> None:
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
            taken_ms = round((perf_counter() - began) * 1000, 1)
            said = {
                "method": scope["method"],
                "route": route_of(scope),
                "status": status,
                "ms": taken_ms,
            }
            LOG.info("answered", extra=said)


class LimitAddress:
    """Bounds the requests and WebSockets open from one address, which `connection_limits` does not know of a proxy."""

    def __init__(self, app: ASGIApp) -> None:
        self._app, self._places = app, Places(sys.maxsize, MAX_OPEN_FROM_ONE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        address = address_of(HTTPConnection(scope))
        if not self._places.enter(address, shared=address in THIS_MACHINE):
            if scope["type"] == "websocket":
                await WebSocket(scope, receive, send).close(TRY_AGAIN)
            else:
                await (await http_error(Request(scope, receive), HTTPException(429)))(scope, receive, send)
            return
        try:
            await self._app(scope, receive, send)
        finally:
            when_ended(scope, partial(self._places.leave, address))


class RecognizePerson:
    """Identifies the user of a page, for its header."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        personal = scope["type"] == "http" and not scope["path"].startswith(IMPERSONAL_PATHS)
        return (self._recognized if personal else self._app)(scope, receive, send)

    async def _recognized(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        try:
            person = await person_of(request)
        except StoreError as error:
            await storage_page(request, error)(scope, receive, send)
            return
        if person is not None and person.registered and scope["method"] == "GET":
            send = _prolonging(request, send)
        await self._app(scope, receive, send)


def _prolonging(request: Request, send: Send) -> Send:
    """Sends a page, with the cookie of the session where that lasts anew: who plays regularly stays logged in."""
    secret, end = request.cookies.get(SESSION_COOKIE), request.state.session_end

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start" and secret is not None:
            headers = MutableHeaders(scope=message)
            page = headers.get("content-type", "").startswith("text/html")  # other answers may be kept on the way
            with suppress(StoreError):
                if page and await service_of(request).accounts.prolonged(secret, end):
                    headers.append("set-cookie", with_session(request, secret, Response()).headers["set-cookie"])
        await send(message)

    return sending


class Compress:
    """Compresses what is large enough; not what programs read, because lines of a stream must not wait for more."""

    def __init__(self, app: ASGIApp) -> None:
        self._app, self._compressed = app, GZipMiddleware(app, minimum_size=1000, compresslevel=6)

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        packed = scope["type"] == "http" and not _is_for_programs(scope)
        return (self._compressed if packed else self._app)(scope, receive, send)


class SharedApi:
    """Lets pages of other sites read the API, and act by it with a token; a cookie counts for pages of this site alone."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._shared = CORSMiddleware(
            app,
            allow_origins=("*",),
            allow_methods=("GET", "POST"),
            allow_headers=("Authorization", "Content-Type"),
            expose_headers=("Retry-After",),
        )

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        return (self._shared if _is_for_programs(scope) else self._app)(scope, receive, send)


def _is_for_programs(scope: Scope) -> bool:
    return bool(scope["type"] == "http" and scope["path"].startswith("/api/"))


class Guard:
    """Adds security headers, answers internal errors with a page, and refuses cross-site and oversized forms."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        if scope["type"] == "http":
            return self._guarded(scope, receive, send)
        if scope["type"] == "websocket" and has_nul(scope):
            return WebSocket(scope, receive, send).close(POLICY)
        return self._app(scope, receive, send)

    async def _guarded(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        host = request.headers.get("host", "")
        begun = False

        async def guarded(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                headers = MutableHeaders(scope=message)
                headers["Content-Security-Policy"] = policy(host, framed=is_framed(request))
                headers["X-Content-Type-Options"] = "nosniff"
                headers["Referrer-Policy"] = "same-origin"
                headers["Cross-Origin-Opener-Policy"] = "same-origin"
                if scope["path"].startswith("/static/"):
                    headers["Cache-Control"] = "no-cache"  # revalidated every time, answered with 304
                else:
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        refused = await http_error(request, HTTPException(400)) if has_nul(scope) else self._refused(request)
        if refused is not None:
            await refused(scope, receive, guarded)
        else:
            try:
                await self._app(scope, receive, guarded)
            except ClientDisconnect:
                return  # who did not send all of a form, or not in time, reads no answer
            except Exception as error:
                if begun:
                    raise
                await (await unexpected_error(request, error))(scope, receive, guarded)

    def _refused(self, request: Request) -> Response | None:
        if request.method in ("GET", "HEAD"):
            return None
        origin, site = request.headers.get("origin"), request.headers.get("sec-fetch-site", "same-origin")
        elsewhere = origin is not None and origin.partition("//")[2] != request.headers.get("host")
        # No browser adds a token unasked, as it does cookies.
        by_token = _is_for_programs(request.scope) and token_in(request) is not None
        if (elsewhere or site not in ("same-origin", "none")) and not by_token:
            return _refusal(
                request, 403, _("This form was sent from another site."), "refused", "a page of another site asks"
            )
        if "transfer-encoding" in request.headers:
            found = "a body in chunks; one with its Content-Length is read"
            return _refusal(request, 411, _("The server did not understand this."), "format", found)
        length, path = request.headers.get("content-length", "0"), request.url.path
        most = MAX_CORRECTION if CORRECTION.fullmatch(path) else LARGER_BODIES.get(path, MAX_BODY)
        if int(length) > most:
            found = f"a body of {length} bytes; at most {most} bytes are read"
            return _refusal(request, 413, _("This form is too long."), "format", found)
        return None


def _refusal(request: Request, status: int, text: str, code: str, message: str) -> Response:
    """The page for a person; for a program the error that the API promises, with its code and message. A script of a page reads the text alone."""
    if _is_for_programs(request.scope):
        return JSONResponse({"error": {"code": code, "message": message}}, status)
    if request.headers.get("sec-fetch-mode") == "navigate":
        return render(request, "error.html", status, title=_("Not possible"), text=text)
    return Response(text, status, media_type="text/plain")


def has_nul(scope: Scope) -> bool:
    """Whether an address has a NUL character in it, which databases reject."""
    return "\0" in scope["path"] or b"%00" in scope["query_string"] or b"\0" in scope["query_string"]


def policy(host: str, *, framed: bool = False) -> str:
    """The content security policy of every page: nothing from other origins, no inline script or style.

    It names the host for WebSockets, because some browsers do not count them as 'self'. framed: other sites may show it in a frame.
    """
    known = host if host and all(c.isalnum() or c in ".-:[]" for c in host) else ""
    sockets = f" ws://{known} wss://{known}" if known else ""
    ancestors = "*" if framed else "'none'"
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        f"connect-src 'self'{sockets}; manifest-src 'self'; form-action 'self'; base-uri 'none'; "
        f"frame-ancestors {ancestors}"
    )
