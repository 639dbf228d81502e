"""Analyses on the server: only of finished matches, one at a time, stored, and without slowing play."""

from __future__ import annotations

import asyncio
import gzip
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import msgspec
import pytest

from barpoint.analysis import Report
from barpoint.match import Match
from barpoint.server.storage import analyses as analysis_storage
from barpoint.server.storage.analyses import Key
from barpoint.server.study import analyses
from barpoint.server.study.analyses import DEAD_MS, Analyses, AnalysisRefused, AnalysisState
from barpoint.variants import variant
from tests.support.live_server import Clock, opened, seated
from tests.support.machine import PATIENCE_S
from tests.support.played import play_match
from tests.support.serving import Served, serve


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    running = serve(tmp_path_factory.mktemp("served"))
    yield running
    running.stop()


@pytest.fixture
def http(served: Served) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=served.address) as client:
        yield client


async def until_done(asked: Analyses, key: Key) -> None:
    while (await asked.state(key)).state not in ("done", "none"):
        await asyncio.sleep(0.02)


def test_a_finished_match_is_analysed_kept_and_read_by_everybody(served: Served, http: httpx.Client) -> None:
    match_id = served.call(play_match(served.services, "duodecagammon"))
    live_match = served.call(served.services.matches.live_match(match_id))
    address = f"/match/{match_id}/analysis"
    assert http.get(f"{address}.json?plies=0").json() == {"state": "none", "done": 0, "events": 0, "ahead": 0}
    asked = http.post(address, data={"plies": "0"})
    assert (asked.status_code, asked.json()["state"]) == (202, "running")
    key = served.services.analyses.key(match_id, live_match.match.rules, 0)
    asyncio.run_coroutine_threadsafe(until_done(served.services.analyses, key), served._server.loop).result(PATIENCE_S)
    answer = http.get(f"{address}.json?plies=0")
    assert answer.status_code == 200
    assert answer.headers["content-encoding"] == "gzip"
    report = msgspec.json.decode(answer.content, type=Report)
    assert (report.complete, report.events, report.plies) == (True, len(live_match.match.events), 0)
    names = {seat.name for seat in live_match.header.seats}
    assert not names & set(report.names), "a report names nobody, so that an account can be deleted"
    plain = http.get(f"{address}.json?plies=0", headers={"accept-encoding": "identity"})
    assert msgspec.json.decode(plain.content, type=Report) == report
    assert http.post(address, data={"plies": "0"}).json()["state"] == "done"
    assert http.get(f"{address}.json").status_code == 202, "another depth is another analysis"


def test_a_running_match_is_not_analysed_for_anybody(served: Served, http: httpx.Client) -> None:
    match_id = served.call(play_match(served.services, "backgammon", events=10))
    answer = http.post(f"/match/{match_id}/analysis", data={"plies": "0"})
    assert answer.status_code == 409
    assert "when it is over" in answer.json()["message"]
    assert http.get(f"/match/{match_id}/analysis.json?plies=0").json()["state"] == "none"


@pytest.mark.parametrize("plies", ["3", "-1", "x", "22", "²"])
def test_other_depths_are_refused(served: Served, http: httpx.Client, plies: str) -> None:
    match_id = served.call(play_match(served.services, "backgammon", events=3))
    assert http.post(f"/match/{match_id}/analysis", data={"plies": plies}).status_code == 422
    assert http.get(f"/match/{match_id}/analysis.json", params={"plies": plies}).status_code == 422


def test_a_game_without_a_net_and_a_match_that_never_was_are_refused(served: Served, http: httpx.Client) -> None:
    match_id = served.call(play_match(served.services, "plakoto", events=3))
    answer = http.post(f"/match/{match_id}/analysis", data={"plies": "0"})
    assert (answer.status_code, answer.json()["state"]) == (409, "refused")
    assert http.post("/match/nosuchmatch/analysis", data={"plies": "0"}).status_code == 404


async def test_nobody_orders_more_than_their_share(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match = finished()
    async with opened(tmp_path) as matches:
        asked = Analyses(matches.store, matches.clock)
        for name in ("MAX_OF_ONE", "MAX_WAITING"):
            with monkeypatch.context() as patch:
                patch.setattr(analyses, name, 0)
                with pytest.raises(AnalysisRefused, match="too many") as refused:
                    await asked.ask(asked.key("any", match.rules, 0), match, "anna")
                assert refused.value.status == 429
        await asked.stop()


def finished() -> Match:
    """A match resigned after its first roll."""
    from barpoint.game import Accept, Opening, Resign

    return Match.start(1).apply(Opening((3, 1))).apply(Resign(0, 1)).apply(Accept(1))


@pytest.mark.usefixtures("each_database")
async def test_what_another_process_is_at_is_left_to_it_until_it_is_silent(tmp_path: Path) -> None:
    async with seated(tmp_path) as driven:
        store, clock = driven.matches.store, Clock()
        asked, match = Analyses(store, clock), finished()
        key = asked.key(driven.id, variant("backgammon"), 0)

        def begun(connection) -> bool:  # type: ignore[no-untyped-def]
            return analysis_storage.take_up(connection, key, 9, clock.now, clock.now - DEAD_MS)

        assert await store.write(begun)
        assert not await store.write(begun), "one is enough"
        await store.write(lambda connection: analysis_storage.note(connection, key, 5, clock.now))
        assert await asked.ask(key, match, "anna") == AnalysisState("running", 5, 9)
        clock.now += DEAD_MS + 1
        assert await asked.state(key) == AnalysisState("none")
        assert await store.write(begun), "whoever is silent for so long is gone"
        await store.write(lambda connection: analysis_storage.finish(connection, key, gzip.compress(b"{}"), clock.now))
        assert await asked.ask(key, match, "anna") == AnalysisState("done", 9, 9)
        assert not await store.write(begun)
        assert await asked.report(key) == gzip.compress(b"{}")


async def test_an_analysis_that_fails_is_forgotten_and_the_next_one_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with seated(tmp_path) as driven:
        asked, match = Analyses(driven.matches.store, driven.clock), finished()
        key = asked.key(driven.id, match.rules, 0)
        with monkeypatch.context() as patch:
            patch.setattr(sys, "executable", "/bin/false")
            await asked.ask(key, match, "anna")
            while (await asked.state(key)).state != "none":
                await asyncio.sleep(0.02)
        await asked.ask(key, match, "anna")
        await until_done(asked, key)
        packed = await asked.report(key)
        assert packed is not None
        report = msgspec.json.decode(gzip.decompress(packed), type=Report)
        assert [one.kind for one in report.decisions] == ["resign", "accept"]
        await asked.stop()


async def test_a_server_that_stops_leaves_no_process_behind(tmp_path: Path) -> None:
    async with seated(tmp_path) as driven:
        asked, match = Analyses(driven.matches.store, driven.clock), finished()
        key = asked.key(driven.id, match.rules, 0)
        await asked.ask(key, match, "anna")
        await asyncio.sleep(0)
        await asked.stop()
        with suppress(AnalysisRefused):
            assert (await asked.state(key)).state in ("none", "running")
        assert asked._worker is not None
        assert asked._worker.done()
