"""The WebSocket of pages that have no other one: what waits for the person, as it happens (docs/protocol.md)."""

from __future__ import annotations

from contextlib import suppress
from typing import ClassVar, Final

from starlette.responses import JSONResponse
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from barpoint.server.domain.guests import Guest
from barpoint.server.live.matches import UnknownMatch
from barpoint.server.protocol.matches import JoinRequest, MatchRequest, PingRequest, Pong, read_request
from barpoint.server.services import Services, token_in
from barpoint.server.web.connections import Connection, serve_connection
from barpoint.server.web.credentials import Credentials

FOR_PAGES: Final = (
    "/ws/news is for pages, without a token; programs hear of what waits for their owner from /api/stream/event"
)


async def news_socket(websocket: WebSocket) -> None:
    """Begins a connection; refuses programs: no scope of a token allows to read what waits for its owner."""
    if token_in(websocket) is not None:
        with suppress(WebSocketDisconnect, RuntimeError):  # the client has gone
            await websocket.send_denial_response(JSONResponse({"error": {"code": "scope", "message": FOR_PAGES}}, 403))
        return
    await serve_connection(websocket, _nothing, UnknownMatch, _AtAnyPage)


async def _nothing(_: Services) -> None:
    """These connections are about no place."""


class _AtAnyPage(Connection[MatchRequest]):
    """Whoever only reads a page is not on line for the lobby, and is still told by mail that it is their turn."""

    __slots__ = ()
    counts: ClassVar[bool] = False

    def __init__(self, services: Services, credentials: Credentials, _: None, person: Guest | None) -> None:
        super().__init__(services, credentials, person, read_request)

    async def joined(self, request: MatchRequest) -> None:
        joined = await self.greeted(request, JoinRequest)
        if joined is None:
            return
        if self._person is None or not self._person.registered:
            self.end("no account")
        else:
            self._with_news = True
            self.follow_news()

    async def answer(self, request: MatchRequest) -> None:
        if isinstance(request, PingRequest):
            await self.send(Pong(request.number))
        else:
            await self.refuse(None, "format", "this connection takes nothing but pings")

    async def news(self) -> None:
        """Nothing: there is no state."""


ROUTES: Final = (WebSocketRoute("/ws/news", news_socket),)
