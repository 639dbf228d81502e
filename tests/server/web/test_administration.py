"""Administration in the browser: who may, what is shown, what is done and recorded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from barpoint.server.live.administration import Admin
from tests.support.accounts import login, register, serving
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
    assert ben.get("/account").status_code == 200, "nothing has happened yet"
    assert do(anna, "ban", name="Benedict", reason="<b>rude").headers["location"] == "/admin/account?name=Benedict"
    assert "&lt;b&gt;rude" in anna.get("/admin/account?name=Benedict").text
    assert "rude" in login(ben, "Benedict").text
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
    assert "Void the match?" in anna.post("/admin/void", data={"match": match_id}).text
    assert do(anna, "void", match=match_id).status_code == 303
    assert do(anna, "void", match=match_id).status_code == 409
    assert served.call(served.services.matches.live_match(match_id)).match.over
    assert recorded(anna)[:2] == [f"{match_id} match voided by Anna", f"report {number[1]} report closed by Anna"]
    assert do(anna, "fly").status_code == 404
