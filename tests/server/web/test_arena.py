"""The pages of an arena: what its form offers, who waits, pauses and plays on, and what its director keeps."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

from tests.support.accounts import browser_of, serving

FORM = {
    "name": "Evening arena",
    "form": "arena",
    "variant": "backgammon",
    "length": "1",
    "final": "3",
    "boards": "1",
    "duration": "30",
    "max_players": "3",
    "cube": "1",
}


def test_players_of_an_arena_are_called_to_the_board_pause_and_play_on(tmp_path: Path) -> None:
    with (
        serving(tmp_path, scheduler_ms=20) as served,
        browser_of(served, "Anna") as anna,
        browser_of(served, "Benedict") as ben,
        browser_of(served, "Kimberly") as kim,
    ):
        path = anna.post("/tournaments/new", data=FORM).headers["location"]
        page = anna.get(path).text
        assert "Arena of 30 minutes, 1 point" in page
        assert "Whoever is not at the board within 2 minutes loses the match" in page
        assert "real board" not in page
        for client in (anna, ben):
            assert client.post(f"{path}/join").headers["location"] == path
        answer = kim.post(f"{path}/join")
        pages = {client: client.get(path).text for client in (anna, ben, kim)}
        (waiting,) = (client for client, text in pages.items() if "You are paired as soon as somebody is free." in text)
        called = [client for client in pages if client is not waiting]
        assert answer.headers["location"].startswith("/match/") == (kim in called)
        assert all("is ready" in pages[client] for client in called)
        assert "Players are paired as soon as they are free, until" in pages[waiting]
        assert waiting.post(f"{path}/leave").headers["location"] == path, "who pauses is not asked twice"
        paused = waiting.get(path).text
        assert "You pause and are not paired." in paused
        assert "(pauses)" in paused
        waiting.post(f"{path}/join")
        assert "You are paired as soon as somebody is free." in waiting.get(path).text
        log = re.sub(r"<[^>]*>", "", anna.get(f"{path}/log").text)
        assert re.search(r"\w+ against \w+", log)
        assert "Round" not in log
        rows = list(csv.reader(io.StringIO(anna.get(f"{path}/standings.csv").text)))
        assert rows[0] == ["rank", "player", "points", "won", "played", "prize", "left"]
        assert len(rows) == 4
        assert "Being played" in anna.get(f"{path}/screen").text
        shown = anna.get(path).text
        assert "Extend the arena by" in shown
        assert anna.post(f"{path}/extend", data={"round": "30"}).status_code == 303
        assert "The arena was extended until" in anna.get(f"{path}/log").text
