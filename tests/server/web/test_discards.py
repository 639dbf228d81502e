"""Giving up a match from one's list: a page that says what follows, one press, and nobody else can."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.support.accounts import serving
from tests.support.serving import Served


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path) as running:
        yield running


def test_a_guest_removes_an_unfinished_match_against_a_bot_from_both_lists(served: Served) -> None:
    with httpx.Client(base_url=served.address) as http:
        form = {"variant": "backgammon", "length": "3", "cube": "1", "opponent": "bot", "level": "easy"}
        path = http.post("/match", data=form).headers["location"]
        for page in ("/", "/matches"):
            assert f'href="{path}/discard"' in http.get(page).text
        asked = http.get(f"{path}/discard").text
        assert "counts for nothing" in asked
        assert path in http.get("/matches").text, "asking removes nothing"
        with httpx.Client(base_url=served.address) as other:
            assert other.get(f"{path}/discard").status_code == 403
            assert other.post(f"{path}/discard").status_code == 403
        answer = http.post(f"{path}/discard", data={"x": "1"})
        assert (answer.status_code, answer.headers["location"]) == (303, "/matches")
        for page in ("/", "/matches"):
            assert path not in http.get(page).text
        assert http.get(f"{path}/discard").headers["location"] == path
