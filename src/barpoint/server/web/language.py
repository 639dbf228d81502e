"""Which language a reader gets, how they choose another, and the texts that scripts need."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Final
from urllib.parse import urlsplit

import msgspec
from babel.core import Locale
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from barpoint.language import (
    SCRIPT,
    SOURCE,
    accepted_language,
    catalogue,
    in_language,
    known_language,
    languages,
    ngettext_as_written,
)
from barpoint.server.services import person_of, service_of
from barpoint.server.storage import accounts as account_storage
from barpoint.server.web.requests import YEAR_S, back_from, form_of, go, set_cookie

COOKIE: Final = "barpoint_language"

ENGLISH_PATHS: Final = ("/api/", "/static/", "/healthz", "/metrics")
"""Prefixes of paths whose readers are programs."""

SHOWN_PATHS: Final = ("/api/analysis", "/api/practice")
"""Prefixes among them whose answers pages show too; a program that names no language is told in English."""


def language_of(connection: HTTPConnection) -> str:
    """The language that a browser has chosen, else the one it prefers."""
    chosen = known_language(connection.cookies.get(COOKIE, ""))
    return chosen or accepted_language(connection.headers.get("accept-language", ""))


class ChooseLanguage:
    """Sets the language of each request, and of each WebSocket for as long as it lasts."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        personal = scope["type"] in ("http", "websocket") and (
            not path.startswith(ENGLISH_PATHS) or path.startswith(SHOWN_PATHS)
        )
        with in_language(language_of(HTTPConnection(scope)) if personal else SOURCE):
            await self._app(scope, receive, send)


def with_language(request: Request, code: str, response: Response) -> Response:
    """Adds the cookie by which a browser keeps its language."""
    set_cookie(request, response, COOKIE, code, YEAR_S)
    return response


async def choose(request: Request) -> Response:
    """Keeps a language in the browser, and in the account if there is one; returns to the page it was chosen on."""
    form = await form_of(request)
    code = known_language(form.get("language", ""))
    if code is None:
        raise HTTPException(422)
    person = await person_of(request)
    if person is not None and person.registered:
        await service_of(request).store.write(account_storage.set_language, person.id, code)
    page = urlsplit(request.headers.get("referer", ""))
    return with_language(request, code, go(back_from(f"{page.path}?{page.query}" if page.query else page.path)))


@lru_cache(maxsize=16)
def script_texts(code: str) -> tuple[bytes, str]:
    """The texts of scripts in a language other than English as JSON, and a name that changes with them.

    A text with plurals is an object of its forms, by the names of Intl.PluralRules.
    """
    found, plural = catalogue(code), Locale.parse(code).plural_form
    samples = {plural(n): n for n in reversed(range(1000))}
    texts: dict[str, str | dict[str, str]] = {}
    for message in found:
        if not message.id or message.fuzzy or SCRIPT not in message.auto_comments:
            continue
        if isinstance(message.id, tuple):
            one, many = message.id
            with in_language(code):
                forms = {category: ngettext_as_written(one, many, n) for category, n in samples.items()}
                texts[one] = {"other": ngettext_as_written(one, many, 0.5), **forms}
        elif isinstance(message.id, str) and isinstance(message.string, str) and message.string:
            texts[f"{message.context}\4{message.id}" if message.context else message.id] = message.string
    packed = msgspec.json.encode(texts)
    return packed, hashlib.sha256(packed).hexdigest()[:12]


async def texts(request: Request) -> Response:
    """The texts of scripts in a language."""
    code = request.path_params["language"]
    if code == SOURCE or code not in languages():
        raise HTTPException(404)
    headers = {"Cache-Control": "public, max-age=31536000, immutable"}
    return Response(script_texts(code)[0], media_type="application/json", headers=headers)


def texts_path(code: str) -> str:
    """Where the texts of scripts are found; "" for English, which stands in the scripts."""
    return "" if code == SOURCE else f"/language/{code}.json?v={script_texts(code)[1]}"


ROUTES: Final = (
    Route("/language", choose, methods=["POST"]),
    Route("/language/{language}.json", texts),
)
