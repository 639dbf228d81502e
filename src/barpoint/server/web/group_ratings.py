"""Tables of performance ratings: of the members of a club, and of a person and their friends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final
from urllib.parse import urlencode

from sqlalchemy import Connection
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.analysis.summary import Losses
from barpoint.language import N_, _
from barpoint.server.domain.clubs import Season
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.time_control import DAY
from barpoint.server.services import person_of, service_of
from barpoint.server.storage import players as player_storage
from barpoint.server.storage import statistics as statistics_storage
from barpoint.server.storage.lobby import kept_apart
from barpoint.server.study.group_ratings import GroupRating, group_ratings
from barpoint.server.web.rendering import render
from barpoint.server.web.requests import back_from, form_of, go
from barpoint.server.web.statistics import depths_text

MONTHS: Final = "months"
MONTHS_MS: Final = 91 * DAY

COLUMNS: Final = {
    "player": N_("Player"),
    "rating": N_("PR"),
    "plays": N_("Plays"),
    "cube": N_("Cube"),
    "decisions": N_("Decisions"),
    "matches": N_("Matches"),
}


def _by_losses(losses: Losses) -> tuple[bool, float]:
    """Better first; without a decision last."""
    return not losses.decisions, losses.rating


ORDERS: Final[dict[str, Callable[[GroupRating], Any]]] = {
    "player": lambda one: one.person.name.lower(),
    "rating": lambda one: _by_losses(one.total),
    "plays": lambda one: _by_losses(one.plays),
    "cube": lambda one: _by_losses(one.cube),
    "decisions": lambda one: -one.total.decisions,
    "matches": lambda one: -one.matches,
}
"""What the lines are sorted by."""


async def club_ratings_page(request: Request) -> Response:
    """The ratings of a club's members among themselves; for members only."""
    services, viewer = service_of(request), await person_of(request)
    known = await services.clubs.known(request.path_params["club_id"])
    if not known.belongs(viewer):
        raise HTTPException(404)
    club, people = known.club, [one.person for one in known.members]
    return await _page(request, people, known.seasons, title=club.name, back=f"/clubs/{club.id}")


async def friends_ratings_page(request: Request) -> Response:
    """The ratings of a person and their friends among themselves."""
    viewer = await person_of(request)
    if viewer is None:
        return go("/login?back=/players/ratings")
    own = viewer.id

    def work(connection: Connection) -> list[Guest]:
        apart = kept_apart(connection, own)
        return [one for one in player_storage.friends_of(connection, own) if one.id not in apart]

    friends = await service_of(request).store.read(work)
    return await _page(request, [viewer, *friends], (), title=_("Friends"), back="/players")


async def _page(
    request: Request, people: Sequence[Guest], seasons: Sequence[Season], title: str, back: str
) -> Response:
    """The table; ?period=, ?by=. title, back: what it belongs to, and where that is."""
    services, viewer, query = service_of(request), await person_of(request), request.query_params
    assert viewer is not None, "a stranger sees no such table"
    period, by = query.get("period", ""), query.get("by", "rating")
    by = by if by in ORDERS else "rating"
    since, until = _limits(period, seasons, services.matches.clock())
    found = await group_ratings(services.store, services.analysed_matches, people, viewer.id, since, until)
    hidden = await services.store.read(statistics_storage.hiding, [viewer.id])
    return render(
        request,
        "group_ratings.html",
        title=title,
        back=back,
        lines=sorted(found.ratings, key=lambda one: (ORDERS[by](one), one.person.name.lower())),
        depths=depths_text(found.plies),
        columns=[(name, _(text), f"?{urlencode({'period': period, 'by': name})}") for name, text in COLUMNS.items()],
        by=by,
        period=period,
        periods=[
            ("", _("all matches")),
            (MONTHS, _("the last three months")),
            *((str(one.number), _("Season %(name)s", name=one.name)) for one in seasons),
        ],
        viewer=viewer,
        hidden=bool(hidden),
        here=f"{request.url.path}?{urlencode({'period': period, 'by': by})}",
    )


def _limits(period: str, seasons: Sequence[Season], now: int) -> tuple[int, int | None]:
    """When matches of a period began: the first moment, and the first one after it, None for no end."""
    if period == MONTHS:
        return now - MONTHS_MS, None
    season = next((one for one in seasons if str(one.number) == period), None)
    return (season.begun_at, season.ended_at) if season is not None else (0, None)


async def show_rating(request: Request) -> Response:
    """Takes the person out of such tables, or puts them in again."""
    person, form = await person_of(request), await form_of(request)
    if person is None or not person.registered:
        raise HTTPException(403)
    await service_of(request).store.write(statistics_storage.show_rating, person.id, form.get("shown") == "1")
    return go(back_from(form.get("back", ""), "/players/ratings"))


ROUTES: Final = (
    Route("/clubs/{club_id}/ratings", club_ratings_page),
    Route("/players/ratings", friends_ratings_page),
    Route("/account/rating", show_rating, methods=["POST"]),
)
