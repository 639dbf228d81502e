"""Chouettes in the bot API: the list, joining, a stream of states, and a POST for every action."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator

import msgspec
from starlette.responses import Response

from barpoint.chouette import MAX_PLAYERS
from barpoint.server.api import messages
from barpoint.server.api.challenges import may_create
from barpoint.server.api.matches import fields_of, plays_of
from barpoint.server.api.requests import Call, RequestRefused, answer_with, guarded
from barpoint.server.api.streams import stream, wait
from barpoint.server.domain.guests import Guest
from barpoint.server.live.live_chouette import LiveChouette
from barpoint.server.live.new_chouette import read_chouette
from barpoint.server.live.pubsub import table_of
from barpoint.server.protocol.chouette_view import chouette_state, describe_chouette
from barpoint.server.protocol.chouettes import ChouetteAction, ChouetteActRequest, ChouetteState, chouette_event_of
from barpoint.server.services import Services
from barpoint.variants import variant

TICKS = ("jacoby", "beavers", "automatic_doubles", "half_taken", "listed")


@guarded(None)
async def tables(call: Call) -> Response:
    """The public chouettes."""
    found = tuple(
        messages.ChouetteListing(
            id=one.id,
            variant=one.rules.name,
            terms=describe_chouette(one.rules, one.terms, one.decision_ms),
            players=one.names,
            free_seats=MAX_PLAYERS - len(one.names),
            games=one.games,
            playing=one.playing,
        )
        for one in await call.services.chouettes.listed()
    )
    return answer_with(messages.ChouetteList(found))


@guarded("challenge")
async def open_chouette(call: Call) -> Response:
    """Opens a chouette, and joins it."""
    asked = await call.body(messages.ChouetteBody)
    form = {name: str(getattr(asked, name)) for name in ("cubes", "consulting", "decision", "bots")}
    form |= {name: "1" for name in TICKS if getattr(asked, name)}
    form |= {"level": asked.level} if asked.level else {}
    wanted = read_chouette(call.services.opponents, variant(asked.variant), form)
    may_create(call)
    return answer_with(messages.ChouetteMade(await call.services.chouettes.open(call.person, wanted), 0), 201)


@guarded("challenge")
async def join_chouette(call: Call) -> Response:
    """Joins a chouette; a repeated request changes nothing."""
    table_id = call.request.path_params["chouette"]
    return answer_with(messages.ChouetteMade(table_id, await call.services.chouettes.join(table_id, call.person)))


@guarded("play")
async def stream_chouette(call: Call) -> Response:
    """Streams a chouette as lines of JSON, each the full state and the player's actions, as on the WebSocket."""
    live_chouette = await _sitting(call)
    return stream(_states(call.services, live_chouette.header.id, call.person))


async def _states(services: Services, table_id: str, person: Guest) -> AsyncIterator[bytes]:
    changed = asyncio.Event()
    after: int | None = None
    shown: object = None
    with services.pubsub.listening(table_of(table_id), lambda _: changed.set()):
        while True:
            changed.clear()
            live_chouette = await services.chouettes.live_chouette(table_id)
            if (live_chouette.seq, live_chouette.places) != shown:
                state = _state(services, live_chouette, person, after)
                after, shown = live_chouette.seq, (live_chouette.seq, live_chouette.places)
                yield messages.line(state) + b"\n"
                if state.over:
                    return
            async for beat in wait(changed):
                yield beat


@guarded("play")
async def show_chouette(call: Call) -> Response:
    """The current state of a chouette."""
    return answer_with(_state(call.services, await _sitting(call), call.person, None))


def _state(services: Services, live_chouette: LiveChouette, person: Guest, after: int | None) -> ChouetteState:
    return chouette_state(live_chouette.scene, live_chouette.player_of(person.id), after, services.matches.clock())


@guarded("play")
async def legal(call: Call) -> Response:
    """The legal plays of the current roll at a chouette, one for each resulting position; empty without a roll."""
    return answer_with(plays_of((await _sitting(call)).table.board))


@guarded("play")
async def act(call: Call) -> Response:
    """The player's action at a chouette; the last part of the path is its kind."""
    kind = call.request.path_params["chouette_kind"]
    if kind not in messages.TABLE_KINDS:
        raise RequestRefused(404, "unknown", f"no event {kind[:20]!r}; allowed: {', '.join(messages.TABLE_KINDS)}")
    doing = await call.body(messages.ChouetteActionBody)
    live_chouette = await _sitting(call)
    player = live_chouette.player_of(call.person.id)
    known = live_chouette.commands.get((str(player), doing.id or ""))
    if known is not None:  # a retry: the action may no longer be legal now
        return answer_with(messages.DoneMessage(known))
    fields = fields_of(kind, doing, live_chouette.table.board)
    fields |= {"on": doing.on} if kind == "ask" else {}
    fields |= {"member": doing.member, "points": doing.points} if kind in ("propose", "settle") else {}
    wish: ChouetteAction = msgspec.convert(fields, ChouetteAction)
    command, seq = doing.id or f"api-{secrets.token_urlsafe(9)}", live_chouette.seq if doing.seq is None else doing.seq
    event = chouette_event_of(
        ChouetteActRequest(command, seq, wish, doing.to or ()), player or 0, live_chouette.table.box
    )
    return answer_with(
        messages.DoneMessage(await call.services.chouettes.act(live_chouette.header.id, player, command, seq, event))
    )


async def _sitting(call: Call) -> LiveChouette:
    return await call.services.chouettes.live_chouette(call.request.path_params["chouette"])
