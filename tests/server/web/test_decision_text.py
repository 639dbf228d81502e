"""A decision of a match as text, and the report of the match to print."""

from __future__ import annotations

import re

import httpx

from barpoint.analysis.findings import Decision
from barpoint.analysis.theme_text import theme_title
from tests.server.api.test_practice import REPORT, imported
from tests.support.serving import Served


def text_of(browser: httpx.Client, review: str, one: Decision, **more: str) -> httpx.Response:
    asked = {"event": str(one.event), "player": str(one.player), "kind": one.kind, "plies": "0", **more}
    return browser.get(f"/review/{review}/decision-text.json", params=asked)


def test_a_decision_of_a_match_is_told_as_it_was_made_with_the_names_of_the_players(
    served: Served, browser: httpx.Client
) -> None:
    review = imported(served, browser)
    one = next(one for one in REPORT.worst() if one.kind == "play")
    text = text_of(browser, review, one).json()["text"]
    assert text.startswith(f"X: {REPORT.names[one.player]}, O: {REPORT.names[1 - one.player]}\n"), (
        "whoever decides is below"
    )
    assert f"X to play {'-'.join(map(str, one.faces))}." in text
    assert re.search(rf"^\* .*{re.escape(one.made.text)} .*\({-one.loss:.3f}\)  0-ply$", text, re.MULTILINE)
    assert f" 1. {one.best.text} " in text
    assert f"net {REPORT.net}." in text
    deeper = text_of(browser, review, one, deeper="1").json()["text"]
    assert "1-ply" in deeper
    assert re.search(rf"^\* .*{re.escape(one.made.text)} ", deeper, re.MULTILINE)
    assert text_of(browser, review, one, kind="take").status_code == 404
    assert text_of(browser, review, one, event="0").status_code == 404
    assert text_of(browser, review, one, plies="1").status_code == 409, "not analysed so deeply"


def test_the_report_is_a_page_of_its_own_with_the_names_and_every_marked_decision(
    served: Served, browser: httpx.Client
) -> None:
    review = imported(served, browser)
    answer = browser.get(f"/review/{review}/export.html", headers={"Accept-Language": "de"})
    assert answer.headers["content-disposition"] == f'attachment; filename="{review}.html"'
    page = answer.text
    assert page.count("<article>") == len(REPORT.worst())
    assert page.count("<svg") == len(REPORT.worst()), "every decision as it had to be made"
    assert all(name in page for name in REPORT.names)
    assert "<script" not in page
    assert "http" not in re.sub(r'xmlns="[^"]*"', "", page), "nothing comes from elsewhere"
    assert '<html lang="de">' in page
    assert theme_title(REPORT.worst(1)[0].themes[0].name) not in page, "in the language of the reader"
    again = browser.post(
        "/review", files={"file": ("b.mat", b" 3 point match\n\n Game 1\n Kim : 0   Lea : 0\n  1) 31: 8/5 6/5\n")}
    )
    other = re.search(r"/review/([^/]+)/replay", again.headers.get("location", again.text))
    assert other
    assert browser.get(f"/review/{other[1]}/export.html").status_code == 409, "not analysed yet"
