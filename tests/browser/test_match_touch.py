"""A match against the bot by touch alone on a phone: drags to move, taps for the buttons."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress

import pytest
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from tests.browser.site import VIEW, WAIT_MS, Person, Site, open_site, spot, until

__all__ = ["open_site"]

PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}


FLING_MS = 700
"""Chromium takes a tap that follows a drag sooner for the end of a fling, and makes no click of it."""


def tap_button(person: Person, kind: str) -> None:
    """Taps a button, and once more if the tap before was taken for the end of a fling."""
    button = person.page.locator(f'.bg-actions [data-kind="{kind}"]:not([aria-disabled="true"])')
    allowed = f"JSON.stringify({VIEW}.allowed)"
    before = person.page.evaluate(allowed)
    for _ in range(WAIT_MS // FLING_MS):
        with suppress(PlaywrightTimeout):  # it is gone where the tap before did count
            button.tap(timeout=FLING_MS)
        for _ in range(FLING_MS // 25):
            if person.page.evaluate(allowed) != before:
                return
            person.page.wait_for_timeout(25)


def play(person: Person) -> None:
    """One turn: each checker dragged by a finger, then Done tapped."""
    nodes, node = person.view["turn"]["nodes"], 0
    while not nodes[node][0]:
        source, target, _, _, node = nodes[node][1][0]
        person.hand.finger_drag(person.hand.at(spot(source)), person.hand.at(spot(target)))
    tap_button(person, "play")


@pytest.mark.deep
def test_a_match_by_touch_alone(open_site: Callable[..., Site]) -> None:
    site = open_site()
    anna = site.person(**PHONE)
    anna.choose("hypergammon", opponent="bot", length=1)
    for _ in range(300):
        anna.wait("v.to_act === 'near' || v.result")
        if anna.view["result"]:
            break
        before = json.dumps([anna.view[part] for part in ("allowed", "near", "far")])
        if "play" in anna.kinds:
            play(anna)
        else:
            tap_button(anna, "roll")
        until(anna.page, f"JSON.stringify([{VIEW}.allowed, {VIEW}.near, {VIEW}.far]) !== JSON.stringify({before})")
        assert anna.page.evaluate("scrollY") == 0, "a drag on the board scrolls nothing"
    assert anna.view["result"] is not None
    assert anna.page.locator("#banner").is_visible()
