"""Many matches of every game at once, by bots and by people, to their ends."""

from __future__ import annotations

import asyncio
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Final

import pytest

from barpoint.match import MatchTerms
from barpoint.rules import Rules
from barpoint.server.domain.agreements import Agreement
from barpoint.server.domain.dice import SeededDice
from barpoint.server.domain.settings import Settings
from barpoint.server.live.event_log import StaleCommand
from barpoint.server.live.matches import seat_for
from barpoint.server.services import Services, running, wall_clock
from barpoint.server.storage.audit import differences
from tests.support import databases
from tests.support.compositions import compositions
from tests.support.deep import DEEP
from tests.support.live_server import fold_equals_snapshot
from tests.support.machine import PATIENCE_S
from tests.support.scripted_bots import ChanceBot, ChanceBots

MATCHES: Final = 1000 if DEEP else 6
AT_ONCE: Final = 40
MAX_S: Final = 10 * MATCHES * PATIENCE_S


def games(random: Random) -> list[Rules]:
    """This many games; each comes once before any repeats."""
    known = sorted(compositions(), key=lambda rules: rules.name)
    random.shuffle(known)
    return list(islice(cycle(known), MATCHES))


async def by_bots(services: Services, rules: Rules, random: Random) -> str:
    """A match between two bots of the server."""
    seats = seat_for(None, name="One", level="easy"), seat_for(None, name="Other", level="chance")
    header = await services.matches.make(Agreement(rules, MatchTerms(length=random.choice((1, 1, 3)))), seats)
    live_match = await services.matches.live_match(header.id)
    with services.pubsub.listening(header.id, lambda _: None):
        while not live_match.match.over:
            await asyncio.sleep(0.05)
    return header.id


async def by_people(services: Services, rules: Rules, random: Random) -> str:
    """A rated match with an entry fee and a clock between two players with random legal actions."""
    agreement = Agreement(rules, MatchTerms(length=1), "Federation", rated=True, fee=random.randint(0, 9))
    seats = seat_for(await services.accounts.new_guest()), seat_for(await services.accounts.new_guest())
    header = await services.matches.make(agreement, seats)
    bot, live_match = ChanceBot(random.getrandbits(30)), await services.matches.live_match(header.id)
    while not live_match.match.over:
        seat = live_match.match.game.actor or 0
        try:
            await services.matches.act(
                header.id, seat, f"c{live_match.seq}", live_match.seq, bot.event(live_match.match, seat)
            )
        except StaleCommand:  # its time was up
            live_match = await services.matches.live_match(header.id)
    return header.id


async def test_every_match_of_many_ends_and_its_log_says_everything(tmp_path: Path) -> None:
    await soak(tmp_path)


@pytest.mark.deep
async def test_so_it_is_on_postgresql(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(databases.BACKEND, "name", "postgresql")
    await soak(tmp_path)


async def soak(folder: Path) -> None:
    """Plays them all, and checks everything stored against the logs."""
    random, gate = Random(8), asyncio.Semaphore(AT_ONCE)
    settings = Settings(databases.address(folder), bot_delay_ms=0)
    async with running(settings, SeededDice(), ChanceBots(uncovered=()), wall_clock) as services:

        async def one(number: int, rules: Rules) -> str:
            async with gate:
                return await (by_people if number % 2 else by_bots)(services, rules, random)

        async with asyncio.timeout(MAX_S):
            ids = await asyncio.gather(*(one(number, rules) for number, rules in enumerate(games(random))))
        for match_id in ids:
            assert (await fold_equals_snapshot(services.store, match_id)).over
        assert await services.store.read(differences) == []
        assert len(set(ids)) == MATCHES
