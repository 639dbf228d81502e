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
from barpoint.server.domain.agreement_form import MAX_BEAVERS
from barpoint.server.domain.chouettes import DECISIONS
from barpoint.server.domain.titles import variant_title
from barpoint.server.live.bots import OURS, find_level
from barpoint.server.live.chat import SAID
from barpoint.server.live.chouettes import ChouetteRefused, Proposed, UnknownChouette
from barpoint.server.protocol.chouette_view import describe_table, listed_tables
from barpoint.server.services import Services, person_of, service_of
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
    services, person = service_of(request), await person_of(request)
    return render(
        request,
        "chouettes.html",
        status,
        problem=problem,
        tables=listed_tables(await services.chouettes.listed(), person),
        games=games_listed(),
        levels=services.opponents.levels,
        level=next((level for level in reversed(services.opponents.levels) if level.engine == OURS), None),
        decisions=list(DECISIONS),
        consulting=CONSULTING,
        most_bots=MOST - 1,
    )


async def open_table(request: Request) -> Response:
    """Opens a table and leads to it."""
    services = service_of(request)
    if not may_create(request):
        return await _tables_page(request, TOO_MUCH, 429)
    fields = await fields_of(request)
    try:
        wanted = read_table(services, variant(name_from(fields)), dict(fields))
    except (FormatError, StakesError, UnknownVariant, VariantsClash) as error:
        return await _tables_page(request, str(error), 422)
    person = await person_of(request) or await services.new_guest()
    return with_guest(request, person, go(f"/chouette/{await services.chouettes.open(person, wanted)}"))


def read_table(services: Services, rules: Rules, form: Mapping[str, str]) -> Proposed:
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
        beavers=MAX_BEAVERS if each and "beavers" in form else 0,
        automatic_doubles=1 if cube and "automatic_doubles" in form else 0,
    )
    return Proposed(rules, terms, DECISIONS[decision], "listed" in form, _bots(services, rules, form))


def _bots(services: Services, rules: Rules, form: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Levels and names of the bots that sit down."""
    wanted = form.get("bots", "0")
    if wanted not in {str(count) for count in range(MOST)}:
        raise FormatError(f"bots: {wanted[:20]!r}; allowed: 0 to {MOST - 1}")
    if wanted == "0":
        return ()
    level = find_level(services.opponents, rules, form.get("level"))
    called = "Bot" if level.engine == OURS else level.engine
    return tuple((level.name, f"{called} {number} ({level.title})") for number in range(1, int(wanted) + 1))


async def table_page(request: Request) -> Response:
    """A table, for who plays there and for who watches."""
    services, person = service_of(request), await person_of(request)
    try:
        live_chouette = await services.chouettes.live_chouette(request.path_params["table_id"])
    except UnknownChouette:
        raise HTTPException(404) from None
    header, own = live_chouette.header, live_chouette.number_of(person.id if person else None)
    base = str(request.base_url).rstrip("/")
    return render(
        request,
        "chouette.html",
        table=header,
        title=variant_title(header.rules),
        terms=describe_table(header.rules, header.terms, header.decision_ms),
        rules_name=header.rules.name.partition("(")[0].partition("+")[0],
        sits=live_chouette.player_of(person.id if person else None) is not None,
        said=SAID.get(request.query_params.get("said", ""), ""),
        others=[place for place in live_chouette.places if place.guest and place.player != own]
        if own is not None
        else [],
        commitment=live_chouette.seeds.commitment,
        link=f"{base}/chouette/{header.id}",
    )


async def join_table(request: Request) -> Response:
    """Sits down at a table."""
    services, table_id = service_of(request), request.path_params["table_id"]
    if not may_create(request):
        raise HTTPException(429)
    try:
        await services.chouettes.live_chouette(table_id)
    except UnknownChouette:
        raise HTTPException(404) from None
    person = await person_of(request) or await services.new_guest()
    with suppress(ChouetteRefused, Conflict):  # the page shows that the table is full, or closed; he may watch
        await services.chouettes.join(table_id, person)
    return with_guest(request, person, go(f"/chouette/{table_id}"))
