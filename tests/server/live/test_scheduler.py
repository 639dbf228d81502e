"""The scheduler meets deadlines by the clock, even over a restart (rulings 2.3, state E)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import select

from barpoint.game import Phase, PlayMade, Roll
from barpoint.match import MatchTerms
from barpoint.moves import legal_plays
from barpoint.server.domain.agreements import Agreement
from barpoint.server.domain.settings import Settings
from barpoint.server.services import Services, running
from barpoint.server.storage import guests as guest_storage
from barpoint.server.storage.schema.matches import HEARTBEAT
from barpoint.variants import variant
from tests.support import databases
from tests.support.live_server import ANNA, BEN, Clock, guest_seats
from tests.support.machine import PATIENCE_S
from tests.support.scripted_bots import ChanceBots, ScriptedDice

pytestmark = pytest.mark.usefixtures("each_database")


async def at_the_end(services: Services) -> str:
    """A match in which Anna has borne off her last checker and Ben may still reroll."""
    for guest in (ANNA, BEN):
        await services.store.write(lambda connection, guest=guest: guest_storage.put_guest(connection, guest, 0))
    rules = variant("roll-over+hypergammon(checkers=1)")
    header = await services.matches.make(Agreement(rules, MatchTerms(length=1)), guest_seats())
    for turn in range(3):
        game = (await services.matches.live_match(header.id)).match.game
        if turn:
            await act(services, header.id, Roll(game.player))
            game = (await services.matches.live_match(header.id)).match.game
        play = legal_plays(game.rules, game.position, game.faces)[0]
        await act(services, header.id, PlayMade(game.player, play.moves))
    assert (await services.matches.live_match(header.id)).match.game.phase is Phase.PROVISIONAL_END
    return header.id


async def act(services: Services, match_id: str, event: Roll | PlayMade) -> None:
    seq = (await services.matches.live_match(match_id)).seq
    await services.matches.act(match_id, event.player, f"c{seq}", seq, event)


def opened(folder: Path, clock: Clock):  # type: ignore[no-untyped-def]
    settings = Settings(databases.address(folder), scheduler_ms=10, heartbeat_ms=10)
    dice = ScriptedDice([(6, 5)], [(2, 1), (6, 6)])
    return running(settings, dice, ChanceBots(), clock)


async def until_over(services: Services, match_id: str) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not (await services.matches.live_match(match_id)).match.over:
            await asyncio.sleep(0.01)


async def until_noted(services: Services, now: int) -> None:
    """Waits until the server's heartbeat has this time."""
    async with asyncio.timeout(PATIENCE_S):
        noted = None
        while noted != now:
            await asyncio.sleep(0.01)
            noted = await services.store.read(lambda connection: connection.scalar(select(HEARTBEAT.c.at)))


async def test_what_is_due_is_done(tmp_path: Path) -> None:
    clock = Clock()
    async with opened(tmp_path, clock) as services:
        match_id = await at_the_end(services)
        await asyncio.sleep(0.1)
        assert not (await services.matches.live_match(match_id)).match.over
        clock.now += 60_000
        await until_over(services, match_id)
        assert (await services.matches.live_match(match_id)).match.winner == 0


async def test_a_deadline_waits_while_the_server_is_down(tmp_path: Path) -> None:
    clock = Clock()
    async with opened(tmp_path, clock) as services:
        match_id = await at_the_end(services)
        clock.now += 20_000
        await until_noted(services, clock.now)
    clock.now += 3_600_000
    async with opened(tmp_path, clock) as services:
        live_match = await services.matches.live_match(match_id)
        assert live_match.deadline_at is not None
        assert 39_000 < live_match.deadline_at - clock.now <= 40_000 + 1_000
        await asyncio.sleep(0.1)
        assert not live_match.match.over
        clock.now += 41_000
        await until_over(services, match_id)
