"""The opening book in a browser: no name of a game is cut, in any language."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from barpoint.language import languages
from tests.browser.site import Site, open_site, resize
from tests.support.deep import DEEP

__all__ = ["open_site"]

OpenSite = Callable[..., Site]

CUT = """() => [...document.querySelectorAll(".which select")].flatMap((select) => [...select.options].filter((option) => {
    const alone = select.cloneNode();
    alone.append(option.cloneNode(true));
    alone.style.inlineSize = "max-content";
    alone.style.position = "absolute";
    select.after(alone);
    const cut = alone.offsetWidth > select.offsetWidth;
    alone.remove();
    return cut;
  }).map((option) => option.text))"""
"""The choices whose text is wider than the field that shows it."""


def test_the_names_of_all_games_are_shown_whole(open_site: OpenSite) -> None:
    site = open_site()
    cut = {}
    for code in languages() if DEEP else ("en", "de"):
        person = site.person(locale=code, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
        person.go("/openings")
        expect(person.page.locator(".which select")).to_have_count(2)
        for width in (360, 1280):
            resize(person.page, width, 740)
            cut[code, width] = person.page.evaluate(CUT)
            assert person.page.evaluate("document.documentElement.scrollWidth") <= width, code
    assert {at: names for at, names in cut.items() if names} == {}
