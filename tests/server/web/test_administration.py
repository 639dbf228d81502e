"""Administration in the browser: who may, what is shown, what is done and recorded."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from barpoint.server.live.administration import Admin
from barpoint.server.protocol.matches import PROTOCOL
from tests.support.accounts import login, register, serving
from tests.support.machine import PATIENCE_S
from tests.support.played import play_match
from tests.support.serving import Served


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path) as running:
        yield running


def browser(served: Served, name: str) -> httpx.Client:
    client = served.guests.enter_context(httpx.Client(base_url=served.address, timeout=60))
    register(client, name)
    return client


@pytest.fixture
def anna(served: Served) -> httpx.Client:
    """The browser of an administrator."""
    client = browser(served, "Anna")
    services = served.services
    served.call(Admin("", services.matches.clock(), services.store).make_administrator("Anna", True))
    return client


def do(http: httpx.Client, action: str, **fields: str) -> httpx.Response:
    return http.post(f"/admin/{action}", data={"sure": "1", **fields})


def recorded(http: httpx.Client) -> list[str]:
    """What administrators did, the latest first."""
    found = re.findall(r"<li><time>[^<]*</time> (.*?)</li>", http.get("/admin").text)
    return [re.sub(r"<[^>]*>", "", one) for one in found]


def test_only_administrators_find_the_pages(served: Served, anna: httpx.Client) -> None:
    ben = browser(served, "Benedict")
    for path in ("/admin", "/admin/account?name=Anna"):
        assert anna.get(path).status_code == 200
        assert ben.get(path).status_code == 404
        assert httpx.get(f"{served.address}{path}").status_code == 404
    assert do(ben, "ban", name="Anna").status_code == 404
    assert 'href="/admin"' in anna.get("/account").text
    assert 'href="/admin"' not in ben.get("/account").text
    assert anna.get("/admin/account?name=Nobody").status_code == 404


def test_an_account_is_banned_opened_again_and_given_a_new_password_and_tickets(
    served: Served, anna: httpx.Client
) -> None:
    ben = browser(served, "Benedict")
    asked = anna.post("/admin/ban", data={"name": "Benedict", "reason": "<b>rude"})
    assert "Ban the account?" in asked.text
    assert "cannot be undone" not in asked.text, "it can be opened again"
    assert ben.get("/account").status_code == 200, "nothing has happened yet"
    assert do(anna, "ban", name="Benedict", reason="<b>rude").headers["location"] == "/admin/account?name=Benedict"
    assert "&lt;b&gt;rude" in anna.get("/admin/account?name=Benedict").text
    assert "rude" in login(ben, "Benedict").text
    profile = anna.get("/player/Benedict").text
    assert "This account is closed." in profile
    assert 'id="challenge"' not in profile
    do(anna, "unban", name="Benedict")
    shown = re.search(r"<code>([^<]+)</code>", do(anna, "reset", name="Benedict").text)
    assert shown
    assert login(ben, "Benedict", shown[1]).status_code == 303
    assert do(anna, "grant", name="Benedict", tickets="0").status_code == 409
    assert do(anna, "grant", name="Benedict", tickets="5").status_code == 303
    assert do(anna, "ban", name="anna").status_code == 409, "nobody bans themself"
    assert recorded(anna) == [
        "Benedict tickets given (5) by Anna",
        "Benedict new password by Anna",
        "Benedict opened again by Anna",
        "Benedict banned (&lt;b&gt;rude) by Anna",
        "Anna made administrator on the command line",
    ]


def test_reports_are_closed_and_matches_voided(served: Served, anna: httpx.Client) -> None:
    ben = browser(served, "Benedict")
    match_id = served.call(play_match(served.services, "backgammon", events=9))
    opened = ben.post("/match", data={"opponent": "friend", "length": "1"}).headers["location"]
    link = re.search(r"/join/[^\"/]+", ben.get(opened).text)
    assert link
    karla = browser(served, "Karla")
    karla.post(link[0], data={"x": ""})
    karla.post(f"{opened}/report", data={"text": "They <i>swore"})
    page = anna.get("/admin").text
    assert "They &lt;i&gt;swore" in page
    assert match_id in page
    assert "barpoint_events_total" in page
    number = re.search(r'name="report" value="(\d+)"', page)
    assert number
    assert do(anna, "close", report=number[1]).status_code == 303
    assert do(anna, "close", report=number[1]).status_code == 409
    assert "swore" not in anna.get("/admin").text
    asked = anna.post("/admin/void", data={"match": match_id}).text
    assert "Void the match?" in asked
    assert "cannot be undone" in asked
    assert do(anna, "void", match=match_id).status_code == 303
    assert do(anna, "void", match=match_id).status_code == 409
    assert served.call(served.services.matches.live_match(match_id)).match.over
    assert recorded(anna)[:2] == [f"{match_id} match voided by Anna", f"report {number[1]} report closed by Anna"]
    assert do(anna, "fly").status_code == 404


def test_a_banned_player_at_a_board_reads_why_and_their_opponent_sees_them_away(
    served: Served, anna: httpx.Client
) -> None:
    ben, karla = browser(served, "Benedict"), browser(served, "Karla")
    where = ben.post("/match", data={"opponent": "friend", "length": "1"}).headers["location"]
    karla.post(re.findall(r"/join/[\w-]+", ben.get(where).text)[0], data={"x": ""})
    with at(served, ben, where) as bens, at(served, karla, where) as karlas:
        until(karlas, lambda said: said["say"] == "state" and said["presence"]["far"]["here"])
        do(anna, "ban", name="Benedict", reason="rude")
        until(karlas, lambda said: said["say"] == "state" and not said["presence"]["far"]["here"])
        with pytest.raises(ConnectionClosed):
            until(bens, lambda _: False)
    with at(served, ben, where) as bens:
        told = until(bens, lambda said: said["say"] == "refused")
        assert (told["code"], told["message"]) == ("closed", "This account has been closed by an administrator: rude.")
        assert until(bens, lambda said: said["say"] == "state")["seat"] is None


@contextmanager
def at(served: Served, http: httpx.Client, where: str) -> Iterator[ClientConnection]:
    """A connection to the board of a match that has joined."""
    cookie = "; ".join(f"{name}={value}" for name, value in http.cookies.items())
    address = f"{served.address.replace('http', 'ws')}/ws{where}"
    with connect(address, additional_headers={"Cookie": cookie}) as socket:
        socket.send(json.dumps({"do": "join", "protocol": PROTOCOL}))
        yield socket


def until(socket: ClientConnection, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The first message that is wanted."""
    while not wanted(said := json.loads(socket.recv(timeout=PATIENCE_S))):
        pass
    return cast(dict[str, Any], said)
