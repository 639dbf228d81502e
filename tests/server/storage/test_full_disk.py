"""A full disk: writes fail with a clear message, acknowledged data is kept, and work resumes when there is room."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import httpx
import pytest
from sqlalchemy import Connection, func, insert, select

from barpoint.error import StoreFull
from barpoint.server.storage.schema.matches import EVENT, GUEST
from barpoint.server.storage.store import Store
from tests.server.live.test_kill import check, check_at_rest
from tests.server.web.test_match_socket import hear, say, two_at_a_table
from tests.support import databases
from tests.support.accounts import serving
from tests.support.live_server import fold_equals_snapshot
from tests.support.load import Killable, Person
from tests.support.machine import PATIENCE_S, held_port
from tests.support.scripted_bots import ScriptedDice
from tests.support.serving import Served


def allow_pages(connection: Connection, more: int) -> None:
    """Simulates a disk with room for this many more pages. The writing connection holds the limit."""
    used = connection.exec_driver_sql("PRAGMA page_count").scalar() or 0
    connection.exec_driver_sql(f"PRAGMA max_page_count={used + more}")


def guests(connection: Connection) -> int:
    return connection.scalar(select(func.count()).select_from(GUEST)) or 0


async def test_what_does_not_fit_is_refused_and_the_rest_is_kept(tmp_path: Path) -> None:
    store = await Store.open(databases.address(tmp_path))
    await store.write(lambda connection: allow_pages(connection, 4))
    written = 0

    def write(connection: Connection) -> None:
        connection.execute(insert(GUEST).values(id=f"g{written}", name="somebody", created_at=1))

    async def until_full() -> None:
        nonlocal written
        while True:
            await store.write(write)
            written += 1

    with pytest.raises(StoreFull, match="the disk of the server is full; nothing was changed"):
        await until_full()
    assert await store.read(guests) == written > 0
    await store.write(lambda connection: allow_pages(connection, 1000))
    await store.write(lambda connection: connection.execute(insert(GUEST).values(id="x", name="x", created_at=1)))
    assert await store.read(guests) == written + 1
    await store.close()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path, dice=ScriptedDice([(6, 5)] * 99)) as running:
        yield running


def test_a_player_and_a_page_are_told_and_the_match_goes_on_when_there_is_room(served: Served) -> None:
    match_id, anna, ben = two_at_a_table(served)
    ballast, *_ = two_at_a_table(served)
    store, filled = served.services.store, 0

    def fill(connection: Connection) -> None:
        """Inserts a minimal row; repeated until full, no event fits any more."""
        values = {"match_id": ballast, "seq": 1000 + filled, "actor": "", "kind": "", "payload": "", "at": 0}
        connection.execute(insert(EVENT).values(**values))

    served.call(store.write(lambda connection: allow_pages(connection, 0)))
    with suppress(StoreFull):
        while True:
            served.call(store.write(fill))
            filled += 1
    with anna.at(match_id) as one, ben.at(match_id) as other:
        mover = one if anna.state["view"]["to_act"] == "near" else other
        command = {"do": "act", "id": "c", "seq": anna.state["seq"], "event": {"kind": "resign", "level": 1}}
        say(mover, **command)
        refused = hear(mover, "refused")
        assert (refused["code"], refused["message"]) == ("store", "the disk of the server is full; nothing was changed")
        while (page := httpx.post(f"{served.address}/match", data={"opponent": "friend"})).status_code == 303:
            continue  # there was still room for this one
        assert page.status_code == 503
        assert "The disk of this server is full. Nothing was changed" in page.text
        health = httpx.get(f"{served.address}/healthz")
        assert (health.status_code, health.json()) == (503, {"status": "the disk is full"})
        assert httpx.get(f"{served.address}/healthz?reads").json() == {"status": "ok"}, "pages can be read"
        served.call(store.write(lambda connection: allow_pages(connection, 1000)))
        say(mover, **command)
        assert hear(mover, "done")["seq"] == anna.state["seq"] + 1
    served.call(fold_equals_snapshot(store, match_id))


@pytest.mark.deep
async def test_a_disk_that_runs_full_under_load_loses_nothing(tmp_path: Path) -> None:
    """A real small file system on its own mount, which needs the right to mount."""
    room = tmp_path / "small"
    room.mkdir()
    acknowledged: list[tuple[str, str, int]] = []
    with held_port() as port:
        server = Small(f"sqlite:///{room / 'small.sqlite3'}", port, room=room)
        people = [Person([server], Random(number), acknowledged) for number in range(4)]
        await server.start()
        tasks = [asyncio.create_task(person.play()) for person in people]
        assert server.process is not None
        inside = Path(f"/proc/{server.process.pid}/root{room}")
        ballast = inside / "ballast"
        async with asyncio.timeout(PATIENCE_S):
            while len(acknowledged) < 20:
                await asyncio.sleep(0.01)
        fill(ballast)
        await refused(port)
        known = len(acknowledged)
        ballast.unlink()
        async with asyncio.timeout(PATIENCE_S):
            while len(acknowledged) < known + 40:
                await asyncio.sleep(0.01)
        for person in people:
            person.stopping = True
        async with asyncio.timeout(5 * PATIENCE_S):
            await asyncio.gather(*tasks)
        copy = tmp_path / "small.sqlite3"
        for suffix in ("", "-wal"):
            copy.with_name(copy.name + suffix).write_bytes((inside / f"small.sqlite3{suffix}").read_bytes())
        server.kill()
    await check(f"sqlite:///{copy}", acknowledged)
    assert sum(await check_at_rest(f"sqlite:///{copy}")) >= len(people)


class Small(Killable):
    """A server whose files are on a small disk."""

    def __init__(self, database: str, port: int, room: Path) -> None:
        super().__init__(database, port)
        self.room = room

    @property
    def command(self) -> list[str]:
        mounted = 'mount -t tmpfs -o size=24m tmpfs "$0" && exec "$@"'
        rights = [] if os.geteuid() == 0 else ["--map-root-user"]
        return ["unshare", "--mount", *rights, "sh", "-c", mounted, str(self.room), *super().command]


def fill(ballast: Path) -> None:
    """Fills the disk."""
    with ballast.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(b"x" * 4096)


async def refused(port: int) -> None:
    """Waits until a page of the server says that nothing can be written, and why."""
    async with httpx.AsyncClient(timeout=PATIENCE_S) as http, asyncio.timeout(PATIENCE_S):
        while True:
            answer = await http.post(f"http://127.0.0.1:{port}/match", data={"variant": "hypergammon"})
            if answer.status_code == 503:
                assert "The disk of this server is full" in answer.text
                return
            assert answer.status_code == 303, answer.text
