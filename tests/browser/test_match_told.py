"""What somebody who does not see the board is told at a match: who is there, how time goes, and where the focus is."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.hand import Hand
from tests.browser.site import Site, open_site, until
from tests.browser.views import roll, view
from tests.support.accounts import PASSWORD
from tests.support.scripted_bots import ScriptedDice

__all__ = ["open_site"]

VOICE = "document.querySelector('bg-board .bg-voice').textContent"
ON_BOARD = "document.activeElement.closest('bg-board [data-spot]') !== null"


def spot_has_focus(page: Page) -> bool:
    found: bool = page.evaluate(ON_BOARD)
    return found


def test_that_the_other_side_goes_off_line_and_comes_back_is_said_once(open_site: Callable[..., Site]) -> None:
    anna, ben = open_site(dice=ScriptedDice([(6, 5)])).pair(length=3)
    expect(anna.page.locator(".presence[data-side=far]")).to_have_text("connected")
    name, back = anna.view["labels"]["far"], ben.path
    ben.page.goto("about:blank")
    until(anna.page, f"{VOICE}.includes('{name} is offline.')")
    ben.go(back)
    until(anna.page, f"{VOICE}.includes('{name} is back.')")
    said = anna.page.evaluate(VOICE)
    assert said.count("is offline.") == said.count("is back.") == 1
    assert anna.page.evaluate("document.querySelectorAll('.bg-voice div').length") <= 4


def test_the_clock_and_the_last_play_are_said_also_after_a_reload(open_site: Callable[..., Site]) -> None:
    site = open_site(dice=ScriptedDice([(6, 5)], [(3, 1)]))
    anna, ben = site.pair(length=3, time_control="Normal")
    anna.turn((24, 18), (18, 13))
    ben.roll()
    ben.page.reload()
    ben.arrive()
    other = ben.view["labels"]["far"]
    ben.hand.press("m")
    assert ben.hand.said == f"6-5: {other} plays 24/13."
    ben.hand.press("c")
    assert ben.hand.said.startswith("Time left: You ")
    assert ben.hand.said.endswith(". Your clock runs.")
    anna.hand.press("C")
    assert anna.hand.said.endswith(f"The clock of {anna.view['labels']['far']} runs.")


CLOCK = """async (runs) => {
    const { Clocks } = await import('/static/match/clock.js');
    const row = () => document.createElement('span');
    const warning = document.createElement('p');
    const heard = [];
    new MutationObserver(() => warning.textContent && heard.push(warning.textContent)).observe(warning, {childList: true});
    const clocks = new Clocks({near: row(), far: row()}, warning);
    const side = (ms, runs) => ({ms, runs, free_ms: 0});
    window.pass = (ms, whose) => { clocks.since = performance.now() - 60_000 + ms; clocks.tick(); };
    window.heard = heard;
    window.turn = (whose, ms) => clocks.set({seat: 0, over: false, ratings: null, view: {labels: {near: 'You', far: 'Ben'}},
        clock: {name: '', delay_ms: 0, free_ms: 0, near: side(ms.near, whose === 'near'), far: side(ms.far, whose === 'far')}});
}"""


def test_little_time_is_said_of_both_sides_of_the_other_once(hand: Hand) -> None:
    hand.show(view())
    hand.page.evaluate(CLOCK)
    heard = hand.page.evaluate(
        """async () => { const rest = () => new Promise((done) => setTimeout(done));
            for (const [whose, near, far] of [['near', 60_500, 90_000], ['near', 59_900, 90_000], ['near', 29_800, 90_000], ['far', 29_800, 61_000],
                ['far', 29_800, 30_000], ['far', 29_800, 9_900], ['near', 29_800, 9_900], ['far', 29_000, 9_000]]) {
                window.turn(whose, {near, far});
                await rest();
            }
            return window.heard; }"""
    )
    assert heard == [
        "60 seconds left on your clock",
        "30 seconds left on your clock",
        "30 seconds left on the clock of Ben",
        "10 seconds left on the clock of Ben",
        "30 seconds left on your clock",
    ]


# The focus.


def test_the_focus_is_on_the_board_after_the_list_of_keys_and_the_command_box(hand: Hand) -> None:
    hand.show(view(allowed=[{"kind": "roll"}]))
    hand.press("?", "Escape")
    hand.until(ON_BOARD)  # a dialog says that it is closed in a task of its own
    hand.press("/")
    expect(hand.page.get_by_label("Command")).to_be_focused()
    hand.press("Escape")
    hand.until(ON_BOARD)


def test_another_layout_keeps_the_focus_on_its_place(hand: Hand) -> None:
    hand.show(view(dice=roll(3, 1)))
    hand.walk_to("p8")
    hand.page.set_viewport_size({"width": 390, "height": 800})
    hand.until("document.querySelector('bg-board').hasAttribute('data-compact')")
    assert hand.page.evaluate("document.activeElement.dataset.spot") == "p8"


def test_the_end_of_a_match_leaves_the_focus_on_the_board(open_site: Callable[..., Site]) -> None:
    anna, ben = open_site(dice=ScriptedDice([(6, 5)])).pair(length=1)
    anna.page.locator('.bg-actions [data-kind="resign"]').focus()
    for key in ("Enter", "Shift+Tab", "Enter"):
        anna.page.keyboard.press(key)
    ben.press("accept")
    for person in (anna, ben):
        person.wait("v.result")
        expect(person.page.locator("#banner")).to_be_visible()
        assert spot_has_focus(person.page)
    anna.page.keyboard.press("l")
    until(anna.page, f"{VOICE}.includes('Match to 1 point')")


@pytest.mark.parametrize("by_keyboard", [True, False])
def test_a_form_that_leads_back_to_its_page_leaves_the_focus_at_its_button(
    open_site: Callable[..., Site], by_keyboard: bool
) -> None:
    site = open_site()
    for name in ("Anna", "Ben"):
        person = site.person()
        person.context.request.post(f"{site.served.address}/register", form={"name": name, "password": PASSWORD})
    person.go("/player/Anna")
    page = person.page

    def press(before: str, after: str) -> None:
        button = page.locator(before)
        if by_keyboard:
            button.focus()
            page.keyboard.press("Enter")
        else:
            button.click()
        expect(page.locator(after)).to_be_focused(timeout=10_000)

    press("[formaction$='/friend']", "[formaction$='/unfriend']")
    press("[formaction$='/block']", "[formaction$='/unblock']")
    press(".foot [value=de]", ".foot [value=de]")
    expect(page.locator("html")).to_have_attribute("lang", "de")


def test_blocking_from_the_page_of_a_match_leads_back_to_what_opens_its_dialog(open_site: Callable[..., Site]) -> None:
    anna, _ = open_site().pair(length=3)
    opener = anna.page.get_by_role("button", name="More")
    opener.click()
    anna.page.get_by_role("button", name="Block", exact=True).press("Enter")
    expect(opener).to_be_focused()
