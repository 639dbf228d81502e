"""The page of one's own statistics: rating over time, where it is lost, against whom, and the worst mistakes."""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from starlette.datastructures import URL
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from barpoint.analysis.statistics import MatchPoint, PlayedMatch, Statistics, StatisticsLine, worst_mistakes
from barpoint.analysis.statistics_comparison import statistics_of_periods
from barpoint.analysis.statistics_text import HEADINGS, format_course, name_of
from barpoint.analysis.summary import Mistake
from barpoint.analysis.text import faces_text
from barpoint.analysis.theme_text import TEXTS, theme_title
from barpoint.analysis.words import WORDS, choice_text
from barpoint.error import BarpointError
from barpoint.language import _, day, listed, ngettext, number
from barpoint.server.domain.titles import variant_title
from barpoint.server.services import person_of, service_of
from barpoint.server.storage import statistics as statistics_storage
from barpoint.server.study.analyses import PLIES
from barpoint.server.study.statistics import (
    MAX_NAME,
    MAX_NAMES,
    StatisticsQuery,
    Studied,
    query_of,
)
from barpoint.server.web.downloads import CSV
from barpoint.server.web.plots import Axes, line_with_band, picture
from barpoint.server.web.rendering import render
from barpoint.server.web.requests import back_from, fields_of, go
from barpoint.server.web.statistics_tables import comparison_shown, cube_errors_shown, library_address
from barpoint.variants import variant

MISTAKES: Final = 24
"""Mistakes on the page, the worst."""

LINES: Final = 12
"""Lines of a table on the page; opponents and months may be more."""

NAMES_SHOWN: Final = 12
"""Names of imported matches to tick, the most frequent, besides those that are ticked."""

NAMES_OFFERED: Final = 1_000
"""Names that are suggested besides, the next most frequent."""

LAST: Final = (20, 50, 100, 500)
"""Numbers of matches on offer, the latest."""

LEAST_RANGE: Final = 5.0
"""The least range of the plot, in points of PR."""


DAYS: Final = 4
"""Parts of the plot at whose ends the day stands."""

BELOW: Final = 26
"""Height of the days below the plot."""


@dataclass(frozen=True, slots=True)
class ShownMistake:
    """A mistake as the page lists it. address: of the moment."""

    address: str
    opponent: str
    played_on: str
    roll: str
    stage: str
    theme: str
    made: str
    best: str
    loss: float
    mark: str


def plot(course: tuple[MatchPoint, ...]) -> str:
    """The rating of each match as a dot, and over several matches as a line with its interval."""
    values = [one.moving for one in course]
    highest = max(max(values) * 1.5, LEAST_RANGE)
    step = 2 ** max(0, math.ceil(math.log2(highest / 6)))
    axes, last = Axes(len(course), 0, math.ceil(highest / step) * step, BELOW), len(course) - 1
    dated = sorted({round(part * last / DAYS) for part in range(DAYS + 1)})
    dots = "".join(axes.dot(index, one.rating, 2) for index, one in enumerate(course))
    said = ngettext(
        "Performance rating: %(last)s at the end of %(num)s match",
        "Performance rating: from %(first)s to %(last)s over %(num)s matches",
        len(course),
        first=number(values[0], 1),
        last=number(values[-1], 1),
    )
    return picture(
        said,
        axes.grid(step),
        axes.labels({index: day(course[index].played_on) or _("no date") for index in dated}),
        f'<g class="dots">{dots}</g>',
        line_with_band(axes, values, [one.margin for one in course]),
    )


async def statistics_page(request: Request) -> Response:
    """Statistics over the matches that the address asks for."""
    services, person = service_of(request), await person_of(request)
    if person is None:
        return render(request, "statistics.html", found=None, problem="")
    query, problem = StatisticsQuery(), ""
    try:
        query = query_of(request.query_params.multi_items())
    except msgspec.ValidationError as error:
        problem = str(error)
    mine = await services.analysed_matches.of(person.id)
    names = query.name or mine.own_names(person.name)

    def work() -> dict[str, Any]:
        played, others = mine.periods(query, names)
        mistakes = [one for one in worst_mistakes(played) if query.theme in ("", one[1].theme)]
        first_day = played[0].match.played_on if query.last and played else ""
        return {
            "found": statistics_of_periods(played, others),
            "depths": depths_text(one.match.plies for one in played),
            "other_depths": _other_depths(played, others or []),
            "mistakes": [_shown(*one) for one in mistakes[:MISTAKES]],
            "library": library_address(query, first_day),
        }

    shown = await asyncio.to_thread(work)
    found: Statistics = shown["found"]
    if request.url.path.endswith(".csv"):
        return PlainTextResponse(format_course(found), media_type=CSV)
    return render(
        request,
        "statistics.html",
        **shown,
        problem=problem,
        query=query,
        choices=_choices(mine),
        analysed=len(mine.matches),
        not_analysed=mine.not_analysed,
        picture=plot(found.course) if len(found.course) > 1 else "",
        tables=[(_(heading), key, _rows(found, key)) for key, heading in HEADINGS if len(found.by[key]) > 1],
        cube_errors=cube_errors_shown(found),
        comparison=comparison_shown(found),
        weaknesses=[(f"{_(WORDS[one.kind])}, {_(WORDS[one.stage])}", one) for one in found.weaknesses],
        themes=[(theme_title(one.name), _with_theme(request, one.name), one) for one in found.themes],
        every_theme=_with_theme(request, ""),
        theme=theme_title(query.theme) if query.theme in TEXTS else "",
        table_address=f"/statistics.csv?{request.url.query}",
        **own_names_shown(mine, names, request.url),
    )


def depths_text(plies: Iterable[int]) -> str:
    """How many matches were analysed how deep, in sentences; "" for none. plies: of each match."""
    counts = sorted(Counter(plies).items())
    if not counts:
        return ""
    each = [
        ngettext("%(num)s match at %(plies)s-ply", "%(num)s matches at %(plies)s-ply", count, plies=depth)
        for depth, count in counts
    ]
    said = _("Analysed: %(depths)s.", depths=listed(each))
    if counts[0][0] != PLIES[0]:
        return said
    warning = _("Numbers of 0-ply are a first look and change once a deeper analysis is done.")
    return f"{said} {warning}"


def _other_depths(played: Sequence[PlayedMatch], others: Sequence[PlayedMatch]) -> str:
    """How deep the matches to compare with were analysed, "" where they were analysed like the others."""
    depths, beside = ({one.match.plies for one in some} for some in (played, others))
    return depths_text(one.match.plies for one in others) if depths != beside else ""


def own_names_shown(mine: Studied, names: Sequence[str], back: URL) -> dict[str, Any]:
    """What own_names.html shows. names: those that count as the person's on this page. back: its address."""
    back = back.remove_query_params("name")
    spelled = {name.casefold(): name for name in (*names, *mine.names[:NAMES_SHOWN], *names)}
    return {
        "own_names": names,
        "every_name": list(spelled.values()) if mine.names else [],
        "other_names": mine.names[NAMES_SHOWN:][:NAMES_OFFERED],
        "names_back": f"{back.path}?{back.query}",
    }


async def keep_own_names(request: Request) -> Response:
    """Keeps the names that the person has ticked, and returns to the page."""
    person, fields = await person_of(request), await fields_of(request)
    if person is None:
        raise HTTPException(403)
    said = (value.strip() for field, value in fields if field == "name")
    names = [name for name in said if 0 < len(name) <= MAX_NAME][:MAX_NAMES]
    await service_of(request).store.write(statistics_storage.keep_own_names, person.id, names)
    return go(back_from(dict(fields).get("back", ""), "/statistics"))


def _with_theme(request: Request, theme: str) -> str:
    """The address of the page with the mistakes of one theme alone."""
    return (
        f"?{request.url.remove_query_params('theme').include_query_params(**({'theme': theme} if theme else {})).query}"
    )


def _rows(found: Statistics, key: str) -> list[tuple[str, StatisticsLine]]:
    return [(_title(key, line.name), line) for line in found.by[key][:LINES]]


def _title(key: str, name: str) -> str:
    if key != "variant":
        return name_of(key, name)
    try:
        return variant_title(variant(name))
    except BarpointError:
        return name


def _choices(mine: Studied) -> dict[str, list[tuple[str, str]]]:
    """What can be chosen: values with their titles."""
    variants = sorted({match.rules for _one, match in mine.matches})
    return {
        "source": [("", _("all matches")), ("match", _("played here")), ("review", _("imported"))],
        "variant": [("", _("every game")), *((name, _title("variant", name)) for name in variants)],
        "last": [
            ("", _("all of them")),
            *((str(count), _("the last %(count)s", count=count)) for count in LAST),
        ],
        "against": [("", _("nothing")), ("before", _("everything before")), ("period", _("another period"))],
    }


def _shown(played: PlayedMatch, mistake: Mistake) -> ShownMistake:
    return ShownMistake(
        address=f"{played.address}#{mistake.event - 1}",
        opponent=played.opponent,
        played_on=day(played.match.played_on) or _("no date"),
        roll=faces_text(mistake.faces),
        stage=_(WORDS[mistake.stage]),
        theme=theme_title(mistake.theme) if mistake.theme else "",
        made=choice_text(mistake.made),
        best=choice_text(mistake.best),
        loss=mistake.loss,
        mark=mistake.mark,
    )


ROUTES: Final = (
    Route("/statistics", statistics_page),
    Route("/statistics.csv", statistics_page),
    Route("/statistics/names", keep_own_names, methods=["POST"]),
)
