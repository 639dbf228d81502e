"""The log says that something is away once, and that it is back, however often it is tried in between."""

from __future__ import annotations

import asyncio

import pytest

from barpoint.error import StoreError
from barpoint.server.live.pubsub import PubSub
from barpoint.server.live.scheduler import Scheduler
from barpoint.server.live.shared_pubsub import SharedPubSub
from barpoint.server.telemetry import Metrics, OutageLog
from tests.support.machine import PATIENCE_S


def test_what_fails_alike_is_logged_once_and_so_is_its_end(caplog: pytest.LogCaptureFixture) -> None:
    outage = OutageLog("the database")
    outage.worked()
    for reason in ("refused", "refused", "shutting down", "refused"):
        outage.failed(reason)
    outage.worked()
    outage.worked()
    outage.failed("refused")
    assert [message.partition(" (")[0] for message in caplog.messages] == [
        "the database: refused",
        "the database: shutting down",
        "the database: refused",
        "the database: works again",
        "the database: refused",
    ]


async def until_logged(text: str, caplog: pytest.LogCaptureFixture) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while text not in caplog.text:
            await asyncio.sleep(0.01)


async def test_periodic_work_without_a_database_does_not_fill_the_log(caplog: pytest.LogCaptureFixture) -> None:
    tries = 0

    async def work() -> None:
        nonlocal tries
        tries += 1
        if tries < 20:
            raise StoreError("the database refused: it is away")

    scheduler = Scheduler()
    scheduler.every(0.001, work, "deadlines")
    await until_logged("deadlines: works again", caplog)
    await scheduler.stop()
    assert len(caplog.messages) == 2
    assert caplog.messages[0] == "deadlines: the database refused: it is away (repeats are not logged)"


async def test_a_pubsub_that_stays_away_does_not_fill_it_either(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = asyncio.Semaphore(0)

    async def connect() -> None:
        tries.release()
        raise ConnectionError("connection refused")

    monkeypatch.setattr("barpoint.server.live.shared_pubsub.MIN_PAUSE_S", 0.001)
    shared = SharedPubSub(PubSub(), Metrics(), connect)  # type: ignore[arg-type]
    shared.start()
    async with asyncio.timeout(PATIENCE_S):
        for _ in range(6):
            await tries.acquire()
    await shared.stop()
    assert len(caplog.messages) == 1
    assert "connection refused" in caplog.text
