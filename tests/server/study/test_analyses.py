"""Analyses on the server: only of finished matches, one at a time, stored, and without slowing play."""

from __future__ import annotations

import asyncio
import gzip
import os
import re
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import httpx
import msgspec
import pytest

from barpoint.analysis import Report, Study
from barpoint.analysis.worker import analysed
from barpoint.game import Accept, Opening, PlayMade, Resign
from barpoint.match import Match, MatchTerms
from barpoint.moves import legal_plays
from barpoint.server.domain.accounts import Account
from barpoint.server.domain.agreements import Agreement
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.jobs import LEFT_BEHIND_AFTER_MS, Job, Priority
from barpoint.server.live.match_transactions import new_header
from barpoint.server.live.matches import seat_for
from barpoint.server.storage import accounts as account_storage
from barpoint.server.storage import jobs as job_storage
from barpoint.server.storage.analyses import Key
from barpoint.server.study.analyses import Analyses, AnalysisState, decisions_of, summary_of
from barpoint.server.study.jobs import Jobs
from barpoint.server.study.workers import Workers
from barpoint.variants import variant
from tests.record.test_mat import MATCH
from tests.support.jobs import left, studying, until_empty
from tests.support.live_server import ANNA, BEN, Clock, opened, seated
from tests.support.machine import PATIENCE_S
from tests.support.played import play_match
from tests.support.serving import Served, serve


async def until_done(asked: Analyses, key: Key) -> None:
    while (await asked.state(key)).state not in ("done", "none"):
        await asyncio.sleep(0.02)


@pytest.mark.parametrize("name", ["duodecagammon", "tavli"])
def test_a_finished_match_is_analysed_kept_and_read_by_everybody(served: Served, http: httpx.Client, name: str) -> None:
    match_id = served.call(play_match(served.services, name))
    live_match = served.call(served.services.matches.live_match(match_id))
    address = f"/match/{match_id}/analysis"
    assert http.get(f"{address}.json?plies=0").json() == {"state": "none", "done": 0, "events": 0, "ahead": 0}
    asked = http.post(address, data={"plies": "0"})
    assert asked.status_code == 202
    assert asked.json()["state"] in ("waiting", "running")
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


async def test_an_analysis_that_is_finished_while_somebody_asks_for_it_is_a_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look for its report and the look for its job; whoever gets "done" takes it for the report."""
    async with (
        seated(tmp_path) as driven,
        studying(driven.matches.store, driven.clock) as (asked, _),
    ):
        await driven.do(Resign(0, 1), 0)
        await driven.do(Accept(1), 1)
        match = finished()
        key = asked.key(driven.id, match.rules, 0)
        report = asked.report
        early: list[bytes | None] = []

        async def finished_just_now(key: Key) -> bytes | None:
            found = await report(key)
            if not early:
                early.append(found)
                await asked.ask(key, match, "anna")
                await until_done(asked, key)
            return found

        monkeypatch.setattr(asked, "report", finished_just_now)
        packed = await asked.report_or_state(key)
        assert early == [None]
        assert isinstance(packed, bytes)
        assert msgspec.json.decode(gzip.decompress(packed), type=Report).complete
        monkeypatch.undo()
        assert await asked.report_or_state(key) == packed
        assert await asked.report_or_state(replace(key, plies=1)) == AnalysisState("none")


async def test_a_new_net_hides_no_report_of_an_older_one_until_it_makes_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with seated(tmp_path) as driven, studying(driven.matches.store, driven.clock) as (asked, _):
        await driven.do(Resign(0, 1), 0)
        await driven.do(Accept(1), 1)
        match = finished()
        old = asked.key(driven.id, match.rules, 0)
        await asked.ask(old, match, "anna")
        await until_done(asked, old)
        before = await asked.report_or_state(old)
        new = replace(old, net="a net of tomorrow")
        assert await asked.report_or_state(new) == before
        assert await asked.report_or_state(replace(new, plies=1)) == AnalysisState("none"), "no other depth"
        monkeypatch.setattr("barpoint.server.study.analyses.required_net", lambda rules: new.net)
        state = await asked.ask(new, match, "anna")
        assert await asked.report_or_state(new) == state == AnalysisState("waiting"), "a new one is asked for"


async def test_an_analysis_by_a_net_that_is_gone_is_done_by_the_present_one(tmp_path: Path) -> None:
    async with seated(tmp_path) as driven:
        await driven.do(Resign(0, 1), 0)
        await driven.do(Accept(1), 1)
        key = Key(driven.id, "a net of yesterday", 0)
        left_behind = Job("analysis", "", key.net, msgspec.json.encode(key), "anna", Priority.DEEP)
        await driven.matches.store.write(job_storage.put, left_behind, driven.clock.now)
        driven.clock.now += LEFT_BEHIND_AFTER_MS + 1
        async with studying(driven.matches.store, driven.clock) as (asked, _):
            present = asked.key(driven.id, variant("backgammon"), 0)
            async with asyncio.timeout(PATIENCE_S):
                while (await asked.state(present)).state != "done":
                    await asyncio.sleep(0.02)
        assert await left(driven.matches.store) == []


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


def finished() -> Match:
    """A match resigned after its first roll."""
    return Match.start(1).apply(Opening((3, 1))).apply(Resign(0, 1)).apply(Accept(1))


@pytest.mark.usefixtures("each_database")
async def test_an_analysis_that_fails_is_forgotten_and_can_be_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with (
        seated(tmp_path) as driven,
        studying(driven.matches.store, driven.clock) as (asked, _),
    ):
        match = finished()
        key = asked.key(driven.id, match.rules, 0)
        with monkeypatch.context() as patch:
            patch.setattr(sys, "executable", "/bin/false")
            await asked.ask(key, match, "anna")
            await until_empty(driven.matches.store)
        assert await asked.state(key) == AnalysisState("none")
        await driven.do(Resign(0, 1), 0)
        await driven.do(Accept(1), 1)
        await asked.ask(key, match, "anna")
        await until_done(asked, key)
        packed = await asked.report(key)
        assert packed is not None
        report = msgspec.json.decode(gzip.decompress(packed), type=Report)
        assert [one.kind for one in report.decisions] == ["resign", "accept"]
        events = len((await driven.match()).events)
        assert await asked.ask(key, match, "anna") == AnalysisState("done", events, events), "it is there already"


async def test_a_server_that_stops_leaves_no_process_behind(tmp_path: Path) -> None:
    async with seated(tmp_path) as driven:
        children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
        before = children.read_text()
        async with studying(driven.matches.store, driven.clock) as (asked, _):
            key = asked.key(driven.id, variant("backgammon"), 2)
            await asked.ask(key, finished(), "anna")
            async with asyncio.timeout(PATIENCE_S):
                while children.read_text() == before:
                    await asyncio.sleep(0.01)
        assert children.read_text() == before
        assert await left(driven.matches.store) == [f"match/{key.match_id}/{key.net}/2"], "another one will do it"


def test_a_worker_makes_of_a_report_what_the_server_would() -> None:
    match = Match.start(1).apply(Opening((3, 1)))
    match = match.apply(PlayMade(0, legal_plays(match.rules, match.game.position, (3, 1))[0].moves))
    study = Study(match, plies=0)
    assert list(study) == [1, 2]
    result = analysed(study)
    report = gzip.decompress(result.report)
    assert msgspec.json.decode(report, type=Report) == study.report()
    assert result.events == 2
    assert msgspec.json.decode(result.summary) == msgspec.json.decode(summary_of(match, report))
    assert result.decisions == decisions_of(match, report)


def test_a_match_that_ends_is_analysed_without_being_asked_for(tmp_path: Path) -> None:
    running = serve(tmp_path, analyse_ended="quick")
    try:
        analyses = running.services.analyses
        match_id = running.call(play_match(running.services, "backgammon"))
        key = analyses.key(match_id, variant("backgammon"), 0)
        running.call(until_done(analyses, key))
        with httpx.Client(base_url=running.address, timeout=PATIENCE_S) as client:
            report = msgspec.json.decode(client.get(f"/match/{match_id}/analysis.json?plies=0").content, type=Report)
            assert report.complete
            assert client.get(f"/match/{match_id}/analysis.json?plies=2").json()["state"] == "none", "that is deep"
    finally:
        running.stop()


def test_an_imported_match_is_analysed_without_being_asked_for(tmp_path: Path) -> None:
    running = serve(tmp_path, analyse_ended="quick")
    try:
        with httpx.Client(base_url=running.address, timeout=PATIENCE_S) as client:
            address = client.post("/review", files={"file": ("a.mat", MATCH.encode())}).headers["location"]
            key = running.services.analyses.key(address.split("/")[2], variant("backgammon"), 0, "review")
            running.call(until_done(running.services.analyses, key))
            path = address.removesuffix("/replay")
            assert msgspec.json.decode(client.get(f"{path}/analysis.json?plies=0").content, type=Report).complete
            client.post("/review", files={"file": ("a.mat", MATCH.encode())})
            assert running.call(left(running.services.store)) == [], "the same file is not analysed again"
    finally:
        running.stop()


def test_the_match_that_somebody_opens_or_has_analysed_goes_before_their_other_imports(tmp_path: Path) -> None:
    running = serve(tmp_path, analyse_ended="deep", workers=0)
    try:
        with httpx.Client(base_url=running.address, timeout=PATIENCE_S) as client:
            opponents = ("Ben", "Cleo", "Dora", "Emil")
            files = [("file", (f"{name}.mat", MATCH.replace("Ben", name).encode())) for name in opponents]
            addresses = re.findall(r'"(/review/[^/"]+)/replay"', client.post("/review", files=files).text)
            paths = list(dict.fromkeys(addresses))[: len(opponents)]

            def ahead(plies: int) -> list[int]:
                return [client.get(f"{path}/analysis.json?plies={plies}").json()["ahead"] for path in paths]

            assert (ahead(0), ahead(2)) == ([0, 1, 2, 3], [4, 5, 6, 7])
            client.get(f"{paths[3]}/replay")
            assert (ahead(0), ahead(2)) == ([1, 2, 3, 0], [5, 6, 7, 4])
            with httpx.Client(base_url=running.address, timeout=PATIENCE_S) as stranger:
                stranger.get(f"{paths[2]}/replay")
            assert ahead(0) == [1, 2, 3, 0], "who has only the link puts nothing off"
            for path in paths[:3]:
                client.post(f"{path}/analysis", data={"plies": "2"})
            assert [ahead(2)[0], ahead(2)[1]] == [1, 0], "the last one that was asked for first"
    finally:
        running.stop()


@pytest.mark.usefixtures("each_database")
@pytest.mark.parametrize("depths", [(), (0,), (0, 2)])
async def test_which_jobs_a_match_leaves_when_it_ends(tmp_path: Path, depths: tuple[int, ...]) -> None:
    async with seated(tmp_path, length=1) as driven:
        matches = driven.matches
        asked = Analyses(
            matches.store, driven.clock, Jobs(matches.store, driven.clock, Workers(matches.store, driven.clock, 0))
        )
        matches.at_end.append(partial(asked.ask_at_end, depths))
        await driven.turn()
        assert await left(matches.store) == [], "it is not over"
        player = (await driven.match()).game.player
        await driven.do(Resign(player, 3), player)
        await driven.do(Accept(1 - player), 1 - player)
        assert (await driven.match()).over
        keys = [asked.key(driven.id, variant("backgammon"), deep) for deep in depths]
        assert await left(matches.store) == [f"match/{key.match_id}/{key.net}/{key.plies}" for key in keys]
        assert [(await asked.state(key)).state for key in keys] == ["waiting"] * len(keys)


@pytest.mark.usefixtures("each_database")
async def test_matches_of_accounts_go_before_those_of_guests_and_those_of_bots_are_left_out(tmp_path: Path) -> None:
    async with opened(tmp_path) as matches:
        store, clock = matches.store, Clock()
        asked = Analyses(store, clock, Jobs(store, clock, Workers(store, clock, 0)))
        account = Account("ben", "Ben", "hash")
        await store.write(account_storage.put_account, account, [])
        match = Match.start(1).apply(Opening((3, 1)))
        match = match.apply(PlayMade(0, legal_plays(match.rules, match.game.position, (3, 1))[0].moves))
        bot, program = seat_for(None, name="Bot", level="easy"), seat_for(Guest("bot", "Program", bot=True))
        people = {
            "of guests": (seat_for(ANNA), bot),
            "of accounts": (seat_for(ANNA), seat_for(BEN)),
            "of bots": (program, bot),
        }
        for name, seats in people.items():
            header = replace(new_header(Agreement(variant("backgammon"), MatchTerms(length=1)), seats, 0), id=name)
            await store.write(partial(asked.ask_at_end, (0, 2)), header, match)
            unplayed = replace(header, id=f"{name}, unplayed")
            await store.write(partial(asked.ask_at_end, (0, 2)), unplayed, Match.start(1))
        net, taken = asked.key("", variant("backgammon"), 0).net, []
        while job := await store.write(job_storage.take, "worker", [net], clock.now, clock.now + 1):
            taken.append(job.subject)
        names = ("of accounts", 0), ("of guests", 0), ("of accounts", 2), ("of guests", 2)
        assert taken == [f"match/{name}/{net}/{deep}" for name, deep in names]
