"""Duodecagammon between two people: one twelve-sided die, a triple, a single number (rulings 3)."""

from __future__ import annotations

from collections.abc import Callable

from tests.browser.site import Site, open_site
from tests.support.scripted_bots import ScriptedDice

__all__ = ["open_site"]


def test_a_match_with_a_triple_to_the_end(open_site: Callable[..., Site]) -> None:
    rolls = [(9,), (1,), (12,), (3,), (12,), (1,), (12,)]
    site = open_site(dice=ScriptedDice([(4, 11), (11, 4)], rolls))
    anna, ben = site.pair("duodecagammon", "hypergammon", length=1, **{"opt-hypergammon-checkers": "1"})
    ben.wait("v.opening_roll && v.opening_roll.near === 11")
    ben.roll()  # the higher number starts, and rolls again (DG-1)
    assert ben.view["dice"]["kind"] == "1d12"
    assert ben.view["dice"]["alternatives"] == [[6, 3], [5, 4], [3, 3, 3]]
    ben.turn((24, 21), (21, 18), (18, 15))
    anna.wait_for("roll")
    assert anna.view["last"]["text"] == "24/15"
    assert [move[2] for move in anna.view["last"]["moves"]] == [3, 3, 3]

    anna.roll()
    anna.turn((24, 23))  # a 1 is a single move (DG-9)
    ben.roll()
    ben.turn((15, 9), (9, 3))  # 12 as 6+6
    anna.roll()
    anna.anything()
    ben.roll()
    ben.anything()
    ben.wait("v.result")
    assert ben.view["result"]["winner"] == "near"
    assert "You win the match" in ben.page.locator("#banner").inner_text()
    assert any(line.startswith("1 9:") or "9:24/15" in line.replace(" ", "") for line in ben.said)


def test_the_ways_to_split_a_roll_are_shown_and_can_be_chosen(open_site: Callable[..., Site]) -> None:
    site = open_site(dice=ScriptedDice([(11, 4)], [(9,)]))
    anna, _ = site.pair("duodecagammon")
    anna.roll()
    splits = anna.page.locator("bg-board [data-split]")
    assert splits.count() == 3
    anna.move((24, 21), (21, 18))
    assert anna.view["dice"]["alternatives"] == [[6, 3], [5, 4], [3, 3, 3]]
    anna.move((18, 15))
    anna.commit()
    anna.wait("v.last.text === '24/15'")
