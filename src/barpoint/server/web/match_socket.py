"""The WebSocket of a match: one reader of commands, one sender of what is new (docs/protocol.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from barpoint.server.domain.guests import Guest
from barpoint.server.live.chat import ChatFeed, forum_for
from barpoint.server.live.live_match import LiveMatch
from barpoint.server.live.match_state import match_state
from barpoint.server.live.matches import UnknownMatch
from barpoint.server.live.pubsub import chat_of
from barpoint.server.protocol.board_view import TurnShown
from barpoint.server.protocol.matches import (
    ActRequest,
    AdjournRequest,
    Done,
    EnterRequest,
    JoinRequest,
    MatchAnswer,
    MatchRequest,
    MatchState,
    MuteRequest,
    PingRequest,
    Pong,
    SayRequest,
    SeedRequest,
    Tried,
    TryRequest,
    event_of,
    read_request,
)
from barpoint.server.services import Services
from barpoint.server.storage import ladders as ladder_storage
from barpoint.server.web.connections import Connection, serve_connection
from barpoint.server.web.credentials import Credentials


@dataclass(slots=True)
class Sent:
    """What the server has sent on a connection."""

    seq: int | None
    version: int = -1
    turn: object = None
    header: object = None
    may: object = None
    presence: object = None


async def match_socket(websocket: WebSocket) -> None:
    """Begins a connection."""
    match_id = websocket.path_params["match_id"]
    await serve_connection(websocket, lambda services: services.matches.seated(match_id), UnknownMatch, _AtMatch)


class _AtMatch(Connection[MatchRequest]):
    __slots__ = ("_match_id", "_present", "_seat", "_sent", "_uncommitted")

    def __init__(
        self, services: Services, credentials: Credentials, live_match: LiveMatch, person: Guest | None
    ) -> None:
        super().__init__(services, credentials, person, read_request)
        self._match_id = live_match.header.id
        self._seat = live_match.header.seat_of(person.id if person else None)
        self._uncommitted: tuple[str | None] | None = None  # the seed that waits until the other player is there
        self._present: int | None = None  # the seat that counts as connected
        self._sent = Sent(None)

    async def joined(self, request: MatchRequest) -> None:
        joined = await self.greeted(request, JoinRequest)
        if joined is None:
            return
        matches, self._sent = self._services.matches, Sent(joined.seq)
        if joined.seq is not None and joined.seq > (await matches.live_match(self._match_id)).seq:
            await matches.log.fresh(self._match_id)  # they have seen it in another process
        if self._over:
            return
        self._present = self._seat
        self._services.seat_presence.enter(self._match_id, self._present)
        await self._commit(joined.commitment)
        await self._services.adjournments.seen(self._match_id, self._seat)
        await matches.begin(self._match_id)
        forum = forum_for(await matches.live_match(self._match_id), self._person)
        self.follow(self._match_id, forum, self._match_id)

    def left(self) -> None:
        self._services.seat_presence.leave(self._match_id, self._present)
        self._present = None

    def _sit(self, live_match: LiveMatch) -> None:
        """Takes over the seat that the client has now: who watched may have sat down in another tab. Who has left takes none."""
        if self._over:
            return
        seat = live_match.header.seat_of(self._person.id if self._person else None)
        if seat != self._seat:
            self._services.seat_presence.leave(self._match_id, self._present)
            self._seat = self._present = seat
            self._services.seat_presence.enter(self._match_id, seat)

    def _choose_chat(self, live_match: LiveMatch) -> None:
        """Tells the chat that the client reads now: who sits down reads another one, and so does everybody once the match is over."""
        forum = forum_for(live_match, self._person)
        if self._feed is not None and self._feed.forum is not forum:
            self._feed = ChatFeed(self._services.chat, forum, self._match_id, self._person)
            self._changed(chat_of(self._match_id))

    async def _commit(self, commitment: str | None) -> None:
        """Commits to the seed of the dice: at once, or, where players choose when they play, once both are there.

        Players of other tournaments have come in time once they have committed; what begins while both are there is the match.
        """
        live_match = await self._services.matches.live_match(self._match_id)
        if self._seat is not None and not live_match.header.ready and not live_match.match.events:
            arranged = await self._services.store.read(ladder_storage.is_arranged, self._match_id)
            if arranged and not self._services.adjournments.both_here(live_match.header):
                self._uncommitted = (commitment,)
                return
        self._uncommitted = None
        await self._services.adjournments.commit_to_seed(self._match_id, self._seat, commitment)

    async def answer(self, request: MatchRequest) -> None:
        match request:
            case PingRequest(number):
                await self._services.adjournments.seen(self._match_id, self._seat)
                await self.send(Pong(number))
            case JoinRequest():
                await self.refuse(None, "joined", "this connection has joined already")
            case ActRequest(command_id):
                await self.attempt(command_id, self._act(request))
            case EnterRequest(command_id):
                await self.attempt(command_id, self._enter(request))
            case SeedRequest(seed):
                await self.attempt(None, self._services.adjournments.reveal_seed(self._match_id, self._seat, seed))
            case AdjournRequest(action):
                await self.attempt(None, self._services.adjournments.ask(self._match_id, self._seat, action))
            case SayRequest(id=command_id):
                await self.attempt(command_id, self._say(request))
            case MuteRequest(muted):
                await self.attempt(None, self.mute(muted))
            case TryRequest():
                await self.attempt(None, self._try(request))

    async def _act(self, request: ActRequest) -> MatchAnswer:
        seat = self._seat
        event = event_of(request.event, seat if seat is not None else 0)
        done = await self._services.matches.act(self._match_id, seat, request.id, request.seq, event, request.lag)
        return Done(request.id, done)

    async def _enter(self, request: EnterRequest) -> MatchAnswer:
        done = await self._services.matches.enter(self._match_id, self._seat, request.id, request.seq, request.event)
        return Done(request.id, done)

    async def _try(self, request: TryRequest) -> MatchAnswer:
        await self._services.matches.try_moves(self._match_id, self._seat, request.seq, request.version, request.moves)
        self._sent.version = max(self._sent.version, request.version)
        return Tried(request.seq, request.version)

    async def _say(self, request: SayRequest) -> MatchAnswer | None:
        line = await self._services.chat.say(self._match_id, self._person, request.text, request.after)
        return Done(request.id, line) if request.id else None  # the line arrives with the chat that everybody reads

    async def news(self) -> MatchState | None:
        """The state, if it differs from what this connection has or has tried itself."""
        if self._uncommitted is not None:
            await self._commit(*self._uncommitted)
        live_match, sent = await self._services.matches.live_match(self._match_id), self._sent
        if live_match.header.ready and not live_match.seq:
            await self._services.matches.begin(self._match_id)  # it may have waited for both
        self._sit(live_match)
        self._choose_chat(live_match)
        may, seated = self._services.adjournments.may(live_match, self._seat), self._services.seat_presence
        presence = tuple(seated.of(self._match_id, seat) for seat in (0, 1))
        now = (live_match.seq, live_match.header, _choices(live_match.view(self._seat).turn), may, presence)
        have = (sent.seq, sent.header, sent.turn, sent.may, sent.presence)
        if have == now and sent.version >= live_match.version:
            return None
        state = match_state(live_match, self._seat, sent.seq, self._services.matches.clock(), may, seated)
        sent.seq, sent.version, sent.header = live_match.seq, live_match.version, live_match.header
        sent.turn, sent.may, sent.presence = _choices(state.view.turn), may, presence
        return state


def _choices(turn: TurnShown | None) -> object:
    """The choices of a turn, whatever moves have been tried."""
    return (turn.nodes, turn.free) if turn else None


ROUTES: Final = (WebSocketRoute("/ws/match/{match_id}", match_socket),)
