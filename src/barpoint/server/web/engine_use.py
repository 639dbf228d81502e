"""The page on which administrators see whether a player's matches look as if they had used an engine."""

from __future__ import annotations

from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.analysis.engine_use import BEST_PEOPLE_PR, EDGES, ENOUGH, EngineUse, PlayAgreement
from barpoint.language import N_, _, date, number, percent
from barpoint.server.domain.time_control import DAY
from barpoint.server.services import service_of
from barpoint.server.storage import accounts as account_storage
from barpoint.server.study.engine_use import engine_use_report
from barpoint.server.web.administration import administrator_of
from barpoint.server.web.rendering import render, shown_number

PERIODS: Final = {"30": N_("30 days"), "90": N_("90 days"), "365": N_("a year"), "0": N_("all the time")}
"""Days of a report; 0 for everything."""


async def engine_use_page(request: Request) -> Response:
    """How often a player agrees with the engine, beside people of the same rating."""
    await administrator_of(request)
    services, query = service_of(request), request.query_params
    account = await services.store.read(account_storage.find_account, query.get("name", "")[:40])
    if account is None:
        raise HTTPException(404)
    days = query.get("days", "")
    days = days if days in PERIODS else "90"
    since = services.matches.clock() - int(days) * DAY if days != "0" else 0
    found = await engine_use_report(services.store, account.id, since)
    return render(
        request,
        "admin_engine_use.html",
        name=account.name,
        periods=[(value, _(text)) for value, text in PERIODS.items()],
        days=days,
        found=found,
        verdict=verdict(found.use),
        rows=_rows(found.use) if found.use else [],
        sizes=_sizes(found.use.difficult) if found.use else [],
        matches=[(one, date(one.at)) for one in found.matches],
        best_people=number(BEST_PEOPLE_PR, 1),
    )


def verdict(use: EngineUse | None) -> str:
    """What the figures say, in a sentence."""
    if use is None:
        return _("No analysed match of backgammon in this period.")
    if not use.enough:
        return _(
            "Too few difficult plays to say anything: %(count)s, at least %(least)s are needed.",
            count=use.difficult.plays,
            least=ENOUGH,
        )
    if use.striking:
        return _("In difficult decisions they make the engine's play far more often than people of this rating do.")
    if use.notable:
        return _("In difficult decisions they make the engine's play more often than nearly all people of this rating.")
    return _("They agree with the engine about as often as people of this rating do.")


def _rows(use: EngineUse) -> list[tuple[str, PlayAgreement, str, str, str]]:
    """The lines of the table of agreement: title, figures, share made, share expected, standard deviations."""
    parts = ((_("All plays"), use.all), (_("Difficult plays"), use.difficult))
    return [
        (title, one, percent(one.best / one.plays, 1), percent(one.expected / one.plays, 1), shown_number(one.surprise, 1, sign=True))
        for title, one in parts
        if one.plays
    ]  # fmt: skip


def _sizes(found: PlayAgreement) -> list[tuple[str, str, str]]:
    """How large the errors are: title, share made, share expected."""
    below = [_("less than %(points)s", points=number(edge, 3)) for edge in EDGES]
    titles = (_("the best play"), *below, _("more"))
    pairs = zip(titles, found.sizes, found.expected_sizes, strict=False)
    return [(title, percent(made, 1), percent(expected, 1)) for title, made, expected in pairs]


ROUTES: Final = (Route("/admin/engine-use", engine_use_page),)
"""The address of this page."""
