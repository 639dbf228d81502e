"""The rules pages: Markdown from docs/rules, with the start, pictures of positions, and boards to try."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from html import escape, unescape
from typing import Final
from urllib.parse import urlencode

from markdown_it import MarkdownIt
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.analysis.variant_statistics import section, statistics_of
from barpoint.document import rules_file, rules_folder
from barpoint.draw import describe
from barpoint.language import N_, _, language
from barpoint.server.study.lessons import Lesson, lessons_of
from barpoint.server.web.rendering import render
from barpoint.server.web.variants import documented
from barpoint.variants import variants

GENERAL: Final = {
    "questions": N_("Common questions"),
    "cube": N_("The doubling cube"),
    "match-play": N_("Match play"),
    "chouette": N_("The chouette"),
    "over-the-board": N_("Over the board"),
}
"""Titles of the pages that are about no single variant, in the order of the contents."""


@dataclass(frozen=True, slots=True)
class RulesChapter:
    """A rules page. body, statistics: HTML. exercises: positions to try."""

    name: str
    title: str
    body: str
    statistics: str = ""
    exercises: tuple[Lesson, ...] = ()


def chapter(name: str) -> RulesChapter | None:
    """The page with this name in the language that holds now; None if there is none."""
    return _chapter(name, language())


@lru_cache(maxsize=64)
def _chapter(name: str, _in: str) -> RulesChapter | None:
    if not re.fullmatch(r"[a-z][a-z0-9-]{0,40}", name):
        return None
    source = rules_folder() / f"{name}.md"
    if not source.is_file():
        return None
    text = rules_file(name).read_text(encoding="utf-8")
    heading = re.match(r"# (.+)\n", text)
    title = _(GENERAL[name]) if name in GENERAL else heading[1].strip() if heading else name
    headings = re.findall(r"^## (.+)$", source.read_text(encoding="utf-8"), re.MULTILINE)
    html = _with_start(name, title, _with_pictures(name, headings, _html(text)))
    return RulesChapter(
        name, title, html, "\n".join(_statistics(name)), tuple(one for one in lessons_of(name) if one.ask)
    )


def _html(text: str) -> str:
    html = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    # Pages link to each other by file name, so that the folder is readable as it is.
    return re.sub(r'href="([a-z0-9-]+)\.md(#[a-z0-9-]+)?"', r'href="/rules/\1\2"', html)


def _with_start(name: str, title: str, html: str) -> str:
    """The page of a variant with its start and the button to play it below its title; other pages as they are."""
    if name not in {header.name for header in variants()}:
        return html
    play, alt = _("Play %(title)s", title=title), _("The start of %(title)s", title=title)
    start = (
        f'<p class="play-this"><a class="button primary" href="/?variant={name}">{escape(play)}</a></p>'
        f'<figure class="position"><img src="/picture?variant={name}" alt="{escape(alt)}" width="640" height="535"></figure>'
    )
    return html.replace("</h1>", f"</h1>{start}", 1)


def _with_pictures(name: str, headings: list[str], html: str) -> str:
    """A page with the positions of lessons below the headings they belong to. headings: of the English page, which lessons name."""
    sections = html.split("<h2>")
    for lesson in lessons_of(name):
        if lesson.after:
            sections[1 + headings.index(lesson.after)] += (
                f'<figure class="position"><img src="/learn/{lesson.id}/picture.svg" alt="{escape(_described(lesson))}" '
                f'width="640" height="535" loading="lazy"><figcaption>{escape(_(lesson.text))}</figcaption></figure>'
            )
    return "<h2>".join(sections)


def _described(lesson: Lesson) -> str:
    return describe(lesson.position, lesson.rules.movement.meeting)


def _statistics(name: str) -> list[str]:
    """The statistics of a variant, alone and combined with others, with boards of openings."""
    return [_with_openings(known.name, _html(section(known))) for known in statistics_of(name)]


def _with_openings(name: str, html: str) -> str:
    """Tables of openings with a small board beside each best play."""

    def row(cells: re.Match[str]) -> str:
        asked = urlencode({"variant": name, "drawn_roll": cells[1], "drawn": unescape(cells[2])})
        return (
            f'<td class="opening">{cells[1]}<img src="/openings/picture.svg?{escape(asked)}" alt="" width="128" height="102" '
            f'loading="lazy"></td>\n<td>{cells[2]}</td>'
        )

    html = html.replace("<table>", '<table tabindex="0">')  # on a phone it scrolls, and keys must reach it
    return re.sub(r"<td>(\d+(?:-\d+)*)</td>\s*<td>([^<]*/[^<]*)</td>", row, html)


async def contents(request: Request) -> Response:
    """The table of contents."""
    return render(request, "contents.html", games=documented(variants()), general=GENERAL)


async def rules_page(request: Request) -> Response:
    """The rules of a variant, or a general page."""
    found = chapter(request.path_params["name"])
    if found is None:
        raise HTTPException(404)
    return render(request, "rules.html", chapter=found, games=documented(variants()), general=GENERAL)


ROUTES: Final = (
    Route("/rules", contents),
    Route("/rules/{name}", rules_page),
)
