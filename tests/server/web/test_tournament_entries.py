"""The list of names with which a director enters players, over HTTP: what it takes, refuses and keeps."""

from __future__ import annotations

import re
from html import escape

import httpx

from barpoint.server.web.tournament_entries import names_in
from tests.server.web.test_clubs import do
from tests.server.web.test_tournament_boards import EVENING, anna, announced
from tests.support.accounts import browser_of
from tests.support.serving import Served

__all__ = ["anna"]

SERVED = {"scheduler_ms": 20}


def test_names_are_told_apart_by_lines_commas_and_semicolons() -> None:
    assert names_in(" Zoe  Miller\r\n\nYann ; \tWanda;") == ["Zoe Miller", "Yann", "Wanda"]
    assert names_in("Yann, Xaver ; Wanda \n") == ["Yann", "Xaver", "Wanda"]
    assert names_in("Gray, Anna\nMiller, Ben") == ["Gray, Anna", "Miller, Ben"]
    assert names_in(" ,;\n") == []


def test_several_players_are_entered_at_once_and_the_tick_is_remembered(anna: httpx.Client) -> None:
    path = announced(anna)
    assert 'name="walk_in" value="1" autocomplete' in anna.get(path).text, "at first they have accounts"
    answer = do(anna, path, "enter", names="Zoe\nYann; Xaver", walk_in="1")
    assert answer.headers["location"] == f"{path}?walk-in#enter-players"
    page = anna.get(answer.headers["location"]).text
    assert "3 of 8 places taken" in page
    assert all(f"<li>{name}</li>" in page for name in ("Zoe", "Yann", "Xaver"))
    assert 'name="walk_in" value="1" checked' in page
    assert do(anna, path, "enter", names="Anna").headers["location"] == f"{path}#enter-players"


def test_outside_clubs_players_without_an_account_are_entered_where_there_are_real_boards(anna: httpx.Client) -> None:
    here = anna.post("/tournaments/new", data={**EVENING, "boards": ""}).headers["location"]
    assert "/enter" not in anna.get(here).text
    path = anna.post("/tournaments/new", data={**EVENING, "boards": "only"}).headers["location"]
    form = re.search(r'id="enter-players">.*?</form>', anna.get(path).text, re.DOTALL)
    assert form is not None
    assert '<input type="hidden" name="walk_in" value="1">' in form[0]
    assert do(anna, path, "enter", names="Zoe\nYann", walk_in="1").status_code == 303
    assert "2 of 8 places taken" in anna.get(path).text


def test_a_list_with_a_name_that_is_refused_enters_nobody_and_is_kept(anna: httpx.Client) -> None:
    path = announced(anna)
    names = f"Zoe; zoe\n{'Long ' * 6}\nAnna\n<b>Wanda"
    answer = do(anna, path, "enter", names=names, walk_in="1")
    assert answer.status_code == 409
    for said in (
        "&#39;zoe&#39; stands there twice; allowed: each player once.",
        "has 29 characters; allowed: 1 to 24, one name a line.",
        "&#39;Anna&#39; is the name of an account",
        "Nobody was entered.",
        "0 of 8 places taken",
        'name="walk_in" value="1" checked',
        f">{escape(names)}</textarea>",
    ):
        assert said in answer.text
    assert "9 names; allowed: 8, as many as places are free." in do(anna, path, "enter", names="a,b,c,d,e,f,g,h,i").text
    assert "0 names; allowed: 1 to 128, one a line." in do(anna, path, "enter", names=" \n").text
    assert "0 of 8 places taken" in anna.get(path).text


def test_who_does_not_direct_a_tournament_enters_nobody(anna: httpx.Client, http: httpx.Client, served: Served) -> None:
    path = announced(anna)
    assert do(http, path, "enter", names="Zoe", walk_in="1").status_code == 403
    with browser_of(served, "Karla") as karla:
        assert do(karla, path, "enter", names="Zoe", walk_in="1").status_code == 403
