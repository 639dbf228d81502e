"""Keeps strangers away from matches, tournaments and chouettes that only members of a club may see."""

from __future__ import annotations

import re
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from barpoint.error import StoreError
from barpoint.language import _
from barpoint.server.domain.limits import ID_LENGTH, ID_LETTERS
from barpoint.server.services import owner_of_token, person_of, service_of, token_in
from barpoint.server.storage import clubs as club_storage
from barpoint.server.storage import matches as match_storage
from barpoint.server.web.connections import POLICY, TRY_AGAIN
from barpoint.server.web.errors import http_error, storage_page

EVENT_PATH: Final = re.compile(
    rf"^/(?:ws/|api/(?:bot/)?)?(?:match|tournament|tournaments|chouette)/(?:stream/)?([{ID_LETTERS}]{{{ID_LENGTH}}})(?:/|$)"
)
"""Paths of one match, tournament or chouette, on pages, over WebSockets and in the API."""

INVITATION_PATH: Final = re.compile(r"^/join/([\w-]+)(?:/|$)", re.ASCII)
"""Paths of an invitation to a match."""


class MembersOnly:
    """Answers 404 for a private event of a club, and an invitation to it, to whoever is no member and does not play there."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"] if scope["type"] in ("http", "websocket") else ""
        found = EVENT_PATH.match(path) or INVITATION_PATH.match(path)
        if found is None:
            await self._app(scope, receive, send)
            return
        try:
            allowed = await _may_see(HTTPConnection(scope), found)
        except StoreError as error:
            await _refuse(scope, receive, send, error)
            return
        if allowed:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await WebSocket(scope, receive, send).close(POLICY)
        else:
            await (await http_error(Request(scope, receive), HTTPException(404)))(scope, receive, send)


async def _refuse(scope: Scope, receive: Receive, send: Send, error: StoreError) -> None:
    """Answers while the database does not."""
    if scope["type"] == "websocket":
        await WebSocket(scope, receive, send).close(TRY_AGAIN)
    elif scope["path"].startswith("/api/"):
        said = {"code": "store", "message": _("the database does not answer; nothing was changed")}
        await JSONResponse({"error": said}, 503)(scope, receive, send)
    else:
        await storage_page(Request(scope, receive), error)(scope, receive, send)


async def _may_see(connection: HTTPConnection, found: re.Match[str]) -> bool:
    store, event_id = service_of(connection).store, found[1]
    if found.re is INVITATION_PATH:
        invited = await store.read(match_storage.find_invitation, event_id)
        if invited is None:
            return True  # the page says that there is no such invitation
        event_id = invited
    if await store.read(club_storage.may_see, event_id, None):
        return True
    if token_in(connection) is not None:
        found_owner = await owner_of_token(connection)
        person = found_owner[0] if found_owner is not None else None
    else:
        person = await person_of(connection)
    return person is not None and (person.administrator or await store.read(club_storage.may_see, event_id, person.id))
