"""The form with which a director enters players in a tournament: as many names as there are free places, one a line."""

from __future__ import annotations

import re
from typing import Final

from sqlalchemy import Connection
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.language import _, listed
from barpoint.number_text import number_in
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.limits import MAX_GUEST_NAME
from barpoint.server.domain.tournament_events import TournamentError
from barpoint.server.domain.tournament_plans import MAX_PLAYERS
from barpoint.server.live.tournament_direction import require_director
from barpoint.server.live.tournament_entries import WantedEntry, refusals
from barpoint.server.services import Services, person_of, service_of
from barpoint.server.storage import accounts as account_storage
from barpoint.server.storage import tournament_entries as entry_storage
from barpoint.server.storage.event_log import Conflict
from barpoint.server.web.requests import TOO_MUCH, as_sentence, form_of, go, may_create
from barpoint.server.web.tournaments import tournament_page

MAX_NAMES_TEXT: Final = 2 * MAX_PLAYERS * MAX_GUEST_NAME
"""Characters of the names that a form may send at once."""


def names_in(text: str) -> list[str]:
    """The names of a list that was typed or pasted: one a line, also as "Gray, Anna", or separated by semicolons; on a single line by commas too."""
    one_line = len(text.strip().splitlines()) == 1
    return [name for part in re.split("[,;]" if one_line else "[\n\r;]", text) if (name := " ".join(part.split()))]


async def enter(request: Request) -> Response:
    """Enters all players of a list of names, or none of them if one is refused."""
    services, person, form = service_of(request), await person_of(request), await form_of(request)
    tournament_id = request.path_params["tournament_id"]
    known = await services.tournaments.known(tournament_id)
    text, walk_in = form.get("names", ""), "walk_in" in form
    if person is None:
        raise HTTPException(403)
    require_director(known, person)

    async def refused(lines: list[str], names: str, status: int = 409) -> Response:
        return await tournament_page(request, "\n".join(lines), status, (names, walk_in))

    if not may_create(request):
        return await refused([TOO_MUCH], text, 429)
    if (bye := number_in(form.get("bye", ""), 0, 99_999)) is not None:
        enter_late = services.tournaments.enter_walk_in if walk_in else services.tournaments.enter
        try:
            await enter_late(tournament_id, person, " ".join(text.split())[:MAX_NAMES_TEXT], bye=bye)
        except (TournamentError, Conflict) as error:
            return await refused([as_sentence(error)], text[:MAX_NAMES_TEXT])
        return go(f"/tournament/{tournament_id}#m-{bye}")
    names = names_in(text)
    if not names or len(text) > MAX_NAMES_TEXT:
        most = MAX_PLAYERS
        said = _("%(count)s names; allowed: 1 to %(most)s, one a line.", count=len(names), most=most)
        return await refused([said], text[:MAX_NAMES_TEXT])
    wanted = await _wanted(services, tournament_id, person, names)
    if errors := refusals(known, wanted, walk_in=walk_in):
        lines = list(dict.fromkeys(map(as_sentence, errors)))
        return await refused([*lines, *([_("Nobody was entered.")] if len(names) > 1 else [])], text)
    enter_one = services.tournaments.enter_walk_in if walk_in else services.tournaments.enter
    for number, name in enumerate(names):
        try:
            await enter_one(tournament_id, person, name)
        except (TournamentError, Conflict) as error:  # somebody else has changed the tournament in the meantime
            entered = [_("Entered: %(names)s.", names=listed(names[:number]))] if number else []
            return await refused([as_sentence(error), *entered], "\n".join(names[number:]))
    return go(f"/tournament/{tournament_id}{'?walk-in' if walk_in else ''}#enter-players")


async def _wanted(services: Services, tournament_id: str, person: Guest, names: list[str]) -> list[WantedEntry]:
    def work(connection: Connection) -> list[WantedEntry]:
        return [
            WantedEntry(
                name,
                entry_storage.find_candidate(connection, tournament_id, name, person.id),
                account_storage.looks_registered(connection, name),
            )
            for name in names[: MAX_PLAYERS + 1]
        ]

    return await services.store.read(work)


ROUTES: Final = (Route("/tournament/{tournament_id}/enter", enter, methods=["POST"]),)
