"""Every page in another language in a browser: nothing is said that is in no catalogue, and nothing is too wide for a phone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import httpx
import pytest
from playwright.sync_api import expect

from barpoint.language import SOURCE, languages
from barpoint.server.domain.accounts import SESSION_COOKIE
from tests.browser.hand import BOARD, Hand
from tests.browser.site import Person, Site, open_site, resize, until
from tests.browser.views import roll, view
from tests.support.all_pages import filled
from tests.support.machine import PATIENCE_S
from tests.support.marked import foreign, mark_german, without_marked

__all__ = ["open_site"]

OpenSite = Callable[..., Site]

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

TOO_WIDE: Final = """(() => {
  const found = [], root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) found.push(`the page is ${root.scrollWidth} wide`);
  const scrolls = (element) => element && element !== root && (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
  const label = "button, .button, label, legend, th, summary, h1, h2, h3, .segments label, nav a, [role=tab], .tile, .hint, .bg-actions *, .bg-panel *";
  for (const element of document.querySelectorAll(label)) {
    const box = element.getBoundingClientRect(), style = getComputedStyle(element);
    if (!box.width || style.visibility === "hidden" || element.closest(".hidden, .skip, svg, [hidden]")) continue;
    const text = element.textContent.trim().slice(0, 60), at = `${element.tagName.toLowerCase()}.${element.className}`;
    if (style.display !== "inline" && box.width > 4 && element.scrollWidth > element.clientWidth + 1 && !/auto|scroll/.test(style.overflowX) && style.textOverflow !== 'ellipsis') found.push(`${at} is too narrow: ${text}`);
    if ((box.right > root.clientWidth + 1 || box.left < -1) && !scrolls(element)) found.push(`${at} is outside: ${text}`);
  }
  return [...new Set(found)];
})()"""
"""The page itself, and labels and buttons whose text does not fit."""


def visited(site: Site, person: Person) -> Iterator[str]:
    """Goes to every page, as Anna; gives what each shows."""
    with httpx.Client(base_url=site.served.address, timeout=PATIENCE_S) as http:
        pages = filled(site.served, http)
        secret = http.cookies[SESSION_COOKIE]
    person.context.add_cookies([{"name": SESSION_COOKIE, "value": secret, "url": site.served.address}])
    for name, path in pages.items():
        person.go(path)
        if person.page.locator("bg-board").count() and not path.startswith(("/rules/", "/learn")):
            until(person.page, f"{BOARD}?.turn?.view && !{BOARD}.busy")
        person.page.evaluate("document.fonts.ready.then(() => null)")
        if path.startswith(("/verify?", "/analysis", "/review/")) or path.endswith("replay"):
            person.page.wait_for_timeout(400)
        yield name
        for tab in person.page.locator("[role=tab]:visible").all():
            tab.click()
            person.page.wait_for_timeout(150)
            yield f"{name}, {tab.get_attribute('id')}"
    site.forgive("404", "422")


PHONE: Final[dict[str, Any]] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


def unmarked(texts: list[str]) -> list[str]:
    """The texts that are in no catalogue; what stands in brackets may have elements inside."""
    return [text for text in without_marked("\n".join(texts)).split("\n") if foreign(text)]


@pytest.fixture
def marked(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from mark_german(monkeypatch, unseen=True)


def test_no_page_says_anything_that_is_in_no_catalogue_or_is_too_wide_for_a_phone_in_german(
    open_site: OpenSite, marked: None
) -> None:
    site = open_site()
    person = site.person(locale="de-DE", **PHONE)
    found = {
        name: [*unmarked(person.page.evaluate(TEXTS)), *person.page.evaluate(TOO_WIDE)]
        for name in visited(site, person)
    }
    assert {name: texts for name, texts in found.items() if texts} == {}


@pytest.mark.deep
@pytest.mark.parametrize("code", [code for code in languages() if code not in (SOURCE, "de")])
def test_no_page_is_too_wide_for_a_phone_in_another_language(open_site: OpenSite, code: str) -> None:
    site = open_site()
    person = site.person(locale=code, **PHONE)
    found = {name: person.page.evaluate(TOO_WIDE) for name in visited(site, person)}
    assert {name: texts for name, texts in found.items() if texts} == {}


RESIGN: Final = {"kind": "resign", "levels": [1, 2, 3], "points": [1, 2, 3]}
ROLLOVER: Final = {"kind": "rollover", "roll": 3, "on": "other", "faces": [6, 5]}
LEAVE: Final = {"kind": "abort", "reason": "loses"}
FOUR_BUTTONS: Final = (
    [RESIGN, ROLLOVER, {"kind": "double", "value": 4}, {"kind": "roll"}],
    [RESIGN, LEAVE, {"kind": "double", "reason": "dead"}, {"kind": "roll"}],
    [RESIGN, {"kind": "take", "value": 2}, {"kind": "pass", "points": [1]}, {"kind": "beaver", "value": 4}],
)


def test_four_buttons_below_the_board_fit_a_phone_in_every_language(open_site: OpenSite) -> None:
    site = open_site()
    found = {}
    tokens = {"near": 1, "far": 1}
    shown = [view(allowed=allowed, tokens=tokens) for allowed in FOUR_BUTTONS]
    shown.append(
        view(allowed=[RESIGN, ROLLOVER], tokens=tokens, dice=roll(3, 1), made=[[8, 5, 3]])
    )  # Done and Undo, too
    for code in languages():
        person = site.person(locale=code, **PHONE)
        person.challenge(length=5)
        for width in (360, 320):
            resize(person.page, width, 740)
            for number, one in enumerate(shown):
                person.hand.show(one)
                expect(person.page.locator(".bg-actions button")).to_have_count(4)
                found[code, width, number] = person.page.evaluate(TOO_WIDE)
    assert {at: texts for at, texts in found.items() if texts} == {}


def test_scripts_write_no_sign_before_what_is_shown_as_zero(hand: Hand) -> None:
    written = hand.page.evaluate(
        """async () => { const { number, percent } = await import('/static/board/language.js');
        return [0, -0, 0.0004, -0.0004].flatMap((value) => [number(value, 3, true), number(value, 3), percent(value / 10)])
          .concat(number(0.0006, 3, true), number(-0.0006, 3, true), number(-0.0006, 3), percent(-0.25), number(-2n)); }"""
    )
    assert written == ["0.000", "0.000", "0.0%"] * 4 + ["+0.001", "−0.001", "−0.001", "−25.0%", "−2"]
