"""What those ask who look after a server: whether it is well, and its figures."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from ipaddress import ip_address
from time import perf_counter
from typing import Final

from sqlalchemy import select
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from barpoint.error import StoreError
from barpoint.server.services import service_of

LOG: Final = logging.getLogger("barpoint.http")

PATIENCE_S: Final = 3.0
"""Time for the database to answer."""

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"


async def health(request: Request) -> Response:
    """Whether the database answers. A bus that is away makes others wait a little, and is no illness."""
    services = service_of(request)
    try:
        async with asyncio.timeout(PATIENCE_S):
            await services.store.read(lambda connection: connection.scalar(select(1)))
    except (StoreError, OSError, TimeoutError):
        return JSONResponse({"status": "the database does not answer"}, 503)
    if services.relay is None:
        return JSONResponse({"status": "ok"})
    return JSONResponse({"status": "ok", "bus": "connected" if services.relay.connected.is_set() else "away"})


async def metrics(request: Request) -> Response:
    """The figures, for who asks from this machine or a private network and not through a proxy; else there is nothing."""
    if not is_near(request.client.host if request.client else "", request.headers):
        raise HTTPException(404)
    return Response(service_of(request).store.metrics.text(), media_type=CONTENT_TYPE)


def is_near(host: str, headers: Mapping[str, str]) -> bool:
    """Whether a request comes from a machine of ours, as far as can be known."""
    if any(name in headers for name in ("forwarded", "x-forwarded-for", "x-real-ip")):
        return False
    try:
        return ip_address(host).is_private
    except ValueError:
        return False


class Witness:
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

        async def witnessed(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, witnessed)
        finally:
            scope["app"].state.services.store.metrics.requests.labels(str(status)).inc()
            beginning = scope["path"].split("/")[1]
            taken_ms = round((perf_counter() - began) * 1000, 1)
            said = {"method": scope["method"], "beginning": f"/{beginning}", "status": status, "ms": taken_ms}
            LOG.info("answered", extra=said)
