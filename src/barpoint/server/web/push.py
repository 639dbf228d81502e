"""Push subscriptions of browsers: asked about, added and removed on the account page."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from barpoint.error import FormatError
from barpoint.language import _
from barpoint.server.domain.web_push import checked_subscription
from barpoint.server.services import service_of
from barpoint.server.storage import push as push_storage
from barpoint.server.web.account import for_members, member
from barpoint.server.web.requests import form_of


@for_members
async def subscribed(request: Request) -> Response:
    """Whether this browser tells the user something: it may still hold the subscription of somebody else."""
    services, person, form = service_of(request), await member(request), await form_of(request)
    found = await services.store.read(push_storage.holds, form.get("endpoint", ""), person.id)
    return JSONResponse({"subscribed": found})


@for_members
async def subscribe(request: Request) -> Response:
    """Stores the subscription of this browser."""
    services, person, form = service_of(request), await member(request), await form_of(request)
    if not services.pusher.works:
        return JSONResponse({"message": _("this server tells nobody by push")}, 409)
    try:
        keys = form.get("endpoint", ""), form.get("p256dh", ""), form.get("auth", "")
        subscription = checked_subscription(*keys, services=services.pusher.services)
    except FormatError as error:
        return JSONResponse({"message": error.translated()}, 422)
    await services.store.write(push_storage.put, person.id, subscription, services.matches.clock())
    return JSONResponse({"subscribed": True})


@for_members
async def unsubscribe(request: Request) -> Response:
    """Deletes the subscription of this browser."""
    services, person, form = service_of(request), await member(request), await form_of(request)
    await services.store.write(push_storage.drop, form.get("endpoint", ""), person.id)
    return JSONResponse({"subscribed": False})


ROUTES: Final = (
    Route("/account/push", subscribe, methods=["POST"]),
    Route("/account/push/known", subscribed, methods=["POST"]),
    Route("/account/push/drop", unsubscribe, methods=["POST"]),
)
