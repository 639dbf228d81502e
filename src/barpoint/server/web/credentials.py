"""Who is at the other end of a WebSocket: told by an access token, or else by cookies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from starlette.responses import JSONResponse, Response

from barpoint.server.domain.guests import Guest
from barpoint.server.services import Services

SCOPE: Final = "play"
"""What an access token has to allow for a connection, as where its requests act in matches."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """How a client says who it is: by an access token, or else by cookies."""

    cookies: Mapping[str, str]
    token: str | None = None

    async def person(self, services: Services) -> Guest | None:
        """Who that is now; None for nobody yet, and once a token allows this no longer. StoreError."""
        if self.token is None:
            return await services.guest(self.cookies)
        found = await services.owner_of(self.token)
        return found[0] if found is not None and SCOPE in found[1] else None


def refusal_of(services: Services, owner: Guest | None) -> Response | None:
    """Why a connection by an access token is refused: nobody owns one that allows it, or they have just asked for much."""
    if owner is None:
        message = f"this token is unknown, was withdrawn or does not allow {SCOPE}; allowed: one with that scope"
        return JSONResponse({"error": {"code": "token", "message": message}}, 401)
    calls = services.allowance.calls
    if not calls.spend(owner.id):
        said = {"code": "rate", "message": "so much at once; try again in a second"}
        return JSONResponse({"error": said}, 429, {"Retry-After": str(calls.retry_s)})
    return None
