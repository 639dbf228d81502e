"""kill -9 at any instant under load: no acknowledged event is lost, every match resumes and ends."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Final

import pytest
from sqlalchemy import select

from barpoint.chouette import Chouette
from barpoint.server.storage.audit import differences, read_chouette
from barpoint.server.storage.schema.chouettes import CHOUETTE_EVENT
from barpoint.server.storage.schema.matches import EVENT, MATCH
from barpoint.server.storage.store import Store
from tests.support import databases
from tests.support.deep import DEEP
from tests.support.live_server import fold_equals_snapshot
from tests.support.load import Killable, Member, Person
from tests.support.machine import PATIENCE_S, held_port

PLAYERS = 6
KILLS: Final = 20 if DEEP else 3


async def check(database: str, acknowledged: list[tuple[str, str, int]]) -> None:
    """Checks that every acknowledged event is in the log at its number."""
    known = set(acknowledged)
    store = await Store.open(database)
    try:
        query = select(EVENT.c.match_id, EVENT.c.command_id, EVENT.c.seq).where(EVENT.c.actor == "0")
        assert known <= await store.read(lambda connection: {tuple(row) for row in connection.execute(query)})
    finally:
        await store.close()


async def table_in(database: str, chouette_id: str) -> Chouette:
    """A chouette rebuilt from its log."""
    store = await Store.open(database)
    try:
        return await store.read(lambda connection: read_chouette(connection, chouette_id))
    finally:
        await store.close()


async def check_table(database: str, chouette_id: str, acknowledged: list[tuple[str, str, int]]) -> Chouette:
    """The same, after checking that every acknowledged event is in the log and the rest of the database agrees."""
    store = await Store.open(database)
    try:
        query = select(CHOUETTE_EVENT.c.chouette_id, CHOUETTE_EVENT.c.command_id, CHOUETTE_EVENT.c.seq)
        assert set(acknowledged) <= await store.read(lambda c: {tuple(row) for row in c.execute(query)})
        assert await store.read(differences) == []
    finally:
        await store.close()
    return await table_in(database, chouette_id)


async def check_at_rest(database: str) -> list[bool]:
    """Whether each match is over, after checking snapshots, ratings and play money against the logs."""
    store = await Store.open(database)
    try:
        assert await store.read(differences) == []
        matches = await store.read(lambda connection: connection.scalars(select(MATCH.c.id)).all())
        return [(await fold_equals_snapshot(store, match_id)).over for match_id in matches]
    finally:
        await store.close()


async def survive(database: str, pubsub: str, processes: int, kills: int, seed: int) -> None:
    """Kills one process after the other while people play, and checks the database each time."""
    random = Random(seed)
    acknowledged: list[tuple[str, str, int]] = []
    with ExitStack() as ports:
        servers = [Killable(database, ports.enter_context(held_port()), pubsub) for _ in range(processes)]
        people = [Person(servers, Random(seed + number), acknowledged) for number in range(PLAYERS)]
        await asyncio.gather(*(server.start() for server in servers))
        tasks = [asyncio.create_task(person.play()) for person in people]
        restarts: list[asyncio.Task[None]] = []
        try:
            for round_ in range(kills):
                server, known = servers[round_ % processes], len(acknowledged)
                async with asyncio.timeout(PATIENCE_S):
                    await server.up.wait()
                    while len(acknowledged) == known:  # so that something was acknowledged since the last kill
                        await asyncio.sleep(0.01)
                await asyncio.sleep(random.uniform(0, 0.4))
                server.kill()
                await check(database, acknowledged)
                if processes == 1:
                    await check_at_rest(database)
                restarts.append(asyncio.create_task(server.start()))
            await asyncio.gather(*restarts)
            for person in people:
                person.stopping = True
            async with asyncio.timeout(5 * PATIENCE_S):
                await asyncio.gather(*tasks)
        finally:
            for task in (*tasks, *restarts):
                task.cancel()
            for server in servers:
                server.kill()
    await check(database, acknowledged)
    over = await check_at_rest(database)
    finished = sum(person.finished for person in people)
    assert finished == sum(person.begun for person in people) >= PLAYERS
    assert sum(over) >= finished  # a match whose creation was not acknowledged may exist too
    assert len(acknowledged) > kills
    assert sum(server.lives for server in servers) == processes + kills


async def test_no_acknowledged_event_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    await survive(f"sqlite:///{tmp_path / 'killed.sqlite3'}", "", processes=1, kills=KILLS, seed=4)


async def test_none_is_lost_when_processes_that_share_a_database_are_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(databases.BACKEND, "name", "postgresql")
    await survive(databases.address(tmp_path), databases.redis_server().address, processes=2, kills=KILLS, seed=6)


async def test_a_chouette_goes_on_when_the_server_is_killed_in_mid_game(tmp_path: Path) -> None:
    """Three people and a bot; a game interrupted three times ends, and everybody gets their result."""
    database = f"sqlite:///{tmp_path / 'killed.sqlite3'}"
    acknowledged: list[tuple[str, str, int]] = []
    with ExitStack() as ports:
        server = Killable(database, ports.enter_context(held_port()))
        await server.start()
        chouette_id: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        people = [Member([server], Random(20 + n), acknowledged, chouette_id, host=n == 0) for n in range(3)]
        tasks = [asyncio.create_task(person.play()) for person in people]
        try:
            async with asyncio.timeout(10 * PATIENCE_S):
                cut = 0
                while cut < 3:
                    known = len(acknowledged)
                    while len(acknowledged) < known + 5 or not (await table_in(database, await chouette_id)).playing:
                        await asyncio.sleep(0.05)
                    server.kill()
                    cut += (await check_table(database, await chouette_id, acknowledged)).playing
                    await server.start()
                for person in people:
                    person.stopping = True
                await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            server.kill()
    chouette = await check_table(database, await chouette_id, acknowledged)
    assert server.lives >= 4
    assert len(chouette.finished) >= 1
    assert len(chouette.ledger) == 4


@pytest.mark.deep
async def test_no_acknowledged_event_is_lost_in_two_hundred_kills(tmp_path: Path) -> None:
    await survive(f"sqlite:///{tmp_path / 'killed.sqlite3'}", "", processes=1, kills=200, seed=5)


@pytest.mark.deep
@pytest.mark.parametrize("pubsub", ["postgresql", "redis"])
async def test_none_is_lost_in_two_hundred_kills_of_two_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pubsub: str
) -> None:
    monkeypatch.setattr(databases.BACKEND, "name", "postgresql")
    address = databases.redis_server().address if pubsub == "redis" else ""
    await survive(databases.address(tmp_path), address, processes=2, kills=200, seed=7)
