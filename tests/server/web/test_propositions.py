"""Propositions from the analysis board: a position, a take or two plays, played again and again (RULES 4.14)."""

from __future__ import annotations

import httpx
import pytest

from barpoint.game.event import counts_of
from barpoint.moves import parse_play
from barpoint.rules import Rules
from barpoint.server.domain.analysis_board import BoardAddress, query_of
from barpoint.server.domain.guests import Guest
from tests.server.web.test_analysis_board import begun, live
from tests.support.serving import Served

BOARD = BoardAddress(position="4HPwATDgc/ABMA")
ROLLED = BoardAddress(roll="31", turn="far")
AGAIN = {"again": "1", "games": "10", "change": "1"}


def test_every_game_begins_on_the_board_and_the_page_says_what_is_played(served: Served, browser: httpx.Client) -> None:
    found = begun(served, browser, BOARD, **AGAIN, spot="-2")
    proposition = found.match.terms.proposition
    assert proposition is not None
    assert ([at.player for at in proposition.positions], proposition.games, proposition.spot) == ([0, 1], 10, -2)
    page = browser.get(f"/match/{found.header.id}").text
    assert "Proposition, 10 games, cube, sides change, 2 points a game to whoever is to act" in page


def test_of_a_take_the_double_is_taken_and_the_taker_gets_what_a_pass_would_have_cost(
    served: Served, browser: httpx.Client, anna: Guest
) -> None:
    board = BoardAddress(position="4HPwATDgc/ABMA", turn="far", cube=2, owner="far")
    found = begun(served, browser, board, **{**AGAIN, "change": ""} | {"about": "take", "side": "near"})
    proposition = found.match.terms.proposition
    assert proposition is not None
    begins = proposition.begins(0)
    assert (begins.player, begins.cube, begins.owner) == (1, 4, 0), "far has redoubled, near has taken"
    assert proposition.spots(0) == (2, 0)
    assert found.header.seats[0].guest == anna.id


@pytest.mark.parametrize("side", ["near", "far"])
def test_of_two_plays_each_side_has_the_position_after_its_own_in_turn(
    served: Served, browser: httpx.Client, anna: Guest, side: str
) -> None:
    plays = {"your-play": "8/5 6/5", "their-play": "24/23 13/10"}
    found = begun(served, browser, ROLLED, **AGAIN, about="plays", side=side, **plays)
    proposition, seats = found.match.terms.proposition, found.header.seats
    assert proposition is not None
    yours = [seat.guest == anna.id for seat in seats].index(True)
    assert yours == (side == "far")
    start = Rules().start
    for player, text in ((yours, "8/5 6/5"), (1 - yours, "24/23 13/10")):
        begins = next(at for at in proposition.positions if at.player == 1 - player)
        after = parse_play(Rules(), start, (3, 1), text).result.flip()
        assert begins.counts == counts_of(after), "the other side is to act after the play"
    assert (proposition.spot, proposition.games) == (0, 10)


def test_an_invitation_shows_the_positions_and_which_play_is_whose(served: Served, browser: httpx.Client) -> None:
    plays = {"your-play": "8/5 6/5", "their-play": "24/23 13/10"}
    found = begun(served, browser, ROLLED, **AGAIN, about="plays", level="friend", side="far", **plays)
    link = next(part.split('"')[0] for part in browser.get(f"/match/{found.header.id}").text.split("/join/")[1:])
    with httpx.Client(base_url=served.address) as friend:
        page = friend.get(f"/join/{link}").text
        assert page.count("/analysis/picture.svg?") == 2
        assert "You have made 24/23 13/10" in page
        assert "has made 8/5 6/5" in page
        _, _, body = page.partition("</head>")
        assert "167 pips" not in body


def test_a_friend_is_invited_by_a_link_and_nobody_acts_before_they_come(
    served: Served, browser: httpx.Client, anna: Guest
) -> None:
    found = begun(served, browser, BOARD, **AGAIN, level="friend")
    assert not found.header.ready
    page = browser.get(f"/match/{found.header.id}").text
    link = next(part.split('"')[0] for part in page.split("/join/")[1:])
    with httpx.Client(base_url=served.address, follow_redirects=True) as friend:
        friend.post("/name", data={"name": "Ben"})
        assert friend.post(f"/join/{link}").status_code == 200
    ready = live(served, found.header.id)
    assert ready.header.ready
    assert ready.match.game.actor == 0, "without an opening roll"


@pytest.mark.parametrize(
    ("board", "fields", "said"),
    [
        (BoardAddress(length=5), {}, "played for money"),
        (BOARD, {"about": "plays"}, "a position and a roll are needed"),
        (ROLLED, {"about": "plays", "your-play": "8/5 6/5", "their-play": "6/5 8/5"}, "different positions"),
        (ROLLED, {"about": "plays", "your-play": "8/5 6/5", "their-play": "8/1"}, "no legal play"),
        (ROLLED, {"about": "take"}, "before the roll"),
        (BoardAddress(cube=0), {"about": "take"}, "no cube"),
        (BOARD, {"games": "5000"}, "proposition"),
        (BOARD, {"spot": "one"}, "proposition"),
        (BOARD, {"about": "luck"}, "proposition"),
        (BoardAddress(position="AAAAAAAAAAAAAA"), {}, "borne off"),
    ],
)
def test_what_cannot_be_played_is_refused_with_the_reason(
    browser: httpx.Client, board: BoardAddress, fields: dict[str, str], said: str
) -> None:
    data = {"board": query_of(board), "level": "easy", **AGAIN, **fields}
    refused = browser.post("/analysis/play", data=data)
    assert (refused.status_code, said.lower() in refused.text.lower()) == (422, True), refused.text


def test_programs_begin_one_over_the_api(served: Served, browser: httpx.Client) -> None:
    token = browser.post("/api/guest", json={"name": "Robot"}).json()["token"]
    headers = {"Authorization": f"Bearer {token}"}
    asked = {
        "level": "easy",
        "board": {"roll": "31"},
        "proposition": {"about": "plays", "plays": ["8/5 6/5", "13/9"], "games": 4},
    }
    made = browser.post("/api/challenge/bot", json=asked, headers=headers)
    assert made.status_code == 201, made.text
    proposition = live(served, made.json()["id"]).match.terms.proposition
    assert proposition is not None
    assert proposition.games == 4
    for unmeant in ({"about": "position", "plays": ["8/5 6/5", "13/9"]}, {"about": "take", "spot": 3}):
        refused = browser.post("/api/challenge/bot", json={**asked, "proposition": unmeant}, headers=headers)
        assert (refused.status_code, "of its own" in refused.text) == (400, True), refused.text
    refused = browser.post("/api/challenge/bot", json={"level": "easy", "proposition": {}}, headers=headers)
    assert (refused.status_code, "needs the board" in refused.text) == (422, True)
