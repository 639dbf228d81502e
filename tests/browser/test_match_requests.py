"""Requests about a match, such as an adjournment: on a phone they cover no button, and without a connection they wait for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import expect

from tests.browser.barriers import violations
from tests.browser.site import Person, Site, open_site, resize
from tests.support.scripted_bots import ScriptedDice
from tests.support.stalling_proxy import StallingProxy, stalling_proxy

__all__ = ["open_site"]

SIZES: Final = ((390, 664), (360, 640), (320, 568), (430, 740), (640, 360))

COVERED: Final = """[...document.querySelectorAll('.bg-actions button')].filter((button) => {
    const {x, y, width, height} = button.getBoundingClientRect();
    return !button.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}).map((button) => button.dataset.kind)"""
"""The board's buttons that something lies over, or that are outside the screen."""

LONG_MS: Final = 11_000
"""In so much time a page asks whether the server is there, and takes a connection without an answer for dead."""


def ask(person: Person, name: str) -> None:
    """Presses a button under More."""
    person.page.get_by_role("button", name="More").click()
    person.page.locator(f"#more [data-ask={name}]").click()


def lose(person: Person) -> None:
    """The browser notices that the network is gone, after what was still on its way has come."""
    person.page.wait_for_timeout(500)
    person.page.evaluate("dispatchEvent(new Event('offline'))")


def test_a_request_on_a_phone_covers_no_button_and_the_bar_leads_to_it(open_site: Callable[..., Site]) -> None:
    site = open_site(dice=ScriptedDice([(6, 5)]))
    phone: dict[str, Any] = {"viewport": {"width": 390, "height": 664}, "has_touch": True, "is_mobile": True}
    anna, ben = site.person(**phone), site.person(**phone)
    ben.take(anna.challenge(length=3, time_control="Normal"))
    anna.wait_for("play")
    ben.wait("v.phase === 'to_play'")
    ask(ben, "adjourn")
    expect(anna.page.locator("#request")).to_contain_text("wants to adjourn")
    expect(ben.page.locator("#request")).to_contain_text("You want to adjourn")
    for size in SIZES:
        for person in (anna, ben):
            resize(person.page, *size)
            person.hand.settle()
            assert person.page.evaluate(COVERED) == [], size
            assert person.page.evaluate("document.documentElement.scrollWidth") <= size[0]
    resize(anna.page, 390, 664)
    resize(ben.page, 390, 664)
    assert violations(anna.page) == []

    link = ben.page.locator(".request-link")
    expect(link).to_have_text(ben.page.locator("#request [data-text]").inner_text())
    link.click()
    close = ben.page.locator("#request").get_by_role("button", name="Close")
    expect(close).to_be_focused()
    close.click()
    expect(ben.page.locator("#request")).to_be_hidden()
    expect(link).to_be_hidden()

    anna.page.locator(".request-link").click()
    adjourn = anna.page.locator("#request [data-ask=adjourn]")
    expect(adjourn).to_be_in_viewport()
    expect(anna.page.locator(".request-link")).to_be_hidden()
    adjourn.click()
    for person in (anna, ben):
        expect(person.page.locator("#request")).to_contain_text("The match is adjourned")


@pytest.fixture
def site(open_site: Callable[..., Site]) -> Site:
    return open_site(dice=ScriptedDice([(6, 5), (3, 1)]))


@pytest.fixture
def proxy(site: Site) -> Iterator[StallingProxy]:
    with stalling_proxy(site.served.port) as made:
        yield made


@pytest.fixture
def pair(site: Site, proxy: StallingProxy) -> Iterator[tuple[Person, Person]]:
    """Two players at a match with a clock; the second reaches the server through the proxy."""
    anna, ben = site.pair(length=3, time_control="Normal")
    ben.page.clock.install()
    ben.page.goto(proxy.address + ben.path)
    ben.arrive()
    yield anna, ben
    ben.page.close()
    site.forgive("a request to")


@pytest.mark.parametrize("noticed", [True, pytest.param(False, marks=pytest.mark.deep)])
def test_a_request_on_a_dead_connection_is_said_to_wait_and_made_over_the_next_one(
    proxy: StallingProxy, pair: tuple[Person, Person], noticed: bool
) -> None:
    anna, ben = pair
    request = ben.page.locator("#request")
    stalled = proxy.stall()
    if noticed:
        lose(ben)
    ask(ben, "adjourn")
    if noticed:
        expect(ben.page.locator("#toast")).to_have_text("No connection. What you did is kept and sent when it is back.")
        expect(request).to_have_text("Adjourn: will be sent when the connection is back.")
    ben.page.clock.run_for(LONG_MS)
    expect(request).to_contain_text("You want to adjourn")
    expect(anna.page.locator("#request")).to_contain_text("wants to adjourn")
    stalled.set()  # the server hears the first request too
    ben.page.wait_for_timeout(500)
    anna.page.locator("#request [data-ask=decline]").click()
    expect(anna.page.locator("#request")).to_be_hidden()
    expect(request).to_be_hidden()

    proxy.stall()
    ben.page.clock.run_for(LONG_MS)
    expect(ben.page.locator("#notice")).to_be_hidden()
    ben.page.wait_for_timeout(300)
    expect(request).to_be_hidden()  # what was answered is not asked for again


def test_a_mute_on_a_dead_connection_is_sent_over_the_next_one(
    proxy: StallingProxy, pair: tuple[Person, Person]
) -> None:
    anna, ben = pair
    ben.page.locator("#chat > summary").click()
    mute = ben.page.get_by_label("Hide what the other player writes")
    proxy.stall()
    lose(ben)
    mute.check()
    expect(ben.page.locator("#toast")).to_contain_text("What you did is kept")
    ben.page.clock.run_for(LONG_MS)
    expect(ben.page.locator("#notice")).to_be_hidden()
    expect(mute).to_be_checked()
    anna.page.locator("#chat > summary").click()
    say = anna.page.get_by_label("Say something")
    say.fill("Hello?")
    say.press("Enter")
    expect(anna.page.locator(".chat-lines ol:not(.unsent) li")).to_have_text(["You Hello?"])
    ben.go(ben.path)  # not through the proxy
    ben.arrive()
    ben.page.locator("#chat > summary").click()
    expect(mute).to_be_checked()
    expect(ben.page.locator(".chat-lines li")).to_have_count(0)


def test_that_the_chat_is_muted_no_longer_is_told_to_a_page_that_comes_back(
    site: Site, proxy: StallingProxy, pair: tuple[Person, Person]
) -> None:
    _, ben = pair
    ben.page.locator("#chat > summary").click()
    mute = ben.page.get_by_label("Hide what the other player writes")
    mute.check()
    second = ben.context.new_page()
    second.goto(site.served.address + ben.path)
    second.locator("#chat > summary").click()
    other = second.get_by_label("Hide what the other player writes")
    expect(other).to_be_checked()
    proxy.stall()
    other.uncheck()
    ben.page.clock.run_for(LONG_MS)
    expect(mute).not_to_be_checked()
    second.close()
