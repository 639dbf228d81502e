"""European Acey-Deucey between two people: a double, its complement without a roll, then another roll (rulings 4.3)."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.site import Site, open_site
from tests.support.scripted_bots import ScriptedDice

__all__ = ["open_site"]

HAND = 26


def test_the_complement_lies_on_the_board_after_a_double_and_then_the_same_side_rolls(
    open_site: Callable[..., Site],
) -> None:
    site = open_site(dice=ScriptedDice([(6, 5)], [(3, 3), (6, 4), (2, 1)]))
    anna, ben = site.pair("european-acey-deucey", length=1)
    anna.roll()
    anna.move((HAND, 22), (HAND, 22), (HAND, 22), (HAND, 22))
    anna.press("play")
    anna.wait("v.dice && v.dice.faces[0] === 4")
    assert anna.view["dice"]["follows"]
    assert "You go on with 4-4." in anna.hand.said
    expect(anna.page.locator(".bg-status")).to_have_text("You go on with 4-4. 4 can still be played four times")
    anna.turn((HAND, 21), (HAND, 21), (HAND, 21), (HAND, 21))
    anna.roll()  # the double and its complement were played completely
    assert anna.view["dice"]["faces"] == [6, 4]
    anna.turn((HAND, 19), (HAND, 21))
    ben.roll()
    ben.move((HAND, 23), (HAND, 24), (HAND, 20), (HAND, 20), (HAND, 20), (HAND, 20))
    ben.press("play")
    ben.wait("v.dice && v.dice.faces[1] === 2")  # the complement of the 5-5 that was named
    assert ben.view["dice"]["faces"] == [2, 2]
