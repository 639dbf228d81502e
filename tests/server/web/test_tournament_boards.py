"""Players without an account in tournaments of clubs, over HTTP: entered, reported, confirmed, and what is refused."""

from __future__ import annotations

import re
from collections.abc import Iterator

import httpx
import pytest

from tests.server.web.test_clubs import TOURNAMENT, do, founded
from tests.support.accounts import browser_of
from tests.support.serving import Served

SERVED = {"scheduler_ms": 20}
EVENING = {**TOURNAMENT, "length": "5", "form": "robin", "max_players": "8", "boards": "1"}


@pytest.fixture(scope="module")
def anna(served: Served) -> Iterator[httpx.Client]:
    with browser_of(served, "Anna") as client:
        yield client


@pytest.fixture(scope="module")
def ben(served: Served) -> Iterator[httpx.Client]:
    with browser_of(served, "Benedict") as client:
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
    assert do(ben, path, "enter", names="Benedict").status_code == 403, "a player directs nothing"
    assert do(anna, path, "enter", names="benedict").status_code == 303
    assert do(anna, path, "enter", names="<b>Zoe", walk_in="1").status_code == 303
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
    assert do(ben, path, "report", result=lost[1], score="5 3").status_code == 303
    assert (
        "You have reported that &lt;b&gt;Zoe won. It counts when the director confirms it. Score" in ben.get(path).text
    )
    page = anna.get(path).text
    assert "Benedict reports that &lt;b&gt;Zoe won. You confirm it" in page
    assert 'value="" id="score-0"' in page, "nothing is offered before it is said who won"
    assert 'value="5 : 3"' in anna.post(f"{path}/decide", data={"result": lost[1]}).text, (
        "the director confirms it, too"
    )
    won = re.search(r'name="result" value="(0 [^"]+)">Benedict wins', page)
    assert won
    assert 'placeholder="5 : 3" value=""' in anna.post(f"{path}/decide", data={"result": won[1]}).text, "of the other"
    assert do(ben, path, "decide", result=lost[1]).status_code == 403
    assert do(anna, path, "decide", result=lost[1]).status_code == 303
    assert "<b>&lt;b&gt;Zoe</b> won" in ben.get(path).text
    assert "1,<b>Zoe,1,0,0,0,1,Benedict" in ben.get(f"{path}/standings.csv").text


def test_what_a_director_cannot_enter_is_said_on_the_page(anna: httpx.Client, ben: httpx.Client) -> None:
    path = announced(anna)
    assert "No account is called &#39;Nobody&#39;; allowed:" in do(anna, path, "enter", names="Nobody").text
    assert do(anna, path, "enter", names="Benedict").status_code == 303
    assert "Benedict has entered already." in do(anna, path, "enter", names="Benedict").text
    assert do(ben, path, "leave").status_code == 303, "who was entered withdraws as usual"
    assert do(anna, path, "enter", names="Zoe", walk_in="1").status_code == 303
    assert do(anna, path, "remove", player="walk-in:1").status_code == 303
    assert "0 of 8 places taken" in anna.get(path).text
    assert "is the name of an account" in do(anna, path, "enter", names="Benedict", walk_in="1").text


def open_results(page: str) -> list[str]:
    """The results that the director can choose for matches that are open."""
    form = re.search(r'id="decide".*?</form>', page, re.DOTALL)
    return re.findall(r'<option value="(\d+ [^"]+)"', form[0]) if form else []


def test_a_round_is_paired_again_until_somebody_has_played_in_it_and_the_last_result_is_corrected_too(
    anna: httpx.Client,
) -> None:
    path = announced(anna, form="swiss", rounds="2")
    do(anna, path, "enter", names="Will\nXenia\nYann\nZoe", walk_in="1")
    do(anna, path, "begin")
    for _ in range(2):
        do(anna, path, "decide", result=open_results(anna.get(path).text)[0])
    page = anna.get(path).text
    assert "Round 2 of 2 is being played." in page
    corrections = re.search(r'action="[^"]*/correct".*?</form>', page, re.DOTALL)
    assert corrections
    do(anna, path, "correct", result=re.findall(r'<option value="(\d+ [^"]+)"', corrections[0])[1])
    before = set(open_results(anna.get(path).text))
    assert do(anna, path, "pair-again").status_code == 303
    page = anna.get(path).text
    assert set(open_results(page)) != before, "equal points meet after the correction"
    do(anna, path, "decide", result=open_results(page)[0])
    page = anna.get(path).text
    assert "Pair it again" not in page
    assert "A match of this round has a result" in do(anna, path, "pair-again").text
    assert "Round 2 is paired again" in anna.get(f"{path}/log").text
    last = open_results(page)
    do(anna, path, "decide", result=last[0])
    page = anna.get(path).text
    assert "It is over." in page
    assert "Cancel the tournament" not in page
    assert do(anna, path, "correct", result=last[1]).status_code == 303
    assert "The result was corrected" in anna.get(f"{path}/log").text


def test_two_who_meant_to_play_at_a_real_board_play_here_after_all(anna: httpx.Client, ben: httpx.Client) -> None:
    path = announced(ben, form="knockout", max_players="2")
    do(anna, path, "join")
    do(ben, path, "join")
    assert f'href="{path}" id="news-1"' in anna.get("/rules").text, "the page on which one says where it is played"
    match = re.search(r'href="(/match/[^"]+)" id="to-board"', anna.get(path).text)
    assert match
    assert do(anna, path, "report", result="0 ").status_code == 303
    for person in (anna, ben):
        page = person.get(path).text
        assert "at a real board." in page
        assert 'id="to-board"' not in page
        assert "It is played at a real board." in person.get(match[1]).text
    assert "We play here after all" not in ben.get(path).text
    assert do(anna, path, "play-here", result="0 ").status_code == 303
    assert f'href="{match[1]}" id="to-board"' in anna.get(path).text
    assert "It is played at a real board." not in anna.get(match[1]).text
    assert "Anna does not play at a real board after all" in anna.get(f"{path}/log").text
