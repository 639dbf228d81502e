"""Two people write to each other: from a profile, by touch, on pages that are open and on any other."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.site import WAIT_MS, Site, open_site
from tests.browser.test_lobby_page import join
from tests.support.accounts import hasten

__all__ = ["open_site"]


def test_two_people_write_to_each_other_and_read_it_as_it_comes(open_site: Callable[..., Site]) -> None:
    site = open_site()
    hasten(site.served)
    anna = site.person()
    ben = site.person(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    join(anna, "Anna")
    join(ben, "Ben")
    ben.go("/rules")
    anna.go("/player/Ben")
    anna.page.get_by_role("link", name="Write a message").click()
    anna.page.get_by_label("To Ben").fill("A match tonight?")
    anna.page.get_by_role("button", name="Send").click()
    expect(anna.page.locator(".messages .own")).to_contain_text("A match tonight?", timeout=WAIT_MS)
    expect(anna.page.get_by_label("To Ben")).to_have_value("")

    ben.page.get_by_role("link", name="Anna has written to you").tap()
    expect(ben.page.locator(".messages li")).to_contain_text("A match tonight?")
    expect(ben.page.get_by_role("link", name="Anna has written to you")).to_have_count(0)
    field = ben.page.get_by_label("To Anna")
    field.fill("Gladly.\nAt nine?")
    anna.page.get_by_label("To Ben").fill("Or tomorrow")
    ben.page.get_by_role("button", name="Send").tap()
    answer = anna.page.locator(".messages li:not(.own)")
    expect(answer).to_contain_text("At nine?", timeout=WAIT_MS)
    expect(anna.page.get_by_label("To Ben")).to_have_value("Or tomorrow")
    expect(ben.page.locator(".messages .own")).to_contain_text("Gladly.", timeout=WAIT_MS)  # the page that answers
    expect(ben.page.get_by_label("To Anna")).to_be_in_viewport()  # whoever has sent one can go on
    assert ben.page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    ben.page.get_by_role("button", name="Menu").click()
    ben.page.get_by_role("link", name="Ben", exact=True).click()
    ben.page.get_by_role("link", name="My messages").tap()
    ben.page.get_by_role("link", name="Anna").tap()
    expect(ben.page.locator(".messages .own")).to_contain_text("Gladly.")
