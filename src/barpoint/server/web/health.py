"""Endpoints for operators: health and metrics."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from ipaddress import ip_address
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from barpoint.error import StoreError
from barpoint.server.services import service_of
from barpoint.server.storage.database import answers

PATIENCE_S: Final = 3.0
"""Time limit for the database to answer."""

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"


async def health(request: Request) -> Response:
    """Whether the database answers, and takes writes. A lost pubsub only delays updates, and does not count as unhealthy.

    With ?reads, for proxies, a full disk does not count either: pages can still be read, and say so.
    """
    services = service_of(request)
    try:
        async with asyncio.timeout(PATIENCE_S):
            await services.store.read(answers)
    except (StoreError, OSError, TimeoutError):
        return JSONResponse({"status": "the database does not answer"}, 503)
    if services.store.full and "reads" not in request.query_params:
        return JSONResponse({"status": "the disk is full"}, 503)
    if services.shared_pubsub is None:
        return JSONResponse({"status": "ok"})
    return JSONResponse(
        {"status": "ok", "pubsub": "connected" if services.shared_pubsub.connected.is_set() else "away"}
    )


async def metrics(request: Request) -> Response:
    """The metrics, for direct requests from this machine or a private network; 404 for all others."""
    if not is_near(request.client.host if request.client else "", request.headers):
        raise HTTPException(404)
    return Response(service_of(request).store.metrics.text(), media_type=CONTENT_TYPE)


def is_near(host: str, headers: Mapping[str, str]) -> bool:
    """Whether a request comes from this machine or a private network, as far as the server can tell."""
    if any(name in headers for name in ("forwarded", "x-forwarded-for", "x-real-ip")):
        return False
    try:
        return ip_address(host).is_private
    except ValueError:
        return False


ROUTES: Final = (
    Route("/healthz", health),
    Route("/metrics", metrics),
)
