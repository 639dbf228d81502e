"""A challenge reaches somebody on any page: a note, read out, heard and marked in the title; at a board it covers nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import expect

from tests.browser.site import WAIT_MS, Person, Site, open_site, until
from tests.browser.test_lobby_page import join
from tests.support.accounts import hasten
from tests.support.scripted_bots import ScriptedDice

__all__ = ["open_site"]

OpenSite = Callable[..., Site]

PHONES: Final = [{"width": 360, "height": 640}, {"width": 640, "height": 360}, {"width": 1280, "height": 800}]

BOX: Final = "(({x, y, right, bottom}) => [x, y, right, bottom])(document.querySelector('%s').getBoundingClientRect())"


def box(person: Person, selector: str) -> list[float]:
    found: list[float] = person.page.evaluate(BOX % selector)
    return found


def challenge(by: Person, name: str) -> None:
    by.go(f"/challenge?name={name}")
    by.page.get_by_role("button", name="Challenge", exact=True).click()
    by.page.wait_for_url("**/match/*")


def test_a_challenge_comes_to_any_page_and_is_declined_without_leaving_it(open_site: OpenSite) -> None:
    site = open_site()
    hasten(site.served)
    anna, ben = site.person(), site.person()
    join(anna, "Anna")
    join(ben, "Benedict")
    connections: list[str] = []
    ben.page.on("websocket", lambda socket: connections.append(f"{ben.path} {socket.url.rpartition('/')[2]}"))
    ben.go("/rules")
    ben.page.evaluate("document.addEventListener('bg-sound', (event) => (window.heard ??= []).push(event.detail.kind))")
    ben.page.locator("h1").click()  # a browser lets no sound be played before
    before = box(ben, "main")
    challenge(anna, "Benedict")
    note = ben.page.locator(".news")
    expect(note).to_contain_text("Challenged by Anna", timeout=WAIT_MS)
    assert box(ben, "main") == before, "it lies over the page"
    expect(note).to_contain_text("Backgammon: 3 points")
    expect(ben.page.locator("#news-said")).to_contain_text("Challenged by Anna. Backgammon: 3 points")
    assert ben.page.title().startswith("(1) ")
    until(ben.page, "window.heard?.includes('turn')")
    decline = note.get_by_role("button", name="Decline the challenge of Anna")
    ben.page.route("**/decline", lambda route: route.fulfill(status=503))
    decline.click()
    expect(ben.page.locator("#toast")).to_have_text("The server answered 503.")
    site.forgive("Failed to load resource")
    ben.page.unroute("**/decline")
    decline.click()
    expect(note).to_have_count(0, timeout=WAIT_MS)
    assert ben.path == "/rules"
    assert not ben.page.title().startswith("(")
    assert [one for one in connections if one.startswith("/rules ")] == ["/rules news"], "one connection a page"
    expect(anna.page.locator("#banner-text")).to_have_text("Benedict has declined", timeout=WAIT_MS)

    challenge(anna, "Benedict")
    note.get_by_role("button", name="Close Challenged by Anna").press("Enter")
    expect(note).to_be_hidden()
    expect(ben.page.locator("#main")).to_be_focused()
    ben.go("/statistics")
    until(ben.page, "document.title.startsWith('(1) ')")
    expect(note).to_be_hidden()


@pytest.mark.parametrize("size", [PHONES[0], *(pytest.param(size, marks=pytest.mark.deep) for size in PHONES[1:])])
def test_a_challenge_during_a_match_covers_neither_the_board_nor_its_buttons(
    open_site: OpenSite, size: dict[str, Any]
) -> None:
    site = open_site()
    hasten(site.served)
    anna, ben = site.person(), site.person(viewport=size)
    join(anna, "Anna")
    join(ben, "Benedict")
    connections: list[str] = []
    ben.choose(opponent="bot", length=3)
    before = box(ben, "bg-board")
    ben.page.on("websocket", lambda socket: connections.append(socket.url))
    ben.page.reload()
    ben.arrive()
    challenge(anna, "Benedict")
    note = ben.page.locator(".news")
    expect(note).to_contain_text("Challenged by Anna", timeout=WAIT_MS)
    assert box(ben, "bg-board") == before, "the board stays where it is"
    left, top, right, bottom = box(ben, ".news")
    assert top >= before[3] or left >= before[2] or right <= before[0] or bottom <= before[1]
    assert len(connections) == 1, "the match's own connection carries it"
    if size["width"] < 900:
        ben.page.locator(".news-link").click()  # the bar says it where the note is below the screen
        expect(note.get_by_role("button", name="Accept the challenge of Anna")).to_be_in_viewport()
    note.get_by_role("button", name="Accept the challenge of Anna").click()
    anna.arrive()
    anna.wait("v.phase !== 'opening'")


def test_a_rematch_can_be_declined_and_whoever_asked_reads_that(open_site: OpenSite) -> None:
    site = open_site()
    anna, ben = site.pair(length=1)
    anna.resign(1)
    ben.press("accept")
    anna.wait("v.result")
    anna.page.get_by_role("button", name="Rematch", exact=True).click()
    anna.page.wait_for_url("**after=*")
    expect(anna.page.locator("#request")).to_contain_text("Waiting for", timeout=WAIT_MS)
    ben.page.get_by_role("button", name="No, thanks").click()
    expect(anna.page.locator("#banner-text")).to_contain_text("does not want a rematch", timeout=WAIT_MS)
    expect(ben.page.get_by_role("button", name="Rematch", exact=True)).to_be_visible(timeout=WAIT_MS)

    ben.page.get_by_role("button", name="Rematch", exact=True).click()
    ben.page.wait_for_url("**after=*")
    anna.go("/rules")
    expect(ben.page.locator("#request")).to_contain_text("has left.", timeout=WAIT_MS)


def test_news_come_also_where_their_script_could_not_be_loaded_at_first(open_site: OpenSite) -> None:
    site = open_site()
    hasten(site.served)
    anna, ben = site.person(), site.person()
    join(anna, "Anna")
    join(ben, "Ben")
    ben.page.route("**/news.js", lambda route: route.abort(), times=1)
    with ben.page.expect_response("**/news.js"):  # that of the second request
        ben.go("/rules")
    challenge(anna, "Ben")
    expect(ben.page.locator(".news")).to_contain_text("Challenged by Anna", timeout=WAIT_MS)
    site.forgive("ERR_FAILED")


COUNTED = """window.made = [];
const Own = window.AudioContext;
window.AudioContext = class extends Own { constructor(...how) { super(...how); window.made.push(this); } };"""


def test_all_news_of_a_page_are_heard_through_one_sound(open_site: OpenSite) -> None:
    site = open_site(dice=ScriptedDice([(6, 5)]))
    hasten(site.served)
    anna, ben = site.person(), site.person()
    join(anna, "Anna")
    for person in (anna, ben):
        person.page.add_init_script(COUNTED)
    anna.go("/rules")
    anna.page.locator("h1").click()
    invitation = anna.challenge(length=3)
    ben.take(invitation)
    anna.wait("v.phase === 'to_play'")
    for path in (anna.path, "/rules"):  # one has a board that is heard, too
        anna.go(path)
        anna.page.evaluate("document.addEventListener('bg-sound', () => (window.heard = (window.heard ?? 0) + 1))")
        anna.page.mouse.click(5, 400)
        anna.page.evaluate(
            """async () => { const { showNews } = await import('/static/news.js');
            for (const key of ['a', 'b', 'c']) showNews(`<div class="news" data-key="${location.pathname} ${key}"><a href="/">${key}</a></div>`); }"""
        )
        until(anna.page, "window.heard >= 3")
        assert anna.page.evaluate("window.made.length") == 1
