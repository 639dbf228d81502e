"""The pages of drills: the list with one's level, and the page that asks."""

from __future__ import annotations

from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.analysis.findings import STAGES
from barpoint.analysis.words import WORDS
from barpoint.language import _, number
from barpoint.server.services import person_of, service_of
from barpoint.server.storage import drills as drill_storage
from barpoint.server.storage.drills import DrillSum
from barpoint.server.storage.practice import DAY_MS
from barpoint.server.study.drill_questions import DRILLS, STAGED, Drill
from barpoint.server.web.practice import PROGRESS_DAYS, plot
from barpoint.server.web.rendering import render
from barpoint.server.web.requests import may_create, with_guest


async def drills_page(request: Request) -> Response:
    """All drills, with how well the latest answers were."""
    person = await person_of(request)
    found = await service_of(request).store.read(drill_storage.sums, person.id) if person else {}
    lines = [(one, _(one.title), _(one.about), found.get(one.name)) for one in DRILLS.values()]
    return render(request, "drills.html", lines=lines, off_text=off_text)


def off_text(drill: Drill, done: DrillSum) -> str:
    """How far off the answers were on average, in the unit of the drill."""
    if not drill.fields:
        return _("%(loss)s lost on average", loss=number(done.off, 3))
    unit = f" {drill.unit}" if drill.unit else ""
    return _("off by %(off)s on average", off=f"{number(done.off, 2)}{unit}")


async def drill_page(request: Request) -> Response:
    """The page that asks; its script gets the questions."""
    drill = DRILLS.get(request.path_params["drill"])
    if drill is None:
        raise HTTPException(404)
    services, person = service_of(request), await person_of(request)
    days = []
    if person is not None:
        since = services.matches.clock() - PROGRESS_DAYS * DAY_MS
        days = await services.store.read(drill_storage.progress, person.id, drill.name, since)
    services.advisers.warm()
    return render(
        request,
        "drill.html",
        drill=drill,
        known=person is not None,
        title=_(drill.title),
        about=_(drill.about),
        picture=plot(days) if len(days) > 1 else "",
        **_stages(drill, request.query_params.get("stage", "")),
    )


def _stages(drill: Drill, wanted: str) -> dict[str, Any]:
    """What can be chosen where positions are asked about by their stage. only: the stage that is asked about, "" for every one."""
    if drill.name not in STAGED:
        return {"stages": (), "kinds": (), "only": ""}
    return {
        "stages": [("", _("every stage")), *((stage, _(WORDS[stage])) for stage in STAGES)],
        "kinds": [(name, _(DRILLS[name].title)) for name in STAGED],
        "only": wanted if wanted in STAGES else "",
    }


async def begin(request: Request) -> Response:
    """Makes a guest of somebody new, whose answers are kept."""
    if await person_of(request) is not None:
        return Response(status_code=204)
    if not may_create(request):
        raise HTTPException(429)
    return with_guest(request, await service_of(request).accounts.new_guest(), Response(status_code=204))


ROUTES: Final = (
    Route("/practice/drills", drills_page),
    Route("/practice/drills", begin, methods=["POST"]),
    Route("/practice/drills/{drill}", drill_page),
)
