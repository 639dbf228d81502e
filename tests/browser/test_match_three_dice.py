"""Tabula between two people, and at a real board: three dice a roll (rulings 4.12)."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.site import Site, open_site
from tests.browser.test_match_real_board import sat_down, tap
from tests.support.scripted_bots import ScriptedDice

__all__ = ["open_site"]

HAND = 26


def test_three_dice_are_played_and_a_press_on_them_lets_each_be_first(open_site: Callable[..., Site]) -> None:
    site = open_site(dice=ScriptedDice([(6, 5)], [(6, 5, 2), (6, 6, 6)]))
    anna, ben = site.pair("tabula", length=1)
    anna.roll()
    anna.wait("v.dice && v.dice.kind === '3d6'")
    expect(anna.page.locator(".bg-dice .bg-die")).to_have_count(3)
    for order in ("6-5-2", "5-2-6", "2-6-5", "6-5-2"):
        assert anna.hand.on_board("dice") == f"your dice: {order}; swap which is played first"
        anna.page.locator('[data-spot="dice"]').click()
        anna.hand.settle()
    anna.turn((HAND, 19), (HAND, 18))  # the 6, then the 5 and the 2
    ben.roll()
    ben.turn((HAND, 19), (HAND, 19), (HAND, 19))  # hits on the point that has this number for both
    assert anna.view["near"]["points"][25] == 1
    assert anna.view["far"]["points"][19] == 3


def test_three_real_dice_make_a_roll(open_site: Callable[..., Site]) -> None:
    site = open_site()
    recorder = sat_down(site, "tabula", length=1)
    tap(recorder, 5, 2)
    expect(recorder.page.locator("#real-dice-prompt")).to_have_text("Anna rolls: all three dice")
    tap(recorder, 1, 6)
    expect(recorder.page.locator("#real-dice-prompt")).to_have_text("Anna rolls: 1-6 and …")
    tap(recorder, 3)
    recorder.wait("v.dice && v.dice.faces.length === 3")
    assert recorder.view["dice"]["faces"] == [6, 3, 1]
