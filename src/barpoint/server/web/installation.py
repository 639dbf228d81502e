"""What makes the pages an app that can be installed: the manifest, the service worker, the page for being off line."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from barpoint.draw.palette import PAGE
from barpoint.language import _
from barpoint.server.web.rendering import render

WORKER: Final = Path(__file__).parent / "static" / "worker.js"

ICONS: Final = (
    {"src": "/static/icon.svg", "sizes": "any", "type": "image/svg+xml"},
    {"src": "/static/icon-192.png", "sizes": "192x192", "type": "image/png"},
    {"src": "/static/icon-512.png", "sizes": "512x512", "type": "image/png"},
    {"src": "/static/icon-maskable-512.png", "sizes": "512x512", "type": "image/png", "purpose": "maskable"},
)


async def manifest(request: Request) -> Response:
    """What the app is called when it is installed, how it looks and where it starts."""
    described = {
        "name": _("Barpoint: play backgammon"),
        "short_name": "Barpoint",
        "description": _("Backgammon and its whole family, with bots, friends and clubs."),
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": PAGE["page"],
        "theme_color": PAGE["page"],
        "icons": ICONS,
        "shortcuts": [
            {"name": _("Lobby"), "url": "/lobby"},
            {"name": _("Watch"), "url": "/watch"},
            {"name": _("Learn"), "url": "/rules"},
        ],
    }
    return JSONResponse(
        described,
        media_type="application/manifest+json",
        headers={"Cache-Control": "max-age=3600", "Vary": "Accept-Language, Cookie"},
    )


async def worker(request: Request) -> Response:
    """The service worker, at the root since a worker serves only what lies below its own address."""
    return FileResponse(WORKER, media_type="text/javascript", headers={"Cache-Control": "no-cache"})


async def offline(request: Request) -> Response:
    """The page that the service worker keeps for when the server cannot be reached."""
    return render(request, "offline.html")


ROUTES: Final = (
    Route("/manifest.webmanifest", manifest),
    Route("/worker.js", worker),
    Route("/offline", offline),
)
