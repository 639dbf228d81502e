"""Connections that go silent without being closed, as a phone's do between two networks."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.barriers import violations
from tests.browser.site import Person, Site, open_site, until
from tests.support.scripted_bots import ScriptedDice
from tests.support.stalling_proxy import StallingProxy, stalling_proxy

__all__ = ["open_site"]

LOST = """(document.querySelector('#notice').textContent === 'Connecting …'
    && !document.querySelector('.presence[data-side=near]').checkVisibility())"""

LONG_MS = 11_000
"""In so much time a page asks whether the server is there, and takes a connection without an answer for dead."""

HELD = """(document.querySelector('.bg-status').textContent === 'Will be sent when the connection is back'
    && !document.querySelector('.bg-actions button:not([aria-disabled])') && !document.querySelector('bg-board').player.canLift('p11'))"""


@pytest.fixture
def site(open_site: Callable[..., Site]) -> Site:
    return open_site(dice=ScriptedDice([(6, 5), (3, 1)], [(2, 1)]))


@pytest.fixture
def proxy(site: Site) -> Iterator[StallingProxy]:
    with stalling_proxy(site.served.port) as made:
        yield made


@pytest.fixture
def ben(site: Site, proxy: StallingProxy) -> Iterator[Person]:
    """Somebody whose roll it is, and who reaches the server through the proxy."""
    anna, ben = site.pair()
    anna.turn((24, 18), (18, 13))
    ben.wait_for("roll")
    ben.page.clock.install()
    ben.page.goto(proxy.address + ben.path)
    ben.arrive()
    ben.wait_for("roll")
    yield ben
    ben.page.close()
    site.forgive("a request to")


def goes_by(person: Person) -> None:
    """Lets so much time pass for a page whose clock is the test's."""
    person.page.clock.run_for(LONG_MS)


def last_event(site: Site, person: Person) -> int:
    """The number of the last event of the person's match."""
    match_id = person.path.rpartition("/")[2]
    return site.served.call(site.served.services.matches.live_match(match_id)).seq


def test_a_press_on_a_dead_connection_is_said_and_then_done_once(site: Site, proxy: StallingProxy, ben: Person) -> None:
    stalled = proxy.stall()
    ben.page.locator('.bg-actions [data-kind="roll"]').click()
    until(ben.page, LOST)  # both, before there is another connection
    ben.wait_for("play")
    expect(ben.page.locator("#notice")).to_be_hidden()
    expect(ben.page.locator(".presence[data-side=near]")).to_be_visible()

    rolled = last_event(site, ben)
    stalled.set()  # the server hears the first press too
    ben.page.wait_for_timeout(500)
    ben.turn((13, 11), (6, 5))
    assert last_event(site, ben) == rolled + 1


@pytest.mark.parametrize("noticed", [True, pytest.param(False, marks=pytest.mark.deep)])
def test_what_was_pressed_on_a_dead_connection_is_said_to_wait_and_nothing_changes_until_it_is_done(
    proxy: StallingProxy, ben: Person, noticed: bool
) -> None:
    ben.roll()
    ben.move((13, 11), (6, 5))
    proxy.stall()
    if noticed:
        ben.page.evaluate("dispatchEvent(new Event('offline'))")
    ben.page.locator('.bg-actions [data-kind="play"]').click()
    until(ben.page, HELD)  # all of it, before there is another connection
    ben.wait("v.to_act === 'far'")
    expect(ben.page.locator(".bg-status")).not_to_contain_text("Will be sent")


def test_a_line_of_chat_on_a_dead_connection_is_kept_and_written_once(
    site: Site, proxy: StallingProxy, ben: Person
) -> None:
    page = ben.page
    lines = page.locator(".chat-lines li")
    page.locator("#chat > summary").click()
    say = page.get_by_label("Say something")
    say.fill("Hello")
    say.press("Enter")
    expect(page.locator(".chat-lines ol:not(.unsent) li")).to_have_text(["You Hello"])

    stalled = proxy.stall()
    for text in ("Hello", "Still there?"):
        say.fill(text)
        say.press("Enter")
    expect(page.locator(".unsent li")).to_have_text(["You Hello not sent yet", "You Still there? not sent yet"])
    assert violations(page) == []
    goes_by(ben)
    expect(lines).to_have_text(["You Hello", "You Hello", "You Still there?"])  # over a new connection
    stalled.set()  # the server hears the first line once more
    page.wait_for_timeout(500)
    ben.go(ben.path)  # not through the proxy
    ben.arrive()
    page.locator("#chat > summary").click()
    expect(lines).to_have_text(["You Hello", "You Hello", "You Still there?"])


def test_a_lobby_notices_a_dead_connection_and_shows_what_is_new(site: Site, proxy: StallingProxy) -> None:
    anna, ben = site.person(), site.person()
    ben.page.clock.install()
    ben.page.goto(f"{proxy.address}/lobby")
    expect(ben.page.locator("[data-connected]")).to_be_attached()
    proxy.stall()
    anna.go("/?opponent=lobby")
    anna.page.get_by_role("button", name="Play", exact=True).click()
    anna.page.wait_for_url("**/lobby")
    goes_by(ben)
    expect(ben.page.locator(".open-game")).to_have_count(1)
    ben.page.close()
    site.forgive("a request to")


def test_a_browser_that_is_online_again_asks_over_a_new_connection(proxy: StallingProxy, ben: Person) -> None:
    proxy.stall()
    ben.page.evaluate("dispatchEvent(new Event('online'))")
    ben.page.locator('.bg-actions [data-kind="roll"]').click()
    ben.wait_for("play")
