"""The streams of the bot API: lines of JSON as events happen, with empty lines between them (docs/protocol.md)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from typing import Final

from starlette.responses import Response, StreamingResponse

from barpoint.server.api import messages
from barpoint.server.api.challenges import challenges_of
from barpoint.server.api.requests import Call, guarded, still_allowed
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.matches import BOTH
from barpoint.server.live.connections import LOOK_AGAIN_S
from barpoint.server.live.match_state import match_state
from barpoint.server.live.pubsub import PubSub, person_named, seats_of
from barpoint.server.protocol.chouettes import ChouetteState
from barpoint.server.protocol.matches import MatchState
from barpoint.server.services import Services
from barpoint.server.storage import access_tokens as token_storage

BEAT_S: Final = 7.0
"""Maximum time between lines; an empty line lets both sides notice a lost connection."""

StateAfter = Callable[[int | None], MatchState | ChouetteState]
"""Makes the state with the events after one; None for those of the present game."""

MATCHES: Final = 200
"""Maximum running matches of a player in their stream."""


@guarded(None)
async def stream_events(call: Call) -> Response:
    """Streams one's own challenges and matches as lines of JSON, starting with all that are open now."""
    return stream(call, _events(call.services, call.person))


async def _events(services: Services, person: Guest) -> AsyncGenerator[bytes, None]:
    changed = asyncio.Event()
    matches: set[str] = set()
    asked: set[str] = set()
    ended: set[str] = set()
    looked = services.matches.clock()
    with services.pubsub.listening(seats_of(person.id), lambda _: changed.set()):
        while True:
            changed.clear()
            since, looked = looked, services.matches.clock()
            found = {shown.id: shown for _, shown in await challenges_of(services, person)}
            running = await services.store.read(token_storage.running_matches, person.id, MATCHES)
            # some were answered before this stream has seen them
            closed = await services.store.read(token_storage.challenges_closed, person.id, since)
            over = {*asked, *closed} - found.keys() - ended
            ended |= over
            for gone in sorted(over):
                yield messages.line(messages.ChallengeGoneMessage(gone)) + b"\n"
            for new in found.keys() - asked:
                if found[new].opponent.id == person.id:
                    yield messages.line(messages.ChallengeMadeMessage(found[new])) + b"\n"
            asked = set(found)
            for match_id in [*running, *sorted(matches - set(running))]:
                told = await _match_news(services, person, match_id, match_id in matches)
                if told is not None:
                    matches ^= {match_id}
                    yield messages.line(told) + b"\n"
            async for beat in wait(changed):
                yield beat


async def _match_news(services: Services, person: Guest, match_id: str, known: bool) -> messages.News | None:
    live_match = await services.matches.live_match(match_id)
    seat = live_match.header.seat_of(person.id)
    if seat is None or seat == BOTH or not live_match.header.complete or known != live_match.match.over:
        return None
    shown = match_state(live_match, seat, live_match.seq, 0).match
    if not known:
        return messages.MatchStarted(shown, seat)
    return messages.MatchFinished(shown, seat, live_match.match.winner, live_match.match.score)


async def wait(changed: asyncio.Event) -> AsyncIterator[bytes]:
    """Empty lines until something changes."""
    while not changed.is_set():
        try:
            async with asyncio.timeout(BEAT_S):
                await changed.wait()
        except TimeoutError:
            yield b"\n"


async def new_states(
    pubsub: PubSub, topic: str, look: Callable[[], Awaitable[tuple[tuple[int, object], StateAfter]]]
) -> AsyncGenerator[bytes, None]:
    """The state of a match or chouette as a line, whenever its version is another, until it is over.

    look: the version, which begins with the number of the last event, and what makes the state.
    """
    changed = asyncio.Event()
    shown: tuple[int | None, object] = (None, None)
    with pubsub.listening(topic, lambda _: changed.set()):
        while True:
            changed.clear()
            version, state_after = await look()
            if version != shown:
                state = state_after(shown[0])
                shown = version
                yield messages.line(state) + b"\n"
                if state.over:
                    return
            async for beat in wait(changed):
                yield beat


def stream(call: Call, lines: AsyncGenerator[bytes, None]) -> Response:
    """Streams lines of JSON as they come, until the token is withdrawn."""
    return StreamingResponse(
        _while_allowed(call, lines), media_type="application/x-ndjson", headers={"X-Accel-Buffering": "no"}
    )


async def _while_allowed(call: Call, lines: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    """These lines, none of them after the token has been withdrawn; by another process, within LOOK_AGAIN_S."""
    changed, clock = asyncio.Event(), asyncio.get_running_loop().time
    looked_at = clock()
    with call.services.pubsub.listening(person_named(call.person.id), lambda _: changed.set()):
        async with aclosing(lines):
            async for line in lines:
                if changed.is_set() or clock() - looked_at > LOOK_AGAIN_S:
                    changed.clear()
                    looked_at = clock()
                    if not await still_allowed(call):
                        return
                yield line


@guarded("play")
async def stream_match(call: Call) -> Response:
    """Streams a match as lines of JSON, each the full state and the player's actions, as on the WebSocket."""
    live_match = await call.services.matches.live_match(call.request.path_params["match_id"])
    seat = live_match.header.seat_of(call.person.id)
    await call.services.adjournments.commit_to_seed(
        live_match.header.id, seat, None
    )  # a program gives no seed for the dice
    return stream(call, _states(call.services, live_match.header.id, call.person))


async def _states(services: Services, match_id: str, person: Guest) -> AsyncGenerator[bytes, None]:
    async def look() -> tuple[tuple[int, object], StateAfter]:
        live_match = await services.matches.live_match(match_id)
        if live_match.header.ready and not live_match.seq:
            await services.matches.begin(match_id)  # it may have waited for both
        seat, now = live_match.header.seat_of(person.id), services.matches.clock()
        may = services.adjournments.may(live_match, seat)
        return (live_match.seq, live_match.header), lambda after: match_state(live_match, seat, after, now, may)

    seat = (await services.matches.live_match(match_id)).header.seat_of(person.id)
    with services.seat_presence.present(match_id, seat):
        await services.adjournments.seen(match_id, seat)
        async with aclosing(new_states(services.pubsub, match_id, look)) as lines:
            async for line in lines:
                yield line
