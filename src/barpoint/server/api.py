"""The HTTP interface for bots: tokens, challenges, streams of lines, and a POST for every event (docs/protocol.md)."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct
from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from barpoint.error import BarpointError, FormatError, IllegalEvent, IllegalMove, StoreError, StoreFull
from barpoint.match import Match, Terms
from barpoint.moves import legal_plays, parse_play
from barpoint.server import api_wire as wire
from barpoint.server import archive, archive_token, summons
from barpoint.server.archive import Conflict
from barpoint.server.archive_token import SCOPES, Summons
from barpoint.server.bus import seats_of
from barpoint.server.clock import PACES
from barpoint.server.entry import BOTH, Entry
from barpoint.server.exchange import address_of
from barpoint.server.form import describe_offer
from barpoint.server.guest import Guest, clean_name
from barpoint.server.hall import ForeignSeat, StaleCommand, UnknownMatch, seat_for
from barpoint.server.offer import Offer, check_offer
from barpoint.server.opponent import find_level
from barpoint.server.service import Service, service_of
from barpoint.server.socket import state_of
from barpoint.server.summons import SummonsGone
from barpoint.server.title import variant_title
from barpoint.server.wire import AnyWish, MatchShown, event_of
from barpoint.variants import variant, variants

BEAT_S: Final = 7.0
"""Streams have an empty line at least so often, so that both sides notice when the other has gone."""

MATCHES: Final = 200
"""Running matches of one player that his stream tells of."""

B = TypeVar("B", bound=Struct)


class Refused(Exception):
    """An answer that says what is wrong."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status, self.code, self.message = status, code, message

    @property
    def response(self) -> Response:
        """The answer."""
        return answer_with(wire.Refusal(wire.Problem(self.code, self.message)), self.status)


STATUS: Final[tuple[tuple[type[BarpointError], int, str], ...]] = (
    (UnknownMatch, 404, "unknown"),
    (StaleCommand, 409, "stale"),
    (ForeignSeat, 403, "seat"),
    (IllegalEvent, 422, "illegal"),
    (IllegalMove, 422, "illegal"),
    (Conflict, 409, "conflict"),
    (StoreError, 503, "store"),
    (FormatError, 400, "format"),
    (BarpointError, 422, "refused"),
)


@dataclass(frozen=True, slots=True)
class Call:
    """A request that may be answered: who asks, and what the token allows."""

    request: Request
    service: Service
    person: Guest

    async def body(self, shape: type[B]) -> B:
        """The request's JSON; nothing at all is an empty object."""
        return await body_of(self.request, shape)


Answer = Callable[[Call], Awaitable[Response]]


def guarded(scope: str | None) -> Callable[[Answer], Callable[[Request], Awaitable[Response]]]:
    """An endpoint for who has a token with this scope, any token where it is None; errors become answers."""

    def wrap(answer: Answer) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            return await refusing(_allowed(request, scope, answer))

        endpoint.__doc__ = answer.__doc__
        return endpoint

    return wrap


async def _allowed(request: Request, scope: str | None, answer: Answer) -> Response:
    service = service_of(request)
    kind, _, secret = request.headers.get("authorization", "").partition(" ")
    found = None
    if kind.lower() == "bearer" and secret.isascii():
        found = await service.store.read(lambda connection: archive_token.find_token(connection, secret.strip()))
    if found is None:
        raise Refused(401, "token", "this needs a token: Authorization: Bearer bp_…")
    person, scopes = found
    if scope is not None and scope not in scopes:
        raise Refused(403, "scope", f"the token allows {', '.join(sorted(scopes))}; this needs {scope}")
    if not service.allowance.calls.spend(person.id):
        raise Refused(429, "rate", "so much at once; try again in a second")
    return await answer(Call(request, service, person))


async def refusing(answer: Awaitable[Response]) -> Response:
    """The answer, or what is wrong as JSON."""
    try:
        return await answer
    except Refused as refused:
        return refused.response
    except BarpointError as error:
        status, code = next((status, code) for kind, status, code in STATUS if isinstance(error, kind))
        silent = code == "store" and not isinstance(error, StoreFull)
        message = "the database does not answer; nothing was changed" if silent else str(error)
        return Refused(status, code, message).response


async def body_of(request: Request, shape: type[B]) -> B:
    """The JSON of a request as a value; nothing at all is an empty object."""
    try:
        return msgspec.json.decode(await request.body() or b"{}", type=shape)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Refused(400, "format", f"the body of the request: {error}") from None


def answer_with(value: Struct, status: int = 200) -> Response:
    """A value as the answer."""
    return Response(wire.line(value), status, media_type="application/json")


def _shown(person: Guest) -> wire.Person:
    return wire.Person(person.id, person.name, person.registered, person.bot)


# ---------------------------------------------------------------- who one is, and what there is


async def make_guest(request: Request) -> Response:
    """Makes somebody without an account, for a bot that has no browser, with a token for everything."""
    return await refusing(_make_guest(request))


async def _make_guest(request: Request) -> Response:
    service = service_of(request)
    asked = await body_of(request, wire.NewGuest)
    if not service.allowance.creations.spend(address_of(request)):
        raise Refused(429, "rate", "so many guests at once; try again in a minute")
    person, secret, now = await service.new_guest(), archive_token.new_secret(), service.hall.clock()
    person = Guest(person.id, clean_name(asked.name) or person.name, bot=True)

    def work(connection: Connection) -> None:
        archive.rename_guest(connection, person)
        archive_token.declare_bot(connection, person.id)

    await service.store.write(work)
    scopes = frozenset(SCOPES)
    await service.store.write(
        lambda connection: archive_token.put_token(connection, person.id, secret, "first", scopes, now)
    )
    return answer_with(wire.TokenMade(secret, SCOPES, _shown(person)), 201)


@guarded(None)
async def account(call: Call) -> Response:
    """Who the token acts for."""
    return answer_with(_shown(call.person))


@guarded("play")
async def become_bot(call: Call) -> Response:
    """Marks who the token acts for as a program, for good; not for who has been rated as a person."""
    service, person = call.service, call.person
    await service.store.write(lambda connection: archive_token.declare_bot(connection, person.id))
    await service.hall.renamed(person.id)
    service.salon.renamed(person.id)
    return answer_with(_shown(replace(person, bot=True)))


async def offered(request: Request) -> Response:
    """Variants, levels of the server's bot, and clocks."""
    opponents = service_of(request).opponents
    games = tuple(
        wire.Game(known.name, known.title, known.line, opponents.covers(variant(known.name))) for known in variants()
    )
    levels = tuple(wire.Level(level.name, level.title, level.line, level.engine) for level in opponents.levels)
    return answer_with(wire.Offered(games, levels, tuple(pace.name for pace in PACES)))


# ---------------------------------------------------------------- challenges


def _offer(asked: wire.NewChallenge) -> Offer:
    rules = variant(asked.variant)
    money, cube = asked.length == 0, asked.cube and rules.cube
    terms = Terms(
        length=asked.length,
        cube=cube,
        crawford=asked.crawford and cube and not money,
        jacoby=asked.jacoby and cube,
        beavers=asked.beavers,
        automatic_doubles=asked.automatic_doubles,
    )
    return check_offer(Offer(rules, terms, asked.pace), registered=False)


def _may_create(call: Call) -> None:
    if not call.service.allowance.creations.spend(f"person {call.person.id}"):
        raise Refused(429, "rate", "so many matches at once; try again in a minute")


@guarded("challenge")
async def challenge_bot(call: Call) -> Response:
    """A match against the server's bot, which begins at once."""
    asked = await call.body(wire.NewChallenge)
    offer, opponents = _offer(asked), call.service.opponents
    if not opponents.covers(offer.rules):
        raise Refused(422, "refused", f"{variant_title(offer.rules)} is not played by the bot")
    level = find_level(opponents, offer.rules, asked.level)
    _may_create(call)
    bot = seat_for(None, name=level.bot, level=level.name)
    entry = await call.service.hall.make(offer, (seat_for(call.person), bot))
    return answer_with(wire.MatchMade(entry.id, None), 201)


@guarded("challenge")
async def challenge_open(call: Call) -> Response:
    """A match with an open seat for whoever follows its link first."""
    offer = _offer(await call.body(wire.NewChallenge))
    _may_create(call)
    secret = secrets.token_urlsafe(12)
    seats = (seat_for(call.person), seat_for(None, name="A friend", token=secret))
    entry = await call.service.hall.make(offer, seats)
    return answer_with(wire.MatchMade(entry.id, f"/join/{secret}"), 201)


@guarded("challenge")
async def challenge_person(call: Call) -> Response:
    """A challenge to one person, named by his id or by the name of his account."""
    offer, service = _offer(await call.body(wire.NewChallenge)), call.service
    name = call.request.path_params["person"]
    other = await service.store.read(lambda connection: archive_token.find_person(connection, name))
    if other is None or other.id == call.person.id:
        raise Refused(404, "unknown", f"nobody else is called {name[:40]!r} here")
    _may_create(call)
    entry = await summons.summon(service.hall, call.person, other, offer)
    return answer_with(_challenge(Summons(entry.id, call.person, other, ""), entry), 201)


def _challenge(one: Summons, entry: Entry) -> wire.Challenge:
    rules, terms = entry.rules.name, describe_offer(entry.offer)
    return wire.Challenge(one.match_id, _shown(one.guest), _shown(one.other), rules, terms)


async def _challenges(service: Service, person: Guest) -> list[tuple[Summons, wire.Challenge]]:
    found = await summons.summons_of(service.hall, person)
    return [(one, _challenge(one, (await service.hall.room(one.match_id)).entry)) for one in found]


@guarded("challenge")
async def challenges(call: Call) -> Response:
    """Open challenges, got and made."""
    found = await _challenges(call.service, call.person)
    got = tuple(shown for one, shown in found if one.other.id == call.person.id)
    made = tuple(shown for one, shown in found if one.guest.id == call.person.id)
    return answer_with(wire.Challenges(got, made))


@guarded("challenge")
async def answer_challenge(call: Call) -> Response:
    """Accepts or declines a challenge that was got, or withdraws one that was made."""
    wanted, match_id = call.request.path_params["answer"], call.request.path_params["challenge"]
    if wanted not in summons.ANSWERS:
        raise Refused(404, "unknown", f"{wanted[:20]!r}; allowed: {', '.join(summons.ANSWERS)}")
    try:
        await summons.answer(call.service.hall, call.person, match_id, wanted)
    except SummonsGone as error:
        raise Refused(404, "unknown", str(error)) from None
    return answer_with(wire.Done())


# ---------------------------------------------------------------- streams


@guarded(None)
async def stream_events(call: Call) -> Response:
    """Lines of JSON about challenges and matches of one's own; first everything that is open now."""
    return _stream(_events(call.service, call.person))


async def _events(service: Service, person: Guest) -> AsyncIterator[bytes]:
    changed = asyncio.Event()
    matches: set[str] = set()
    asked: set[str] = set()
    with service.bus.listening(seats_of(person.id), lambda _: changed.set()):
        while True:
            changed.clear()
            found = {shown.id: shown for one, shown in await _challenges(service, person) if one.other.id == person.id}
            running = await service.store.read(
                lambda connection: archive_token.running_matches(connection, person.id, MATCHES)
            )
            for gone in sorted(asked - found.keys()):
                yield wire.line(wire.ChallengeGone(gone)) + b"\n"
            for new in found.keys() - asked:
                yield wire.line(wire.ChallengeCame(found[new])) + b"\n"
            asked = set(found)
            for match_id in [*running, *sorted(matches - set(running))]:
                told = await _match_news(service, person, match_id, match_id in matches)
                if told is not None:
                    matches ^= {match_id}
                    yield wire.line(told) + b"\n"
            async for beat in _wait(changed):
                yield beat


async def _match_news(service: Service, person: Guest, match_id: str, known: bool) -> wire.News | None:
    room = await service.hall.room(match_id)
    seat = room.entry.seat_of(person.id)
    if seat is None or seat == BOTH or not room.entry.complete or known != room.match.over:
        return None
    shown = state_of(room, seat, room.seq, 0).match
    return _finished(room.match, shown, seat) if known else wire.MatchStarted(shown, seat)


def _finished(match: Match, shown: MatchShown, seat: int) -> wire.MatchFinished:
    return wire.MatchFinished(shown, seat, match.winner, match.score)


async def _wait(changed: asyncio.Event) -> AsyncIterator[bytes]:
    """Empty lines until something has changed."""
    while not changed.is_set():
        try:
            async with asyncio.timeout(BEAT_S):
                await changed.wait()
        except TimeoutError:
            yield b"\n"


def _stream(lines: AsyncIterator[bytes]) -> Response:
    return StreamingResponse(lines, media_type="application/x-ndjson", headers={"X-Accel-Buffering": "no"})


@guarded("play")
async def stream_match(call: Call) -> Response:
    """A match as lines of JSON, each everything that one may see and do, as on the WebSocket."""
    room = await call.service.hall.room(call.request.path_params["match_id"])
    seat = room.entry.seat_of(call.person.id)
    await call.service.keeper.seal_seed(room.entry.id, seat, None)  # a program gives no seed for the dice
    await call.service.hall.begin(room.entry.id)
    return _stream(_states(call.service, room.entry.id, call.person))


async def _states(service: Service, match_id: str, person: Guest) -> AsyncIterator[bytes]:
    changed = asyncio.Event()
    after: int | None = None
    shown: object = None
    seat = (await service.hall.room(match_id)).entry.seat_of(person.id)
    with service.bus.listening(match_id, lambda _: changed.set()), service.keeper.present(match_id, seat):
        await service.keeper.seen(match_id, seat)
        while True:
            changed.clear()
            room = await service.hall.room(match_id)
            if (room.seq, room.entry) != shown:
                state = state_of(room, room.entry.seat_of(person.id), after, service.hall.clock())
                after, shown = room.seq, (room.seq, room.entry)
                yield wire.line(state) + b"\n"
                if state.over:
                    return
            async for beat in _wait(changed):
                yield beat


# ---------------------------------------------------------------- matches


@guarded("play")
async def show_match(call: Call) -> Response:
    """A match as it stands."""
    room = await call.service.hall.room(call.request.path_params["match_id"])
    return answer_with(state_of(room, room.entry.seat_of(call.person.id), None, call.service.hall.clock()))


@guarded("play")
async def legal(call: Call) -> Response:
    """Every play of the throw on the table, one for each result; none where there is no throw."""
    game = (await call.service.hall.room(call.request.path_params["match_id"])).match.game
    found = legal_plays(game.rules, game.position, game.faces) if game.faces else ()
    return answer_with(wire.Plays(tuple(wire.PlayOffered(play.moves, str(play)) for play in found)))


@guarded("play")
async def act(call: Call) -> Response:
    """An event of one's own in a match; its kind is the last part of the address."""
    kind, match_id = call.request.path_params["kind"], call.request.path_params["match_id"]
    if kind not in wire.KINDS:
        raise Refused(404, "unknown", f"no event {kind[:20]!r}; allowed: {', '.join(wire.KINDS)}")
    doing = await call.body(wire.Doing)
    room = await call.service.hall.room(match_id)
    seat = room.entry.seat_of(call.person.id)
    known = room.commands.get((str(seat), doing.id or ""))
    if known is not None:  # a retry: what it meant then may no longer be legal now
        return answer_with(wire.Done(known))
    wish = _wish(kind, doing, room.match)
    command, seq = doing.id or f"api-{secrets.token_urlsafe(9)}", room.seq if doing.seq is None else doing.seq
    done = await call.service.hall.act(match_id, seat, command, seq, event_of(wish, seat or 0))
    return answer_with(wire.Done(done))


def _wish(kind: str, doing: wire.Doing, match: Match) -> AnyWish:
    """What is asked for, from the address and the body."""
    fields: dict[str, Any] = {"kind": kind}
    if kind == "play":
        if doing.play is not None and doing.moves is None:
            game = match.game
            if not game.faces:
                raise IllegalEvent("play: there is no throw to play")
            fields["moves"] = parse_play(game.rules, game.position, game.faces, doing.play).moves
        else:
            fields["moves"] = doing.moves if doing.moves is not None else ()
    if kind == "rollover":
        fields["throw"] = doing.throw if doing.throw is not None else match.game.throw
    if kind == "resign":
        fields["level"] = doing.level or 1
    wish: AnyWish = msgspec.convert(fields, AnyWish)
    return wish
