"""Players without an account in tournaments of clubs, over HTTP: entered, reported, confirmed, and what is refused."""

from __future__ import annotations

import re
from collections.abc import Iterator

import httpx
import pytest

from tests.server.web.test_clubs import TOURNAMENT, browsing, do, founded
from tests.support.serving import Served

SERVED = {"sweep_ms": 20}
EVENING = {**TOURNAMENT, "form": "robin", "max_players": "8", "boards": "1"}


@pytest.fixture(scope="module")
def anna(served: Served) -> Iterator[httpx.Client]:
    with browsing(served, "Anna") as client:
        yield client


@pytest.fixture(scope="module")
def ben(served: Served) -> Iterator[httpx.Client]:
    with browsing(served, "Benedict") as client:
        yield client


def announced(http: httpx.Client, **fields: str) -> str:
    """The path of a tournament of a new club."""
    club = founded(http).removeprefix("/clubs/")
    answer = http.post(f"/tournaments/new?club={club}", data={**EVENING, **fields})
    assert answer.status_code == 303, re.findall(r'role="alert">([^<]*)', answer.text)
    return answer.headers["location"]


def test_a_walk_in_is_entered_plays_at_a_real_board_and_the_director_confirms(
    anna: httpx.Client, ben: httpx.Client
) -> None:
    path = announced(anna)
    assert 'name="walk_in"' in anna.get(path).text
    assert f'action="{path}/enter"' not in ben.get(path).text
    assert do(ben, path, "enter", name="Benedict").status_code == 403, "a player directs nothing"
    assert do(anna, path, "enter", name="benedict").status_code == 303
    assert do(anna, path, "enter", name="<b>Zoe", walk_in="1").status_code == 303
    page = ben.get(path).text
    assert "You have entered." in page
    assert "<li>&lt;b&gt;Zoe</li>" in page, "no link, and no program"
    log = ben.get(f"{path}/log").text
    assert len(re.findall(r'entered</span> <span class="quiet">by Anna</span>', log)) == 2
    assert do(anna, path, "begin").status_code == 303
    page = ben.get(path).text
    assert "You play <b>&lt;b&gt;Zoe</b>, who has no account here, at a real board" in page
    assert "at a real board</span>" in page
    assert "&lt;b&gt;Zoe" in ben.get(f"{path}/screen").text
    lost = re.search(r'name="result" value="(\d+ walk-in:1)"', page)
    assert lost
    assert do(ben, path, "report", result=lost[1]).status_code == 303
    assert "You have reported that &lt;b&gt;Zoe won. It counts when the director confirms it." in ben.get(path).text
    assert "Benedict reports that &lt;b&gt;Zoe won. You confirm it" in anna.get(path).text
    assert do(ben, path, "decide", result=lost[1]).status_code == 403
    assert do(anna, path, "decide", result=lost[1]).status_code == 303
    assert "<b>&lt;b&gt;Zoe</b> won" in ben.get(path).text
    assert "1,<b>Zoe,1,0,0,0,1,Benedict" in ben.get(f"{path}/standings.csv").text


def test_what_a_director_cannot_enter_is_said_on_the_page(anna: httpx.Client, ben: httpx.Client) -> None:
    path = announced(anna)
    assert "No account is called &#39;Nobody&#39;; allowed:" in do(anna, path, "enter", name="Nobody").text
    assert do(anna, path, "enter", name="Benedict").status_code == 303
    assert "Benedict has entered already." in do(anna, path, "enter", name="Benedict").text
    assert do(ben, path, "leave").status_code == 303, "who was entered withdraws as usual"
    assert do(anna, path, "enter", name="Zoe", walk_in="1").status_code == 303
    assert do(anna, path, "remove", player="walk-in:1").status_code == 303
    assert "0 of 8 places taken" in anna.get(path).text
    assert "is the name of an account" in do(anna, path, "enter", name="Benedict", walk_in="1").text
