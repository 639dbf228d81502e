"""Visits to every page of a server that has something on each."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Final

import httpx
from playwright.sync_api import expect

from barpoint.server.domain.accounts import SESSION_COOKIE
from barpoint.variants import variants
from tests.browser.hand import BOARD
from tests.browser.site import WAIT_MS, Person, Site, until
from tests.support.all_pages import filled
from tests.support.machine import PATIENCE_S

PHONE: Final[dict[str, Any]] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}

ALIKE: Final = tuple(f"/rules/{header.name}" for header in variants())[3:]
"""Pages of one template."""

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


def visited(site: Site, person: Person, but: Collection[str] = ()) -> Iterator[tuple[str, str]]:
    """Goes to every page but these, as Anna, and to its tabs; gives what each shows, and its path, "" for a tab."""
    with httpx.Client(base_url=site.served.address, timeout=PATIENCE_S) as http:
        pages = filled(site.served, http)
        secret = http.cookies[SESSION_COOKIE]
    person.context.add_cookies([{"name": SESSION_COOKIE, "value": secret, "url": site.served.address}])
    for name, path in pages.items():
        if path in but:
            continue
        person.go(path)
        person.page.locator("h1").first.wait_for(timeout=WAIT_MS)  # a page that a script fills
        if person.page.locator("#name-0").count():
            expect(person.page.locator("#name-0")).not_to_be_empty()
        if person.page.locator("bg-board").count() and not path.startswith(("/rules/", "/learn")):
            until(person.page, f"{BOARD}?.turn?.view && !{BOARD}.busy")
        person.page.evaluate("document.fonts.ready.then(() => null)")
        for box in person.page.locator(".exercise").all():
            box.scroll_into_view_if_needed()
            expect(box.locator(".bg-checker").first).to_be_attached()
        if path.startswith(("/verify?", "/analysis", "/review/")) or path.endswith("replay"):
            person.page.wait_for_timeout(400)
        yield name, path
        for tab in person.page.locator("[role=tab]:visible").all():
            tab.click()
            person.page.wait_for_timeout(150)
            yield f"{name}, {tab.get_attribute('id')}", ""
    site.forgive("404", "422")
