"""Pages to learn from: the first game in ten steps by hand, and positions to try on pages of rules."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from barpoint.moves import parse_play
from barpoint.server.study.lessons import lessons_of
from tests.browser.hand import Hand
from tests.browser.site import Person, Site, open_site, spot, until

__all__ = ["open_site"]

OpenSite = Callable[..., Site]

SETTLED = "!document.querySelector('bg-board').busy && document.querySelector('bg-board').turn"


def width(person: Person) -> int:
    found: int = person.page.evaluate("document.documentElement.scrollWidth")
    return found


def settle(person: Person) -> Hand:
    until(person.page, SETTLED)
    person.hand.settle()
    return person.hand


def test_a_newcomer_goes_through_the_first_game_by_hand_and_plays(open_site: OpenSite) -> None:
    person = open_site().person()
    page = person.page
    person.go("/")
    page.get_by_role("link", name="New to backgammon?").click()
    page.wait_for_url("**/learn/first-game")
    steps = lessons_of("first-game")
    for number, step in enumerate(steps, start=1):
        expect(page.locator("#count")).to_have_text(f"Step {number} of {len(steps)}")
        expect(page.get_by_role("heading", name=step.title)).to_be_visible()
        kind = step.event or "play"
        until(page, f"document.querySelector('bg-board').turn?.view.allowed.some((may) => may.kind === '{kind}')")
        hand = settle(person)
        if step.dice:
            text = step.accept[0] if step.accept else ""
            play = parse_play(step.rules, step.position, step.dice, text) if text else None
            moves = play.moves if play else ()
            if step.id == "the-bar":
                moves = ((25, 22, 3), (13, 7, 6))
            for source, target, _ in moves:
                hand.drag(spot(source), spot(target))
        page.locator(f'.bg-actions [data-kind="{kind}"]:not([aria-disabled="true"])').click()
        expect(page.locator("#answer")).to_have_attribute("data-right", "true")
        expect(page.locator("#answer")).to_contain_text(step.right[:20])
        page.locator("#next").click()
    expect(page.get_by_role("heading", name="You know enough to play")).to_be_visible()
    page.get_by_role("button", name="Play a bot").click()
    page.wait_for_url("**/match/*")


def test_another_play_is_answered_and_may_be_tried_again_and_steps_can_be_skipped(open_site: OpenSite) -> None:
    person = open_site().person(viewport={"width": 390, "height": 700})
    page = person.page
    person.go("/learn/first-game")
    hand = settle(person)
    hand.drag("p24", "p18")
    hand.drag("p13", "p8")
    page.locator('.bg-actions [data-kind="play"]').click()
    expect(page.locator("#answer")).to_contain_text("is legal, but something else is asked for")
    expect(page.locator("#answer")).to_be_in_viewport(ratio=1)
    until(page, "document.querySelector('bg-board').turn.made.length === 0")
    page.get_by_role("button", name="Skip this step").click()
    expect(page.get_by_role("heading", name="Rolling")).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Back").click()
    expect(page.get_by_role("heading", name="Which way you go")).to_be_in_viewport(ratio=1)


def test_pages_to_learn_from_fit_the_narrowest_screen(open_site: OpenSite) -> None:
    person = open_site().person(viewport={"width": 320, "height": 740})
    for path in ("/learn/first-game", "/rules", "/rules/backgammon", "/rules/questions"):
        person.go(path)
        for box in person.page.locator(".exercise").all():
            box.scroll_into_view_if_needed()
            expect(box.locator(".bg-checker").first).to_be_attached()
        assert width(person) <= 320, path


@pytest.mark.parametrize(("wide", "high"), [(667, 375), (844, 390), (932, 430)])
def test_on_a_phone_on_its_side_the_task_and_the_button_stand_beside_the_board(
    open_site: OpenSite, wide: int, high: int
) -> None:
    person = open_site().person(viewport={"width": wide, "height": high}, has_touch=True, is_mobile=True)
    person.go("/learn/first-game")
    settle(person)
    assert width(person) <= wide
    board = person.page.locator(".bg-stage").bounding_box()
    assert board
    for thing in ("article:not([hidden])", '[data-kind="play"]'):
        box = person.page.locator(f".guide {thing}").bounding_box()
        assert box, thing
        assert board["x"] + board["width"] <= box["x"], thing
        assert box["y"] + box["height"] <= high, thing
    assert board["y"] + board["height"] <= high


def test_a_position_on_a_page_of_rules_is_played_freely_and_judged(open_site: OpenSite) -> None:
    person = open_site().person(viewport={"width": 1280, "height": 1200})
    page, board = person.page, "document.querySelector('bg-board')"
    person.go("/rules/hypergammon")
    box = page.locator('[data-lesson="hyper-21"]')
    box.scroll_into_view_if_needed()
    until(page, f"{board}.turn")
    hand = settle(person)
    hand.drag("p24", "p22")
    until(page, f"{board}.turn.view.turn.made.length === 1 && !{board}.busy")
    box.locator('.bg-actions [data-kind="play"]').click()
    expect(box.locator(".answer")).to_contain_text("Not finished")
    until(page, f"{board}.turn?.made.length === 0 && !{board}.busy")  # by itself; the button loads it once more
    page.evaluate(f"window.before = {board}.turn.view")
    box.get_by_role("button", name="Again").click()
    until(page, f"{board}.turn?.view !== window.before && {board}.turn?.made.length === 0 && !{board}.busy")
    hand.drag("p24", "p22")
    until(page, f"{board}.turn.made.length === 1 && !{board}.busy")
    hand.drag("p23", "p22")
    until(page, f"{board}.turn.made.length === 2 && !{board}.busy")
    box.locator('.bg-actions [data-kind="play"]').click()
    expect(box.locator(".answer")).to_contain_text("Legal.")
    expect(box.locator(".answer")).to_have_attribute("data-right", "true")


def test_on_a_phone_the_strip_of_games_shows_the_one_that_is_read(open_site: OpenSite) -> None:
    person = open_site().person(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    for path in ("/rules/fevga", "/rules/over-the-board", "/rules/backgammon"):
        person.go(path)
        expect(person.page.locator(".chapters [aria-current]")).to_be_in_viewport(ratio=1)
        assert person.page.evaluate("scrollY") == 0
        assert width(person) <= 390
