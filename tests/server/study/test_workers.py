"""Workers and their queue: nothing lost, nothing done twice, in a fair order, whatever happens to workers and database."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from barpoint.error import StoreError
from barpoint.server.domain import jobs as job_limits
from barpoint.server.domain.jobs import (
    LEASE_MS,
    LEFT_BEHIND_AFTER_MS,
    MAX_ATTEMPTS,
    MAX_OF_ACCOUNT,
    MAX_OF_GUEST,
    JobState,
    Priority,
    owner_of,
)
from barpoint.server.services import wall_clock
from barpoint.server.storage import jobs as job_storage
from barpoint.server.storage.jobs import TakenJob
from barpoint.server.storage.store import Store
from barpoint.server.study.jobs import Jobs
from barpoint.server.study.nets import AnalysisRefused, all_nets
from barpoint.server.study.workers import Workers
from tests.support import databases
from tests.support.jobs import Recorder, add, at_work, free, job, left, results, until_empty
from tests.support.live_server import Clock
from tests.support.machine import PATIENCE_S

pytestmark = pytest.mark.usefixtures("each_database")


@pytest.fixture
def address(tmp_path: Path) -> str:
    return databases.address(tmp_path)


@pytest.fixture
async def store(address: str) -> AsyncIterator[Store]:
    opened = await Store.open(address)
    yield opened
    await opened.close()


@pytest.fixture
async def other(address: str) -> AsyncIterator[Store]:
    """The same database, as another process has it."""
    opened = await Store.open(address)
    yield opened
    await opened.close()


async def until(recorder: Recorder, *begun: str) -> None:
    """Waits until these jobs have begun, and no others."""
    async with asyncio.timeout(PATIENCE_S):
        while recorder.begun != list(begun):
            await asyncio.sleep(0.01)


def process(address: str, name: str, pause_s: float) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.support.jobs", address, name, str(pause_s)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def first_line(worker: subprocess.Popen[str]) -> str:
    assert worker.stdout is not None
    return worker.stdout.readline().strip()


async def test_the_job_of_a_killed_worker_is_done_by_another_one_once(store: Store, address: str) -> None:
    await add(store, job("one"))
    with process(address, "first", 1_000) as first:
        assert await asyncio.to_thread(first_line, first) == "one"
        first.kill()
    assert await left(store) == ["one"], "it is not lost"
    with process(address, "second", 0) as second:
        try:
            await until_empty(store)
        finally:
            second.kill()
    assert await results(store) == {"one": "second"}


async def test_a_worker_that_was_silent_for_too_long_stores_nothing(store: Store) -> None:
    clock = Clock()
    await add(store, job("one"))
    slow, quick = Recorder("slow"), free("quick")
    async with at_work(store, clock, slow, report_s=PATIENCE_S):
        await until(slow, "one")
        clock.now += LEASE_MS + 1
        async with at_work(store, clock, quick):
            await until_empty(store)
        slow.go.set()
        await asyncio.sleep(0.1)
    assert await results(store) == {"one": "quick"}


async def test_a_worker_that_learns_that_another_one_has_its_job_ends_it(store: Store) -> None:
    clock = Clock()
    await add(store, job("one"))
    mine = Recorder("mine")
    async with at_work(store, clock, mine) as workers:
        await until(mine, "one")
        taken = TakenJob(1, "analysis", "one", b"one", 0)
        await store.write(lambda connection: job_storage.finish(connection, taken, workers.name))
        async with asyncio.timeout(PATIENCE_S):
            while len(workers):
                await asyncio.sleep(0.01)
    assert await results(store) == {}


async def test_a_worker_that_stops_gives_its_job_back_at_once(store: Store) -> None:
    clock = Clock()
    await add(store, job("one"))
    for _ in range(MAX_ATTEMPTS + 1):
        mine = Recorder()
        async with at_work(store, clock, mine):
            await until(mine, "one")
    async with at_work(store, clock, free("next")):
        await until_empty(store)
    assert await results(store) == {"one": "next"}


async def test_a_job_that_no_worker_finishes_is_given_up(store: Store) -> None:
    clock = Clock()
    await add(store, job("deadly"), job("harmless", "ben"))
    for _ in range(MAX_ATTEMPTS):
        assert await store.write(job_storage.take, "dead", all_nets(), clock.now, clock.now + LEASE_MS) is not None
        clock.now += LEASE_MS + 1
    async with at_work(store, clock, free()):
        await until_empty(store)
    assert await results(store) == {"harmless": "worker"}


async def test_a_job_that_fails_is_forgotten_and_the_next_one_is_done(store: Store) -> None:
    await add(store, job("bad"), job("good"))
    async with at_work(store, Clock(), free()):
        await until_empty(store)
    assert await results(store) == {"good": "worker"}


class Fragile(Store):
    """A database that can be away."""

    away = False

    async def write(self, work, *args, **kwargs):  # type: ignore[no-untyped-def]
        if self.away:
            raise StoreError("the database is away")
        return await super().write(work, *args, **kwargs)

    async def read(self, work, *args, **kwargs):  # type: ignore[no-untyped-def]
        if self.away:
            raise StoreError("the database is away")
        return await super().read(work, *args, **kwargs)


async def test_workers_go_on_when_the_database_is_back(address: str) -> None:
    store = await Fragile.open(address)
    assert isinstance(store, Fragile)
    await add(store, job("one"), job("two"))
    mine = Recorder()
    async with at_work(store, Clock(), mine):
        await until(mine, "one")
        store.away = True
        await asyncio.sleep(0.2)
        mine.go.set()  # the job ends while nothing can be stored
        await asyncio.sleep(0.2)
        assert mine.begun == ["one"]
        store.away = False
        await until_empty(store)
    assert mine.begun == ["one", "two"], "nothing is done twice"
    assert await results(store) == {"one": "worker", "two": "worker"}
    await store.close()


async def test_two_workers_share_the_jobs(store: Store, other: Store) -> None:
    names = [f"job {number}" for number in range(8)]
    await add(store, *(job(name) for name in names))
    both = [free("first", 0.1), free("second", 0.1)]
    async with at_work(store, wall_clock, both[0]), at_work(other, wall_clock, both[1]):
        await until_empty(store)
    found = await results(store)
    assert sorted(found) == sorted(both[0].begun + both[1].begun) == names, "each once"
    assert set(found.values()) == {"first", "second"}


async def test_owners_take_turns(store: Store) -> None:
    await add(store, *(job(f"anna {number}", "anna") for number in range(4)))
    await add(store, job("ben 0", "ben"), job("ben 1", "ben"))
    mine = Recorder()
    async with at_work(store, Clock(), mine):
        await until(mine, "anna 0")
        await add(store, job("cara", "cara"))
        mine.go.set()
        await until_empty(store)
    assert mine.begun == ["anna 0", "ben 0", "cara", "anna 1", "ben 1", "anna 2", "anna 3"]


async def test_what_somebody_waits_for_comes_first_and_accounts_before_guests(store: Store) -> None:
    for priority in reversed(Priority):
        await add(store, job(priority.name, priority.name, priority))
    await add(store, job("DEEP_OF_GUESTS", "anna", Priority.QUICK))  # asked for more urgently
    mine = free()
    async with at_work(store, Clock(), mine):
        await until_empty(store)
    assert mine.begun == ["ASKED", "ASKED_OF_GUESTS", "DEEP_OF_GUESTS", "QUICK", "QUICK_OF_GUESTS", "DEEP"]


async def test_what_is_put_first_goes_before_the_others_of_the_same_person_and_takes_nobodys_turn(store: Store) -> None:
    for number in range(3):
        await add(store, *(job(f"{by} {number}", by, Priority.QUICK) for by in ("anna", "ben")))
    jobs = queue(store, Clock())
    for subject, by in (
        ("anna 2", "anna"),
        ("anna 1", "anna"),
        ("ben 1", "anna"),
        ("anna 1", "anna"),
        ("none", "anna"),
    ):
        await jobs.put_first("analysis", subject, by)
    mine = free()
    async with at_work(store, Clock(), mine):
        await until_empty(store)
    assert mine.begun == ["ben 0", "anna 1", "ben 1", "anna 2", "anna 0", "ben 2"]


async def test_a_deep_analysis_that_nobody_waits_for_makes_room(store: Store) -> None:
    await add(store, job("deep", priority=Priority.DEEP))
    mine = Recorder()
    async with at_work(store, Clock(), mine):
        await until(mine, "deep")
        await add(store, job("asked", "ben"))
        await until(mine, "deep", "asked")
        mine.go.set()
        await until_empty(store)
    assert mine.begun == ["deep", "asked", "deep"]
    assert await results(store) == {"deep": "worker", "asked": "worker"}


async def test_a_worker_leaves_jobs_of_nets_that_it_does_not_have(store: Store) -> None:
    clock = Clock()
    await store.write(job_storage.put, job("newer", net="a net of tomorrow"), clock.now)
    await add(store, job("known"))
    async with at_work(store, clock, free()):
        async with asyncio.timeout(PATIENCE_S):
            while await left(store) != ["newer"]:
                await asyncio.sleep(0.02)
    assert await results(store) == {"known": "worker"}


async def test_a_job_that_no_worker_with_its_net_takes_is_renewed_or_dropped(store: Store) -> None:
    clock = Clock()
    for subject in ("older", "bad and older"):
        await store.write(job_storage.put, job(subject, net="a net of yesterday"), clock.now)
    clock.now += LEFT_BEHIND_AFTER_MS + 1
    async with at_work(store, clock, free()):
        await until_empty(store)
    assert await results(store) == {"older": "worker"}


def queue(store: Store, clock: Clock) -> Jobs:
    return Jobs(store, clock, Workers(store, clock, 0))


async def test_nobody_asks_for_more_than_their_share(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    jobs = queue(store, clock)
    for by, registered, most in (("guest", False, MAX_OF_GUEST), ("account", True, MAX_OF_ACCOUNT)):
        for number in range(most):
            await jobs.ask(job(f"{by} {number}", by), registered=registered)
        await jobs.ask(job(f"{by} 0", by), registered=registered)  # the same again is no more
        with pytest.raises(AnalysisRefused, match="too many analyses are waiting") as refused:
            await jobs.ask(job(f"{by} more", by), registered=registered)
        assert refused.value.status == 429
    assert len(await left(store)) == MAX_OF_GUEST + MAX_OF_ACCOUNT
    await add(store, job("by itself", priority=Priority.DEEP))
    await jobs.ask(job("by itself", "guest"), registered=False)  # it waits already, only not more urgently
    monkeypatch.setattr(job_storage, "MAX_ASKED", MAX_OF_GUEST)
    with pytest.raises(AnalysisRefused, match="too many"):
        await jobs.ask(job("of another guest", "ben"), registered=False)
    monkeypatch.setattr(job_storage, "MAX_ASKED", MAX_OF_ACCOUNT + 1)
    await jobs.ask(job("of another account", "dora"), registered=True)  # however many guests wait
    with pytest.raises(AnalysisRefused, match="too many"):
        await jobs.ask(job("of one more account", "ben"), registered=True)
    await add(store, job("another", priority=Priority.QUICK))  # has a limit of its own
    monkeypatch.setattr(job_storage, "MAX_UNASKED", 2)
    assert not await store.write(job_storage.put, job("one more", priority=Priority.DEEP), 0)
    monkeypatch.setattr(job_storage, "MAX_UNASKED", 100)
    assert not await store.write(job_storage.put, job("one more", priority=Priority.DEEP), 0, 2), "of one owner"
    assert await store.write(job_storage.put, job("of another", "ben", Priority.DEEP), 0, 2)
    assert job_limits.MAX_OF_GUEST < job_limits.MAX_OF_ACCOUNT < job_limits.MAX_ASKED


async def test_other_processes_see_how_far_a_job_is(store: Store, other: Store) -> None:
    clock = Clock()
    await add(store, job("one"), job("two"))
    elsewhere, mine = queue(other, clock), Recorder()
    owner = owner_of("anna")
    assert await elsewhere.state("analysis", "two") == JobState(False, 1, 0, 0, None, owner, b"two")
    async with at_work(store, clock, mine):
        await until(mine, "one")
        async with asyncio.timeout(PATIENCE_S):
            while (await elsewhere.state("analysis", "one")) != JobState(True, 0, 3, 9, b"half", owner, b"one"):
                await asyncio.sleep(0.01)
        assert await elsewhere.state("analysis", "none") is None
    assert await elsewhere.state("analysis", "one") == JobState(False, 0, 0, 9, None, owner, b"one")


async def test_a_job_is_stopped_by_who_asked_for_it_in_any_process(store: Store, other: Store) -> None:
    clock = Clock()
    await add(store, job("runs"), job("waits"))
    elsewhere, mine = queue(other, clock), Recorder()
    async with at_work(store, clock, mine):
        await until(mine, "runs")
        with pytest.raises(AnalysisRefused, match="somebody else"):
            await elsewhere.stop("analysis", "runs", "ben")
        await elsewhere.stop("analysis", "waits", "anna")
        assert await left(store) == ["runs"]
        await elsewhere.stop("analysis", "runs", "anna")
        await until_empty(store)
    assert await results(store) == {"runs": "worker stopped"}
