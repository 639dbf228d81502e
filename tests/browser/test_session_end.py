"""Pages whose connection ends for good: somebody was logged out elsewhere, or the page is older than the server."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, Route, expect

from tests.browser.barriers import violations
from tests.browser.site import Person, Site, open_site, until
from tests.browser.test_lobby_page import join
from tests.browser.test_news import challenge
from tests.support.accounts import PASSWORD, hasten

__all__ = ["open_site"]

OUTDATED = "This page is older than the server: load it again."

REST_MS = 3000
"""In so much time a page that reconnects has done so."""


def log_out(person: Person) -> None:
    """As another tab of the same browser does."""
    address = person.site.served.address
    answer = person.context.request.post(f"{address}/logout", headers={"Origin": address})
    assert answer.ok, answer.text()


def met(open_site: Callable[..., Site]) -> tuple[Person, Person]:
    """Anna and Ben, who have accounts on one site."""
    site = open_site()
    hasten(site.served)
    anna, ben = site.person(), site.person()
    join(anna, "Anna")
    join(ben, "Ben")
    return anna, ben


def connections_of(page: Page) -> list[str]:
    """The addresses of the connections that a page makes from now on, each after that of the page."""
    made: list[str] = []
    page.on("websocket", lambda socket: made.append(f"{page.url} {socket.url}"))
    return made


def older(script: str) -> Callable[[Route], None]:
    """A script as it was before the protocol of now."""

    def serve(route: Route) -> None:
        answer = route.fetch()
        assert "const PROTOCOL = 2;" in answer.text(), script
        body = answer.text().replace("const PROTOCOL = 2;", "const PROTOCOL = 1;")
        route.fulfill(body=body, headers={"Content-Type": "text/javascript", "Cache-Control": "no-store"})

    return serve


def test_a_player_who_was_logged_out_elsewhere_reads_so_and_the_notice_leads_back(
    open_site: Callable[..., Site],
) -> None:
    site = open_site()
    hasten(site.served)
    anna = site.person(viewport={"width": 360, "height": 640})
    join(anna, "Anna")
    anna.choose(opponent="bot", length=3)
    path = anna.path
    log_out(anna)
    notice = anna.page.locator("#lasting")
    expect(notice).to_have_text("You are logged out here. Log in")
    expect(anna.page.locator(".bg-status")).to_contain_text("You are watching.")
    assert violations(anna.page) == []
    assert anna.page.evaluate("document.documentElement.scrollWidth") <= 360
    notice.get_by_role("link").click()
    anna.page.get_by_label("Name").fill("Anna")
    anna.page.locator("main [name=password]").fill(PASSWORD)
    anna.page.locator("main form .button").click()
    anna.page.wait_for_url(f"**{path}")
    anna.arrive()
    expect(notice).to_have_count(0)
    until(anna.page, "!document.querySelector('.bg-status').textContent.includes('watching')")


def test_a_player_of_a_chouette_who_was_logged_out_reads_so_and_who_leaves_does_not(
    open_site: Callable[..., Site],
) -> None:
    site = open_site()
    hasten(site.served)
    anna = site.person()
    join(anna, "Anna")
    notice = anna.page.locator("#lasting")
    for leaves in (True, False):
        anna.go("/chouettes")
        anna.page.locator("[name=bots]").select_option("1")
        anna.page.locator("form[action='/chouette'] button").click()
        anna.page.wait_for_url("**/chouette/*")
        leave = anna.page.get_by_role("button", name="Leave", exact=True)
        expect(leave).to_be_visible()
        if leaves:
            leave.click()
            expect(leave).to_have_count(0)
            expect(notice).to_have_count(0)
        else:
            log_out(anna)
            expect(notice).to_have_text("You are logged out here. Log in")
            expect(notice.get_by_role("link")).to_have_attribute("href", f"/login?back={anna.path.replace('/', '%2F')}")


def test_news_end_with_the_session_on_every_page_that_is_open(open_site: Callable[..., Site]) -> None:
    anna, ben = met(open_site)
    ben.go("/rules")
    challenge(anna, "Ben")
    expect(ben.page.locator(".news")).to_contain_text("Challenged by Anna")
    made = connections_of(ben.page)
    log_out(ben)
    expect(ben.page.locator("#news")).to_be_empty()
    until(ben.page, "!document.title.startsWith('(')")
    ben.page.wait_for_timeout(REST_MS)
    assert len(made) <= 3, "it asks three times whether somebody else is logged in now"


def test_news_go_on_where_a_new_session_has_begun_in_the_meantime(open_site: Callable[..., Site]) -> None:
    anna, ben = met(open_site)
    ben.go("/rules")
    with ben.page.expect_event("websocket"):
        form = {"password": PASSWORD, "new": "another horse battery"}
        address = ben.site.served.address
        answer = ben.context.request.post(f"{address}/account/password", form=form, headers={"Origin": address})
        assert answer.ok, answer.text()
    challenge(anna, "Ben")
    expect(ben.page.locator(".news")).to_contain_text("Challenged by Anna")


def test_a_page_older_than_the_server_is_loaded_again_once(open_site: Callable[..., Site]) -> None:
    person = open_site().person()
    person.choose(opponent="bot", length=3)
    person.page.route("**/static/session/session.js", older("session.js"), times=1)
    person.page.reload()
    person.arrive()  # over the script of now
    expect(person.page.locator("#lasting")).to_have_count(0)

    person.page.route("**/static/session/session.js", older("session.js"))
    made = connections_of(person.page)
    with person.page.expect_navigation(), person.page.expect_navigation():
        person.page.reload()
    expect(person.page.locator("#lasting")).to_have_text(OUTDATED)
    person.page.wait_for_timeout(REST_MS)
    assert len(made) == 2
    expect(person.page.locator("#toast")).to_be_hidden()
    expect(person.page.locator("#notice")).to_be_hidden()


def test_news_of_a_page_older_than_the_server_end_after_it_was_loaded_again(open_site: Callable[..., Site]) -> None:
    site = open_site()
    hasten(site.served)
    anna = site.person()
    join(anna, "Anna")
    anna.page.route("**/static/news.js", older("news.js"))
    made = connections_of(anna.page)
    anna.go("/rules")
    expect(anna.page.locator("#lasting")).to_have_text(OUTDATED)
    anna.page.wait_for_timeout(REST_MS)
    assert len([one for one in made if "/rules " in one]) == 2


def test_messages_are_shown_no_longer_to_a_browser_that_was_logged_out(open_site: Callable[..., Site]) -> None:
    anna, ben = met(open_site)
    ben.go("/messages/Anna")
    ben.page.get_by_label("To Anna").fill("Only for you")
    ben.page.get_by_role("button", name="Send").click()
    for path in ("/messages/Ben", "/messages"):
        anna.go(path)
        expect(anna.page.locator("[data-connected]")).to_be_attached()
        log_out(anna)
        anna.page.wait_for_url(re.compile(r"/login\?back="))
        expect(anna.page.get_by_text("Only for you")).to_have_count(0)
        anna.page.get_by_label("Name").fill("Anna")
        anna.page.get_by_label("Password").fill(PASSWORD)
        anna.page.get_by_role("button", name="Log in").click()
        anna.page.wait_for_url(f"**{path}")
