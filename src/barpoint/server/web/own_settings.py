"""The settings of boards and pages that an account keeps: a page sends what is changed, and has them in its first element."""

from __future__ import annotations

from typing import Final

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from barpoint.server.domain.own_settings import OwnSettings
from barpoint.server.services import service_of
from barpoint.server.storage import accounts as account_storage
from barpoint.server.web.account import for_members, member
from barpoint.wrong_field import wrong_json


@for_members
async def change_settings(request: Request) -> Response:
    """Keeps the settings that a JSON object names."""
    body = await request.body()
    try:
        change = msgspec.json.decode(body, type=OwnSettings)
    except msgspec.ValidationError as error:
        return JSONResponse({"message": wrong_json(error, body, OwnSettings)}, 422)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        return JSONResponse({"message": str(error)}, 400)
    await service_of(request).store.write(account_storage.change_settings, (await member(request)).id, change)
    return Response(status_code=204)


ROUTES: Final = (Route("/settings", change_settings, methods=["POST"]),)
