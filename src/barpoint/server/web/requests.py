"""Helpers for requests: form fields, the address to return to, cookies, and limits by address."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from barpoint.error import BarpointError
from barpoint.language import N_
from barpoint.number_text import number_in
from barpoint.server.domain import guests
from barpoint.server.domain.accounts import DEVICE_COOKIE, SESSION_COOKIE, SESSION_MS
from barpoint.server.domain.guests import Guest
from barpoint.server.services import address_of, service_of

TOO_MUCH: Final = N_("Too many requests; try again in a minute.")

YEAR_S: Final = 365 * 24 * 3600

MAX_PAGE: Final = 10_000
"""The last page of a list that can be asked for."""


async def fields_of(request: Request) -> list[tuple[str, str]]:
    """The text fields of a form, in order, without files and without NUL characters, which databases reject."""
    form = await request.form()
    return [(key, value.replace("\0", "")) for key, value in form.multi_items() if isinstance(value, str)]


async def form_of(request: Request) -> dict[str, str]:
    """The text fields of a form; the last value of each name wins."""
    return dict(await fields_of(request))


def page_in(fields: Mapping[str, str]) -> int:
    """The page of a list that ?page= asks for, 1 to MAX_PAGE; the first one for what is none."""
    return min(MAX_PAGE, number_in(fields.get("page", ""), 1, 999_999) or 1)


def back_from(text: str, default: str = "/") -> str:
    """A path on this server; the default for any other text."""
    inside = text.startswith("/") and not text.startswith("//") and "\\" not in text and text.isprintable()
    return text if inside and len(text) < 500 else default


def address_here(request: Request, path: str) -> str:
    """The whole address of a page of this server, to send to somebody."""
    return f"{str(request.base_url).rstrip('/')}{path}"


def allow_framing(request: Request) -> None:
    """Lets pages of other sites show the answer in a frame: only for what has nothing that could be pressed there by mistake."""
    request.state.framed = True


def is_framed(request: Request) -> bool:
    """Whether pages of other sites may show the answer in a frame."""
    return getattr(request.state, "framed", False)


def as_sentence(error: BarpointError) -> str:
    """The text of an error as a page shows it, with a capital letter and a full stop."""
    text = error.translated()
    return f"{text[0].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"


def go(path: str) -> RedirectResponse:
    """Redirects to another page of this server with GET."""
    return RedirectResponse(path, 303)


def may_create(request: Request) -> bool:
    """Whether this address may create another guest or match."""
    person: Guest | None = getattr(request.state, "person", None)
    return service_of(request).allowance.may_create(address_of(request), person.id if person else None)


def with_guest(request: Request, person: Guest, response: Response) -> Response:
    """Adds the cookie that makes a browser this guest; an account has a session instead."""
    if not person.registered:
        key = service_of(request).key
        set_cookie(request, response, guests.COOKIE, guests.sign(key, person.id), guests.YEAR_S)
    return response


def with_session(request: Request, secret: str, response: Response) -> Response:
    """Adds the cookie of a session."""
    set_cookie(request, response, SESSION_COOKIE, secret, SESSION_MS // 1000)
    return response


def with_device(request: Request, account_id: str, response: Response) -> Response:
    """Adds the cookie by which this browser is known as a device of an account, also after logging out."""
    signed = guests.sign(service_of(request).key, account_id)
    set_cookie(request, response, DEVICE_COOKIE, signed, guests.YEAR_S)
    return response


def device_of(request: Request) -> str | None:
    """The account that this browser last logged in to."""
    return guests.read(service_of(request).key, request.cookies.get(DEVICE_COOKIE))


def without_session(response: Response) -> Response:
    """Removes the cookie of a session."""
    response.delete_cookie(SESSION_COOKIE)
    return response


def without_guest(response: Response) -> Response:
    """Removes the cookie of a guest."""
    response.delete_cookie(guests.COOKIE)
    return response


def set_cookie(request: Request, response: Response, name: str, value: str, max_age_s: int) -> None:
    """Adds a cookie that scripts cannot read and other sites cannot send."""
    settings = service_of(request).settings
    secure = settings.secure or settings.address.startswith("https:") or request.url.scheme == "https"
    response.set_cookie(name, value, max_age=max_age_s, httponly=True, samesite="lax", secure=secure)
