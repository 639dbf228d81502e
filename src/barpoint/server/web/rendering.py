"""Renders pages from templates."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, cast

import segno
from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.types import Receive, Scope, Send

from barpoint import language
from barpoint.draw.palette import PAGE, PAGE_DARK
from barpoint.error import StoreError
from barpoint.language import _
from barpoint.server.domain import limits
from barpoint.server.domain.agreement_form import describe_agreement
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.seat_names import person_name
from barpoint.server.domain.titles import variant_title
from barpoint.server.services import Services, service_of
from barpoint.server.storage.news import NewsItem, news_and_boards, news_and_due
from barpoint.server.web.language import texts_path
from barpoint.server.web.menu import MENU
from barpoint.server.web.scripts import imports_of

FOLDER: Final = Path(__file__).parent / "templates"


@lru_cache(maxsize=1)
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n"],
    )
    environment.policies["ext.i18n.trimmed"] = True
    environment.install_gettext_callables(  # type: ignore[attr-defined]
        language.gettext, language.ngettext_as_written, newstyle=True, pgettext=language.pgettext
    )
    for name in ("gettext", "ngettext", "pgettext"):
        environment.globals[name] = _isolating(cast("Callable[..., str]", environment.globals[name]))
    environment.filters["linked"] = linked
    environment.globals["number"], environment.globals["percent"] = shown_number, language.percent
    environment.globals["languages"], environment.globals["time"] = language.languages, language.time
    environment.globals["limits"], environment.globals["menu"] = limits, MENU
    environment.globals["imports_of"] = imports_of
    environment.globals["page_colours"] = (PAGE["page"], PAGE_DARK["page"])
    return environment


def _isolating(translate: Callable[..., str]) -> Callable[..., str]:
    """A function of templates that fills in texts, with every value `isolated`."""

    @pass_context
    def translated(context: Context, *texts: Any, **values: Any) -> str:
        placed = {name: language.isolated(one) if type(one) is str else one for name, one in values.items()}
        return translate(context, *texts, **placed)

    return translated


ADDRESS: Final = re.compile(r"""\bhttps://\w[^\s<>"'\\^`{|}]*""")


def linked(text: str) -> Markup:
    """A text that somebody wrote, escaped, with its https addresses as links; nothing else in it is markup."""
    found, end = Markup(), 0
    for one in ADDRESS.finditer(text):
        address = one[0].rstrip(".,;:!?)]*…")
        if "(" in address and one[0][len(address) :].startswith(")"):
            address += ")"
        link = Markup('<a href="{0}" rel="nofollow noopener ugc">{0}</a>').format(address)
        found += escape(text[end : one.start()]) + link
        end = one.start() + len(address)
    return found + escape(text[end:])


def shown_number(value: float, decimals: int | None = None, *, sign: bool = False) -> str:
    """A number as pages show it: as `language.number` writes it, with a real minus sign."""
    return language.number(value, decimals, sign=sign).replace("-", "−")


def render(request: Request, name: str, /, status: int = 200, **values: object) -> HTMLResponse:
    """A page. Templates escape every value. person: the user, if known. own_settings: of their account, as JSON; "" if it was made just now."""
    code = language.language()
    person = getattr(request.state, "person", None)
    known = {"path": request.url.path, "person": person, "language": code, "texts_path": texts_path(code)}
    known["own_settings"] = getattr(request.state, "own_settings", None)
    return _Page(request, name, status, {**known, **values})


class _Page(HTMLResponse):
    """A page that is filled in when it is sent: what every page says is read then, and for nothing but pages."""

    def __init__(self, request: Request, name: str, status: int, values: Mapping[str, object]) -> None:
        super().__init__("", status)
        self._request, self._name, self._values = request, name, values

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Fills the page in, and sends it."""
        values = {**await _said_everywhere(self._request), **self._values}
        self.body = self.render(_environment().get_template(self._name).render(values))
        self.headers["Content-Length"] = str(len(self.body))
        await super().__call__(scope, receive, send)


async def _said_everywhere(request: Request) -> dict[str, object]:
    """What every page says to the person who reads it; nothing while the database does not answer."""
    person: Guest | None = getattr(request.state, "person", None)
    news, boards, due = list[NewsItem](), 0, 0
    if person is not None and request.method == "GET":
        with suppress(StoreError):
            services = service_of(request)
            news, boards, due = await services.store.read(news_and_due, person.id, services.matches.clock())
    return {"news": _news_shown(news), "boards_waiting": boards, "cards_due": due}


def qr_picture(link: str) -> Response:
    """A link as a picture for the camera of a phone."""
    drawn = io.BytesIO()
    segno.make(link, error="m", micro=False).save(
        drawn, kind="svg", border=2, scale=4, dark="#000", light="#fff", xmldecl=False, title=_("QR code of the link")
    )
    return Response(drawn.getvalue(), media_type="image/svg+xml")


def _news_shown(news: Sequence[NewsItem]) -> list[dict[str, object]]:
    return [
        {
            "kind": one.kind.value,
            "path": one.path,
            "names": language.listed([person_name(name) for name in one.names]),
            "due_at": one.due_at,
            "match_id": one.match_id,
            "terms": f"{variant_title(one.agreement.rules)}: {describe_agreement(one.agreement)}"
            if one.agreement
            else "",
            "told_on": (one.path, *one.told_on),
        }
        for one in news
    ]


async def news_part(services: Services, person: Guest) -> str:
    """What waits for a person now, as a part of any page."""
    news, boards = await services.store.read(news_and_boards, person.id, services.matches.clock())
    return part("news_items.html", news=_news_shown(news), boards_waiting=boards, path="")


def part(name: str, /, **values: object) -> str:
    """A part of a page, to insert into one that is already shown."""
    return _environment().get_template(name).render(values)
