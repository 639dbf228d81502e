"""Live matches on a temporary database, for the tests of the server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
from sqlalchemy import select

from barpoint.game import Double, Event, Next, PlayMade, Roll, Take
from barpoint.match import Match, MatchTerms
from barpoint.moves import legal_plays
from barpoint.server.domain.agreements import Agreement
from barpoint.server.domain.dice import DiceSource
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.matches import MatchHeader, MatchSeat
from barpoint.server.domain.settings import Settings
from barpoint.server.live.live_match import LiveMatch, snapshot
from barpoint.server.live.matches import Matches, seat_for
from barpoint.server.live.pubsub import PubSub
from barpoint.server.storage import event_log as log_storage
from barpoint.server.storage import guests as guest_storage
from barpoint.server.storage import matches as match_storage
from barpoint.server.storage.schema.matches import MATCH
from barpoint.server.storage.store import Store
from barpoint.variants import variant
from tests.support import databases
from tests.support.scripted_bots import ScriptedDice

ANNA, BEN = Guest("anna", "Anna"), Guest("ben", "Ben")


@dataclass
class Clock:
    """A clock that stands still until a test moves it."""

    now: int = 1_700_000_000_000

    def __call__(self) -> int:
        return self.now


@dataclass
class DrivenMatch:
    """The live matches of a server, with one match of Anna (0) and Ben (1)."""

    matches: Matches
    header: MatchHeader
    clock: Clock
    news: list[str] = field(default_factory=list)

    @property
    def id(self) -> str:
        return self.header.id

    async def live_match(self) -> LiveMatch:
        return await self.matches.live_match(self.id)

    async def match(self) -> Match:
        return (await self.live_match()).match

    async def do(self, event: Event, seat: int | None = None, command_id: str | None = None) -> int:
        """Sends an event for the player it belongs to, based on the last event."""
        seat = seat if seat is not None else getattr(event, "player", 0)
        live_match = await self.live_match()
        return await self.matches.act(self.id, seat, command_id or f"c{live_match.seq}", live_match.seq, event)

    async def play_first(self) -> None:
        """Plays the current roll by its first legal play."""
        game = (await self.match()).game
        play = legal_plays(game.rules, game.position, game.faces)[0]
        await self.do(PlayMade(game.player, play.moves))

    async def turn(self) -> None:
        """A whole turn: rolls if needed, and plays."""
        game = (await self.match()).game
        if not game.faces:
            await self.do(Roll(game.player))
        await self.play_first()


def guest_seats() -> tuple[MatchSeat, MatchSeat]:
    """Anna and Ben."""
    return seat_for(ANNA), seat_for(BEN)


@asynccontextmanager
async def opened(
    folder: Path, dice: DiceSource | None = None, clock: Clock | None = None, settings: Settings | None = None
) -> AsyncIterator[Matches]:
    """Live matches on the database of a folder, with both guests known."""
    settings = settings or Settings(databases.address(folder))
    store = await Store.open(settings.database)
    try:
        for guest in (ANNA, BEN):
            if await store.read(lambda connection, guest=guest: guest_storage.get_guest(connection, guest.id)) is None:
                await store.write(lambda connection, guest=guest: guest_storage.put_guest(connection, guest, 0))
        yield Matches(store, PubSub(), dice or ScriptedDice(), clock or Clock(), settings)
    finally:
        await store.close()


@asynccontextmanager
async def seated(
    folder: Path, name: str = "backgammon", dice: DiceSource | None = None, **terms: int
) -> AsyncIterator[DrivenMatch]:
    """A new match of Anna and Ben that has begun."""
    clock = Clock()
    async with opened(folder, dice, clock) as matches:
        header = await matches.make(Agreement(variant(name), MatchTerms(**{"length": 3, **terms})), guest_seats())
        driven = DrivenMatch(matches, header, clock)
        with matches.pubsub.listening(header.id, driven.news.append):
            yield driven


async def fold_equals_snapshot(store: Store, match_id: str) -> Match:
    """The match in the log, after checking that the cached state and the audited fold agree."""
    own = MATCH.c.id == match_id
    header = await store.read(lambda connection: match_storage.get_header(connection, match_id))
    events = await store.read(lambda connection: log_storage.get_events(connection, log_storage.MATCHES, match_id))
    cached = await store.read(lambda connection: match_storage.get_snapshot(connection, match_id))
    assert header is not None
    assert cached is not None
    assert [logged.seq for logged in events] == list(range(1, len(events) + 1))
    acted_at = await store.read(lambda connection: connection.scalar(select(MATCH.c.acted_at).where(own)))
    assert acted_at == (events[-1].at if events else header.created_at)
    live_match = LiveMatch(header)
    live_match.read(events)
    audited = Match.fold(header.rules, header.terms, live_match.match.events, audit=True)
    assert snapshot(audited, cached.deadline_at) == cached
    assert msgspec.json.encode(audited.score) == msgspec.json.encode(live_match.match.score)
    return live_match.match


__all__ = [
    "ANNA",
    "BEN",
    "Clock",
    "Double",
    "DrivenMatch",
    "Next",
    "Take",
    "fold_equals_snapshot",
    "guest_seats",
    "opened",
    "seated",
]
