"""Renders pages from templates."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse

from barpoint.draw.palette import PAGE, PAGE_DARK
from barpoint.server.domain import limits

FOLDER: Final = Path(__file__).parent / "templates"


@lru_cache(maxsize=1)
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["limits"] = limits
    environment.globals["page_colours"] = (PAGE["page"], PAGE_DARK["page"])
    return environment


def render(request: Request, name: str, /, status: int = 200, **values: object) -> HTMLResponse:
    """A page. Templates escape every value. person: the user, if known."""
    known = {"path": request.url.path, "person": getattr(request.state, "person", None), **values}
    return HTMLResponse(_environment().get_template(name).render(known), status)


def part(name: str, /, **values: object) -> str:
    """A part of a page, to insert into one that is already shown."""
    return _environment().get_template(name).render(values)
