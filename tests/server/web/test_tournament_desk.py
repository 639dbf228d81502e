"""What a director presses while a tournament runs, over HTTP: real boards, latecomers, names, late entries and corrections."""

from __future__ import annotations

import csv
import io
import re

import httpx
import pytest

from barpoint.server.domain.tournament_plans import describe_plan
from barpoint.server.web.tournament_form import read_plan
from tests.server.web.test_clubs import do, founded
from tests.server.web.test_tournament_boards import EVENING, anna, ben, open_results
from tests.server.web.test_tournaments import FORM
from tests.support.serving import Served

__all__ = ["anna", "ben"]

SERVED = {"scheduler_ms": 20}


@pytest.fixture(scope="module")
def club(anna: httpx.Client) -> str:
    """The id of a club that Anna owns."""
    return founded(anna).removeprefix("/clubs/")


def announced(http: httpx.Client, club: str, **fields: str) -> str:
    """The path of a tournament of a club."""
    answer = http.post(f"/tournaments/new?club={club}", data={**EVENING, **fields})
    assert answer.status_code == 303, re.findall(r'role="alert">([^<]*)', answer.text)
    return answer.headers["location"]


def corrections(page: str) -> list[str]:
    """The results that are offered for a correction."""
    form = re.search(r'action="[^"]*/correct".*?</form>', page, re.DOTALL)
    return re.findall(r'<option value="(\d+[^"]*)"', form[0]) if form else []


def csv_of(http: httpx.Client, path: str) -> list[dict[str, str]]:
    """The lines of the standings as a file."""
    return list(csv.DictReader(io.StringIO(http.get(f"{path}/standings.csv").text)))


def test_where_matches_are_played_is_chosen_and_said() -> None:
    only = read_plan({**FORM, "boards": "only"}, 0)
    assert (only.boards, only.boards_only) == (True, True)
    assert describe_plan(only).endswith("at real boards")
    assert "Normal" not in describe_plan(only)
    either, here = read_plan({**FORM, "boards": "1"}, 0), read_plan({**FORM, "boards": ""}, 0)
    assert (either.boards, either.boards_only) == (True, False)
    assert (here.boards, here.boards_only) == (False, False)
    arena = read_plan({**FORM, "form": "arena", "boards": "only"}, 0)
    assert (arena.boards, arena.boards_only) == (False, False)
    with pytest.raises(Exception, match="bots do not play at real boards"):
        read_plan({**FORM, "boards": "only", "bots": "1"}, 0)
    with pytest.raises(Exception, match="a date and time still to come, within a year"):
        read_plan({**FORM, "date": "2026-01-01T10:00"}, 1_800_000_000_000)


def test_at_real_boards_alone_both_players_report_and_nobody_is_called_to_the_board_here(
    anna: httpx.Client, club: str, ben: httpx.Client, served: Served
) -> None:
    path = announced(anna, club, boards="only", form="robin", max_players="2")
    for person in (anna, ben):
        assert do(person, path, "join").status_code == 303
    page = ben.get(path).text
    assert "All matches are played at real boards; only results are entered here." in page
    assert "Whoever is not at the board within" not in page
    assert "You play <b>Anna</b> at a real board. Who won?" in page
    assert 'id="to-board"' not in page
    assert path not in ben.get("/rules").text, "no page calls to a match"
    result = re.search(r'name="result" value="(0 [^"]+)"[^>]*>I did', page)
    assert result
    assert do(ben, path, "report", result=result[1], score="5:5").status_code == 409, "nobody leads"
    do(ben, path, "report", result=result[1], score="3:5")
    page = anna.get(path).text
    assert "Benedict has reported that they won. Report the same, and it counts. Score: 5 : 3<" in page
    assert 'value="5 : 3" id="reported-0" aria-describedby="report-0"' in page
    do(anna, path, "report", result=result[1], score="5:4")
    page = anna.get(path).text
    assert "You and Benedict have reported different results." in page
    assert "Benedict: Benedict wins, 5 : 3. Anna: Benedict wins, 5 : 4.</p>" in page, "what the director reads"
    assert 'value="" id="score-0"' in page, "neither score is offered"
    do(anna, path, "report", result=result[1])
    page = anna.get(path).text
    assert "<b>Benedict</b> won." in page
    assert re.search("(5 to 3|3 to 5), played at a real board", page), "who gives no score agrees with the other"
    assert "Benedict reported from a real board: Benedict won, 5 to 3<" in anna.get(f"{path}/log").text
    assert [line["score_1"] for line in csv_of(anna, path)] == ["5:3", "3:5"]


def test_a_director_has_a_single_match_played_at_a_real_board(anna: httpx.Client, club: str, ben: httpx.Client) -> None:
    path = announced(anna, club, boards="1", form="robin", max_players="2")
    for person in (anna, ben):
        do(person, path, "join")
    assert f'formaction="{path}/at-board"' in anna.get(path).text
    assert f'formaction="{path}/at-board"' not in ben.get(path).text
    assert do(ben, path, "at-board", result="0 ").status_code == 403
    assert do(anna, path, "at-board", result="0 ").status_code == 303
    page = anna.get(path).text
    assert f'formaction="{path}/at-board"' not in page
    assert 'id="to-board"' not in page
    assert "at a real board</span>" in page


def test_a_latecomer_is_entered_in_a_bye_and_a_misspelt_name_is_corrected(anna: httpx.Client, club: str) -> None:
    path = announced(anna, club, boards="only", form="knockout", max_players="8")
    do(anna, path, "enter", names="Will\nXenia\nYann", walk_in="1")
    do(anna, path, "begin")
    page = anna.get(path).text
    bye = re.search(r'name="bye".*?<option value="(\d+)">(\w+)<', page)
    assert bye
    assert "No account is called &#39;Zo&#39;" in do(anna, path, "enter", names="Zo", bye=bye[1]).text
    assert do(anna, path, "enter", names="Zo", walk_in="1", bye=bye[1]).status_code == 303
    page = anna.get(path).text
    assert 'name="bye"' not in page, "no bye is left"
    assert re.search(rf"<optgroup label=\"({bye[2]} against Zo|Zo against {bye[2]})\">", page)
    assert "Zo entered late, in a bye of the first round" in anna.get(f"{path}/log").text
    assert do(anna, path, "rename", player="walk-in:4", name="Will").status_code == 409
    assert do(anna, path, "rename", player="walk-in:4", name="Zoe").status_code == 303
    assert "Zo is now called Zoe" in anna.get(f"{path}/log").text
    assert "Zoe" in anna.get(f"{path}/standings.csv").text


def test_only_results_that_can_be_corrected_are_offered_and_the_page_says_why_others_are_not(
    anna: httpx.Client,
    club: str,
) -> None:
    path = announced(anna, club, boards="only", form="knockout", max_players="4")
    do(anna, path, "enter", names="Will\nXenia\nYann\nZoe", walk_in="1")
    for _ in range(2):
        do(anna, path, "decide", result=open_results(anna.get(path).text)[0], score="3-5")
    page = anna.get(path).text
    assert "5 to 3, entered by the director" in page
    asked = anna.post(f"{path}/correct", data={"result": corrections(page)[0]}).text
    assert 'name="score" maxlength="9" autocomplete="off" placeholder="5 : 3" value="5 : 3"' in asked, "it is kept"
    assert 'name="score"' not in anna.post(f"{path}/correct", data={"result": corrections(page)[2]}).text
    assert "score" in do(anna, path, "correct", result=corrections(page)[0], score="5:5").text
    assert do(anna, path, "correct", result=corrections(page)[0], score="5 : 4").status_code == 303
    page = anna.get(path).text
    assert re.search(r"(5 to 4|4 to 5), corrected by the director", page)
    assert re.search(r"The result was corrected: \w+ won against \w+, 5 to 4<", anna.get(f"{path}/log").text)
    assert {line["score_1"] for line in csv_of(anna, path)} == {"5:4", "4:5", "5:3", "3:5"}
    assert {one.split()[0] for one in corrections(page)} == {"0", "1"}
    assert "Results that are not offered here stay" not in page
    assert "entered by the director" in page
    do(anna, path, "decide", result=re.findall(r'<option value="(2)"', page)[0])
    assert "in a match to 5" in do(anna, path, "correct", result=corrections(page)[0], score="6:5").text
    page = anna.get(path).text
    assert "Results that are not offered here stay: a later match depends on them" in page
    assert [one.split()[0] for one in corrections(page)] == ["2", "2", "1", "0"], "of earlier ones the score"
    for result, written, score in ((corrections(page)[2], "6:4", "6:4"), (corrections(page)[3], "", "")):
        assert do(anna, path, "correct", result=result, score=written).status_code == 303
        winner = next(line for line in csv_of(anna, path) if line["round_1"] == "1" and line["score_1"] == score)
        assert winner["opponent_1"]
    assert "its result already" in do(anna, path, "correct", result=corrections(page)[3]).text
    page = anna.get(path).text
    assert "It is over. Nobody won." in page
    assert "Nobody won." in anna.get(f"{path}/screen").text
    assert " won</em>" not in anna.get("/tournaments").text.partition(path)[2].partition("</a>")[0]


def test_late_entries_of_a_running_swiss_tournament_are_changed(
    anna: httpx.Client, club: str, ben: httpx.Client
) -> None:
    path = announced(anna, club, form="swiss", rounds="3", boards="only")
    do(anna, path, "enter", names="Will\nXenia\nYann\nZoe", walk_in="1")
    assert f'action="{path}/late"' not in anna.get(path).text
    do(anna, path, "begin")
    assert f'action="{path}/join"' not in ben.get(path).text
    assert f'action="{path}/late"' in anna.get(path).text
    assert do(ben, path, "late", late="1").status_code == 403
    assert do(anna, path, "late", late="2").status_code == 303
    assert do(ben, path, "join").status_code == 303
    assert do(anna, path, "late", late="0").status_code == 303
    log = anna.get(f"{path}/log").text
    assert "Players may enter until round 2 is over" in log
    assert "Nobody enters any more" in log


def test_a_conflict_is_decided_and_other_results_are_entered(anna: httpx.Client, club: str, ben: httpx.Client) -> None:
    path = announced(anna, club, boards="only", form="robin", max_players="2")
    for person in (anna, ben):
        do(person, path, "join")
    for person in (anna, ben):
        own = re.search(r'name="result" value="(0 [^"]+)"[^>]*>I did', person.get(path).text)
        assert own
        do(person, path, "report", result=own[1])
    assert "You and Anna have reported different results." in ben.get(path).text
    do(anna, path, "decide", result=open_results(anna.get(path).text)[0])
    assert "(decided by the director)" in anna.get(f"{path}/log").text


def test_a_club_announces_more_than_three_tournaments_at_a_time(anna: httpx.Client, club: str) -> None:
    for _ in range(4):
        announced(anna, club)


def test_a_director_takes_results_back_in_the_order_that_the_page_offers(anna: httpx.Client, club: str) -> None:
    path = announced(anna, club, form="knockout", max_players="4", boards="only")
    do(anna, path, "enter", names="Will\nXenia\nYann\nZoe", walk_in="1")
    do(anna, path, "begin")
    for _ in range(3):
        do(anna, path, "decide", result=open_results(anna.get(path).text)[0])
    page = anna.get(path).text
    assert "Take that match back first." in page
    assert [number for number, _said in taken_back(page)] == ["2"], "the final comes first"
    assert "depends on this result" in do(anna, path, "take-back", result="0").text
    asked = anna.post(f"{path}/take-back", data={"result": "2"}).text
    assert "Take the result back?" in asked
    assert "The match is open again: it is played anew" in asked
    assert "Ratings stay as they are; if it is played here again, that counts, too." in asked
    assert "This cannot be undone" not in asked
    assert taken_back(page)[0][1] in asked
    assert do(anna, path, "take-back", result="2").status_code == 303
    page = anna.get(path).text
    assert "It is over." not in page
    assert [number for number, _said in taken_back(page)] == ["1", "0"]
    assert do(anna, path, "take-back", result="0").status_code == 303
    assert len({result.split()[0] for result in open_results(anna.get(path).text)}) == 1, "the final waits again"
    assert re.search(r"The result of Will against \w+ was taken back", anna.get(f"{path}/log").text)


def taken_back(page: str) -> list[tuple[str, str]]:
    """The matches that may be taken back: number and words."""
    form = re.search(r'id="take-back".*?</form>', page, re.DOTALL)
    return re.findall(r'<option value="(\d+)">([^<]+)', form[0]) if form else []


def test_a_helper_enters_results_on_the_page_until_the_director_lets_them_no_longer(
    anna: httpx.Client, club: str, ben: httpx.Client
) -> None:
    path = announced(anna, club, boards="only")
    do(anna, path, "enter", names="Will\nXenia\nYann\nZoe", walk_in="1")
    do(anna, path, "begin")
    assert open_results(ben.get(path).text) == []
    assert "No account is called &#39;Nobody&#39;" in do(anna, path, "name-helper", name="Nobody").text
    assert do(ben, path, "name-helper", name="Benedict").status_code == 403
    assert do(anna, path, "name-helper", name="benedict").status_code == 303
    page = ben.get(path).text
    assert "You enter results of this tournament" in page
    assert 'class="to-result"' in page
    for name in ("cancel", "remove", "take-back", "name-helper", "enter"):
        assert f'action="{path}/{name}"' not in page, name
    result = open_results(page)[0]
    assert "Decide the match?" in ben.post(f"{path}/decide", data={"result": result}).text, "it is asked first"
    assert do(ben, path, "decide", result=result).status_code == 303
    assert do(ben, path, "correct", result=corrections(ben.get(path).text)[1]).status_code == 303
    assert do(ben, path, "cancel").status_code == 403
    log = anna.get(f"{path}/log").text
    assert re.search(r'Benedict was named a helper</span> <span class="quiet">by Anna', log)
    assert re.search(r'The result was corrected: [^<]*</span> <span class="quiet">by Benedict', log)
    helper = re.search(r'action="[^"]*/drop-helper".*?value="([^"]+)"', anna.get(path).text, re.DOTALL)
    assert helper
    assert do(anna, path, "drop-helper", player=helper[1]).status_code == 303
    assert "You enter results of this tournament" not in ben.get(path).text
    assert "Benedict was removed as a helper" in anna.get(f"{path}/log").text
