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
from barpoint.server import (
    analysis_page,
    entrance,
    export,
    lobby_page,
    openapi,
    operation,
    own,
    page,
    profile,
    proof,
    push_page,
    quiz_page,
    reading,
    replay_page,
    review_page,
    table_page,
    talk,
    token_page,
    tournament_page,
)
from barpoint.server.fibs.listener import listening
from barpoint.server.hall import Clock
from barpoint.server.opponent import Opponents
from barpoint.server.review import LARGEST
from barpoint.server.service import person_of, running, wall_clock
from barpoint.server.setting import Setting
from barpoint.server.socket import match_socket
from barpoint.server.table_socket import table_socket
from barpoint.server.throw import DiceSource, SealedDice

LOG: Final = logging.getLogger("barpoint.server")

STATIC: Final = Path(__file__).parent / "static"

FACELESS: Final = ("/static/", "/healthz", "/metrics", "/picture", "/card", "/api/")
"""Beginnings of addresses that are the same for everybody, or that ask in their own way who it is."""

LARGEST_BODY: Final = 16_384
"""Bytes of the largest form that is read."""

LARGER: Final = {"/review": LARGEST + LARGEST_BODY}
"""The same of forms that bring a file, by their address."""


def recording_routes(path: str) -> tuple[Route, ...]:
    """The pages of what can be stepped through and judged, wherever it is kept."""
    return (
        Route(f"{path}/export.{{suffix}}", export.export),
        Route(f"{path}/replay", replay_page.replay_page),
        Route(f"{path}/replay.json", replay_page.replay_json),
        Route(f"{path}/analysis.json", analysis_page.analysis_json),
        Route(f"{path}/analysis", analysis_page.ask_analysis, methods=["POST"]),
        Route(f"{path}/quiz.json", quiz_page.quiz_json),
        Route(f"{path}/quiz", quiz_page.answer, methods=["POST"]),
    )


ACCOUNT_ROUTES: Final = (
    Route("/login", entrance.login_page),
    Route("/login", entrance.login, methods=["POST"]),
    Route("/logout", entrance.logout, methods=["POST"]),
    Route("/register", entrance.register_page),
    Route("/register", entrance.register, methods=["POST"]),
    Route("/confirm/{secret}", entrance.confirm_page),
    Route("/confirm/{secret}", entrance.confirm, methods=["POST"]),
    Route("/recover", entrance.recover_page),
    Route("/recover", entrance.recover, methods=["POST"]),
    Route("/recover/mail", entrance.send_recovery, methods=["POST"]),
    Route("/recover/{secret}", entrance.reset_page),
    Route("/recover/{secret}", entrance.reset, methods=["POST"]),
    Route("/account", own.account_page),
    Route("/account/password", own.change_password, methods=["POST"]),
    Route("/account/email", own.change_email, methods=["POST"]),
    Route("/account/notices", own.change_notices, methods=["POST"]),
    Route("/account/push", push_page.subscribe, methods=["POST"]),
    Route("/account/push/drop", push_page.unsubscribe, methods=["POST"]),
    Route("/account/codes", own.change_codes, methods=["POST"]),
    Route("/account/logout-everywhere", own.logout_everywhere, methods=["POST"]),
    Route("/account/barpoint.zip", own.download),
    Route("/account/delete", own.delete_account, methods=["POST"]),
)

LOBBY_ROUTES: Final = (
    Route("/lobby", lobby_page.lobby_page),
    Route("/lobby/pair", lobby_page.pair, methods=["POST"]),
    Route("/lobby/{challenge_id}/accept", lobby_page.accept, methods=["POST"]),
    Route("/lobby/invitation/{match_id}/{answer}", lobby_page.answer_invitation, methods=["POST"]),
    Route("/lobby/{challenge_id}/withdraw", lobby_page.withdraw, methods=["POST"]),
    Route("/match/{match_id}/report", talk.report, methods=["POST"]),
    Route("/match/{match_id}/block", talk.block, methods=["POST"]),
    Route("/player/{name}", profile.profile_page),
    Route("/watch", lobby_page.watch_page),
    Route("/matches", lobby_page.own_matches),
    WebSocketRoute("/ws/lobby", lobby_page.lobby_socket),
)


TABLE_ROUTES: Final = (
    Route("/chouettes", table_page.tables_page),
    Route("/chouette", table_page.open_table, methods=["POST"]),
    Route("/chouette/{table_id}", table_page.table_page),
    Route("/chouette/{table_id}/dice.json", proof.table_dice_report),
    Route("/chouette/{table_id}/report", talk.report, methods=["POST"]),
    Route("/chouette/{table_id}/block", talk.block, methods=["POST"]),
    Route("/chouette/{table_id}/join", table_page.join_table, methods=["POST"]),
    WebSocketRoute("/ws/chouette/{table_id}", table_socket),
)


def create_app(
    setting: Setting, opponents: Opponents, *, dice: DiceSource | None = None, clock: Clock = wall_clock
) -> Starlette:
    """The server. dice and clock are arguments, so that a test knows what is thrown and when."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with running(setting, dice or SealedDice(), opponents, clock) as service, AsyncExitStack() as doors:
            app.state.service = service
            if setting.fibs:
                app.state.fibs = await doors.enter_async_context(listening(service, setting.fibs))
            yield

    return Starlette(
        routes=[
            Route("/", page.play_page),
            Route("/card", page.card),
            Route("/picture", page.picture),
            Route("/match", page.create_match, methods=["POST"]),
            Route("/match/{match_id}", page.match_page),
            Route("/match/{match_id}/dice.json", proof.dice_report),
            *recording_routes("/match/{match_id}"),
            Route("/review", review_page.review_page),
            Route("/review", review_page.bring, methods=["POST"]),
            *recording_routes("/review/{review_id}"),
            Route("/review/{review_id}/delete", review_page.delete, methods=["POST"]),
            Route("/match/{match_id}/rematch", page.rematch, methods=["POST"]),
            Route("/join/{token}", page.join_page),
            Route("/join/{token}", page.join, methods=["POST"]),
            Route("/name", page.rename, methods=["POST"]),
            *ACCOUNT_ROUTES,
            *LOBBY_ROUTES,
            *tournament_page.ROUTES,
            *TABLE_ROUTES,
            Route("/tokens", token_page.tokens_page),
            Route("/tokens", token_page.make_token, methods=["POST"]),
            Route("/tokens/bot", token_page.become_bot, methods=["POST"]),
            Route("/tokens/withdraw", token_page.drop_token, methods=["POST"]),
            *openapi.ROUTES,
            Route("/rules", reading.contents),
            Route("/rules/{name}", reading.rules_page),
            Route("/verify", proof.verify_page),
            Route("/healthz", operation.health),
            Route("/metrics", operation.metrics),
            WebSocketRoute("/ws/match/{match_id}", match_socket),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[Middleware(operation.Witness), Middleware(Guard), Middleware(Recognise)],
        exception_handlers={HTTPException: page.refusal, StoreError: page.unable},
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
                await (await page.failure(request, error))(scope, receive, guarded)

    def _refused(self, request: Request) -> Response | None:
        if request.method in ("GET", "HEAD"):
            return None
        origin, site = request.headers.get("origin"), request.headers.get("sec-fetch-site", "same-origin")
        elsewhere = origin is not None and origin.partition("//")[2] != request.headers.get("host")
        if elsewhere or site not in ("same-origin", "none"):
            return Response("This form was sent from another site.", 403, media_type="text/plain")
        length = request.headers.get("content-length", "")
        if not length.isdigit() or int(length) > LARGER.get(request.url.path, LARGEST_BODY):
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
