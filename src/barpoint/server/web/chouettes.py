"""Chouettes as pages: those there are, a new one, and the table."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from barpoint.chouette import MOST, Consulting, Terms
from barpoint.error import FormatError, StakesError, UnknownVariant, VariantsClash
from barpoint.rules import Rules
from barpoint.server.domain.challenge_form import MOST_BEAVERS
from barpoint.server.domain.titles import variant_title
from barpoint.server.live.bots import OURS, find_level
from barpoint.server.live.chat import SAID
from barpoint.server.live.chouettes import DECISIONS, Proposed, TableRefused, UnknownTable
from barpoint.server.protocol.chouette_view import describe_table, listed_tables
from barpoint.server.services import Service, person_of, service_of
from barpoint.server.storage.matches import Conflict
from barpoint.server.web.rendering import render
from barpoint.server.web.requests import fields_of, go, may_create, with_guest
from barpoint.server.web.variants import games_listed, name_from
from barpoint.variants import variant

TOO_MUCH: Final = "So much at once; try again in a minute."
CONSULTING: Final = {
    "free": "the whole team talks plays over",
    "in_game": "who has a turned cube talks plays over",
    "none": "the captain decides plays alone",
}


async def tables_page(request: Request) -> Response:
    """The tables for everybody, and a form for a new one."""
    return await _tables_page(request, "")


async def _tables_page(request: Request, problem: str, status: int = 200) -> Response:
    service, person = service_of(request), await person_of(request)
    return render(
        request,
        "chouettes.html",
        status,
        problem=problem,
        tables=listed_tables(await service.salon.listed(), person),
        games=games_listed(),
        levels=service.opponents.levels,
        level=next((level for level in reversed(service.opponents.levels) if level.engine == OURS), None),
        decisions=list(DECISIONS),
        consulting=CONSULTING,
        most_bots=MOST - 1,
    )


async def open_table(request: Request) -> Response:
    """Opens a table and leads to it."""
    service = service_of(request)
    if not may_create(request):
        return await _tables_page(request, TOO_MUCH, 429)
    fields = await fields_of(request)
    try:
        wanted = read_table(service, variant(name_from(fields)), dict(fields))
    except (FormatError, StakesError, UnknownVariant, VariantsClash) as error:
        return await _tables_page(request, str(error), 422)
    person = await person_of(request) or await service.new_guest()
    return with_guest(request, person, go(f"/chouette/{await service.salon.open(person, wanted)}"))


def read_table(service: Service, rules: Rules, form: Mapping[str, str]) -> Proposed:
    """The table that a form describes; boxes that are not ticked are missing. FormatError, StakesError."""
    cubes = form.get("cubes", "each")
    cube = rules.cube and cubes != "none"
    each = cube and cubes == "each"
    try:
        consulting = Consulting(form.get("consulting", "free"))
    except ValueError:
        raise FormatError(f"consulting: {form['consulting'][:20]!r}; allowed: {', '.join(Consulting)}") from None
    decision = form.get("decision", "3 minutes")
    if cubes not in ("each", "one", "none") or decision not in DECISIONS:
        raise FormatError(
            f"cubes {cubes[:20]!r}, decision {decision[:20]!r}; allowed: each, one, none; {', '.join(DECISIONS)}"
        )
    terms = Terms(
        cube=cube,
        one_cube=cube and cubes == "one",
        consulting=consulting,
        half_taken=each and "half_taken" in form,
        jacoby=cube and "jacoby" in form,
        beavers=MOST_BEAVERS if each and "beavers" in form else 0,
        automatic_doubles=1 if cube and "automatic_doubles" in form else 0,
    )
    return Proposed(rules, terms, DECISIONS[decision], "listed" in form, _bots(service, rules, form))


def _bots(service: Service, rules: Rules, form: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Levels and names of the bots that sit down."""
    wanted = form.get("bots", "0")
    if wanted not in {str(count) for count in range(MOST)}:
        raise FormatError(f"bots: {wanted[:20]!r}; allowed: 0 to {MOST - 1}")
    if wanted == "0":
        return ()
    level = find_level(service.opponents, rules, form.get("level"))
    called = "Bot" if level.engine == OURS else level.engine
    return tuple((level.name, f"{called} {number} ({level.title})") for number in range(1, int(wanted) + 1))


async def table_page(request: Request) -> Response:
    """A table, for who plays there and for who watches."""
    service, person = service_of(request), await person_of(request)
    try:
        sitting = await service.salon.sitting(request.path_params["table_id"])
    except UnknownTable:
        raise HTTPException(404) from None
    charter, own = sitting.charter, sitting.number_of(person.id if person else None)
    base = str(request.base_url).rstrip("/")
    return render(
        request,
        "chouette.html",
        table=charter,
        title=variant_title(charter.rules),
        terms=describe_table(charter.rules, charter.terms, charter.decision_ms),
        rules_name=charter.rules.name.partition("(")[0].partition("+")[0],
        sits=sitting.player_of(person.id if person else None) is not None,
        said=SAID.get(request.query_params.get("said", ""), ""),
        others=[place for place in sitting.places if place.guest and place.player != own] if own is not None else [],
        commitment=sitting.seeds.commitment,
        link=f"{base}/chouette/{charter.id}",
    )


async def join_table(request: Request) -> Response:
    """Sits down at a table."""
    service, table_id = service_of(request), request.path_params["table_id"]
    if not may_create(request):
        raise HTTPException(429)
    try:
        await service.salon.sitting(table_id)
    except UnknownTable:
        raise HTTPException(404) from None
    person = await person_of(request) or await service.new_guest()
    with suppress(TableRefused, Conflict):  # the page shows that the table is full, or closed; he may watch
        await service.salon.join(table_id, person)
    return with_guest(request, person, go(f"/chouette/{table_id}"))
