"""The server as one application: routes, headers, error pages, and a service that lives as long as it."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from barpoint.error import StoreError
from barpoint.server.api import openapi
from barpoint.server.bots.opponents import Opponents
from barpoint.server.domain.dice import DiceSource, SealedDice
from barpoint.server.domain.settings import Settings
from barpoint.server.fibs.listener import listening
from barpoint.server.live.matches import Clock
from barpoint.server.services import person_of, running, wall_clock
from barpoint.server.study.reviews import LARGEST
from barpoint.server.web import (
    access_tokens,
    account,
    analysis,
    auth_pages,
    chat,
    chouettes,
    export,
    health,
    lobby,
    play,
    profiles,
    push,
    quiz,
    replay,
    reviews,
    rules,
    tournaments,
)
from barpoint.server.web import (
    dice as dice_pages,
)
from barpoint.server.web.chouette_socket import table_socket
from barpoint.server.web.match_socket import match_socket

LOG: Final = logging.getLogger("barpoint.server")

STATIC: Final = Path(__file__).parent / "web" / "static"

FACELESS: Final = ("/static/", "/healthz", "/metrics", "/picture", "/card", "/api/")
"""Beginnings of addresses that are the same for everybody, or that ask in their own way who it is."""

MAX_BODY: Final = 16_384
"""Bytes of the largest form that is read."""

LARGER: Final = {"/review": LARGEST + MAX_BODY}
"""The same of forms that bring a file, by their address."""


def recording_routes(path: str) -> tuple[Route, ...]:
    """The pages of what can be stepped through and judged, wherever it is kept."""
    return (
        Route(f"{path}/export.{{suffix}}", export.export),
        Route(f"{path}/replay", replay.replay_page),
        Route(f"{path}/replay.json", replay.replay_json),
        Route(f"{path}/analysis.json", analysis.analysis_json),
        Route(f"{path}/analysis", analysis.ask_analysis, methods=["POST"]),
        Route(f"{path}/quiz.json", quiz.quiz_json),
        Route(f"{path}/quiz", quiz.answer, methods=["POST"]),
    )


ACCOUNT_ROUTES: Final = (
    Route("/login", auth_pages.login_page),
    Route("/login", auth_pages.login, methods=["POST"]),
    Route("/logout", auth_pages.logout, methods=["POST"]),
    Route("/register", auth_pages.register_page),
    Route("/register", auth_pages.register, methods=["POST"]),
    Route("/confirm/{secret}", auth_pages.confirm_page),
    Route("/confirm/{secret}", auth_pages.confirm, methods=["POST"]),
    Route("/recover", auth_pages.recover_page),
    Route("/recover", auth_pages.recover, methods=["POST"]),
    Route("/recover/mail", auth_pages.send_recovery, methods=["POST"]),
    Route("/recover/{secret}", auth_pages.reset_page),
    Route("/recover/{secret}", auth_pages.reset, methods=["POST"]),
    Route("/account", account.account_page),
    Route("/account/password", account.change_password, methods=["POST"]),
    Route("/account/email", account.change_email, methods=["POST"]),
    Route("/account/notices", account.change_notices, methods=["POST"]),
    Route("/account/push", push.subscribe, methods=["POST"]),
    Route("/account/push/drop", push.unsubscribe, methods=["POST"]),
    Route("/account/codes", account.change_codes, methods=["POST"]),
    Route("/account/logout-everywhere", account.logout_everywhere, methods=["POST"]),
    Route("/account/barpoint.zip", account.download),
    Route("/account/delete", account.delete_account, methods=["POST"]),
)

LOBBY_ROUTES: Final = (
    Route("/lobby", lobby.lobby_page),
    Route("/lobby/pair", lobby.pair, methods=["POST"]),
    Route("/lobby/{challenge_id}/accept", lobby.accept, methods=["POST"]),
    Route("/lobby/invitation/{match_id}/{answer}", lobby.answer_invitation, methods=["POST"]),
    Route("/lobby/{challenge_id}/withdraw", lobby.withdraw, methods=["POST"]),
    Route("/player/{name}", profiles.profile_page),
    Route("/watch", lobby.watch_page),
    Route("/matches", lobby.own_matches),
    WebSocketRoute("/ws/lobby", lobby.lobby_socket),
)


TABLE_ROUTES: Final = (
    Route("/chouettes", chouettes.tables_page),
    Route("/chouette", chouettes.open_table, methods=["POST"]),
    Route("/chouette/{table_id}", chouettes.table_page),
    Route("/chouette/{table_id}/dice.json", dice_pages.table_dice_report),
    Route("/chouette/{table_id}/join", chouettes.join_table, methods=["POST"]),
    WebSocketRoute("/ws/chouette/{table_id}", table_socket),
)


def create_app(
    settings: Settings, opponents: Opponents, *, dice: DiceSource | None = None, clock: Clock = wall_clock
) -> Starlette:
    """The server. dice and clock are arguments, so that a test knows what is rolled and when."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with running(settings, dice or SealedDice(), opponents, clock) as services, AsyncExitStack() as doors:
            app.state.services = services
            if settings.fibs:
                app.state.fibs = await doors.enter_async_context(listening(services, settings.fibs))
            yield

    return Starlette(
        routes=[
            Route("/", play.play_page),
            Route("/card", play.card),
            Route("/picture", play.picture),
            Route("/match", play.create_match, methods=["POST"]),
            Route("/match/{match_id}", play.match_page),
            Route("/match/{match_id}/dice.json", dice_pages.dice_report),
            *recording_routes("/match/{match_id}"),
            Route("/review", reviews.review_page),
            Route("/review", reviews.bring, methods=["POST"]),
            *recording_routes("/review/{review_id}"),
            Route("/review/{review_id}/delete", reviews.delete, methods=["POST"]),
            Route("/match/{match_id}/rematch", play.rematch, methods=["POST"]),
            Route("/join/{token}", play.join_page),
            Route("/join/{token}", play.join, methods=["POST"]),
            Route("/name", play.rename, methods=["POST"]),
            *ACCOUNT_ROUTES,
            *LOBBY_ROUTES,
            *tournaments.ROUTES,
            *chat.ROUTES,
            *TABLE_ROUTES,
            Route("/tokens", access_tokens.tokens_page),
            Route("/tokens", access_tokens.make_token, methods=["POST"]),
            Route("/tokens/bot", access_tokens.become_bot, methods=["POST"]),
            Route("/tokens/withdraw", access_tokens.drop_token, methods=["POST"]),
            *openapi.ROUTES,
            Route("/rules", rules.contents),
            Route("/rules/{name}", rules.rules_page),
            Route("/verify", dice_pages.verify_page),
            Route("/healthz", health.health),
            Route("/metrics", health.metrics),
            WebSocketRoute("/ws/match/{match_id}", match_socket),
            Mount("/static", StaticFiles(directory=STATIC, packages=[("barpoint", "data/look")])),
        ],
        middleware=[Middleware(health.Witness), Middleware(Guard), Middleware(Recognise)],
        exception_handlers={HTTPException: play.refusal, StoreError: play.unable},
        lifespan=lifespan,
    )


class Recognise:
    """Looks up who asks for a page, so that its header can say so."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not scope["path"].startswith(FACELESS):
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
                await (await play.failure(request, error))(scope, receive, guarded)

    def _refused(self, request: Request) -> Response | None:
        if request.method in ("GET", "HEAD"):
            return None
        origin, site = request.headers.get("origin"), request.headers.get("sec-fetch-site", "same-origin")
        elsewhere = origin is not None and origin.partition("//")[2] != request.headers.get("host")
        if elsewhere or site not in ("same-origin", "none"):
            return Response("This form was sent from another site.", 403, media_type="text/plain")
        length = request.headers.get("content-length", "")
        if not length.isdigit() or int(length) > LARGER.get(request.url.path, MAX_BODY):
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
