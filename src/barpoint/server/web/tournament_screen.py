"""What the page of a tournament for a big screen shows of its matches."""

from __future__ import annotations

from dataclasses import replace

from barpoint.server.domain.tournament_events import Form
from barpoint.server.web.tournament_boxes import Column
from barpoint.server.web.tournament_view import TournamentScene


def rounds_shown(shown: TournamentScene) -> tuple[Column, ...]:
    """The rounds of which a big screen shows the matches: those with one that is open, without empty places.

    In a league, whose matches are all open at once, those in progress.
    """
    form, listed = shown.known.now.plan.form, list[Column]()
    for title, columns in (("", shown.turns[::-1]), *shown.parts):
        for column in columns:
            boxes = tuple(box for box in column.boxes if box.live or form is not Form.LEAGUE)
            if not any(box.open for box in boxes):
                continue
            known = tuple(box for box in boxes if not box.free and any(side.name != "…" for side in box.sides))
            free = (side.name for box in boxes if box.free and not box.blank for side in box.sides if side.name)
            called = f"{title}: {column.title}" if title and column.title != title else column.title
            listed.append(replace(column, title=called, boxes=known, byes=(*column.byes, *free)))
    return tuple(listed)
