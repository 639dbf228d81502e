"""Chouettes in the HTTP interface for bots: tables, sitting down, a stream of what one sees, and a POST for every event."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator

import msgspec
from starlette.responses import Response

from barpoint.chouette import MOST
from barpoint.server.api import messages
from barpoint.server.api.challenges import may_create
from barpoint.server.api.matches import fields_of, plays_of
from barpoint.server.api.requests import Call, Refused, answer_with, guarded
from barpoint.server.api.streams import stream, wait
from barpoint.server.domain.guests import Guest
from barpoint.server.live.live_chouette import Sitting
from barpoint.server.live.pubsub import table_of
from barpoint.server.protocol.chouette_view import describe_table, table_state
from barpoint.server.protocol.chouettes import TableAct, TableState, TableWish, table_event_of
from barpoint.server.services import Service
from barpoint.server.web.chouettes import read_table
from barpoint.variants import variant

TICKS = ("jacoby", "beavers", "automatic_doubles", "half_taken", "listed")


@guarded(None)
async def tables(call: Call) -> Response:
    """Chouettes for everybody."""
    found = tuple(
        messages.Chouette(
            id=one.id,
            variant=one.rules.name,
            terms=describe_table(one.rules, one.terms, one.decision_ms),
            players=one.names,
            free=MOST - len(one.names),
            games=one.games,
            playing=one.playing,
        )
        for one in await call.service.salon.listed()
    )
    return answer_with(messages.Chouettes(found))


@guarded("challenge")
async def open_chouette(call: Call) -> Response:
    """Opens a table, and sits down there."""
    asked = await call.body(messages.NewChouette)
    form = {name: str(getattr(asked, name)) for name in ("cubes", "consulting", "decision", "bots")}
    form |= {name: "1" for name in TICKS if getattr(asked, name)}
    form |= {"level": asked.level} if asked.level else {}
    wanted = read_table(call.service, variant(asked.variant), form)
    may_create(call)
    return answer_with(messages.ChouetteMade(await call.service.salon.open(call.person, wanted), 0), 201)


@guarded("challenge")
async def join_chouette(call: Call) -> Response:
    """Sits down at a table; again, nothing changes."""
    table_id = call.request.path_params["table"]
    return answer_with(messages.ChouetteMade(table_id, await call.service.salon.join(table_id, call.person)))


@guarded("play")
async def stream_chouette(call: Call) -> Response:
    """A chouette as lines of JSON, each everything that one may see and do, as on the WebSocket."""
    sitting = await _sitting(call)
    return stream(_states(call.service, sitting.charter.id, call.person))


async def _states(service: Service, table_id: str, person: Guest) -> AsyncIterator[bytes]:
    changed = asyncio.Event()
    after: int | None = None
    shown: object = None
    with service.bus.listening(table_of(table_id), lambda _: changed.set()):
        while True:
            changed.clear()
            sitting = await service.salon.sitting(table_id)
            if (sitting.seq, sitting.places) != shown:
                state = _state(service, sitting, person, after)
                after, shown = sitting.seq, (sitting.seq, sitting.places)
                yield messages.line(state) + b"\n"
                if state.over:
                    return
            async for beat in wait(changed):
                yield beat


@guarded("play")
async def show_chouette(call: Call) -> Response:
    """A chouette as it stands."""
    return answer_with(_state(call.service, await _sitting(call), call.person, None))


def _state(service: Service, sitting: Sitting, person: Guest, after: int | None) -> TableState:
    return table_state(sitting, sitting.player_of(person.id), after, service.hall.clock())


@guarded("play")
async def legal(call: Call) -> Response:
    """Every play of the roll on the board of a chouette, one for each result; none where there is no roll."""
    return answer_with(plays_of((await _sitting(call)).table.board))


@guarded("play")
async def act(call: Call) -> Response:
    """An event of one's own at a chouette; its kind is the last part of the address."""
    kind = call.request.path_params["table_kind"]
    if kind not in messages.TABLE_KINDS:
        raise Refused(404, "unknown", f"no event {kind[:20]!r}; allowed: {', '.join(messages.TABLE_KINDS)}")
    doing = await call.body(messages.DoingAtTable)
    sitting = await _sitting(call)
    player = sitting.player_of(call.person.id)
    known = sitting.commands.get((str(player), doing.id or ""))
    if known is not None:  # a retry: what it meant then may no longer be legal now
        return answer_with(messages.Done(known))
    fields = fields_of(kind, doing, sitting.table.board)
    fields |= {"on": doing.on} if kind == "ask" else {}
    fields |= {"member": doing.member, "points": doing.points} if kind in ("propose", "settle") else {}
    wish: TableWish = msgspec.convert(fields, TableWish)
    command, seq = doing.id or f"api-{secrets.token_urlsafe(9)}", sitting.seq if doing.seq is None else doing.seq
    event = table_event_of(TableAct(command, seq, wish, doing.to or ()), player or 0, sitting.table.box)
    return answer_with(messages.Done(await call.service.salon.act(sitting.charter.id, player, command, seq, event)))


async def _sitting(call: Call) -> Sitting:
    return await call.service.salon.sitting(call.request.path_params["table"])
