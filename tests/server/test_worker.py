"""The `barpoint worker` command: does the jobs of a server's PostgreSQL, whatever happens to it, and stops when told to."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from barpoint.analysis.inquiry import Inquiry
from barpoint.analysis.position_rollout import USUAL_METHOD
from barpoint.error import StoreError
from barpoint.record import format_position
from barpoint.server.bots.barpoint import EngineOpponents
from barpoint.server.domain.dice import SeededDice
from barpoint.server.domain.settings import Settings
from barpoint.server.services import Services, running, wall_clock
from barpoint.server.study import rollouts as rollout_limits
from barpoint.server.study.rollouts import RolloutAsker, RolloutState
from barpoint.variants import variant
from tests.support import databases
from tests.support.jobs import left
from tests.support.machine import PATIENCE_S
from tests.support.played import play_match

COMMAND = [sys.executable, "-c", "from barpoint.cli import main; main()", "worker"]


@pytest.fixture
def own_postgres() -> Iterator[databases.Postgres]:
    """A PostgreSQL that the test may stop."""
    made = databases.Postgres.start_new()
    yield made
    made.remove()


@contextmanager
def started(database: str) -> Iterator[subprocess.Popen[str]]:
    """A worker that has said that it works."""
    command = [*COMMAND, "--database", database]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as worker:
        try:
            assert worker.stdout is not None
            line = worker.stdout.readline()
            assert "Working for" in line, worker.stderr.read() if worker.stderr else ""
            yield worker
        finally:
            worker.kill()


async def until_done(services: Services, match_id: str) -> None:
    """Waits for the quick analysis of a match."""
    key = services.analyses.key(match_id, variant("backgammon"), 0)
    async with asyncio.timeout(PATIENCE_S):
        while True:
            try:
                if (await services.analyses.state(key)).state == "done":
                    return
            except StoreError:
                pass  # it is away
            await asyncio.sleep(0.05)


@pytest.mark.deep
async def test_a_worker_goes_on_by_itself_after_the_database_was_away(
    own_postgres: databases.Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = own_postgres.address("worked")
    settings = Settings(database, workers=0, analyse_ended="quick")
    monkeypatch.setattr(rollout_limits, "TRIALS", 24)
    async with running(settings, SeededDice(), EngineOpponents(), wall_clock) as services:
        with started(database) as worker:
            await until_done(services, await play_match(services, "backgammon"))
            await asyncio.to_thread(own_postgres.stop)
            await asyncio.sleep(1)
            await asyncio.to_thread(own_postgres.start)
            await until_done(services, await play_match(services, "backgammon"))
            inquiry = Inquiry("hypergammon", format_position(variant("hypergammon").start))
            anna = RolloutAsker("anna", registered=False)
            state = await services.rollouts.ask(inquiry, USUAL_METHOD, anna)
            async with asyncio.timeout(PATIENCE_S):
                while state.state != "done":
                    await asyncio.sleep(0.1)
                    state = await services.rollouts.state(inquiry, USUAL_METHOD, anna)
            assert state.answer is not None
            assert (state.answer.done, state.answer.over) == (24, True)
            assert msgspec.json.decode(msgspec.json.encode(state), type=RolloutState) == state
            assert await left(services.store) == []
            worker.send_signal(signal.SIGTERM)
            assert await asyncio.to_thread(worker.wait, PATIENCE_S) == 0


def test_an_sqlite_file_is_refused(tmp_path: Path) -> None:
    refused = subprocess.run([*COMMAND, "--database", f"sqlite:///{tmp_path}/a"], capture_output=True, text=True)
    assert refused.returncode == 2
    assert "an SQLite file belongs to one process" in refused.stderr
    assert not list(tmp_path.iterdir())
