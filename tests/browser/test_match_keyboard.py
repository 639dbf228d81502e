"""A match against the bot by keyboard alone, from the first page to the banner."""

from __future__ import annotations

import json
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.site import VIEW, Person, Site, open_site, spot, until

__all__ = ["open_site"]


def focused(page: Page) -> str:
    found: str = page.evaluate("document.activeElement.dataset.spot ?? document.activeElement.id ?? ''")
    return found


def tab_to(page: Page, name: str) -> None:
    """Presses Tab until an element has the focus."""
    for _ in range(60):
        if focused(page) == name or page.evaluate("document.activeElement.innerText?.trim() ?? ''") == name:
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never reached {name}")


def walk_to(person: Person, place: str) -> None:
    """Presses arrows until a place has the focus."""
    keys = ["ArrowRight"] * 15 + ["ArrowUp"] * 3 + ["ArrowLeft"] * 15 + ["ArrowDown"] * 3 + ["ArrowRight"] * 15
    for key in ["ArrowLeft", *keys, *keys]:
        person.page.keyboard.press(key)
        if focused(person.page) == place:
            return
    raise AssertionError(f"arrows never reached {place}")


def play(person: Person) -> None:
    """One turn: lifts and drops with Space, then Enter."""
    nodes, node = person.view["turn"]["nodes"], 0
    while not nodes[node][0]:
        source, target, _, _, node = nodes[node][1][0]
        walk_to(person, spot(source))
        person.page.keyboard.press(" ")
        walk_to(person, spot(target))
        person.page.keyboard.press(" ")
        person.hand.settle()
    person.page.keyboard.press("Enter")


def test_a_match_by_keyboard_alone(open_site: Callable[..., Site]) -> None:
    site = open_site()
    anna = site.person()
    anna.go("/")
    tab_to(anna.page, "v-hypergammon")
    anna.page.keyboard.press(" ")
    expect(anna.page.locator("#card-title")).to_have_text("Hyper-backgammon")
    tab_to(anna.page, "length")
    anna.page.keyboard.press("ArrowUp")
    anna.page.keyboard.press("ArrowUp")
    tab_to(anna.page, "Play")
    anna.page.keyboard.press("Enter")
    anna.page.wait_for_url("**/match/*")
    anna.arrive()
    assert anna.view["score"]["length"] == 1
    for _ in range(300):
        anna.wait("v.to_act === 'near' || v.result")
        if anna.view["result"]:
            break
        before = json.dumps([anna.view[part] for part in ("allowed", "near", "far")])
        if "play" in anna.kinds:
            play(anna)
        else:
            anna.page.keyboard.press("r")
        until(anna.page, f"JSON.stringify([{VIEW}.allowed, {VIEW}.near, {VIEW}.far]) !== JSON.stringify({before})")
    assert anna.view["result"] is not None
    assert anna.page.locator("#banner").is_visible()
    played = anna.path
    tab_to(anna.page, "Rematch")
    anna.page.keyboard.press("Enter")
    anna.page.wait_for_url(lambda url: not url.endswith(played))
    anna.arrive()
    assert anna.view["result"] is None
