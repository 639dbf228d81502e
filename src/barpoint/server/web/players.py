"""Players: search by name, the rating list of every game, one's friends and whom one has blocked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

from sqlalchemy import Connection
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.server.domain.guests import Guest
from barpoint.server.services import person_of, service_of
from barpoint.server.storage import accounts as account_storage
from barpoint.server.storage import lobby as lobby_storage
from barpoint.server.storage import players as player_storage
from barpoint.server.storage.players import RankedPlayer
from barpoint.server.web.lobby import rating_text
from barpoint.server.web.profiles import pool_title
from barpoint.server.web.rendering import render
from barpoint.server.web.requests import TOO_MUCH, go, may_create, page_in

FOUND: Final = 30
LISTED: Final = 50
MAX_SEARCHED: Final = 24


@dataclass(frozen=True, slots=True)
class PlayersShown:
    """What the page shows. pools: name and number of players. friends: with whether they are on line."""

    found: list[Guest]
    pools: list[tuple[str, int]]
    pool: str
    ranked: list[RankedPlayer]
    friends: list[tuple[Guest, bool]]
    blocked: list[Guest]


async def players_page(request: Request) -> Response:
    """Search, friends, and a page of a rating list: ?name=, ?game=, ?page= from 1."""
    services, viewer, query = service_of(request), await person_of(request), request.query_params
    name = query.get("name", "").replace("\0", "")[:MAX_SEARCHED]
    page = page_in(query)
    first = LISTED * (page - 1)

    def work(connection: Connection) -> PlayersShown:
        pools = player_storage.pools_rated(connection)
        pool = next((one for one, _ in pools if one == query.get("game")), pools[0][0] if pools else "")
        friends = player_storage.friends_of(connection, viewer.id) if viewer is not None else []
        here = player_storage.present_among(connection, [one.id for one in friends], services.presence.since)
        return PlayersShown(
            player_storage.players_named(connection, name, FOUND),
            pools,
            pool,
            player_storage.ranking(connection, pool, LISTED + 1, first),
            sorted(((one, one.id in here) for one in friends), key=lambda pair: not pair[1]),
            lobby_storage.blocked_by(connection, viewer.id) if viewer is not None else [],
        )

    shown = await services.store.read(work)
    return render(
        request,
        "players.html",
        name=name,
        shown=shown,
        pools=[(pool, pool_title(pool), count) for pool, count in shown.pools],
        ranked=[
            (place, one.person, rating_text(one.standing), one.standing.matches)
            for place, one in enumerate(shown.ranked[:LISTED], first + 1)
        ],
        page=page,
        more=len(shown.ranked) > LISTED,
        viewer=viewer,
    )


async def act(request: Request) -> Response:
    """Makes a player a friend or blocks them, or takes that back."""
    services, viewer, action = service_of(request), await person_of(request), request.path_params["action"]
    name = request.path_params["name"].replace("\0", "")
    account = await services.store.read(account_storage.find_account, name)
    if account is None or action not in ("friend", "unfriend", "block", "unblock"):
        raise HTTPException(404)
    if viewer is None or viewer.id == account.id:
        raise HTTPException(403)
    if not may_create(request):
        raise HTTPException(429, TOO_MUCH)
    match action:
        case "friend":
            now = services.matches.clock()
            await services.store.write(player_storage.put_friend, viewer.id, account.id, now)
        case "unfriend":
            await services.store.write(player_storage.remove_friend, viewer.id, account.id)
        case "block":
            await services.chat.block(viewer, account.id)
        case _:
            await services.chat.unblock(viewer, account.id)
    return go(f"/player/{quote(account.name)}")


ROUTES: Final = (
    Route("/players", players_page),
    Route("/player/{name}/{action}", act, methods=["POST"]),
)
