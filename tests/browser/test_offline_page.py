"""Without the server: a page says so, and goes on by itself once the server is back."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.barriers import violations
from tests.browser.site import Site, open_site, until

__all__ = ["open_site"]


def test_off_line_a_page_says_so_and_tries_again(open_site: Callable[..., Site]) -> None:
    site = open_site()
    person = site.person(service_workers="allow", viewport={"width": 320, "height": 640})
    page = person.page
    person.go("/rules")
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    person.go("/rules")
    until(page, "navigator.serviceWorker.controller")
    person.context.set_offline(True)
    for _ in range(20):  # Chromium puts a service worker that it starts anew off line a moment later
        person.go("/lobby")
        if page.get_by_role("heading", name="You are offline").count():
            break
    expect(page.get_by_role("heading", name="You are offline")).to_be_visible()
    assert page.url.endswith("/lobby"), "the address stays the one that was wanted"
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert page.evaluate("getComputedStyle(document.querySelector('#again')).minHeight") != "auto", "its style is kept"
    assert violations(page) == []
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", name="You are offline")).to_be_visible()
    person.context.set_offline(False)
    expect(page.get_by_role("heading", name="Lobby")).to_be_visible()
    site.forgive("ERR_INTERNET_DISCONNECTED")


def test_forms_and_pages_of_the_server_are_never_kept(open_site: Callable[..., Site]) -> None:
    site = open_site()
    person = site.person(service_workers="allow")
    person.go("/")
    person.page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    person.go("/rules")
    until(person.page, "navigator.serviceWorker.controller")
    kept = "caches.open('offline-1').then((cache) => cache.keys()).then((all) => all.map((one) => new URL(one.url).pathname))"
    found = person.page.evaluate(kept)
    assert "/offline" in found
    assert all(path == "/offline" or path.startswith("/static/") for path in found)
