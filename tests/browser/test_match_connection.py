"""Connections that go silent without being closed, as a phone's do between two networks."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.site import Person, Site, open_site
from tests.support.scripted_bots import ScriptedDice
from tests.support.stalling_proxy import StallingProxy, stalling_proxy

__all__ = ["open_site"]


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
    ben.page.goto(proxy.address + ben.path)
    ben.arrive()
    ben.wait_for("roll")
    yield ben
    ben.page.close()
    site.forgive("a request to")


def last_event(site: Site, person: Person) -> int:
    """The number of the last event of the person's match."""
    match_id = person.path.rpartition("/")[2]
    return site.served.call(site.served.services.matches.live_match(match_id)).seq


def test_a_press_on_a_dead_connection_is_said_and_then_done_once(site: Site, proxy: StallingProxy, ben: Person) -> None:
    stalled = proxy.stall()
    ben.page.locator('.bg-actions [data-kind="roll"]').click()
    expect(ben.page.locator("#notice")).to_have_text("Connecting …")
    expect(ben.page.locator(".presence[data-side=near]")).to_be_hidden()
    ben.wait_for("play")
    expect(ben.page.locator("#notice")).to_be_hidden()
    expect(ben.page.locator(".presence[data-side=near]")).to_be_visible()

    rolled = last_event(site, ben)
    stalled.set()  # the server hears the first press too
    ben.page.wait_for_timeout(500)
    ben.turn((13, 11), (6, 5))
    assert last_event(site, ben) == rolled + 1


def test_a_browser_that_is_online_again_asks_over_a_new_connection(proxy: StallingProxy, ben: Person) -> None:
    proxy.stall()
    ben.page.evaluate("dispatchEvent(new Event('online'))")
    ben.page.locator('.bg-actions [data-kind="roll"]').click()
    ben.wait_for("play")
