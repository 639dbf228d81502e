"""Challenges over HTTP: who may make, see, accept and withdraw them, who is paired, and what is sent at once."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import httpx
import pytest
from sqlalchemy import select
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from barpoint.server.domain import guests
from barpoint.server.domain.accounts import SESSION_COOKIE
from barpoint.server.live.lobby import MAX_OPEN
from barpoint.server.storage import accounts as account_storage
from barpoint.server.storage import lobby as lobby_storage
from barpoint.server.storage.schema.matches import MATCH
from tests.support.accounts import register, serving
from tests.support.serving import Served


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path) as running:
        yield running


@contextmanager
def listening(served: Served, http: httpx.Client, part: str = "lobby") -> Iterator[ClientConnection]:
    """The live connection of the user with these cookies."""
    cookies = "; ".join(f"{name}={value}" for name, value in http.cookies.items())
    where = f"{served.address.replace('http', 'ws')}/ws/lobby?part={part}"
    with connect(where, additional_headers={"Cookie": cookies}) as link:
        yield link


def hear(link: ClientConnection, *texts: str) -> str:
    """The first fragment that has all these texts."""
    while True:
        message = json.loads(link.recv(timeout=60))
        if message["say"] == "part" and all(text in message["html"] for text in texts):
            found: str = message["html"]
            return found


def challenge(http: httpx.Client, **fields: str) -> httpx.Response:
    return http.post("/match", data={"opponent": "lobby", "length": "3", "cube": "1", **fields})


def offered(html: str, verb: str = "accept") -> list[str]:
    return re.findall(rf"/lobby/([\w-]+)/{verb}", html)


def test_a_challenge_is_seen_taken_and_becomes_a_match_with_all_it_said(
    served: Served, http: httpx.Client, other: httpx.Client
) -> None:
    register(http, "Anna")
    register(other, "Berta")
    with listening(served, http) as anna, listening(served, other) as berta:
        answer = challenge(http, variant="roll-over", length="7", time_control="Fast", rated="1")
        assert answer.headers["location"] == "/lobby"
        seen = hear(berta, "Anna", "Roll-Over: 7 points, cube", "Fast clock, rated")
        hear(anna, "Withdraw")
        taken = other.post(f"/lobby/{offered(seen)[0]}/accept", data={"x": ""})
        where = taken.headers["location"]
        while True:
            message = json.loads(anna.recv(timeout=60))
            if message["say"] == "go":
                break
        assert message["to"] == where
    header = served.call(served.services.matches.live_match(where.rpartition("/")[2])).header
    assert (header.rules.name, header.terms.length, header.time_control, header.rated) == ("roll-over", 7, "Fast", True)
    assert {seat.name for seat in header.seats} == {"Anna", "Berta"}
    assert header.complete


def test_guests_play_casual_matches_and_no_others(served: Served, http: httpx.Client, other: httpx.Client) -> None:
    refused = challenge(http, rated="1")
    assert refused.status_code == 422
    assert "for players with an account" in refused.text
    assert guests.COOKIE not in http.cookies
    assert challenge(http).status_code == 303
    with listening(served, http):
        register(other, "Carl")
        with listening(served, other) as carl:
            hear(carl, "(guest)")
            challenge(other, rated="1", length="5")
            challenge(other, fee="10", length="5")
            mine = hear(carl, "5 points, cube, rated", "entry fee 10 tickets")
            for one in offered(mine, "withdraw"):
                assert http.post(f"/lobby/{one}/accept", data={"x": ""}).status_code == 409
        assert "Log in to play" in http.get("/lobby").text


def arrive(served: Served) -> None:
    """Every player joins their match, so that it begins; nobody gives a seed for the dice."""
    adjournments, store = served.services.adjournments, served.services.store
    for match_id in served.call(store.read(lambda c: list(c.scalars(select(MATCH.c.id).where(MATCH.c.seq == 0))))):
        for seat in (0, 1):
            served.call(adjournments.commit_to_seed(match_id, seat, None))


def test_a_challenge_is_taken_once_however_many_press_at_the_same_time(served: Served, http: httpx.Client) -> None:
    register(http, "Dirk")
    with listening(served, http):
        challenge(http)
        one = offered(http.get("/lobby").text, "withdraw")[0]

        def take(_: int) -> int:
            with httpx.Client(base_url=served.address, timeout=60) as somebody:
                return somebody.post(f"/lobby/{one}/accept", data={"x": ""}).status_code

        with ThreadPoolExecutor(6) as people:
            assert sorted(people.map(take, range(6))) == [303] + [409] * 5
    arrive(served)
    mine = served.call(served.services.store.read(lambda c: lobby_storage.matches_running(c, 0, 10)))
    assert len(mine) == 1


def test_nobody_takes_their_own_challenge_or_one_that_was_withdrawn(http: httpx.Client, other: httpx.Client) -> None:
    register(http, "Emma")
    challenge(http)
    one = offered(http.get("/lobby").text, "withdraw")[0]
    assert "your own challenge" in http.post(f"/lobby/{one}/accept", data={"x": ""}).text
    assert other.post(f"/lobby/{one}/withdraw", data={"x": ""}).status_code == 403
    challenge(other)
    other.post(f"/lobby/{one}/withdraw", data={"x": ""})
    assert offered(http.get("/lobby").text, "withdraw") == [one], "nobody else withdraws it"
    http.post(f"/lobby/{one}/withdraw", data={"x": ""})
    assert other.post(f"/lobby/{one}/accept", data={"x": ""}).status_code == 409
    assert other.post("/lobby/nothing' OR 1=1 --/accept", data={"x": ""}).status_code == 409


def test_open_challenges_are_bounded(http: httpx.Client) -> None:
    register(http, "Fritz")
    for length in range(1, MAX_OPEN + 1):
        assert challenge(http, length=str(length)).status_code == 303
    answer = challenge(http, length="9")
    assert answer.status_code == 422
    assert "withdraw one first" in answer.text


def test_quick_pairing_brings_two_together_who_want_the_same(
    served: Served, http: httpx.Client, other: httpx.Client
) -> None:
    register(http, "Gina")
    register(other, "Heidi")
    wanted = {"variant": "backgammon", "length": "5", "time_control": "Normal", "cube": "1", "rated": "1"}
    with listening(served, http) as gina:
        assert http.post("/lobby/pair", data=wanted).headers["location"] == "/lobby"
        hear(gina, "Withdraw")
        assert http.post("/lobby/pair", data=wanted).headers["location"] == "/lobby"
        assert len(offered(http.get("/lobby").text, "withdraw")) == 1, "asking twice waits once"
        assert other.post("/lobby/pair", data={**wanted, "length": "7"}).headers["location"] == "/lobby"
        where = other.post("/lobby/pair", data=wanted).headers["location"]
    header = served.call(served.services.matches.live_match(where.rpartition("/")[2])).header
    assert {seat.name for seat in header.seats} == {"Gina", "Heidi"}
    assert (header.terms.length, header.time_control, header.rated) == (5, "Normal", True)


def test_a_crowd_that_asks_at_the_same_instant_is_paired_and_nobody_sits_twice(served: Served) -> None:
    def ask(number: int) -> str:
        with httpx.Client(base_url=served.address, timeout=60) as somebody:
            somebody.post("/name", data={"name": f"Visitor {number}"})
            with listening(served, somebody) as link:
                hear(link, f"Visitor {number}")
                somebody.post("/lobby/pair", data={"variant": "nackgammon", "length": "1"})
                while True:
                    message = json.loads(link.recv(timeout=60))
                    if message["say"] == "go" or "Go on playing" in message["html"]:
                        return "seated"

    with ThreadPoolExecutor(6) as people:
        assert list(people.map(ask, range(6))) == ["seated"] * 6
    arrive(served)
    running = served.call(served.services.store.read(lambda c: lobby_storage.matches_running(c, 0, 10)))
    seated = [one for going in running for one in going.guests]
    assert len(running) == 3
    assert len(set(seated)) == 6


def test_who_blocks_somebody_does_not_meet_him(served: Served, http: httpx.Client, other: httpx.Client) -> None:
    register(http, "Inge")
    register(other, "Jens")
    store = served.services.store
    inge, jens = (
        served.call(store.read(partial(account_storage.find_account, name=name))) for name in ("inge", "jens")
    )
    assert inge is not None
    assert jens is not None
    challenge(http)
    with listening(served, http) as link:
        hear(link, "Inge</a></li>")
        one = offered(http.get("/lobby").text, "withdraw")[0]
        for by, about in ((inge.id, jens.id), (jens.id, inge.id)):
            served.call(store.write(partial(lobby_storage.put_block, guest_id=by, other_id=about, now=0)))
            assert offered(other.get("/lobby").text) == []
            assert other.post(f"/lobby/{one}/accept", data={"x": ""}).status_code == 409
            served.call(store.write(partial(lobby_storage.remove_block, guest_id=by, other_id=about)))
            assert offered(other.get("/lobby").text) == [one]
    assert other.post(f"/lobby/{one}/accept", data={"x": ""}).status_code == 303


def test_a_rated_match_by_link_asks_a_guest_to_log_in(served: Served, http: httpx.Client, other: httpx.Client) -> None:
    register(http, "Kurt")
    where = http.post("/match", data={"opponent": "friend", "length": "3", "rated": "1"}).headers["location"]
    link = re.search(r"/join/[\w-]+", http.get(where).text)
    assert link
    assert "Log in to play" in other.get(link[0]).text
    assert other.post(link[0], data={"x": ""}).headers["location"] == f"/login?back={link[0]}"
    register(other, "Lars")
    assert other.post(link[0], data={"x": ""}).headers["location"] == where


def test_running_matches_are_listed_to_watch_and_own_ones_to_go_on_with(
    served: Served, http: httpx.Client, other: httpx.Client
) -> None:
    register(http, "Mara")
    where = http.post("/match", data={"opponent": "bot", "level": "easy", "length": "3"}).headers["location"]
    assert f'href="{where}"' in http.get("/matches").text
    arrive(served)
    assert f'href="{where}"' in http.get("/lobby").text
    with listening(served, other, "watch") as link:
        hear(link, where, "Mara")
    assert f'href="{where}"' not in other.get("/matches").text
    assert other.get("/matches?page=<script>").status_code == 200


def test_the_live_connection_is_for_pages_of_this_server(served: Served, http: httpx.Client) -> None:
    where = f"{served.address.replace('http', 'ws')}/ws/lobby"
    for address, origin in ((where, "http://elsewhere.example"), (where, "null"), (f"{where}?part=../x", None)):
        with pytest.raises(Exception, match=r"403|1008"), connect(address, origin=origin) as link:  # type: ignore[arg-type]
            link.recv(timeout=30)


def test_the_live_connection_answers_whoever_asks_whether_it_is_there(served: Served, http: httpx.Client) -> None:
    with listening(served, http) as link:
        hear(link, "Open challenges")
        link.send('{"do":"ping"}')
        assert json.loads(link.recv(timeout=60)) == {"say": "pong"}


def test_a_live_connection_ends_with_the_session(served: Served, http: httpx.Client, other: httpx.Client) -> None:
    register(http, "Nils")
    other.cookies.set(SESSION_COOKIE, http.cookies[SESSION_COOKIE])
    with listening(served, other) as link:
        hear(link, "Nils")
        http.post("/logout", data={"x": ""})
        with pytest.raises(ConnectionClosed):
            hear(link, "what is never said")


def test_names_in_the_lobby_are_text(served: Served, http: httpx.Client, other: httpx.Client) -> None:
    http.post("/name", data={"name": "<b>Otto</b>'\""})
    challenge(http)
    with listening(served, http):
        with listening(served, other) as link:
            html = hear(link, "Otto", "accept")
        assert "<b>Otto" not in html
        assert "&lt;b&gt;Otto" in html


def test_a_preset_looks_for_an_opponent_with_one_press_and_is_kept(served: Served, http: httpx.Client) -> None:
    register(http, "Anna")
    fields = {"variant": "backgammon", "length": "3", "time_control": "Normal", "cube": "1", "rated": "1"}
    assert http.post("/lobby/pair", data={**fields, "preset": "0"}).headers["location"] == "/lobby"
    page = http.get("/lobby").text
    assert "Backgammon: 1 point, Fast clock, rated" in page
    assert '<option value="1" selected>' in page
    assert '<option value="Fast" selected>' in page


def test_a_match_that_was_found_here_leads_to_another_opponent_on_the_same_terms(
    served: Served, http: httpx.Client, other: httpx.Client
) -> None:
    register(http, "Anna")
    register(other, "Berta")
    with listening(served, http) as anna, listening(served, other) as berta:
        challenge(http, length="7", time_control="Fast")
        seen = hear(berta, "Anna", "7 points")
        hear(anna, "Withdraw")
        where = other.post(f"/lobby/{offered(seen)[0]}/accept", data={"x": ""}).headers["location"]
    assert "New opponent, same settings" in http.get(where).text
    assert http.post(f"{where}/again", data={"x": ""}).headers["location"] == "/lobby"
    assert "Backgammon: 7 points, cube" in http.get("/lobby").text
    with httpx.Client(base_url=served.address) as stranger:
        assert stranger.post(f"{where}/again", data={"x": ""}).status_code == 403
    friends = http.post("/match", data={"opponent": "friend", "length": "3"}).headers["location"]
    assert "New opponent" not in http.get(friends).text


def test_matches_to_watch_have_a_picture_and_those_in_the_lobby_do_not(
    served: Served, http: httpx.Client, other: httpx.Client
) -> None:
    where = http.post("/match", data={"opponent": "bot", "length": "3", "cube": "1"}).headers["location"]
    arrive(served)
    page = other.get("/watch").text
    picture = re.findall(rf'src="({where}/board.svg[^"]*)"', page)
    assert len(picture) == 1
    drawn = other.get(picture[0])
    assert drawn.headers["content-type"] == "image/svg+xml"
    assert len(drawn.content) < 4000
    assert "board.svg" not in other.get("/lobby").text
