"""The page of match equities."""

from __future__ import annotations

import re

import httpx
import pytest

from barpoint.language import number
from barpoint.match.met import Met
from barpoint.match.take_points import gammon_value, take_point
from barpoint.server.web.match_equities import ORIGIN

MET = Met.load()


def cells(page: str, name: str) -> dict[tuple[str, str], list[str]]:
    """The numbers of a table by the heads of their row and column."""
    part = page[page.index(f'aria-labelledby="{name}"') :].partition("</table>")[0]
    head, *rows = [re.findall(r"<(?:th|td)\b[^>]*>(.*?)</(?:th|td)>", row) for row in part.split("<tr")[1:]]
    heads = [" ".join(re.sub(r"<[^>]+>", " ", text).split()) for text in head]
    found = {}
    for first, *others in rows:
        row = " ".join(re.sub(r"<[^>]+>", " ", first).split())
        for column, text in zip(heads[1:], others, strict=True):
            found[row, column] = re.sub(r"<[^>]+>", " ", text).split()
    return found


def test_the_chances_are_those_of_the_table_with_the_crawford_game_and_the_games_after_it(http: httpx.Client) -> None:
    page = http.get("/learn/match-equities").text
    assert MET.name in page
    assert MET.description == ORIGIN
    assert ORIGIN in page
    found = cells(page, "wins")
    assert found["7", "5"] == [number(100 * MET.win(7, 5), 1)]
    assert found["4", "1 C"] == [number(100 * MET.win(4, 1), 1)]
    assert found["4", "1 P"] == [number(100 * MET.win(4, 1, after_crawford=True), 1)]
    assert found["1 P", "4"] == [number(100 * MET.win(1, 4, after_crawford=True), 1)]
    assert found["1 C", "1 P"] == []
    assert found["25", "25"] == ["50.0"]


@pytest.mark.parametrize("cube", [1, 2, 4])
def test_take_points_and_gammon_values_are_of_the_cube_that_was_chosen(http: httpx.Client, cube: int) -> None:
    page = http.get("/learn/match-equities", params={"cube": cube}).text
    takes, values = cells(page, "takes"), cells(page, "gammons")
    dead, live = (number(100 * take_point(MET, 9, 7, cube, live=live), 1) for live in (False, True))
    assert takes["9", "7"] == [dead, live]
    assert values["9", "7"] == [number(gammon_value(MET, 9, 7, cube), 2)]
    assert takes["9", "2"] == (
        [] if cube >= 2 else [number(100 * take_point(MET, 9, 2, 1, live=one), 1) for one in (False, True)]
    )
    assert (values["2", "9"] == []) is (cube >= 2)


def test_it_is_found_from_learn_and_from_the_drills(http: httpx.Client) -> None:
    for path in ("/rules", "/practice/drills"):
        assert 'href="/learn/match-equities"' in http.get(path).text


@pytest.mark.parametrize("cube", ["3", "16", "x", ""])
def test_a_cube_that_is_not_offered_does_not_exist(http: httpx.Client, cube: str) -> None:
    assert http.get("/learn/match-equities", params={"cube": cube}).status_code == 404
