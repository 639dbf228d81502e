"""The players' rows at the board of a match on a phone: names, score, pips, token and clock, each in full."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from playwright.sync_api import expect

from barpoint.language import in_language
from barpoint.server.domain.limits import MAX_GUEST_NAME, MAX_POINTS
from barpoint.server.domain.seat_names import BOTS, person_name, short_name, shown_name
from tests.browser.hand import BOARD
from tests.browser.site import Site, open_site

__all__ = ["open_site"]

CLIPPED: Final = """(() => {
  const found = [], row = (element) => element.closest(".bg-plate").getBoundingClientRect();
  const line = (element) => element.closest(".bg-who")?.getBoundingClientRect() ?? row(element);
  for (const element of document.querySelectorAll("bg-board .bg-plate :not(.bg-who, .bg-full, svg, svg *)")) {
    const box = element.getBoundingClientRect(), around = line(element);
    if (box.width < 2) continue;
    if (element.scrollWidth > element.clientWidth && getComputedStyle(element).display !== "inline") found.push(element.className);
    if (box.left < around.left || box.right > around.right) found.push(`${element.className} is outside`);
  }
  return found;
})()"""
"""Parts of the rows whose text does not fit; what only screen readers read is left out."""


def test_a_phone_shows_names_of_games_and_bots_in_full(open_site: Callable[..., Site]) -> None:
    """With a clock, a token and a long match, on the narrowest phones; the longest name of a person is shortened."""
    site = open_site()
    anna = site.person(locale="de-DE", viewport={"width": 320, "height": 640}, has_touch=True, is_mobile=True)
    ben = site.person()
    ben.take(anna.challenge("roll-over", "duodecagammon", length=MAX_POINTS, time_control="Normal"))
    anna.wait("v.phase !== 'opening'")
    seen = {**anna.view, "score": {"near": 10, "far": 11, "length": MAX_POINTS, "crawford": False}}

    def clipped(name: str) -> list[str]:
        short = short_name(name)
        labels = {"near": "Du", "far": name, **({} if short == name else {"far_short": short})}
        anna.page.evaluate(f"(seen) => {BOARD}.set(seen)", {**seen, "labels": labels})
        assert anna.page.locator(".bg-name").first.get_attribute("title") == name
        found: list[str] = anna.page.evaluate(CLIPPED)
        return found

    assert anna.page.evaluate("(e => e.scrollWidth <= e.clientWidth)(document.querySelector('.what'))")
    names = [person_name("Guest 1234")]
    for language in ("en", "de"):
        with in_language(language):
            names += [shown_name(bot, person=False) for bot in BOTS]
    for width in (320, 360):
        anna.page.set_viewport_size({"width": width, "height": 640})
        anna.hand.settle()
        assert {name: found for name in names if (found := clipped(name))} == {}, width
        assert clipped("M" * MAX_GUEST_NAME) == ["bg-name"], width


def test_what_is_said_in_an_open_chat_below_the_screen_is_unread(open_site: Callable[..., Site]) -> None:
    site = open_site()
    anna = site.person(viewport={"width": 320, "height": 500}, has_touch=True, is_mobile=True)
    ben = site.person()
    ben.take(anna.challenge(length=3))
    anna.page.locator("[data-opens=chat]").tap()
    expect(anna.page.locator("#chat input[name=text]")).to_be_in_viewport()
    anna.page.evaluate("scrollTo(0, 0)")
    expect(anna.page.locator("#chat .chat-lines")).not_to_be_in_viewport()
    ben.page.locator("#chat > summary").click()
    ben.page.locator("#chat input[name=text]").fill("Hello")
    ben.page.locator("#chat form .button").click()
    expect(anna.page.locator("#toast")).to_contain_text("Hello")
    expect(anna.page.locator(".top .badge")).to_have_text("1")
    assert anna.page.evaluate("(e => e.scrollWidth <= e.clientWidth)(document.querySelector('.what'))")
    anna.page.locator("[data-opens=chat]").tap()
    expect(anna.page.locator(".top .badge")).to_be_hidden()


def test_what_is_being_written_survives_a_reload_and_is_gone_once_it_is_sent(open_site: Callable[..., Site]) -> None:
    site = open_site()
    anna, ben = site.pair("backgammon", length=3)
    anna.page.locator("#chat > summary").click()
    anna.page.locator("#chat input[name=text]").press_sequentially("Well pl")
    anna.page.reload()
    anna.arrive()
    expect(anna.page.locator("#chat input[name=text]")).to_have_value("Well pl")
    if not anna.page.locator("#chat input[name=text]").is_visible():
        anna.page.locator("#chat > summary").click()
    anna.page.locator("#chat input[name=text]").press("End")
    anna.page.locator("#chat input[name=text]").press_sequentially("ayed")
    anna.page.locator("#chat form .button").click()
    expect(ben.page.locator("#chat")).to_contain_text("Well played")
    anna.page.reload()
    anna.arrive()
    expect(anna.page.locator("#chat input[name=text]")).to_have_value("")


def test_the_last_moves_are_in_sight_below_the_board_of_a_phone(open_site: Callable[..., Site]) -> None:
    anna = open_site().person(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    anna.choose("backgammon", opponent="bot", length=3)
    anna.wait("v.phase !== 'opening'")
    box = anna.page.locator(".moves").bounding_box()
    assert box is not None
    most = anna.page.evaluate("parseFloat(getComputedStyle(document.querySelector('.moves')).maxBlockSize)")
    assert most > 110, "however many there are"
    assert box["y"] + most <= 844
