"""The dice of a match over HTTP: no secrets before its end, everything after it."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest

from barpoint.game import Opening, Roll
from barpoint.server.domain.dice_report import check, read_report
from tests.support.played import play_match
from tests.support.serving import Served


@pytest.mark.parametrize("name", ["roll-over", "duodecagammon"])
def test_the_report_of_a_match_that_was_played_here_checks(served: Served, http: httpx.Client, name: str) -> None:
    match_id = served.call(play_match(served.services, name))
    answer = http.get(f"/match/{match_id}/dice.json")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json")
    assert match_id in answer.headers["content-disposition"]
    report = read_report(answer.content)
    checked = check(report)
    live_match = served.call(served.services.matches.live_match(match_id))
    made = [event for event in live_match.match.events if isinstance(event, Opening | Roll)]
    assert [shown.faces for shown in report.rolls] == [event.faces for event in made]
    assert checked.rolls + checked.opening_rolls == len(made) > 10


def test_before_the_end_only_the_commitment_is_given_and_it_is_the_one_of_the_report(
    served: Served, http: httpx.Client
) -> None:
    match_id = served.call(play_match(served.services, events=6))
    answer = http.get(f"/match/{match_id}/dice.json")
    header = served.call(served.services.matches.live_match(match_id)).header
    assert answer.status_code == 409
    assert answer.json() == {
        "error": "the match is not over; its dice can be checked when it is",
        "commitment": header.seeds.commitment,
    }
    assert header.server_seed.hex() not in answer.text + http.get(f"/match/{match_id}").text


def test_there_is_no_report_of_a_match_that_never_was(http: httpx.Client) -> None:
    assert http.get("/match/nosuchmatch/dice.json").status_code == 404


def test_the_page_that_checks_needs_no_other_host_and_no_script_of_its_own(http: httpx.Client) -> None:
    page = http.get("/verify")
    assert page.status_code == 200
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'; script-src 'self'" in policy
    assert not re.search(r"https?://", policy)
    assert not re.search(r"<script(?![^>]*\bsrc=\"/static/)|https?://|\bon[a-z]+=", page.text)
    for script in ("page.js", "verify.js"):
        text = http.get(f"/static/verify/{script}").text
        assert not re.search(r"https?://|eval\(|innerHTML", text)


def test_the_page_says_what_is_not_shown(http: httpx.Client) -> None:
    assert "What it does not show" in http.get("/verify").text
    assert "What it does not prove" in (Path(__file__).parents[3] / "docs" / "dice.md").read_text(encoding="utf-8")
