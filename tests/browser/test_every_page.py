"""Every page with something on it, on a phone and wide, light and dark: all of its texts are translated, no barrier, nothing too wide, nothing too heavy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, Literal

import pytest
from playwright.sync_api import Page

from barpoint.language import SOURCE, languages
from tests.browser.barriers import violations
from tests.browser.scales import MAX_BYTES, Scales
from tests.browser.site import Site, open_site, resize
from tests.browser.visits import ALIKE, PHONE, TOO_WIDE, visited
from tests.support.deep import DEEP
from tests.support.marked import foreign, mark_german, without_marked
from tests.support.scripted_bots import RepeatedDice

__all__ = ["open_site"]

OpenSite = Callable[..., Site]
Screen = tuple[int, Literal["light", "dark"]]

SCREENS: Final[tuple[Screen, ...]] = ((360, "light"), (1280, "dark"))
OTHER_SCREENS: Final[tuple[Screen, ...]] = ((360, "dark"), (1280, "light"))

TEXTS: Final = """(() => {
  const found = [], skipped = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE"]);
  const names = ["alt", "aria-label", "aria-description", "aria-roledescription", "aria-valuetext", "placeholder", "title", "label"];
  const walk = (node) => {
    if (node.nodeType === Node.TEXT_NODE && node.data.trim()) found.push(node.data.trim());
    if (node.nodeType === Node.ELEMENT_NODE) {
      if (skipped.has(node.tagName)) return;
      for (const name of names) if (node.getAttribute(name)) found.push(node.getAttribute(name));
      if (node.shadowRoot) walk(node.shadowRoot);
    }
    if (node.nodeType !== Node.TEXT_NODE) node.childNodes.forEach(walk);
  };
  walk(document.documentElement);
  return found;
})()"""
"""What people read and hear on a page, hidden dialogs and menus included."""

SIZE: Final = "document.documentElement.scrollWidth"


@pytest.fixture
def marked(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from mark_german(monkeypatch, unseen=True)


def unmarked(texts: list[str]) -> list[str]:
    """The texts that are in no catalogue; what stands in brackets may have elements inside."""
    return [text for text in without_marked("\n".join(texts)).split("\n") if foreign(text)]


def look(page: Page, screen: Screen) -> None:
    """Shows a page on this screen."""
    page.emulate_media(color_scheme=screen[1])
    resize(page, screen[0], 740)


def problems(page: Page, screens: tuple[Screen, ...], barriers: bool) -> list[str]:
    """What is wrong with a page on these screens."""
    found = []
    for wide, scheme in screens:
        look(page, (wide, scheme))
        found += [f"{wide} {scheme}: {text}" for text in violations(page)] if barriers else []
        if (shown := page.evaluate(SIZE)) > wide:
            found.append(f"{wide} {scheme}: {shown} wide")
    return found


@pytest.mark.parametrize("screens", [SCREENS, pytest.param(OTHER_SCREENS, marks=pytest.mark.deep)])
def test_no_page_has_an_untranslated_text_a_barrier_is_too_wide_or_weighs_more_than_300_kilobytes(
    open_site: OpenSite, marked: None, screens: tuple[Screen, ...]
) -> None:
    """In German, whose words are long. In `make test` each page is on one of the screens, and those of one template are left out."""
    site = open_site(dice=RepeatedDice())  # else the weight of a replay depends on how long its match happened to be
    person = site.person(locale="de-DE", **PHONE)
    scales = Scales(person)
    found = {}
    for number, (name, path) in enumerate(visited(site, person, but=() if DEEP else ALIKE)):
        page = person.page
        weight = scales.weight()
        found[name] = [*unmarked(page.evaluate(TEXTS)), *page.evaluate(TOO_WIDE)]
        if path:
            found[name] += [] if 0 < weight <= MAX_BYTES else [f"{weight} bytes"]
            shown = screens if DEEP else (screens[number % len(screens)],)
            found[name] += problems(page, shown, barriers=screens is not SCREENS or path not in ALIKE)
            look(page, screens[0])
    assert {name: texts for name, texts in found.items() if texts} == {}


@pytest.mark.deep
@pytest.mark.parametrize("code", [code for code in languages() if code not in (SOURCE, "de")])
def test_no_page_is_too_wide_for_a_phone_in_another_language(open_site: OpenSite, code: str) -> None:
    site = open_site()
    person = site.person(locale=code, **PHONE)
    found = {name: person.page.evaluate(TOO_WIDE) for name, _ in visited(site, person)}
    assert {name: texts for name, texts in found.items() if texts} == {}
