"""Renders pages from templates."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import HTMLResponse

from barpoint import language
from barpoint.draw.palette import PAGE, PAGE_DARK
from barpoint.server.domain import limits
from barpoint.server.domain.seat_names import person_name
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
    environment.filters["linked"] = linked
    environment.globals["number"], environment.globals["percent"] = shown_number, language.percent
    environment.globals["languages"], environment.globals["time"] = language.languages, language.time
    environment.globals["limits"], environment.globals["menu"] = limits, MENU
    environment.globals["imports_of"] = imports_of
    environment.globals["page_colours"] = (PAGE["page"], PAGE_DARK["page"])
    return environment


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
    """A page. Templates escape every value. person: the user, if known."""
    code = language.language()
    person = getattr(request.state, "person", None)
    news = [
        (one.kind.value, one.path, language.listed([person_name(name) for name in one.names]), one.due_at)
        for one in getattr(request.state, "news", ())
        if request.url.path not in one.told_on
    ]
    known = {"path": request.url.path, "person": person, "news": news}
    known |= {"language": code, "texts_path": texts_path(code), **values}
    return HTMLResponse(_environment().get_template(name).render(known), status)


def part(name: str, /, **values: object) -> str:
    """A part of a page, to insert into one that is already shown."""
    return _environment().get_template(name).render(values)
