"""Groups, byes on request and results of real boards on a tournament's page."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from barpoint.error import FormatError
from barpoint.server.domain.time_control import DAY, MINUTE
from barpoint.server.domain.tournament_events import Form
from barpoint.server.domain.tournament_plans import describe_plan
from barpoint.server.web.tournament_choices import PATIENCE, ROUNDS
from barpoint.server.web.tournament_form import read_plan
from tests.server.web.test_tournaments import FORM, announce, do
from tests.support.accounts import browser_of, hasten
from tests.support.serving import serve

GROUPS = {**FORM, "form": "groups", "groups": "2", "advance": "1", "max_players": "4"}


def test_groups_need_a_player_more_than_go_on() -> None:
    plan = read_plan(GROUPS, 0)
    assert (plan.form, plan.groups, plan.advance) == (Form.GROUPS, 2, 1)
    assert describe_plan(plan).startswith("2 groups, the best 1 to a knock-out")
    for fields in ({"advance": "2"}, {"groups": "4"}, {"max_players": "64"}):
        with pytest.raises(FormatError, match="groups of which"):
            read_plan({**GROUPS, **fields}, 0)


def test_only_knock_outs_of_one_life_have_a_consolation() -> None:
    plan = read_plan({**FORM, "form": "knockout", "length": "7", "consolation": "5"}, 0)
    assert plan.consolation == 5
    assert "7 points" in describe_plan(plan)
    assert "consolation to 5 points" in describe_plan(plan)
    assert read_plan({**GROUPS, "consolation": "3"}, 0).consolation == 3
    for form in ("double", "swiss", "robin", "league"):
        assert read_plan({**FORM, "form": form, "consolation": "5"}, 0).consolation == 0
    with pytest.raises(FormatError, match="consolation: '99'; allowed: 0 to"):
        read_plan({**FORM, "consolation": "99"}, 0)


def test_the_page_of_a_tournament_shows_its_groups_and_takes_what_players_report_and_ask(tmp_path: Path) -> None:
    served = hasten(serve(tmp_path, scheduler_ms=20))
    try:
        with (
            browser_of(served, "Anna") as anna,
            browser_of(served, "Benedict") as ben,
            browser_of(served, "Cora") as cora,
        ):
            _groups(anna, ben, cora)
            _byes(anna, ben)
    finally:
        served.stop()


def _groups(anna: httpx.Client, ben: httpx.Client, cora: httpx.Client) -> None:
    path = announce(anna, **GROUPS, boards="1", by_lot="1")
    for http in (anna, ben, cora):
        assert do(http, path, "join").status_code == 303
    assert do(anna, path, "begin").status_code == 303
    page = anna.get(path).text
    assert "Group A" in page
    assert "Round 1 of 3 is being played" in page
    assert "Group B" not in page, "three players are too few for two groups"
    drawn, _title, line = page.partition('id="games-title"')[2].partition("</ol>")
    assert drawn.count('class="pair') == 1, "a bye is no match"
    assert "Bye: " in line.partition("</section>")[0]
    player, other = (ben, anna) if "report-" not in cora.get(path).text else (cora, None)
    shown = player.get(path).text
    choice = shown.partition('id="report-')[2].partition('name="result" value="')[2].partition('"')[0]
    assert do(player, path, "report", result=choice).status_code == 303
    assert "It counts when" in player.get(path).text
    assert do(player, path, "report", result="999 x").status_code == 409
    assert do(player, path, "report", result="x").status_code == 409
    assert other is None or other.get(path).status_code == 200
    log = anna.get(f"{path}/log").text
    assert "reported from a real board" in log
    assert anna.get(f"{path}/standings.csv").text.startswith("rank,player,group,points,beaten,prize,left,round_1")
    assert do(anna, path, "ask-bye").status_code == 303
    assert "You have asked for a bye" in anna.get(path).text
    assert "played after the last round" in anna.get(path).text


def _byes(anna: httpx.Client, ben: httpx.Client) -> None:
    path = announce(anna, form="swiss", rounds="2", max_players="8")
    for http in (anna, ben):
        assert do(http, path, "join").status_code == 303
    assert "Ask for a bye" in ben.get(path).text
    assert do(ben, path, "ask-bye").status_code == 303
    assert "You have asked for a bye" in ben.get(path).text
    assert "Asking for a bye in the next round: Benedict" in anna.get(path).text
    assert "Asking for a bye" not in ben.get(path).text
    player = anna.get(path).text.partition(" (asks for it)")[0].rpartition('value="')[2].partition('"')[0]
    assert do(ben, path, "give-bye", player=player, given="1").status_code == 403, "who asks does not give"
    assert do(anna, path, "give-bye", player=player, given="1").status_code == 303
    assert "You have a bye in the next round" in ben.get(path).text
    assert "was given a bye in the next round" in anna.get(f"{path}/log").text


def test_every_duration_that_the_form_offers_is_playable() -> None:
    for minutes in PATIENCE:
        form = "league" if int(minutes) >= DAY // MINUTE else "knockout"
        assert read_plan({**FORM, "form": form, "patience": minutes}, 0).patience_ms == int(minutes) * MINUTE
    for minutes in ROUNDS:
        assert read_plan({**FORM, "round": minutes}, 0).round_ms == int(minutes) * MINUTE
