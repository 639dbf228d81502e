"""The rules pages: Markdown from docs/rules, rendered unchanged."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from markdown_it import MarkdownIt
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.document import rules_folder
from barpoint.server.web.rendering import render
from barpoint.variants import variants

GENERAL: Final = ("questions", "cube", "match-play", "chouette", "over-the-board")
"""Pages that are about no single variant, in the order of the contents."""


@dataclass(frozen=True, slots=True)
class RulesChapter:
    """A rules page. body: HTML."""

    name: str
    title: str
    body: str


@lru_cache(maxsize=64)
def chapter(name: str) -> RulesChapter | None:
    """The page with this name; None if there is none."""
    if not re.fullmatch(r"[a-z][a-z0-9-]{0,40}", name):
        return None
    file = rules_folder() / f"{name}.md"
    if not file.is_file():
        return None
    text = "\n".join([file.read_text(encoding="utf-8"), *_statistics(name)])
    heading = re.match(r"# (.+)\n", text)
    title = heading[1].strip() if heading else name
    html = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    # Pages link to each other by file name, so that the folder is readable as it is.
    return RulesChapter(name, title, re.sub(r'href="([a-z0-9-]+)\.md(#[a-z0-9-]+)?"', r'href="/rules/\1\2"', html))


def _statistics(name: str) -> list[str]:
    """The statistics of training/knowledge.py for this variant, alone and combined with others."""
    files = sorted((rules_folder() / "statistics").glob("*.md"), key=lambda file: (file.stem.count("+"), file.stem))
    return [file.read_text(encoding="utf-8") for file in files if name in file.stem.split("+")]


async def contents(request: Request) -> Response:
    """The table of contents."""
    general = [found for name in GENERAL if (found := chapter(name))]
    return render(request, "contents.html", games=variants(), general=general)


async def rules_page(request: Request) -> Response:
    """The rules of a variant, or a general page."""
    found = chapter(request.path_params["name"])
    if found is None:
        raise HTTPException(404)
    general = [other for name in GENERAL if (other := chapter(name))]
    return render(request, "rules.html", chapter=found, games=variants(), general=general)


ROUTES: Final = (
    Route("/rules", contents),
    Route("/rules/{name}", rules_page),
)
