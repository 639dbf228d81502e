"""What a club keeps as a file: its members with their results of a season."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.csv_text import csv_text
from barpoint.server.domain.clubs import ClubRecord, SeasonLine, season_table
from barpoint.server.domain.dates import iso_day
from barpoint.server.services import service_of
from barpoint.server.storage import clubs as club_storage
from barpoint.server.web.clubs import chosen_season
from barpoint.server.web.downloads import CSV, attachment

COLUMNS: Final = ("rank", "player", "role", "member_since", "points", "won", "lost", "missed")


async def season_file(request: Request) -> Response:
    """The table of a season, then the members who have no result in it."""
    services = service_of(request)
    known = await services.clubs.known(request.path_params["club_id"])
    season = chosen_season(known, request.query_params.get("season", ""))
    counts = await services.store.read(club_storage.season_counts, known.club.id, season)
    text = csv_text(COLUMNS, _rows(known, season_table(counts)))
    return attachment(f"club-{known.club.id}-season-{season.number}.csv", CSV, text)


def _rows(known: ClubRecord, table: Sequence[SeasonLine]) -> Iterator[tuple[object, ...]]:
    """A row for everybody; who is no member any more has no role, who has no result no rank."""
    belonging = {one.person.id: (one.role.value, iso_day(one.at)) for one in known.members}
    for line in table:
        count = line.count
        role, since = belonging.pop(count.person.id, ("", ""))
        yield line.rank, count.person.name, role, since, count.points, count.won, count.lost, count.missed
    for one in known.members:
        if one.person.id in belonging:
            yield "", one.person.name, *belonging[one.person.id], 0, 0, 0, 0


ROUTES: Final = (Route("/clubs/{club_id}/season.csv", season_file),)
