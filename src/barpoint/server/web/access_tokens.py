"""The page of a user's own access tokens, which let programs act for them."""

from __future__ import annotations

from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.server.domain.guests import clean_name
from barpoint.server.live.pubsub import person_named
from barpoint.server.services import person_of, service_of
from barpoint.server.storage import access_tokens as token_storage
from barpoint.server.storage.access_tokens import SCOPES, TokenRefused, new_secret
from barpoint.server.web.rendering import render
from barpoint.server.web.requests import fields_of, form_of, go, may_create, with_guest


async def tokens_page(request: Request, secret: str = "", problem: str = "", status: int = 200) -> Response:
    """The user's own tokens. secret: of a new one."""
    services, person = service_of(request), await person_of(request)
    tokens = await services.store.read(token_storage.tokens_of, person.id) if person else []
    return render(
        request,
        "tokens.html",
        status,
        tokens=tokens,
        scopes=SCOPES,
        secret=secret,
        problem=problem,
    )


async def make_token(request: Request) -> Response:
    """Makes a token and shows it once."""
    if not may_create(request):
        raise HTTPException(429)
    services, fields = service_of(request), await fields_of(request)
    person = await person_of(request) or await services.accounts.new_guest()
    request.state.person = person
    secret, now = new_secret(), services.matches.clock()
    name = clean_name(dict(fields).get("name", "")) or "unnamed"
    scopes = frozenset(value for key, value in fields if key == "scope")
    try:
        await services.store.write(token_storage.put_token, person.id, secret, name, scopes, now)
    except TokenRefused as error:
        return with_guest(request, person, await tokens_page(request, problem=error.translated(), status=422))
    return with_guest(request, person, await tokens_page(request, secret=secret))


async def become_bot(request: Request) -> Response:
    """Marks the user as a program, permanently."""
    services, person = service_of(request), await person_of(request)
    if person is None:
        raise HTTPException(403)
    try:
        await services.store.write(token_storage.declare_bot, person.id)
    except TokenRefused as error:
        return await tokens_page(request, problem=error.translated(), status=422)
    services.pubsub.renamed(person.id)
    return go("/access-tokens")


async def drop_token(request: Request) -> Response:
    """Revokes a token."""
    services, person, form = service_of(request), await person_of(request), await form_of(request)
    if person is None:
        raise HTTPException(403)
    token_id = form.get("token", "")
    await services.store.write(token_storage.drop_token, person.id, token_id)
    services.pubsub.publish(person_named(person.id))
    return go("/access-tokens")


ROUTES: Final = (
    Route("/access-tokens", tokens_page),
    Route("/access-tokens", make_token, methods=["POST"]),
    Route("/access-tokens/bot", become_bot, methods=["POST"]),
    Route("/access-tokens/withdraw", drop_token, methods=["POST"]),
)
