"""Playing on from the analysis board: a match against a bot in exactly that position, with its cube and score."""

from __future__ import annotations

import re
import time

import httpx

from barpoint.game import Phase
from barpoint.match import Match
from barpoint.record.file import parse_book
from barpoint.server.domain.analysis_board import BoardAddress, query_of
from barpoint.server.domain.guests import Guest
from barpoint.server.live.live_match import LiveMatch
from tests.support.serving import Served

BOARD = BoardAddress(position="4HPwATDgc/ABMA", turn="far", roll="31", cube=2, owner="far", length=7, score="2-5")


def live(served: Served, match_id: str) -> LiveMatch:
    found: LiveMatch = served.call(served.services.matches.live_match(match_id))
    return found


def begun(served: Served, browser: httpx.Client, board: BoardAddress = BOARD, **fields: str) -> LiveMatch:
    """The match that the form of the page begins."""
    sent = browser.post("/analysis/play", data={"board": query_of(board), "level": "easy", **fields})
    assert sent.status_code == 303, sent.text
    return live(served, sent.headers["location"].removeprefix("/match/").partition("?")[0])


def test_the_match_begins_with_board_roll_cube_and_score(served: Served, browser: httpx.Client, anna: Guest) -> None:
    found = begun(served, browser, side="far")
    match, header = found.match, found.header
    assert (match.length, match.score, match.crawford) == (7, (2, 5), False)
    assert [seat.guest == anna.id for seat in header.seats] == [False, True]
    assert not header.rated
    game = Match.start(rules=match.rules, terms=match.terms).game
    assert (game.phase, game.actor, game.faces) == (Phase.TO_PLAY, 1, (3, 1))
    assert (game.cube.value, game.cube.owner) == (2, 1)
    assert "from a position that was set up" in browser.get(f"/match/{header.id}").text


def test_a_bot_on_turn_moves_at_once_and_the_replay_and_files_begin_there(
    served: Served, browser: httpx.Client
) -> None:
    found = begun(served, browser, side="near", tutor="1")
    for _attempt in range(600):
        if found.match.events:
            break
        time.sleep(0.05)
        found = live(served, found.header.id)
    assert found.match.events[0].player == 1, "the bot has played the 31"  # type: ignore[union-attr]
    path = f"/match/{found.header.id}"
    boards = browser.get(f"{path}/replay.json", params={"game": 1}).json()
    assert boards[0]["cube"]["value"] == 2
    kept = parse_book(browser.get(f"{path}/export.mat").content, ".mat").match
    assert kept.terms == found.header.terms
    assert kept.events[:1] == found.match.events[:1]


def test_a_board_where_nobody_can_act_or_a_bot_that_does_not_play_it_is_refused_with_the_reason(
    browser: httpx.Client,
) -> None:
    for board, level, said in (
        (BoardAddress(position="AAAAAAAAAAAAAA"), "easy", "borne off"),
        (BOARD, "nobody", "allowed: "),
        (BoardAddress(variant="plakoto"), "easy", "not played by the bot"),
    ):
        refused = browser.post("/analysis/play", data={"board": query_of(board), "level": level})
        assert (refused.status_code, said in refused.text) == (422, True), refused.text
    assert browser.post("/analysis/play", data={"board": "&".join("a=1" for _ in range(99))}).status_code == 422


def test_programs_begin_such_a_match_over_the_api(served: Served, browser: httpx.Client) -> None:
    token = browser.post("/api/guest", json={"name": "Robot"}).json()["token"]
    asked = {"level": "easy", "side": "far", "board": {"position": "4HPwATDgc/ABMA", "length": 5, "score": "4-1"}}
    made = browser.post("/api/challenge/bot", json=asked, headers={"Authorization": f"Bearer {token}"})
    assert made.status_code == 201, made.text
    found = live(served, made.json()["id"])
    assert (found.match.length, found.match.score, found.match.after_crawford) == (5, (4, 1), True)
    assert found.header.seats[1].name == "Robot"


def test_an_address_opens_any_id_and_leaves_out_what_it_does_not_know(browser: httpx.Client) -> None:
    opened = browser.get("/analysis", params={"id": "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"})
    assert (opened.status_code, opened.headers["location"]) == (303, "/analysis?roll=31&length=7")
    followed = browser.get("/analysis", params={"roll": "31", "utm_source": "a letter"})
    assert followed.headers["location"] == "/analysis?roll=31"


def test_a_link_with_what_is_no_position_opens_the_board_with_the_reason_and_the_text(browser: httpx.Client) -> None:
    text = "XGID=-b----E-C---eE---c-e----C-:0:0:1:31:0:0:0:7:10"
    for params, start in (({"id": text}, ""), ({"id": text, "variant": "nackgammon"}, "variant=nackgammon")):
        refused = browser.get("/analysis", params=params)
        assert refused.status_code == 422
        assert f'data-start="{start}"' in refused.text
        assert re.search(r'id="bad-link" role="alert">[^<]*16', refused.text)
        assert f">{text}</textarea>" in refused.text
    unknown = browser.get("/analysis", params={"id": "</textarea>", "variant": "chess"})
    assert (unknown.status_code, "&lt;/textarea&gt;</textarea>" in unknown.text) == (422, True)
    assert 'role="alert" hidden>' in browser.get("/analysis").text
