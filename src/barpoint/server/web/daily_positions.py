"""The page of the position of the day, and of the days before."""

from __future__ import annotations

from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.analysis.words import WORDS
from barpoint.language import _, date
from barpoint.server.domain.analysis_board import setup_of
from barpoint.server.services import person_of, service_of
from barpoint.server.storage import daily_positions as daily_storage
from barpoint.server.storage.practice import DAY_MS
from barpoint.server.study.daily_positions import DAYS_KEPT, day_text, reference_of_day
from barpoint.server.study.drills import UnknownDrill
from barpoint.server.web.link_preview import link_preview
from barpoint.server.web.rendering import render


async def today_page(request: Request) -> Response:
    """The position of today."""
    return await _page(request, service_of(request).daily_positions.today)


async def day_page(request: Request) -> Response:
    """The position of a day, such as 2026-11-29."""
    try:
        return await _page(request, service_of(request).daily_positions.day_of(request.path_params["day"]))
    except UnknownDrill:
        raise HTTPException(404) from None


async def _page(request: Request, day: int) -> Response:
    services, person = service_of(request), await person_of(request)
    today = services.daily_positions.today
    first = today - DAYS_KEPT
    found = await services.store.read(daily_storage.answered_since, person.id, first) if person else {}
    answered = {one: right for (one, question), right in found.items() if reference_of_day(one).key == question}
    services.advisers.warm()
    asked, shown_day = await services.daily_positions.question(day_text(day)), date(day * DAY_MS)
    return render(
        request,
        "daily_position.html",
        preview=link_preview(request, _("Position of the day"), f"{shown_day}. {asked.text}", setup_of(asked.card)),
        day=day_text(day),
        shown_day=shown_day,
        text=asked.text,
        stage=_(WORDS[asked.stage]),
        known=person is not None,
        answered=day in answered,
        before=_path(day - 1) if day > first else "",
        after=_path(day + 1, today) if day < today else "",
        days=[
            (_path(one, today), date(one * DAY_MS), answered.get(one), one == day)
            for one in range(today, first - 1, -1)
        ],
    )


def _path(day: int, today: int | None = None) -> str:
    return "/practice/today" if day == today else f"/practice/day/{day_text(day)}"


ROUTES: Final = (
    Route("/practice/today", today_page),
    Route("/practice/day/{day}", day_page),
)
