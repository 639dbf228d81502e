"""The streams of the bot API: lines of JSON as events happen, with empty lines between them (docs/protocol.md)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Final

from starlette.responses import Response, StreamingResponse

from barpoint.match import Match
from barpoint.server.api import messages
from barpoint.server.api.challenges import challenges_of
from barpoint.server.api.requests import Call, guarded
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.matches import BOTH
from barpoint.server.live.match_state import match_state
from barpoint.server.live.pubsub import seats_of
from barpoint.server.protocol.matches import MatchShown
from barpoint.server.services import Services
from barpoint.server.storage import access_tokens as token_storage

BEAT_S: Final = 7.0
"""Maximum time between lines; an empty line lets both sides notice a lost connection."""

MATCHES: Final = 200
"""Maximum running matches of a player in their stream."""


@guarded(None)
async def stream_events(call: Call) -> Response:
    """Streams one's own challenges and matches as lines of JSON, starting with all that are open now."""
    return stream(_events(call.services, call.person))


async def _events(services: Services, person: Guest) -> AsyncIterator[bytes]:
    changed = asyncio.Event()
    matches: set[str] = set()
    asked: set[str] = set()
    with services.pubsub.listening(seats_of(person.id), lambda _: changed.set()):
        while True:
            changed.clear()
            found = {
                shown.id: shown for one, shown in await challenges_of(services, person) if one.other.id == person.id
            }
            running = await services.store.read(token_storage.running_matches, person.id, MATCHES)
            for gone in sorted(asked - found.keys()):
                yield messages.line(messages.ChallengeGoneMessage(gone)) + b"\n"
            for new in found.keys() - asked:
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
    return _finished(live_match.match, shown, seat) if known else messages.MatchStarted(shown, seat)


def _finished(match: Match, shown: MatchShown, seat: int) -> messages.MatchFinished:
    return messages.MatchFinished(shown, seat, match.winner, match.score)


async def wait(changed: asyncio.Event) -> AsyncIterator[bytes]:
    """Empty lines until something changes."""
    while not changed.is_set():
        try:
            async with asyncio.timeout(BEAT_S):
                await changed.wait()
        except TimeoutError:
            yield b"\n"


def stream(lines: AsyncIterator[bytes]) -> Response:
    """Streams lines of JSON as they come."""
    return StreamingResponse(lines, media_type="application/x-ndjson", headers={"X-Accel-Buffering": "no"})


@guarded("play")
async def stream_match(call: Call) -> Response:
    """Streams a match as lines of JSON, each the full state and the player's actions, as on the WebSocket."""
    live_match = await call.services.matches.live_match(call.request.path_params["match_id"])
    seat = live_match.header.seat_of(call.person.id)
    await call.services.adjournments.seal_seed(live_match.header.id, seat, None)  # a program gives no seed for the dice
    await call.services.matches.begin(live_match.header.id)
    return stream(_states(call.services, live_match.header.id, call.person))


async def _states(services: Services, match_id: str, person: Guest) -> AsyncIterator[bytes]:
    changed = asyncio.Event()
    after: int | None = None
    shown: object = None
    seat = (await services.matches.live_match(match_id)).header.seat_of(person.id)
    with services.pubsub.listening(match_id, lambda _: changed.set()), services.adjournments.present(match_id, seat):
        await services.adjournments.seen(match_id, seat)
        while True:
            changed.clear()
            live_match = await services.matches.live_match(match_id)
            if (live_match.seq, live_match.header) != shown:
                state = match_state(live_match, live_match.header.seat_of(person.id), after, services.matches.clock())
                after, shown = live_match.seq, (live_match.seq, live_match.header)
                yield messages.line(state) + b"\n"
                if state.over:
                    return
            async for beat in wait(changed):
                yield beat
