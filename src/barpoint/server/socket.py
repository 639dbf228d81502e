"""The WebSocket of a match: one reader of commands, one sender of what is new (docs/protocol.md)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from starlette.websockets import WebSocket, WebSocketDisconnect

from barpoint.error import BarpointError, FormatError, IllegalEvent, IllegalMove, StoreError, StoreFull
from barpoint.server import talk
from barpoint.server.archive import Conflict
from barpoint.server.aside import clock_shown, due_shown, ratings_shown, recess_shown
from barpoint.server.bus import chat_of, person_named
from barpoint.server.entry import Seat
from barpoint.server.form import describe_offer
from barpoint.server.guest import Guest
from barpoint.server.hall import ForeignSeat, StaleCommand, UnknownMatch
from barpoint.server.limit import Credit
from barpoint.server.room import Room
from barpoint.server.service import Service, service_of
from barpoint.server.title import variant_title
from barpoint.server.view import TurnShown
from barpoint.server.wire import (
    PROTOCOL,
    Act,
    Answer,
    Ask,
    Done,
    Enter,
    Join,
    MatchShown,
    Mute,
    Ping,
    Pong,
    Refused,
    Request,
    Say,
    SeatShown,
    State,
    Tell,
    Tried,
    Try,
    WordsTold,
    event_of,
    read_request,
    write_answer,
)

JOIN_S: Final = 10.0
"""Time for the first message."""

SEND_S: Final = 20.0
"""Time for a reader to take a message; a slower one is let go and comes back by its last event."""

LOOK_AGAIN_S: Final = 10.0
"""Time between two looks whether a session still holds."""

BURST: Final = 60
PER_SECOND: Final = 20
"""Messages at once, and each second, of one connection."""

MOST_ERRORS: Final = 20
"""Messages that cannot be read, after which a connection is let go."""

POLICY: Final = 1008
TRY_AGAIN: Final = 1013


@dataclass(slots=True)
class Shown:
    """What a connection has been sent."""

    seq: int | None
    version: int = -1
    turn: object = None
    entry: object = None
    may: object = None


async def match_socket(websocket: WebSocket) -> None:
    """Serves one connection until it ends."""
    if not same_origin(websocket.headers.get("origin"), websocket.headers.get("host")):
        await websocket.close(POLICY)
        return
    service = service_of(websocket)
    try:
        room = await service.hall.room(websocket.path_params["match_id"])
    except UnknownMatch:
        await websocket.close(POLICY)
        return
    person = await service.guest(websocket.cookies)
    await websocket.accept()
    try:
        with service.presence.here(person.id if person else None), service.store.metrics.sockets.track_inprogress():
            await _Connection(websocket, service, room, person).serve()
    except (WebSocketDisconnect, RuntimeError):  # the other side has gone, also while something was being sent
        return


def same_origin(origin: str | None, host: str | None) -> bool:
    """Whether a page of this server asks; a client that is no browser says no origin."""
    return origin is None or (host is not None and urlsplit(origin).netloc == host)


async def leaves_when_logged_out(websocket: WebSocket, service: Service, person: Guest | None) -> None:
    """Ends a connection once its cookies no longer are this person, and returns then."""
    await logged_out(service, person, lambda: service.guest(websocket.cookies))
    await websocket.close(POLICY, "logged out")


async def logged_out(service: Service, person: Guest | None, ask: Callable[[], Awaitable[Guest | None]]) -> None:
    """Returns once whoever asks no longer is this person: he has logged out, registered or was banned; never before.

    ask: looks up who it is. What another process has done is seen within LOOK_AGAIN_S.
    """
    changed = asyncio.Event()
    topic = person_named(person.id) if person else ""
    with service.bus.listening(topic, lambda _: changed.set()):
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_AGAIN_S if person and person.registered else None):
                    await changed.wait()
            changed.clear()
            try:
                now = await ask()
            except StoreError:
                continue
            if now is None or person is None or now.id != person.id:
                return


class _Connection:
    def __init__(self, websocket: WebSocket, service: Service, room: Room, person: Guest | None) -> None:
        self._websocket, self._service, self._match_id, self._person = websocket, service, room.entry.id, person
        self._seat = room.entry.seat_of(person.id if person else None)
        self._changed = asyncio.Event()
        self._sending = asyncio.Lock()
        now = asyncio.get_running_loop().time()
        self._credit = Credit(BURST, PER_SECOND, BURST, now)
        self._errors = 0

    async def serve(self) -> None:
        joined = await self._join()
        if joined is None:
            return
        hall = self._service.hall
        if joined.seq is not None and joined.seq > (await hall.room(self._match_id)).seq:
            await hall.changed_elsewhere(self._match_id)  # he has seen it in another process
        await self._service.keeper.seal_seed(self._match_id, self._seat, joined.seal)
        await self._service.keeper.seen(self._match_id, self._seat)
        await hall.begin(self._match_id)
        shown = Shown(joined.seq)
        with (
            self._service.bus.listening(self._match_id, lambda _: self._changed.set()),
            self._service.keeper.present(self._match_id, self._seat),
        ):
            await self._send(await self._state(shown))
            sender = asyncio.create_task(self._tell(shown))
            reader = asyncio.create_task(self._listen(shown))
            guard = asyncio.create_task(leaves_when_logged_out(self._websocket, self._service, self._person))
            hearer = asyncio.create_task(self._hear())
            done, pending = await asyncio.wait({sender, reader, guard, hearer}, return_when=asyncio.FIRST_COMPLETED)
            for task in pending:
                task.cancel()
            await asyncio.gather(*pending, return_exceptions=True)
            for task in done:
                task.result()

    async def _join(self) -> Join | None:
        try:
            async with asyncio.timeout(JOIN_S):
                request = await self._receive()
        except TimeoutError:
            await self._websocket.close(POLICY, "nothing was said")
            return None
        if not isinstance(request, Join):
            if request is not None:
                await self._refuse(None, "join_first", "the first message of a connection is join")
            await self._websocket.close(POLICY, "join first")
            return None
        if request.protocol != PROTOCOL:
            await self._refuse(None, "protocol", f"protocol {request.protocol}; this server speaks {PROTOCOL}")
            await self._websocket.close(POLICY, "protocol")
            return None
        return request

    async def _listen(self, shown: Shown) -> None:
        """Reads until the connection ends or has to be ended."""
        while True:
            request = await self._receive()
            if not self._credit.spend(asyncio.get_running_loop().time()):
                await self._websocket.close(POLICY, "too many messages")
                return
            if request is None:
                self._errors += 1
                if self._errors >= MOST_ERRORS:
                    await self._websocket.close(POLICY, "too many errors")
                    return
                continue
            await self._answer(request, shown)

    async def _receive(self) -> Request | None:
        """The next message; None when it could not be read, which the client has been told."""
        message = await self._websocket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1005))
        try:
            return read_request(message.get("text") or message.get("bytes") or b"")
        except FormatError as error:
            await self._refuse(None, "format", str(error))
            return None

    async def _answer(self, request: Request, shown: Shown) -> None:
        match request:
            case Ping(number):
                await self._service.keeper.seen(self._match_id, self._seat)
                await self._send(Pong(number))
            case Join():
                await self._refuse(None, "joined", "this connection has joined already")
            case Act(command_id):
                await self._attempt(command_id, self._act(request))
            case Enter(command_id):
                await self._attempt(command_id, self._enter(request))
            case Tell(seed):
                await self._attempt(None, self._service.keeper.tell_seed(self._match_id, self._seat, seed))
            case Ask(wish):
                await self._attempt(None, self._service.keeper.ask(self._match_id, self._seat, wish))
            case Say(text):
                await self._attempt(None, self._say(text))
            case Mute(muted):
                await self._attempt(None, self._mute(muted))
            case Try():
                await self._attempt(None, self._try(request, shown))

    async def _act(self, request: Act) -> Answer:
        seat = self._seat
        event = event_of(request.event, seat if seat is not None else 0)
        done = await self._service.hall.act(self._match_id, seat, request.id, request.seq, event, request.lag)
        return Done(request.id, done)

    async def _enter(self, request: Enter) -> Answer:
        done = await self._service.hall.enter(self._match_id, self._seat, request.id, request.seq, request.event)
        return Done(request.id, done)

    async def _try(self, request: Try, shown: Shown) -> Answer:
        await self._service.hall.try_moves(self._match_id, self._seat, request.seq, request.version, request.moves)
        shown.version = max(shown.version, request.version)
        return Tried(request.seq, request.version)

    async def _say(self, text: str) -> Answer | None:
        await talk.say(self._service, self._match_id, self._person, text)
        return None  # it comes back with what everybody hears

    async def _mute(self, muted: bool) -> Answer:
        await talk.mute(self._service, self._match_id, self._person, muted)
        return WordsTold((), muted)

    async def _hear(self) -> None:
        """Sends what is said."""
        said, last, first = asyncio.Event(), 0, True
        said.set()
        with self._service.bus.listening(chat_of(self._match_id), lambda _: said.set()):
            while True:
                await said.wait()
                said.clear()
                try:
                    told = await talk.heard(self._service, self._match_id, self._person, last)
                except StoreError:
                    continue
                if told.lines or (first and told.muted):
                    last = max((line.id for line in told.lines), default=last)
                    await self._send(told)
                first = False

    async def _attempt(self, command_id: str | None, attempt: Coroutine[None, None, Answer | None]) -> None:
        try:
            answer = await attempt
        except StaleCommand as error:
            answer = Refused(command_id, "stale", str(error))
        except ForeignSeat as error:
            answer = Refused(command_id, "seat", str(error))
        except (IllegalEvent, IllegalMove) as error:
            answer = Refused(command_id, "illegal", str(error))
        except Conflict as error:
            answer = Refused(command_id, "conflict", str(error))
        except StoreFull as error:
            answer = Refused(command_id, "store", str(error))
        except StoreError:
            answer = Refused(command_id, "store", "the database does not answer; nothing was changed, try again")
        except BarpointError as error:
            answer = Refused(command_id, "refused", str(error))
        if answer is not None:
            await self._send(answer)

    async def _refuse(self, command_id: str | None, code: str, message: str) -> None:
        await self._send(Refused(command_id, code, message))

    async def _tell(self, shown: Shown) -> None:
        """Sends the newest state whenever there is news. What a slow reader misses is in the next one."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            state = await self._news(shown)
            if state is not None:
                await self._send(state)

    async def _news(self, shown: Shown) -> State | None:
        """The state where it differs from what this connection has or has tried itself."""
        room = await self._service.hall.room(self._match_id)
        may = self._service.keeper.may(room, self._seat)
        now = (room.seq, room.entry, _choices(room.view(self._seat).turn), may)
        known = (shown.seq, shown.entry, shown.turn, shown.may) == now
        return None if known and shown.version >= room.version else await self._state(shown)

    async def _state(self, shown: Shown) -> State:
        room = await self._service.hall.room(self._match_id)
        self._seat = room.entry.seat_of(self._person.id if self._person else None)
        may = self._service.keeper.may(room, self._seat)
        state = state_of(room, self._seat, shown.seq, self._service.hall.clock(), may)
        shown.seq, shown.version, shown.entry = room.seq, room.version, room.entry
        shown.turn, shown.may = _choices(state.view.turn), may
        return state

    async def _send(self, answer: Answer) -> None:
        async with self._sending:
            try:
                async with asyncio.timeout(SEND_S):
                    await self._websocket.send_text(write_answer(answer))
            except TimeoutError:
                await self._websocket.close(TRY_AGAIN, "too slow")
                raise WebSocketDisconnect(TRY_AGAIN) from None


def _choices(turn: TurnShown | None) -> object:
    """What a turn offers, whatever was tried."""
    return (turn.nodes, turn.free) if turn else None


def _seat_shown(seat: Seat) -> SeatShown:
    """A seat as everybody may see it. A seed of the server's own is shown in the report alone: it tells nothing before."""
    told = seat.client_seed if seat.by_player else ""
    return SeatShown(seat.kind.value, seat.name, seat.bot, seat.by_player, seat.sealed, told or None)


def state_of(room: Room, seat: int | None, after: int | None, now: int, may: tuple[str, ...] = ()) -> State:
    """Everything about a match as one viewer may see it, with the events after one."""
    entry, near = room.entry, 1 if seat == 1 else 0
    first, second = entry.seats
    shown = MatchShown(
        id=entry.id,
        variant=entry.rules.name,
        title=variant_title(entry.rules),
        terms=describe_offer(entry.offer),
        length=entry.terms.length,
        seats=(_seat_shown(first), _seat_shown(second)),
        commitment=entry.seeds.commitment,
        rematch=entry.rematch,
        rated=entry.rated,
        fee=entry.fee,
    )
    return State(
        protocol=PROTOCOL,
        match=shown,
        seat=seat,
        seq=room.seq,
        throw_seq=room.throw_seq,
        version=room.version,
        view=room.view(seat),
        log=room.lines(seat, after),
        over=room.match.over,
        clock=clock_shown(room, near, now),
        due=due_shown(room, near, now),
        recess=recess_shown(room, near, may),
        ratings=ratings_shown(room, near),
    )
