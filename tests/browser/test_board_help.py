"""Help at the board: the list of keys, marked checkers, full screen, and the one tip for newcomers."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.hand import Hand
from tests.browser.site import Site, open_site
from tests.browser.views import roll, view
from tests.support.scripted_bots import ScriptedDice

__all__ = ["open_site"]

TIP = "To undo, drag it back or press the arrow"


def marked(hand: Hand) -> int:
    found: int = hand.page.locator(".bg-checker .bg-disc").evaluate_all(
        "discs => discs.filter(disc => getComputedStyle(disc).strokeWidth === '5px').length"
    )
    return found


def test_a_question_mark_lists_every_key_that_the_keyboard_knows(hand: Hand) -> None:
    hand.show(view(allowed=[{"kind": "roll"}]))
    hand.press("?")
    dialog = hand.page.get_by_role("dialog", name="Keys")
    known = hand.page.evaluate(
        """async () => { const { KEYS, ACTION_KEYS } = await import('/static/board/keyboard.js');
        return [...KEYS.map(({ name }) => name), ...ACTION_KEYS.map(({ key }) => key)]; }"""
    )
    assert dialog.locator("kbd").all_inner_texts() == known
    assert len(known) == len(set(known)) == 24
    hand.press("Escape")
    expect(dialog).to_have_count(0)
    hand.press("r")
    assert hand.events == [{"kind": "roll"}]


def test_checkers_that_can_move_are_marked_only_where_that_is_wanted(hand: Hand) -> None:
    position = {25: 1, 8: 2, 6: 3}
    hand.show(view(position, dice=roll(3, 1), checkers=6))
    assert marked(hand) == 0
    hand.show(view(position, dice=roll(3, 1), checkers=6), movable=True)
    assert marked(hand) == 1
    hand.drag("bar-near", "p22")
    assert marked(hand) == 3, "the checker that entered, and one on each of two points"


def test_the_tip_comes_after_the_first_move_and_never_again_once_undone(open_site: Callable[..., Site]) -> None:
    site = open_site(dice=ScriptedDice([(3, 1)]))
    anna, ben = site.pair()
    tip = anna.page.get_by_text(TIP)
    assert tip.count() == 0
    anna.move((8, 5))
    assert tip.is_visible()
    anna.page.keyboard.press("Backspace")
    anna.hand.settle()
    assert tip.count() == 0
    anna.move((8, 5), (6, 5))
    assert tip.count() == 0
    ben.wait("v.turn.made.length === 2")  # the server has them
    anna.page.reload()
    anna.arrive()
    anna.page.keyboard.press("Backspace")
    anna.move((6, 5))
    assert tip.count() == 0
    assert ben.page.get_by_text(TIP).count() == 0


def test_the_tip_moves_nothing_on_a_phone(open_site: Callable[..., Site]) -> None:
    site = open_site(dice=ScriptedDice([(3, 1)]))
    phone, ben = site.person(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True), site.person()
    ben.take(phone.challenge(length=1))
    phone.wait("v.phase !== 'opening'")
    places = "['.bg-actions', '#moves'].map((one) => document.querySelector(one).getBoundingClientRect().top)"
    before = phone.page.evaluate(places)
    phone.move((8, 5))
    tip = phone.page.get_by_text(TIP)
    expect(tip).to_be_visible()
    assert phone.page.evaluate(places) == before
    buttons, shown = phone.page.locator(".bg-actions").bounding_box(), tip.bounding_box()
    assert buttons is not None
    assert shown is not None
    assert shown["y"] >= buttons["y"] + buttons["height"]


def test_the_tip_can_be_closed(open_site: Callable[..., Site]) -> None:
    site = open_site(dice=ScriptedDice([(3, 1)]))
    anna, _ = site.pair()
    anna.move((8, 5))
    anna.page.get_by_role("button", name="Close the tip").click()
    expect(anna.page.get_by_text(TIP)).to_have_count(0)
    assert anna.page.evaluate("localStorage.getItem('barpoint-tip')") == "known"


def test_a_match_fills_the_screen_at_a_press_and_lists_the_keys_from_the_settings(
    open_site: Callable[..., Site],
) -> None:
    site = open_site(dice=ScriptedDice([(3, 1)]))
    anna, _ = site.pair()
    full = anna.page.get_by_role("button", name="Full screen")
    full.click()
    anna.page.locator("header [data-full-screen][aria-pressed=true]").wait_for()
    full.click()
    anna.page.locator("header [data-full-screen][aria-pressed=false]").wait_for()
    anna.page.get_by_role("button", name="Settings").click()
    anna.page.get_by_role("button", name="List of keys").click()
    assert anna.page.get_by_role("dialog", name="Keys").locator("kbd").first.inner_text() == "Arrows"


def test_a_press_beside_a_dialog_closes_it_and_one_that_began_in_it_does_not(
    hand: Hand, open_site: Callable[..., Site]
) -> None:
    hand.show(view(allowed=[{"kind": "roll"}]))
    hand.press("?")
    person = open_site().person()
    person.challenge(length=1)
    person.page.get_by_role("button", name="Settings").click()
    for page, opened in ((hand.page, ".bg-dialog"), (person.page, "#settings")):
        dialog = page.locator(f"{opened}:modal")
        box = dialog.locator("h2").bounding_box()
        assert box
        page.mouse.move(box["x"] + 3, box["y"] + box["height"] / 2)
        page.mouse.down()
        page.mouse.move(5, 300, steps=4)
        page.mouse.up()
        expect(dialog).to_be_visible()
        page.mouse.click(5, 300)
        expect(dialog).to_have_count(0)
