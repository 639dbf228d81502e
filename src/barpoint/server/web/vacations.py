"""The vacations of a player: announcing and ending them on the account page, and telling others of them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.error import FormatError
from barpoint.language import _, date
from barpoint.number_text import number_in
from barpoint.server.domain.matches import MatchHeader, SeatKind
from barpoint.server.domain.time_control import DAY
from barpoint.server.domain.vacations import VacationRefused
from barpoint.server.services import service_of
from barpoint.server.storage import vacations as vacation_storage
from barpoint.server.web.account import account_problem, for_members, member
from barpoint.server.web.requests import as_sentence, form_of, go

TOLD_MS: Final = 7 * DAY
"""How long before it begins a vacation is told to opponents."""


def day_in(text: str) -> int:
    """The begin of a day such as 2026-12-24 (UTC), in ms since 1970; FormatError."""
    try:
        return int(datetime.strptime(text.strip(), "%Y-%m-%d").replace(tzinfo=UTC).timestamp() * 1000)
    except (ValueError, OverflowError):
        raise FormatError("date: %(found)r; allowed: a day such as 2026-12-24", found=text[:20]) from None


@for_members
async def announce(request: Request) -> Response:
    """Announces a vacation."""
    form, person = await form_of(request), await member(request)
    days = number_in(form.get("days", ""), 0, 999) or 0
    try:
        await service_of(request).vacations.announce(person, day_in(form.get("day", "")), days)
    except (FormatError, VacationRefused) as error:
        return await account_problem(request, as_sentence(error))
    return go("/account?done=notices")


@for_members
async def end(request: Request) -> Response:
    """Ends a vacation, or drops one that has not begun."""
    form, person = await form_of(request), await member(request)
    chosen = number_in(form.get("vacation", ""), 0, 999_999_999) or 0
    try:
        await service_of(request).vacations.end(person, chosen)
    except VacationRefused as error:
        return await account_problem(request, as_sentence(error))
    return go("/account?done=notices")


def vacations_told(connection: Connection, header: MatchHeader, now: int) -> list[str]:
    """What the page of a correspondence match says about vacations of its players."""
    seats = {seat.guest: seat.shown_name for seat in header.seats if seat.guest and seat.kind is SeatKind.GUEST}
    if header.clock_preset.delay_ms < DAY or not seats:
        return []
    found = vacation_storage.next_vacations(connection, seats, now, now + TOLD_MS)
    return [
        _(
            "%(name)s is away from %(first)s to %(last)s. The clock stands still then.",
            name=seats[guest],
            first=date(one.begins_at),
            last=date(one.ends_at - 1),
        )
        for guest, one in found.items()
    ]


ROUTES: Final = (
    Route("/account/vacation", announce, methods=["POST"]),
    Route("/account/vacation/end", end, methods=["POST"]),
)
