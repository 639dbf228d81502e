"""Matches with days for a turn: which board is next, how much time is left, and what is done for players who are away."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from barpoint.game import PlayMade
from barpoint.match import MatchTerms
from barpoint.moves import legal_plays
from barpoint.server.domain.agreements import Agreement
from barpoint.server.domain.time_control import DAY, HOUR
from barpoint.server.live.matches import seat_for
from barpoint.server.storage import accounts, news
from barpoint.variants import variant
from tests.server.web.test_news import anna, at, ben, hear
from tests.support.accounts import account_of, serving
from tests.support.live_server import Clock
from tests.support.scripted_bots import ScriptedDice
from tests.support.serving import Served

__all__ = ["anna", "ben"]

CLOCK = Clock()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path, clock=CLOCK, dice=ScriptedDice([(6, 5)] * 9)) as running:
        yield running


def match_of(served: Served, first: httpx.Client, second: httpx.Client, time_control: str) -> str:
    """A match in which the first player is to play."""
    agreement = Agreement(variant("backgammon"), MatchTerms(length=3), time_control)
    seats = seat_for(account_of(served, first)), seat_for(account_of(served, second))
    return served.call(served.services.matches.make(agreement, seats)).id


def play(served: Served, match_id: str) -> None:
    """Whoever has a roll plays it."""
    live = served.call(served.services.matches.live_match(match_id))
    game = live.match.game
    event = PlayMade(game.player, legal_plays(game.rules, game.position, game.faces)[0].moves)
    served.call(served.services.matches.act(match_id, game.player, f"c{live.seq}", live.seq, event))


def test_boards_that_wait_are_counted_and_listed_by_the_time_that_is_left(
    served: Served, anna: httpx.Client, ben: httpx.Client
) -> None:
    slow, quick, fast = (match_of(served, anna, ben, f"Correspondence {days}") for days in (5, 2, 1))
    match_of(served, ben, anna, "Correspondence 1")
    live = match_of(served, anna, ben, "None")
    CLOCK.now += HOUR
    assert anna.get("/matches/next").json() == {"count": 3, "path": f"/match/{fast}"}
    assert anna.get(f"/matches/next?but={fast}").json() == {"count": 2, "path": f"/match/{quick}"}
    page = anna.get("/matches").text
    shown = re.findall(r'href="/match/(\w+)".*?<em>(.*?)</em>', page.replace("\u00a0", " "), re.DOTALL)
    assert shown[:4] == [
        (fast, "your move · 23 hours left"),
        (quick, "your move · 47 hours left"),
        (slow, "your move · 4 days left"),
        (live, "your move"),
    ]
    assert shown[4][1] == "not your move"
    assert "3 boards wait for you" in page
    with at(served, anna, news=True) as told:
        assert 'data-boards="3"' in hear(told, "news")["html"]
        play(served, fast)
        assert 'data-boards="2"' in hear(told, "news")["html"]
        for match_id in (quick, slow):
            play(served, match_id)
        while hear(told, "news")["html"].strip():
            pass
    assert anna.get("/matches/next").json() == {"count": 0, "path": ""}
    assert '<span id="boards" hidden>' in anna.get("/lobby").text


def test_what_every_page_says_is_read_for_pages_alone_and_the_session_once(
    served: Served, anna: httpx.Client, ben: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, asked = served.services.store.read, list[str]()

    async def noted(work: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        if work.__module__ in (accounts.__name__, news.__name__):
            asked.append(work.__name__)
        return await read(work, *args, **kwargs)

    match_id = match_of(served, anna, ben, "Correspondence 2")
    monkeypatch.setattr(served.services.store, "read", noted)
    for path in ("/matches/next", f"/match/{match_id}/automatic", f"/match/{match_id}/dice.json"):
        assert anna.get(path).headers["content-type"] == "application/json"
    assert asked == ["who_until"] * 3
    asked.clear()
    assert "1 board waits for you" in anna.get("/rules").text
    assert asked == ["who_until", "news_and_due"]


def test_a_player_reads_and_changes_what_is_done_for_them_and_nobody_else_does(
    served: Served, anna: httpx.Client, ben: httpx.Client, http: httpx.Client
) -> None:
    match_id = match_of(served, anna, ben, "Correspondence 2")
    path = f"/match/{match_id}/automatic"
    asked = {"rolls": "no_double", "passes": "1", "answer": "take"}
    kept = {"rolls": "no_double", "passes": True, "forced": False, "bears_off": False, "answer": "take"}
    nothing = {"rolls": "never", "passes": False, "forced": False, "bears_off": False, "answer": ""}
    assert ben.post(path, data=asked).json() == kept
    assert ben.get(path).json() == kept
    assert anna.get(path).json() == nothing
    assert '<option value="take" selected>' in ben.get(f"/match/{match_id}").text
    assert '<option value="take" selected>' not in anna.get(f"/match/{match_id}").text
    with at(served, anna, f"/ws/match/{match_id}", seq=None) as board:
        assert "take" not in json.dumps(hear(board, "state"))
    assert ben.post(path, data={"rolls": "often"}).status_code == 422
    assert http.get(path).status_code == http.post(path, data=asked).status_code == 403
    assert anna.get(f"/match/{match_of(served, anna, ben, 'Normal')}/automatic").status_code == 403
    CLOCK.now += 3 * DAY
    served.call(served.services.matches.expire(match_id))
    assert ben.post(path, data=asked).status_code == 403, "it is over"
