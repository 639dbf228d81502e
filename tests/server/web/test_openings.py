"""The pages of the opening book, and the same over HTTP for programs."""

from __future__ import annotations

import re

import httpx
import pytest


def test_the_book_shows_every_first_roll_and_leads_to_replies_and_to_the_board(http: httpx.Client) -> None:
    page = http.get("/openings").text
    assert page.count("<h3>") == 15
    assert page.count('src="/openings/picture.svg?') == 15
    link = re.search(r'href="(/openings\?roll=31&amp;play=[^"]+)"', page)
    assert link
    replies = http.get(link[1].replace("&amp;", "&")).text
    assert replies.count("<h3>") == 21
    assert "Replies to 31: 8/5 6/5" in replies
    board = re.search(r'href="(/analysis\?[^"]+)"', replies)
    assert board
    assert http.get(board[1].replace("&amp;", "&")).status_code == 200


def test_every_play_has_its_equity_and_what_it_loses_under_heads_that_say_so(http: httpx.Client) -> None:
    found = http.get("/api/openings").json()
    page = http.get("/openings").text
    assert f"Net {found['book']['net']}." in page
    tables = re.findall(r"<table>(.*?)</table>", page, re.DOTALL)
    for each, table in zip(found["rolls"], tables, strict=True):
        assert re.findall(r'scope="col">([^<]+)<', table) == ["Play", "Equity", "Loss"]
        cells = [" ".join(re.sub(r"<[^>]+>", " ", cell).split()) for cell in re.findall(r"<td>(.*?)</td>", table)]
        expected = []
        for rank, play in enumerate(each["plays"]):
            equity = f"{play['equity']:+.3f} ± {play['error']:.3f}".replace("-", "−")
            loss = f"−{play['loss']:.3f}" if play["loss"] >= 0.0005 else "0.000"  # a zero has no sign
            expected += [equity, loss if rank else "best"]
        assert cells == expected


def test_programs_get_what_the_page_shows(http: httpx.Client) -> None:
    found = http.get("/api/openings", params={"roll": "31", "play": "8/5 6/5"}).json()
    assert (found["roll"], found["play"], len(found["rolls"])) == ("31", "8/5 6/5", 21)
    for each in found["rolls"]:
        assert each["plays"][0]["loss"] == 0
        assert all(play["error"] > 0 and play["replies"] for play in each["plays"])
    assert (found["plies"], found["book"]["games"]) == (None, 576)


def test_what_no_book_holds_is_searched_and_says_so(http: httpx.Client) -> None:
    third = {"roll": "31", "play": "8/5 6/5", "reply_roll": "64", "reply": "24/14"}
    found = http.get("/api/openings", params=third).json()
    assert (found["reply_roll"], found["reply"], found["plies"], found["book"]) == ("64", "24/14", 2, None)
    assert len(found["rolls"]) == 21
    plays = [play for each in found["rolls"] for play in each["plays"]]
    assert all(play["error"] is None and not play["replies"] for play in plays)
    page = http.get("/openings", params=third).text
    assert "After 31: 8/5 6/5 and 64: 24/14" in page
    assert "a search of 2 plies" in page
    assert "±" not in page
    picture = re.search(r'src="(/openings/picture.svg\?[^"]+)"', page)
    assert picture
    assert http.get(picture[1].replace("&amp;", "&")).text.startswith("<svg")


@pytest.mark.parametrize(
    ("asked", "rolls", "plies"),
    [
        ("variant=nackgammon", 15, None),
        ("variant=nackgammon&stake=dmp", 15, 2),
        ("variant=nackgammon&roll=31&play=8/5 6/5", 21, 2),
        ("variant=roll-over%2Bnackgammon", 15, 2),
        ("variant=acey-deucey", 21, 2),
        ("variant=duodecagammon&roll=12&play=24/18(2)", 12, 2),
    ],
)
def test_variants_have_their_first_rolls_and_replies(http: httpx.Client, asked: str, rolls: int, plies: int) -> None:
    found = http.get(f"/api/openings?{asked}").json()
    assert (len(found["rolls"]), found["plies"]) == (rolls, plies)
    assert all(each["plays"][0]["loss"] == 0 for each in found["rolls"])
    assert http.get(f"/openings?{asked}").text.count("<h3>") == rolls


def test_nobody_replies_where_the_same_player_rolls_again(http: httpx.Client) -> None:
    found = http.get("/api/openings?variant=acey-deucey").json()
    for each in found["rolls"]:
        assert all(play["replies"] is (each["roll"] != "21") for play in each["plays"]), each
    again = next(each for each in found["rolls"] if each["roll"] == "21")["plays"][0]
    refused = http.get("/api/openings", params={"variant": "acey-deucey", "roll": "21", "play": again["play"]})
    assert refused.status_code == 422
    assert "rolls again" in refused.json()["error"]["message"]
    assert http.get(again["board"]).status_code == 200


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ("stake=nothing", 400),
        ("variant=nosuch", 422),
        ("variant=duodecagammon%2Bfevga", 409),
        ("roll=33&play=8/5(2) 6/3(2)", 422),
        ("reply_roll=31&reply=8/5 6/5", 422),
        ("roll=31&play=24/1", 422),
        ("roll=99&play=8/5", 422),
        ("roll=31&play=", 422),
    ],
)
def test_what_the_book_cannot_hold_is_refused(http: httpx.Client, asked: str, status: int) -> None:
    refused = http.get(f"/api/openings?{asked}")
    assert refused.status_code == status
    assert refused.json()["error"]["message"]
    assert http.get(f"/openings?{asked}").status_code == (409 if status == 409 else 404)


@pytest.mark.parametrize(
    "asked",
    [
        "variant=nosuch&drawn_roll=3-1&drawn=8/5",
        "drawn_roll=3-1&drawn=24/1",
        "drawn_roll=9-9&drawn=8/5",
        "roll=31&play=24/1&drawn_roll=3-1&drawn=8/5",
    ],
)
def test_a_picture_of_what_is_no_play_does_not_exist(http: httpx.Client, asked: str) -> None:
    assert http.get(f"/openings/picture.svg?{asked}").status_code == 404
