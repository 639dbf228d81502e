"""Chouettes in the bot API: the list, joining, a stream of states, and a POST for every action."""

from __future__ import annotations

from functools import partial

import msgspec
from starlette.responses import Response

from barpoint.chouette import MAX_PLAYERS, Act
from barpoint.chouette.event import kind_of
from barpoint.server.api import messages
from barpoint.server.api.challenges import may_create
from barpoint.server.api.matches import RequestedAction, answer_once, fields_of, kind_named, plays_of
from barpoint.server.api.requests import Call, answer_with, guarded
from barpoint.server.api.streams import StateAfter, new_states, stream
from barpoint.server.domain.guests import Guest
from barpoint.server.live.live_chouette import LiveChouette
from barpoint.server.live.new_chouette import read_chouette
from barpoint.server.live.pubsub import chouette_of
from barpoint.server.protocol.chouette_view import chouette_state, describe_chouette
from barpoint.server.protocol.chouettes import ChouetteAction, ChouetteActRequest, ChouetteState, chouette_event_of
from barpoint.server.services import Services
from barpoint.variants import variant

TICKS = ("jacoby", "beavers", "automatic_doubles", "half_taken", "listed")


@guarded(None)
async def chouettes(call: Call) -> Response:
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
    chouette_id = call.request.path_params["chouette"]
    return answer_with(messages.ChouetteMade(chouette_id, await call.services.chouettes.join(chouette_id, call.person)))


@guarded("play")
async def stream_chouette(call: Call) -> Response:
    """Streams a chouette as lines of JSON, each the full state and the player's actions, as on the WebSocket."""
    chouette_id = (await _sitting(call)).header.id

    async def look() -> tuple[tuple[int, object], StateAfter]:
        live_chouette = await call.services.chouettes.live_chouette(chouette_id)
        version = (live_chouette.seq, live_chouette.places)
        return version, partial(_state, call.services, live_chouette, call.person)

    return stream(call, new_states(call.services.pubsub, chouette_of(chouette_id), look))


@guarded("play")
async def show_chouette(call: Call) -> Response:
    """The current state of a chouette."""
    return answer_with(_state(call.services, await _sitting(call), call.person, None))


def _state(services: Services, live_chouette: LiveChouette, person: Guest, after: int | None) -> ChouetteState:
    return chouette_state(live_chouette.scene, live_chouette.player_of(person.id), after, services.matches.clock())


@guarded("play")
async def legal(call: Call) -> Response:
    """The legal plays of the current roll at a chouette, one for each resulting position; empty without a roll."""
    return answer_with(plays_of((await _sitting(call)).chouette.board))


@guarded("play")
async def act(call: Call) -> Response:
    """The player's action at a chouette; the last part of the path is its kind."""
    kind = kind_named(call, "chouette_kind", messages.CHOUETTE_KINDS)
    doing = await call.body(messages.ChouetteActionBody)
    live_chouette = await _sitting(call)
    player = live_chouette.player_of(call.person.id)

    async def work(command: str, seq: int) -> int:
        fields = fields_of(kind, doing, live_chouette.chouette.board)
        fields |= {"on": doing.on} if kind == "ask" else {}
        fields |= {"member": doing.member} if kind in ("propose", "withdraw", "settle") else {}
        fields |= {"points": doing.points} if kind in ("propose", "settle") else {}
        action: ChouetteAction = msgspec.convert(fields, ChouetteAction)
        request = ChouetteActRequest(command, seq, action, doing.to or ())
        event = chouette_event_of(request, player or 0, live_chouette.chouette.box)
        return await call.services.chouettes.act(live_chouette.header.id, player, command, seq, event)

    def made(number: int) -> tuple[str, object]:
        event = live_chouette.chouette.events[number - 1]
        return kind_of(event), event.event if isinstance(event, Act) else event

    return await answer_once(live_chouette, str(player), RequestedAction(kind, doing), made, work)


async def _sitting(call: Call) -> LiveChouette:
    return await call.services.chouettes.live_chouette(call.request.path_params["chouette"])
