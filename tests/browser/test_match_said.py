"""What is said in passing at a match: it covers no button and takes no clicks, however long it is."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.site import Site, open_site, resize
from tests.support.scripted_bots import ScriptedDice

__all__ = ["open_site"]

COVERED = """() => {
  const over = document.querySelector('#toast').getBoundingClientRect();
  return [...document.querySelectorAll('button, summary, #board .bg-actions *')].filter((one) => {
    const { left, right, top, bottom, width } = one.getBoundingClientRect();
    return width && left < over.right && right > over.left && top < over.bottom && bottom > over.top;
  }).map((one) => one.textContent.trim());
}"""
CLOSED = """for (const name of ['sessionStorage', 'localStorage']) {
  Object.defineProperty(window, name, { get() { throw new DOMException('closed', 'SecurityError'); } });
}"""
"""A browser that keeps nothing for pages."""

LONG = "Well played, but why not bear in first? " * 8


def test_a_long_line_covers_no_button(open_site: Callable[..., Site]) -> None:
    site = open_site(dice=ScriptedDice([(6, 5)]))
    anna, ben = site.pair(length=3)
    anna.move((24, 18), (18, 13))
    toast = anna.page.locator("#toast")
    ben.page.get_by_text("Chat", exact=True).last.click()
    for number, (width, height) in enumerate([(1280, 800), (900, 700), (768, 1024), (360, 740), (740, 360)]):
        resize(anna.page, width, height)
        anna.hand.settle()
        ben.page.get_by_label("Say something").fill(f"{number}: {LONG[:290]}")
        ben.page.get_by_role("button", name="Say", exact=True).click()
        expect(toast).to_contain_text(f"{number}: Well played")
        expect(toast).to_be_visible()
        assert anna.page.evaluate(COVERED) == [], width
        x, y = (toast.bounding_box() or {})["x"] + 20, (toast.bounding_box() or {})["y"] + 20
        assert anna.page.evaluate("([x, y]) => document.elementFromPoint(x, y).id", [x, y]) != "toast"
    anna.commit()


def test_a_line_that_was_shown_leaves_the_screen_when_the_chat_is_opened(open_site: Callable[..., Site]) -> None:
    site = open_site(dice=ScriptedDice([(6, 5)]))
    anna, ben = site.person(), site.person()
    anna.page.add_init_script(CLOSED)  # the page works there, too
    anna.take(ben.challenge(length=3))
    ben.page.get_by_text("Chat", exact=True).last.click()
    ben.page.get_by_label("Say something").fill("Good luck")
    ben.page.get_by_role("button", name="Say", exact=True).click()
    toast = anna.page.locator("#toast")
    expect(toast).to_be_visible()
    anna.page.get_by_text("Chat", exact=True).last.click()
    expect(toast).to_be_hidden(timeout=2000)


def test_on_a_phone_the_icon_opens_the_chat_and_folds_it_with_the_board_where_it_was(
    open_site: Callable[..., Site],
) -> None:
    phone = open_site().person(viewport={"width": 390, "height": 640}, has_touch=True, is_mobile=True)
    phone.challenge(length=3)
    page = phone.page
    page.locator("#invite").evaluate("box => box.remove()")
    icon, lines, board = page.locator("[data-opens=chat]"), page.locator(".chat-lines"), page.locator("bg-board")
    before = board.bounding_box()
    expect(icon).to_have_attribute("aria-expanded", "false")
    icon.tap()
    expect(icon).to_have_attribute("aria-expanded", "true")
    expect(lines).to_be_in_viewport()
    expect(page.get_by_text("Whoever watches this match can read it, too.")).to_be_visible()
    expect(icon).to_be_in_viewport(ratio=1)
    assert board.bounding_box() != before
    icon.tap()
    expect(icon).to_have_attribute("aria-expanded", "false")
    expect(lines).to_be_hidden()
    assert board.bounding_box() == before


def test_on_a_phone_an_open_chat_lies_right_below_the_board_which_stays_in_sight(
    open_site: Callable[..., Site],
) -> None:
    phone = open_site().person(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    phone.challenge(length=3, time_control="Normal")
    page = phone.page
    page.locator("#invite").evaluate("box => box.remove()")
    page.locator("[data-opens=chat]").tap()
    for part in (".bg-upper", ".bg-svg", ".bg-foot", "#chat input[name=text]"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
