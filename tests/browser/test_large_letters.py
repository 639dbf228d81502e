"""Pages with long names, and in large letters, on a phone: nothing is too wide, and boards and buttons are as large as hands need."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import httpx
import pytest

from barpoint.server.domain.accounts import SESSION_COOKIE
from tests.browser.site import Person, Site, open_site, resize
from tests.browser.visits import PHONE, TOO_WIDE
from tests.support.all_pages import filled
from tests.support.machine import PATIENCE_S

__all__ = ["open_site"]

OpenSite = Callable[..., Site]

NAME: Final = "W" * 20
CLUB: Final = "W" * 40

PAGES: Final = (
    "/", "/lobby", "/watch", "/chouettes", "/account", "/openings", "/statistics", "/library", "/analysis", "/practice/session",
    "/learn/first-game", "a profile", "a club", "a ladder", "a running match", "a replay with its analysis",
    "the score sheet of a chouette",
)  # fmt: skip
"""Those that show names, and those with tables and boards, which give way least."""

SMALL: Final = """[...document.querySelectorAll("button, .button, summary, select, .tick, .discard")]
  .filter((one) => one.checkVisibility() && !one.closest(".hidden") && one.getBoundingClientRect().height < 35)
  .map((one) => `${one.className} ${one.textContent.trim().slice(0, 40)}: ${one.getBoundingClientRect().height}`)"""
"""Buttons and the like that a finger misses; links stand in running text."""


@pytest.mark.deep
@pytest.mark.parametrize("letters", [16, 24])
def test_no_page_is_too_wide_for_a_phone_with_long_names_and_in_large_letters(
    open_site: OpenSite, letters: int
) -> None:
    site = open_site()
    person = site.person(locale="de-DE", **PHONE)
    with httpx.Client(base_url=site.served.address, timeout=PATIENCE_S) as http:
        pages = filled(site.served, http, NAME, CLUB)
        secret = http.cookies[SESSION_COOKIE]
    person.context.add_cookies([{"name": SESSION_COOKIE, "value": secret, "url": site.served.address}])
    enlarge(person, letters)
    found = {}
    for name in PAGES:
        person.go(pages[name])
        assert person.page.evaluate("getComputedStyle(document.documentElement).fontSize") == f"{letters}px"
        found[name] = [*person.page.evaluate(TOO_WIDE)]
    assert {name: texts for name, texts in found.items() if texts} == {}


def enlarge(person: Person, letters: int) -> None:
    """Sets how large the letters of pages are that name no size, as people do in their browser."""
    session = person.context.new_cdp_session(person.page)
    session.send("Page.setFontSizes", {"fontSizes": {"standard": letters}})


def test_buttons_of_the_lobby_are_as_high_as_a_finger_needs(open_site: OpenSite) -> None:
    person = open_site().person(**PHONE)
    for path in ("/", "/lobby", "/library", "/clubs"):
        person.go(path)
        assert person.page.evaluate(SMALL) == [], path


def test_the_board_of_the_first_game_is_whole_on_a_phone_on_its_side(open_site: OpenSite) -> None:
    person = open_site().person(**PHONE)
    resize(person.page, 844, 390)
    person.go("/learn/first-game")
    person.arrive()
    box = person.page.locator("bg-board .bg-stage").bounding_box()
    assert box is not None
    assert box["height"] <= 390


def test_the_bar_and_the_settings_fit_a_phone_in_letters_of_twice_the_size(open_site: OpenSite) -> None:
    person = open_site().person(**PHONE)
    page = person.page
    enlarge(person, 32)
    person.go("/")
    assert page.evaluate(TOO_WIDE) == []
    page.locator("#page-settings").evaluate("dialog => dialog.showModal()")
    assert page.locator("#page-settings").evaluate("dialog => dialog.scrollWidth - dialog.clientWidth") <= 0
