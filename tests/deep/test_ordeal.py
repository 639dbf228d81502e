"""A thousand matches of all games go on while processes are killed and replaced, and PostgreSQL and Redis fail.

Accounts play each other, rated and for tickets, and the bot, over WebSockets. Prints what happened; the figures stand
in docs/checked.md. BARPOINT_MATCHES=60 makes a short run with three kills.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterator
from contextlib import AsyncExitStack, ExitStack, suppress
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import ClassVar, Final

import httpx
import pytest
from sqlalchemy import func, select

from barpoint.rules import Rules
from barpoint.server.domain.accounts import SESSION_COOKIE
from barpoint.server.domain.dice import SeededDice
from barpoint.server.domain.settings import Settings
from barpoint.server.services import running, wall_clock
from barpoint.server.storage.audit import differences
from barpoint.server.storage.schema.matches import EVENT
from barpoint.server.storage.schema.results import BALANCE, RATING_CHANGE
from barpoint.server.storage.store import Store
from tests.support.accounts import PASSWORD, QUICK
from tests.support.compositions import compositions
from tests.support.databases import Postgres, Redis
from tests.support.live_server import fold_equals_snapshot
from tests.support.load import QUIET, Client, Killable, Message
from tests.support.machine import PATIENCE_S, held_port
from tests.support.scripted_bots import ChanceBots

pytestmark = pytest.mark.deep

MATCHES: Final = int(os.environ.get("BARPOINT_MATCHES", "1000"))
KILLS: Final = max(3, MATCHES // 100)
AT_ONCE: Final = min(60, MATCHES // 4)
BLOWS: Final = KILLS + 3
PHASE: Final = MATCHES // (BLOWS + 1)
"""Matches that end before the next blow."""

LONG: Final = 50
"""Events after which players begin to resign, so that as many matches as possible end."""

DATABASE_OUTAGE_S: Final = 30
REDIS_OUTAGE_S: Final = 10
MAX_S: Final = 10 * PATIENCE_S + 4 * MATCHES
"""A run that takes longer has come to a stop."""


@dataclass
class Player(Client):
    """An account that plays one match after the other."""

    http: httpx.AsyncClient = field(kw_only=True)

    pause_s: ClassVar[float] = 0.3

    def avoided(self) -> Collection[str]:
        """A fifth of the possible doubles are made."""
        return ("resign",) if self.random.random() < 0.2 else QUIET

    def action(self, state: Message) -> Message | None:
        """An action that is allowed now; in a long match often a resignation."""
        wanted = super().action(state)
        levels = [may["levels"] for may in state["view"]["allowed"] if may["kind"] == "resign"]
        if wanted and levels and state["seq"] > LONG and self.random.random() < 0.3:
            return {"kind": "resign", "level": levels[0][0]}
        return wanted

    async def invitation(self, match_id: str) -> str:
        """The secret of the link for the opponent of a new match."""
        while True:
            with suppress(httpx.TransportError):
                page = await self.http.get(f"http://127.0.0.1:{self.port}/match/{match_id}")
                if found := re.search(r"/join/([\w-]+)", page.text):
                    return found[1]
            await asyncio.sleep(self.pause_s)


@dataclass
class Ordeal:
    """The run: servers, players who are free, and what has happened.

    ended: matches played to their ends. blows: how many things have gone wrong so far.
    """

    servers: list[Killable]
    cluster: Postgres
    pubsub: Redis
    folder: Path
    random: Random = field(default_factory=lambda: Random(11))
    free: list[Player] = field(default_factory=list)
    acknowledged: list[tuple[str, str, int]] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)
    blows: int = 0
    recovered_s: dict[str, list[float]] = field(default_factory=dict)

    async def play(self, games: Iterator[tuple[int, Rules]]) -> None:
        """Plays until no game is left: every other match against the bot. Matches are left for every blow."""
        for number, rules in games:
            await self.until(lambda number=number: number < (self.blows + 1) * PHASE + AT_ONCE or self.blows == BLOWS)
            players = [self.free.pop(self.random.randrange(len(self.free))) for _ in range(1 + number % 2)]
            host = players[0]
            form = {"variant": rules.name, "length": self.random.choice("1113"), "cube": "1", "opponent": "bot"}
            if number % 2:
                fee = str(self.random.randint(0, 5))
                form |= {"opponent": "friend", "rated": "1", "fee": fee, "time_control": "Federation"}
            match_id = await host.post(host.http, "/match", form)
            for guest in players[1:]:
                await guest.post(guest.http, f"/join/{await host.invitation(match_id)}", {})
            await asyncio.gather(*(player.attend(player.http.cookies, f"match/{match_id}") for player in players))
            self.ended.append(match_id)
            self.free += players

    async def suffer(self) -> None:
        """Everything that goes wrong, evenly spread over the matches, in an order of chance."""
        blows: list[Callable[[], Awaitable[None]]] = [self.kill] * KILLS
        blows += [self.replace, self.lose_database, self.lose_redis]
        self.random.shuffle(blows)
        for number, blow in enumerate(blows, 1):
            await self.until(lambda number=number: len(self.ended) >= number * PHASE)
            await blow()
            self.blows = number
            again, known = asyncio.get_running_loop().time(), len(self.acknowledged)
            await self.until(lambda known=known: len(self.acknowledged) > known or len(self.ended) == MATCHES)
            taken = self.recovered_s.setdefault(blow.__name__, [])
            taken.append(asyncio.get_running_loop().time() - again)

    async def until(self, reached: Callable[[], bool]) -> None:
        """Waits; the whole run has a limit."""
        while not reached():
            await asyncio.sleep(0.05)

    async def kill(self) -> None:
        """kill -9 of a process, and its restart."""
        server = self.random.choice(self.servers)
        server.kill()
        await server.start()

    async def replace(self) -> None:
        """A rolling restart: a later version takes the place of one process after the other."""
        for number, server in enumerate(self.servers):
            server.later = self.folder / f"later{number}"
            await server.stop()
            await server.start()

    async def lose_database(self) -> None:
        """PostgreSQL stops as in a power cut, and comes back."""
        await asyncio.to_thread(self.cluster.stop)
        await asyncio.sleep(DATABASE_OUTAGE_S)
        await asyncio.to_thread(self.cluster.start)

    async def lose_redis(self) -> None:
        """Redis is killed, and comes back."""
        await asyncio.to_thread(self.pubsub.stop)
        await asyncio.sleep(REDIS_OUTAGE_S)
        await asyncio.to_thread(self.pubsub.start)


def games() -> Iterator[tuple[int, Rules]]:
    """The number and the rules of every match; each composition comes once before any repeats."""
    known = sorted(compositions(), key=lambda rules: rules.name)
    Random(8).shuffle(known)
    return enumerate(islice(cycle(known), MATCHES))


async def make_players(database: str, ordeal: Ordeal, stack: AsyncExitStack) -> None:
    """Registers two accounts for each match that is played at the same time, each at an address of its own."""
    async with running(Settings(database), SeededDice(), ChanceBots(), wall_clock) as services:
        services.accounts.passwords = QUICK
        for number in range(2 * AT_ONCE):
            address = f"10.1.0.{number}"
            account, _ = await services.accounts.make_account(address, None, f"Player {number}", PASSWORD)
            secret = await services.accounts.begin_session(account.id, "ordeal")
            headers = {"X-Forwarded-For": address}
            http = httpx.AsyncClient(timeout=30, headers=headers, cookies={SESSION_COOKIE: secret})
            await stack.enter_async_context(http)
            ordeal.free.append(Player(ordeal.servers, Random(number), ordeal.acknowledged, headers=headers, http=http))


async def test_matches_survive_kills_a_rolling_restart_and_the_loss_of_postgresql_and_redis(tmp_path: Path) -> None:
    cluster, pubsub = Postgres.start_new(), Redis.start_new()
    database = cluster.address("ordeal")
    async with AsyncExitStack() as stack:
        ports = stack.enter_context(ExitStack())
        servers = [Killable(database, ports.enter_context(held_port()), pubsub.address) for _ in range(2)]
        ordeal = Ordeal(servers, cluster, pubsub, tmp_path)
        await make_players(database, ordeal, stack)
        players = list(ordeal.free)
        await asyncio.gather(*(server.start() for server in servers))
        started, rest = asyncio.get_running_loop().time(), games()
        try:
            async with asyncio.timeout(MAX_S), asyncio.TaskGroup() as group:
                group.create_task(ordeal.suffer())
                for _ in range(AT_ONCE):
                    group.create_task(ordeal.play(rest))
        finally:
            for server in servers:
                server.kill()
        seconds = asyncio.get_running_loop().time() - started
    recovered = {name: [round(one, 1) for one in found] for name, found in ordeal.recovered_s.items()}
    refused = sum((player.refused for player in players), Counter())
    print(
        f"\n{len(ordeal.ended)} matches, {len(ordeal.acknowledged)} actions of people in {seconds:.0f} s; "
        f"the next action after: {recovered} s; refused: {dict(refused)}"
    )
    assert set(refused) <= {"stale", "store", "conflict"}
    assert sum(server.lives for server in servers) == 2 + KILLS + 2
    await check(database, ordeal)


async def check(database: str, ordeal: Ordeal) -> None:
    """Every acknowledged action is in its log, every match is over, and everything stored follows from the logs."""
    assert len(set(ordeal.ended)) == MATCHES
    store = await Store.open(database)
    try:
        query = select(EVENT.c.match_id, EVENT.c.command_id, EVENT.c.seq)
        known = await store.read(lambda connection: {tuple(row) for row in connection.execute(query)})
        assert set(ordeal.acknowledged) <= known
        for match_id in ordeal.ended:
            assert (await fold_equals_snapshot(store, match_id)).over
        assert await store.read(differences) == []
        assert await store.read(lambda connection: connection.scalar(select(func.sum(BALANCE.c.amount)))) == 0
        rated = await store.read(lambda connection: connection.scalar(select(func.count()).select_from(RATING_CHANGE)))
        assert rated == 2 * (MATCHES // 2)
    finally:
        await store.close()
