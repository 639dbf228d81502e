"""What other programs show of a page whose link is pasted there: a title, a sentence and a picture of the board."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from starlette.requests import Request

from barpoint.analysis.words import play_question
from barpoint.draw import describe
from barpoint.language import _
from barpoint.match import Match
from barpoint.server.domain.analysis_board import PATH, BoardSetup, query_of
from barpoint.server.domain.board_steps import may_double
from barpoint.server.study.link_pictures import SIZE_PX, drawable
from barpoint.server.web.requests import address_here

MAX_TEXT: Final = 200
"""Characters of the sentence; programs show no more."""


@dataclass(frozen=True, slots=True)
class LinkPreview:
    """The preview of a link. address: of the page, whole. picture: the same, "" for none. size_px: of the picture. described: what it shows."""

    title: str
    text: str
    address: str
    picture: str = ""
    described: str = ""
    size_px: tuple[int, int] = SIZE_PX


def link_preview(request: Request, title: str, text: str, setup: BoardSetup, path: str = "") -> LinkPreview:
    """The preview of a page of this board. path: of the page, unless it is that of the request.

    The address of the picture holds the whole position and nothing else, so it tells nothing to whoever may not see the page.
    """
    query, preview = query_of(setup.address), preview_of_text(request, title, text, path)
    if not drawable():
        return preview
    picture = address_here(request, f"{PATH}/picture.png?{query}" if query else f"{PATH}/picture.png")
    return replace(preview, picture=picture, described=describe(setup.of_actor, setup.rules.movement.meeting))


def preview_of_text(request: Request, title: str, text: str, path: str = "") -> LinkPreview:
    """The preview of a page without a board. path: as in `link_preview`."""
    line = " ".join(text.split())
    line = line if len(line) <= MAX_TEXT else f"{line[: MAX_TEXT - 1]}…"
    return LinkPreview(title, line, address_here(request, path or request.url.path))


def match_text(title: str, terms: str, match: Match) -> str:
    """A match in one line: the game, what was agreed on, and the score."""
    return f"{title}: {terms}. {match.score[0]:g} : {match.score[1]:g}."


def question_of(setup: BoardSetup) -> str:
    """What the player to act decides; "" where nothing is to be decided."""
    if setup.problem:
        return ""
    if setup.faces:
        return play_question(setup.faces)
    return _("Do you double?") if may_double(setup) else ""
