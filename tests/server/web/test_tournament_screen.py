"""What a big screen shows: the rounds being played with their boards, results and byes, and no table of zeros."""

from __future__ import annotations

import re
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
from tests.support.tournaments import Club, club

__all__ = ["anna"]
SERVED = {"sweep_ms": 20}


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
        (9, {"Consolation: Semi-finals": 2}),
    ],
)
async def test_a_consolation_is_named_on_the_screen(tmp_path: Path, decided: int, rounds: dict[str, int]) -> None:
    async with club(tmp_path) as here:
        plan = Plan("Cup", lengths=(3,), max_players=8, consolation=1)
        assert {title: matches for title, matches, _byes in await shown(here, plan, 8, decided)} == rounds


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
    assert "Table</h2>" not in page
    assert ">Board <b>1</b></span>" in page
    for _ in range(2):
        open_match = re.search(r'value="(\d+ [^"]+)">Zoe wins|value="(\d+ [^"]+)">\w+ wins', anna.get(path).text)
        assert open_match
        do(anna, path, "decide", result=open_match[1] or open_match[2])
    page = anna.get(f"{path}/screen").text
    assert "Table</h2>" in page
    assert "Board" not in page


def test_only_the_director_is_led_to_enter_a_result_and_must_choose_who_won(
    anna: httpx.Client, http: httpx.Client
) -> None:
    path = announced(anna, form="swiss", rounds="1")
    do(anna, path, "enter", names="Zoe, Yann, Xaver, Wanda", walk_in="1")
    do(anna, path, "begin")
    page = anna.get(path).text
    links = re.findall(rf'href="{path}\?match=(\d+)#decide" id="r-\d+">Result<span', page)
    assert links == ["0", "1"]
    assert "#decide" not in http.get(path).text
    choice = '<select name="result" required autocomplete="off"><option value="">Choose who won</option>'
    assert choice in page
    form = anna.get(f"{path}?match=1").text.partition('id="decide"')[2].partition("</form>")[0]
    assert re.findall(r'<option value="(\d*)', form) == ["", "1", "1", "1"], "this match alone"
    chosen = re.findall(r'value="(1 [^"]+)"', form)[0]
    assert do(anna, path, "decide", result="").status_code == 409
    asked = anna.post(f"{path}/decide", data={"result": chosen})
    assert f'href="{path}#m-1">Back' in asked.text
    assert do(anna, path, "decide", result=chosen).headers["location"] == f"{path}#m-1"
    page = anna.get(f"{path}?match=1").text
    assert 'id="m-1"' in page
    assert re.findall(r'<option value="(\d+)', page.partition('id="decide"')[2].partition("</form>")[0]) == ["0"] * 3
    assert '<select name="player" required autocomplete="off"><option value="">Choose a player</option>' in page
    assert "nobody is chosen" in do(anna, path, "remove", player="").text


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
