"""One's own tickets: what was paid and won, line by line."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.language import N_, _, date
from barpoint.server.services import service_of
from barpoint.server.storage import results as result_storage
from barpoint.server.storage import tournament_lists
from barpoint.server.storage.results import TicketLine
from barpoint.server.web.account import for_members, member
from barpoint.server.web.rendering import render
from barpoint.server.web.requests import page_in

LISTED: Final = 50

REASONS: Final = {
    "grant": N_("Given"),
    "hold": N_("Entry fee of a match"),
    "settle": N_("Match won"),
    "refund": N_("Fee paid back"),
    "enter": N_("Entry fee of a tournament"),
    "leave": N_("Left a tournament before its start"),
    "prize": N_("Prize of a tournament"),
}
PAGES: Final = {"hold": "match", "close": "match", "enter": "tournament", "leave": "tournament", "pot": "tournament"}
"""The page that a transfer is about, by how its key begins."""


@for_members
async def tickets_page(request: Request) -> Response:
    """The ledger of the user, the latest first; ?page= from 1."""
    person, page = await member(request), page_in(request.query_params)

    def work(connection: Connection) -> tuple[int, list[TicketLine], dict[str, str]]:
        found = result_storage.tickets_moved(connection, person.id, LISTED + 1, LISTED * (page - 1))
        names = tournament_lists.tournament_names(connection, [_subject(one.key)[1] for one in found])
        return result_storage.tickets_of(connection, person.id), found, names

    have, lines, names = await service_of(request).store.read(work)
    shown = [
        (
            _(REASONS.get(one.reason, one.reason)),
            names.get(_subject(one.key)[1], ""),
            address_of_line(one.key),
            one.amount,
            date(one.at),
        )
        for one in lines
    ]
    return render(request, "tickets.html", have=have, lines=shown[:LISTED], page=page, more=len(shown) > LISTED)


def address_of_line(key: str) -> str:
    """The page of the match or tournament that a transfer is about; "" for neither."""
    kind, subject = _subject(key)
    return f"/{PAGES[kind]}/{subject}" if kind in PAGES else ""


def _subject(key: str) -> tuple[str, str]:
    """The kind of a transfer, and the id of the match or tournament that it is about."""
    kind, _colon, rest = key.partition(":")
    return kind, rest.partition(":")[0]


ROUTES: Final = (Route("/tickets", tickets_page),)
