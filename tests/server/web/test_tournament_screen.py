"""What a big screen shows: the rounds being played with their boards, results and byes, and no table of zeros."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from barpoint.server.domain.tournament_events import Form, Plan
from barpoint.server.domain.tournament_matches import games
from barpoint.server.web.tournament_screen import rounds_shown
from barpoint.server.web.tournament_view import scene
from tests.server.web.test_clubs import do
from tests.server.web.test_tournament_boards import announced
from tests.server.web.test_tournament_entries import anna
from tests.server.web.test_tournaments import announce, hear, listening
from tests.support.accounts import browser_of
from tests.support.serving import Served
from tests.support.tournaments import Club, club

__all__ = ["anna"]
SERVED = {"scheduler_ms": 20}


@pytest.fixture(scope="module")
def dora(served: Served) -> Iterator[httpx.Client]:
    with browser_of(served, "Dora") as client:
        yield client


async def shown(here: Club, plan: Plan, players: int, decided: int) -> list[tuple[str, int, tuple[str, ...]]]:
    """(title, number of matches, byes) of each round shown after some results."""
    found = await here.announce(plan, players)
    for _ in range(decided):
        game = next(game for game in games((await here.known(found)).now) if game.playable)
        await here.services.tournaments.decide(found, here.members[0], game.number, game.players[0])
    return [(one.title, len(one.boxes), one.byes) for one in rounds_shown(scene(await here.known(found), None))]


async def test_a_knock_out_shows_the_rounds_that_are_being_played_with_their_byes(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        plan = Plan("Cup", lengths=(1,), max_players=7)
        ((title, matches, byes),) = await shown(here, plan, 7, 0)
        assert (title, matches, len(byes)) == ("Quarter-finals", 3, 1)


async def test_rounds_overlap_in_a_bracket_and_are_named_with_their_part(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        rounds = await shown(here, Plan("Two lives", form=Form.DOUBLE, lengths=(1,), max_players=4), 4, 2)
        assert rounds == [("Unbeaten: Round 2", 1, ()), ("Second life: Round 1", 1, ())]


@pytest.mark.parametrize(
    ("decided", "rounds"),
    [
        (4, {"Knock-out: Semi-finals": 2, "Consolation: Round 1": 2}),
        (9, {"Knock-out: Final": 1, "Consolation: Semi-finals": 2}),
    ],
)
async def test_a_consolation_is_named_on_the_screen(tmp_path: Path, decided: int, rounds: dict[str, int]) -> None:
    async with club(tmp_path) as here:
        plan = Plan("Cup", lengths=(3,), max_players=8, consolation=1)
        assert {title: matches for title, matches, _byes in await shown(here, plan, 8, decided)} == rounds


@pytest.mark.parametrize(("form", "decided"), [(Form.KNOCKOUT, 3), (Form.SWISS, 4)])
async def test_the_results_of_the_last_round_stay_when_all_is_over(tmp_path: Path, form: Form, decided: int) -> None:
    async with club(tmp_path) as here:
        plan = Plan("Cup", form=form, lengths=(1,), max_players=4, rounds=2 if form is Form.SWISS else 0)
        ((_title, matches, _byes),) = await shown(here, plan, 4, decided)
        assert matches == (1 if form is Form.KNOCKOUT else 2)


async def test_a_league_shows_only_matches_in_progress(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        assert await shown(here, Plan("League", form=Form.LEAGUE, lengths=(1,), max_players=4), 4, 0) == []


def test_a_running_knock_out_has_no_table_on_the_screen_and_one_at_the_end(anna: httpx.Client) -> None:
    path = announced(anna, form="knockout")
    do(anna, path, "enter", names="Zoe, Yann, Xaver", walk_in="1")
    assert "Players</h2>" in anna.get(f"{path}/screen").text
    do(anna, path, "begin")
    page = anna.get(f"{path}/screen").text
    assert "Semi-finals" in page
    assert "Bye: Zoe" in page
    assert "Standings</h2>" not in page
    assert ">Board <b>1</b></span>" in page
    for _ in range(2):
        open_match = re.search(r'value="(\d+ [^"]+)">Zoe wins|value="(\d+ [^"]+)">\w+ wins', anna.get(path).text)
        assert open_match
        do(anna, path, "decide", result=open_match[1] or open_match[2])
    page = anna.get(f"{path}/screen").text
    assert "Standings</h2>" in page
    assert "Board" not in page


def test_the_director_enters_a_result_in_the_line_of_the_pairing_with_two_taps(
    anna: httpx.Client, http: httpx.Client
) -> None:
    path = announced(anna, form="swiss", rounds="1")
    do(anna, path, "enter", names="Zoe, Yann, Xaver, Wanda", walk_in="1")
    do(anna, path, "begin")
    page = anna.get(path).text
    assert re.findall(r'popovertarget="who-(\d+)" id="r-\d+">Result<', page) == ["0", "1"]
    assert 'popovertarget="who-' not in http.get(path).text, "others decide nothing"
    form = page.partition('id="who-1"')[2].partition("</form>")[0]
    assert '<input type="hidden" name="sure" value="1">' in form, "nothing is asked after the second tap"
    first, second, both = re.findall(r'name="result" value="([^"]+)">([^<]+)<', form)
    assert (first[1].split(" ", 1)[1], second[1].split(" ", 1)[1]) == ("wins", "wins")
    assert both == ("1", "both lose")
    assert do(anna, path, "decide", result=first[0]).headers["location"] == f"{path}#m-1"
    page = anna.get(path).text
    assert 'id="m-1"' in page
    assert 'id="who-0"' in page
    assert 'id="who-1"' not in page, "a match that is decided is corrected instead"


def test_whoever_decides_or_removes_in_the_directors_box_must_choose_first(dora: httpx.Client) -> None:
    path = announced(dora, form="swiss", rounds="1")
    do(dora, path, "enter", names="Zoe, Yann, Xaver, Wanda", walk_in="1")
    do(dora, path, "begin")
    page = dora.get(path).text
    assert '<select name="result" required autocomplete="off"><option value="">Choose who won</option>' in page
    assert '<select name="player" required autocomplete="off"><option value="">Choose a player</option>' in page
    chosen = re.findall(r'<option value="(1 [^"]+)"', page)[0]
    assert f'href="{path}#m-1">Back' in dora.post(f"{path}/decide", data={"result": chosen}).text
    assert do(dora, path, "decide", result="").status_code == 409
    assert "nobody is chosen" in do(dora, path, "remove", player="").text


def test_a_secret_link_opens_the_big_screen_of_a_private_tournament_until_it_is_withdrawn(
    served: Served, dora: httpx.Client, http: httpx.Client
) -> None:
    path = announced(dora, private="1")
    do(dora, path, "enter", names="Zoe, Yann", walk_in="1")
    do(dora, path, "begin")
    assert http.get(f"{path}/screen").status_code == 404
    assert "/screen/" not in re.sub(rf"{path}/screen\S*", "", dora.get(path).text), "there is none before it is made"
    assert http.post(f"{path}/screen/link", data={"x": ""}).status_code == 404
    assert dora.post(f"{path}/screen/link", data={"x": ""}).headers["location"] == f"{path}#links"
    (link,) = set(re.findall(rf"{served.address}(/screen/\w+)", dora.get(path).text))
    page = http.get(link).text
    assert "Zoe" in page
    assert path not in page, "it leads nowhere else"
    assert "/match/" not in page
    with listening(served, http, link) as screen:
        assert "Zoe" in hear(screen, "part")["html"]
        dora.post(f"{path}/screen/withdraw", data={"x": ""})
        assert hear(screen, "go")["to"] == link
    assert http.get(link).status_code == 404
    dora.post(f"{path}/screen/link", data={"x": ""})
    assert link not in dora.get(path).text
    assert http.get(link).status_code == 404, "an old link does not come back"


def test_only_a_director_makes_the_link_and_only_a_private_tournament_offers_it(
    dora: httpx.Client, http: httpx.Client
) -> None:
    path = announced(dora)
    assert "Big screen without an account" not in dora.get(path).text, "its screen is open to everybody"
    assert http.post(f"{path}/screen/link", data={"x": ""}).status_code == 403
    assert http.post(f"{path}/screen/withdraw", data={"x": ""}).status_code == 403
    assert http.get("/screen/nothing").status_code == 404


def test_a_tournament_is_passed_on_by_its_link_and_a_qr_code(served: Served, dora: httpx.Client) -> None:
    path = announce(dora)
    page = dora.get(path).text
    assert f'value="{served.address}{path}"' in page
    assert 'data-copy="tournament-link"' in page
    assert 'data-share="tournament-link"' in page
    assert dora.get(f"{path}/qr.svg").headers["content-type"] == "image/svg+xml"


def test_cells_of_a_table_refer_to_a_number_that_stands_there_where_ranks_are_shared(anna: httpx.Client) -> None:
    path = announced(anna, form="swiss", rounds="2")
    do(anna, path, "enter", names="Zoe, Yann, Xaver, Wanda", walk_in="1")
    do(anna, path, "begin")
    page = anna.get(path).text
    assert "No.</abbr>" in page
    rows = re.findall(r"<tr><td>(\d)</td><td>(\d)</td><th[^>]*>(\w+)</th>\s*<td><b>0</b></td><td>.*?·(\d)<", page)
    assert [(rank, number) for rank, number, _name, _met in rows] == [("1", str(place)) for place in range(1, 5)]
    names = {number: name for _rank, number, name, _met in rows}
    met = {name: names[other] for _rank, _number, name, other in rows}
    assert all(met[other] == name for name, other in met.items())
    assert "+3: won against number 3 of the table" in page
