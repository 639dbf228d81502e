"""The menu of every page."""

from __future__ import annotations

import httpx
import pytest

from barpoint.server.web.menu import MENU


@pytest.mark.parametrize(
    ("path", "entry"),
    [
        ("/", "/"),
        ("/lobby", "/lobby"),
        ("/tournament/abcd", "/tournaments"),
        ("/tournaments/new", "/tournaments"),
        ("/clubs/abcd/ladder", "/clubs"),
        ("/ladder/abcd", "/clubs"),
        ("/statistics", "/review"),
        ("/library", "/review"),
        ("/practice/drills/pip-count", "/practice"),
        ("/learn/match-equities", "/rules"),
        ("/rules/roll-over", "/rules"),
        ("/login", None),
    ],
)
def test_a_page_belongs_to_one_entry_at_most(path: str, entry: str | None) -> None:
    assert [each.path for each in MENU if each.holds(path)] == ([entry] if entry else [])


def test_the_entry_of_the_page_is_marked(browser: httpx.Client) -> None:
    page = browser.get("/tournaments/new").text
    assert page.count('aria-current="page"') == 1
    assert '<a href="/tournaments" aria-current="page">Tournaments</a>' in page
