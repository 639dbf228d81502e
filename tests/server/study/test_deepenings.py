"""Second looks at many decisions on the server: in parts between the jobs of others, kept over a restart, stopped, and counted everywhere."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from barpoint.analysis import Report, Study
from barpoint.analysis.deepening import Depth, chosen
from barpoint.analysis.findings import RolloutDepth
from barpoint.analysis.worker import analysed
from barpoint.match import read_log
from barpoint.record import Book, format_book
from barpoint.server.domain.jobs import MAX_OF_GUEST, Priority
from barpoint.server.storage import analyses as analysis_storage
from barpoint.server.storage import jobs as job_storage
from barpoint.server.storage.analyses import Key
from barpoint.server.storage.store import Store
from barpoint.server.study import deepenings
from barpoint.server.study.analyses import keep_made_of, log_of
from barpoint.server.study.nets import all_nets, required_net
from barpoint.server.study.workers import RunningJob, finish
from barpoint.server.web import analysis as pages
from barpoint.variants import variant
from tests.support.accounts import register, serving
from tests.support.jobs import add, job
from tests.support.machine import PATIENCE_S
from tests.support.recorded import played
from tests.support.serving import Served, serve


@pytest.fixture(autouse=True)
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Decisions are rolled out shortly."""
    monkeypatch.setattr(pages, "ROLLED", RolloutDepth(36))


def imported(running: Served, client: httpx.Client, seed: int = 4) -> tuple[Key, Report]:
    """A match that the browser has imported, with an analysis at 0-ply that counts as the deepest one."""
    file = format_book(Book(played("hypergammon", 1, seed, events=30), ("Anna", "Ben")), ".mat")
    said = client.post("/review", files=[("file", ("match.mat", file))])
    found = re.search(r"/review/([^/\"]+)/replay", said.headers.get("location", ""))
    assert found is not None
    key = Key(found[1], required_net(variant("hypergammon")), 2, "review")
    study = Study(read_log(running.call(running.services.store.read(log_of, key))), plies=0)
    assert list(study)
    result = analysed(study)

    def put(connection: Any) -> None:
        analysis_storage.put(connection, key, result.report, result.events, 1)
        keep_made_of(connection, key, result)

    running.call(running.services.store.write(put))
    return key, study.report()


def ended(client: httpx.Client, path: str) -> dict[str, Any]:
    until = time.monotonic() + PATIENCE_S
    while (state := client.get(f"{path}/deepening.json").json())["state"] != "none":
        assert time.monotonic() < until, state
        time.sleep(0.05)
    return dict(state)


def test_the_blunders_of_a_match_are_rolled_out_after_a_restart_too_and_change_its_ratings(tmp_path: Path) -> None:
    running = serve(tmp_path, analyse_ended="off", workers=0)
    with httpx.Client(base_url=running.address, timeout=PATIENCE_S) as client:
        key, before = imported(running, client)
        path = f"/review/{key.match_id}"
        events = chosen(before, "blunder", Depth())
        assert len(events) > 1
        wrong = [
            client.post(f"{path}/deepening", data=data).status_code
            for data in ({"which": "all"}, {"which": "error", "plies": "4"})
        ]
        assert wrong == [404, 422], "four plies are for people with an account"
        asked = client.post(f"{path}/deepening", data={"which": "blunder", "plies": ""})
        assert asked.status_code == 202
        assert asked.json() == {
            "state": "waiting",
            "done": 0,
            "events": len(events),
            "ahead": 0,
            "own": True,
            "made_at": 1,
        }
        rating = client.get(f"{path}/pr").json()["text"]
        cookies = client.cookies
    running.stop()
    running = serve(tmp_path, analyse_ended="off", workers=1)
    try:
        with httpx.Client(base_url=running.address, timeout=PATIENCE_S, cookies=cookies) as client:
            assert ended(client, path)["made_at"] > 1
            report = msgspec.json.decode(client.get(f"{path}/analysis.json?plies=2").content, type=Report)
            rolled = {one.event for one in report.decisions if one.games}
            assert rolled <= set(events)
            assert len(rolled) > len(events) / 2
            assert [one.rating for one in report.players] != [one.rating for one in before.players]
            assert client.get(f"{path}/pr").json()["text"] != rating
            assert client.get(f"{path}/deepening.json").json()["done"] == 0
    finally:
        running.stop()


def test_others_have_their_turn_between_the_parts_and_only_whoever_asked_can_stop_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deepenings, "PART_S", 0.0)
    running = serve(tmp_path, analyse_ended="off", workers=0)
    try:
        with (
            httpx.Client(base_url=running.address, timeout=PATIENCE_S) as client,
            httpx.Client(base_url=running.address, timeout=PATIENCE_S) as other,
        ):
            key, _ = imported(running, client)
            path, store = f"/review/{key.match_id}", running.services.store
            client.post(f"{path}/deepening", data={"which": "blunder", "plies": ""})
            for who in ("ben", "cleo"):
                running.call(add(store, job(who, who, Priority.DEEP_OF_GUESTS)))
            assert running.call(_a_part(running, store)) == ["deepening", "analysis", "analysis", "deepening"]
            state = client.get(f"{path}/deepening.json").json()
            assert (state["done"], state["own"]) == (1, True)
            assert not other.get(f"{path}/deepening.json").json()["own"]
            assert other.post(f"{path}/deepening/stop").status_code == 403
            assert client.post(f"{path}/deepening/stop").json()["state"] in ("none", "running")
            report = msgspec.json.decode(client.get(f"{path}/analysis.json?plies=2").content, type=Report)
            assert len({one.event for one in report.decisions if one.games}) <= 1
    finally:
        running.stop()


def test_what_an_account_has_taken_over_from_a_guest_is_theirs_after_a_part_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deepenings, "PART_S", 0.0)
    with (
        serving(tmp_path, analyse_ended="off", workers=0) as running,
        httpx.Client(base_url=running.address, timeout=PATIENCE_S) as guest,
        httpx.Client(base_url=running.address, timeout=PATIENCE_S) as member,
    ):
        register(member, "Cleo")
        key, _ = imported(running, guest)
        path, store = f"/review/{key.match_id}", running.services.store
        guest.post(f"{path}/deepening", data={"which": "blunder", "plies": ""})

        taken = running.call(_take(store, "first"))
        found = RunningJob(taken.task)
        result = running.call(running.services.deepenings.work(found))
        assert member.post(f"{path}/deepening", data={"which": "error", "plies": ""}).json()["own"]
        running.call(store.write(finish, taken, "first", result, found))
        assert running.call(_take(store, "second")).priority == Priority.DEEP
        assert [one.get(f"{path}/deepening.json").json()["own"] for one in (guest, member)] == [False, True]


def test_rollouts_have_the_settings_of_the_form_as_far_as_one_person_may(tmp_path: Path) -> None:
    with (
        serving(tmp_path, analyse_ended="off", workers=0) as running,
        httpx.Client(base_url=running.address, timeout=PATIENCE_S) as guest,
    ):
        key, _ = imported(running, guest)
        path, store = f"/review/{key.match_id}", running.services.store
        form = {"which": "blunder", "plies": "", "games": "162", "truncate": "0", "play_plies": "1", "cube_plies": "0"}
        too_many = guest.post(f"{path}/deepening", data={**form, "games": "163"})
        assert too_many.status_code == 422
        assert "36 to 162" in too_many.json()["message"], "a game at one ply costs four at none"
        assert guest.post(f"{path}/deepening", data={**form, "play_plies": "x"}).status_code == 404
        assert guest.post(f"{path}/deepening", data=form).status_code == 202
        task = msgspec.json.decode(running.call(_take(store, "first")).task, type=deepenings.DeepeningTask)
        assert task.depth.depth == Depth(rollout=RolloutDepth(162, truncate=0, plies=1))


def test_depths_of_tasks_are_read_and_written_as_earlier_versions_do() -> None:
    earlier = b'{"plies":2,"trials":162,"truncate":0,"play_plies":1,"cube_plies":3}'
    rolled = Depth(2, RolloutDepth(162, truncate=0, plies=1, cube_plies=3))
    assert msgspec.json.decode(earlier, type=deepenings.StoredDepth).depth == rolled
    assert msgspec.json.encode(deepenings.StoredDepth.of(rolled)) == earlier
    searched = b'{"plies":3,"trials":0,"truncate":11,"play_plies":0,"cube_plies":0}'
    assert msgspec.json.decode(searched, type=deepenings.StoredDepth).depth == Depth(3)
    assert deepenings.StoredDepth.of(Depth(3)).depth == Depth(3)


async def _a_part(running: Served, store: Store) -> list[str]:
    """Does a part of the next job; the kinds of all jobs, in the order in which workers take them."""
    taken = [await _take(store, "first")]
    found = RunningJob(taken[0].task)
    result = await running.services.deepenings.work(found)
    assert found.done[0] == 1
    await store.write(finish, taken[0], "first", result, found)
    taken += [await _take(store, "first") for _ in range(3)]
    for one in taken[1:]:
        await store.write(job_storage.give_back, one, "first")
    return [one.kind for one in taken]


async def _take(store: Store, worker: str) -> job_storage.TakenJob:
    taken = await store.write(job_storage.take, worker, all_nets(), 0, 1 << 50)
    assert taken is not None
    return taken


def test_one_person_has_only_so_many_second_looks_and_they_wait_behind_what_is_urgent(tmp_path: Path) -> None:
    running = serve(tmp_path, analyse_ended="off", workers=0)
    try:
        with httpx.Client(base_url=running.address, timeout=PATIENCE_S) as client:
            states = []
            for seed in range(4, 5 + MAX_OF_GUEST):
                key, _ = imported(running, client, seed)
                states.append(client.post(f"/review/{key.match_id}/deepening", data={"which": "doubtful", "plies": ""}))
            assert [one.status_code for one in states] == [202] * MAX_OF_GUEST + [429]
            running.call(add(running.services.store, job("ben", "ben", Priority.QUICK_OF_GUESTS)))
            assert running.call(_take(running.services.store, "first")).kind == "analysis"
    finally:
        running.stop()
