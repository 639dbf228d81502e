"""The WebSocket of a chouette: one reader of commands, one sender of what is new (docs/protocol.md)."""

from __future__ import annotations

from typing import Final

from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from barpoint.server.domain.guests import Guest
from barpoint.server.live.chat import ChatRefused
from barpoint.server.live.chouettes import UnknownChouette
from barpoint.server.live.event_log import ForeignSeat
from barpoint.server.live.live_chouette import LiveChouette
from barpoint.server.live.pubsub import chouette_of
from barpoint.server.protocol.chouette_view import chouette_state
from barpoint.server.protocol.chouettes import (
    ChouetteActRequest,
    ChouetteJoinRequest,
    ChouetteRequest,
    ChouetteState,
    chouette_event_of,
    read_chouette_request,
)
from barpoint.server.protocol.matches import (
    Done,
    MuteRequest,
    PingRequest,
    Pong,
    SayRequest,
    SeedRequest,
    Tried,
    TryRequest,
)
from barpoint.server.services import Services
from barpoint.server.storage.chat import AT_CHOUETTE
from barpoint.server.web.connections import Connection, serve_connection
from barpoint.server.web.credentials import Credentials


async def chouette_socket(websocket: WebSocket) -> None:
    """Begins a connection."""
    chouette_id = websocket.path_params["chouette_id"]
    await serve_connection(
        websocket, lambda services: services.chouettes.live_chouette(chouette_id), UnknownChouette, _AtChouette
    )


class _AtChouette(Connection[ChouetteRequest]):
    __slots__ = ("_chouette_id", "_shown")

    def __init__(
        self, services: Services, credentials: Credentials, live_chouette: LiveChouette, person: Guest | None
    ) -> None:
        super().__init__(services, credentials, person, read_chouette_request)
        self._chouette_id = live_chouette.header.id
        self._shown: tuple[int | None, int, object] = (None, -1, None)

    async def joined(self, request: ChouetteRequest) -> None:
        joined = await self.greeted(request, ChouetteJoinRequest)
        if joined is None:
            return
        live_chouette = await self._services.chouettes.live_chouette(self._chouette_id)
        if joined.seq is not None and joined.seq > live_chouette.seq:
            await self._services.chouettes.log.fresh(self._chouette_id)  # they have seen it in another process
        self._shown = (joined.seq, -1, None)
        self.follow(chouette_of(self._chouette_id), AT_CHOUETTE, self._chouette_id)

    async def news(self) -> ChouetteState | None:
        """The state, if it differs from what this connection has or has tried itself."""
        live_chouette = await self._services.chouettes.live_chouette(self._chouette_id)
        if (live_chouette.seq, live_chouette.version, live_chouette.places) == self._shown:
            return None
        state = chouette_state(
            live_chouette.scene, await self._player(live_chouette), self._shown[0], self._services.matches.clock()
        )
        self._shown = (live_chouette.seq, live_chouette.version, live_chouette.places)
        return state

    async def _player(self, live_chouette: LiveChouette) -> int | None:
        return live_chouette.player_of(self._person.id if self._person else None)

    async def answer(self, request: ChouetteRequest) -> None:
        match request:
            case PingRequest(number):
                await self.send(Pong(number))
            case ChouetteJoinRequest():
                await self.refuse(None, "joined", "this connection has joined already")
            case ChouetteActRequest(command_id):
                await self.attempt(command_id, self._act(request))
            case TryRequest():
                await self.attempt(None, self._try(request))
            case SeedRequest(seed):
                await self.attempt(None, self._give(seed))
            case SayRequest(id=command_id):
                await self.attempt(command_id, self._say(request))
            case MuteRequest(muted):
                await self.attempt(None, self.mute(muted))

    async def _act(self, request: ChouetteActRequest) -> Done:
        chouettes = self._services.chouettes
        live_chouette = await chouettes.live_chouette(self._chouette_id)
        player = await self._player(live_chouette)
        event = chouette_event_of(request, player if player is not None else 0, live_chouette.chouette.box)
        return Done(request.id, await chouettes.act(self._chouette_id, player, request.id, request.seq, event))

    async def _try(self, request: TryRequest) -> Tried:
        chouettes = self._services.chouettes
        player = await self._player(await chouettes.live_chouette(self._chouette_id))
        await chouettes.try_moves(self._chouette_id, player, request.seq, request.version, request.moves)
        self._shown = (self._shown[0], max(self._shown[1], request.version), self._shown[2])
        return Tried(request.seq, request.version)

    async def _give(self, seed: str) -> None:
        player = await self._player(await self._services.chouettes.live_chouette(self._chouette_id))
        await self._services.chouettes.give_seed(self._chouette_id, player, seed)

    async def _say(self, request: SayRequest) -> Done | None:
        """Posts a chat line for everybody. ForeignSeat; ChatRefused for consultation that is not allowed."""
        live_chouette, person = await self._services.chouettes.live_chouette(self._chouette_id), self._person
        player = await self._player(live_chouette)
        if player is None or person is None:
            raise ForeignSeat("players of the chouette write; spectators read")
        if not live_chouette.chouette.may_consult(player):
            raise ChatRefused("the team has a roll to play, and in this chouette you may not consult")
        line = await self._services.chat.put(AT_CHOUETTE, self._chouette_id, person, request.text, request.after)
        return Done(request.id, line) if request.id else None


ROUTES: Final = (WebSocketRoute("/ws/chouette/{chouette_id}", chouette_socket),)
