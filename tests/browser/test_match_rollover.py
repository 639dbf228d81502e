"""Roll-Over between two people: rerolls by both sides, three rolls in a turn, the winning roll rerolled (rulings 2)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.site import Site, open_site
from tests.support.scripted_bots import ScriptedDice

__all__ = ["open_site"]


def test_own_call_then_the_others_call_make_three_rolls_in_a_turn(open_site: Callable[..., Site]) -> None:
    """R-S-R-O-R (rulings 2.4), with moves tried before the first reroll and a finished play before the second."""
    site = open_site(dice=ScriptedDice([(6, 5)], [(2, 1), (6, 4), (3, 1)]))
    anna, ben = site.pair("roll-over", length=1)
    anna.turn((24, 18), (18, 13))

    ben.roll()
    ben.move((13, 11))
    assert ben.view["tokens"] == {"near": 1, "far": 1}
    ben.press("rollover")  # on their own roll, after trying a move: all moves are undone (S0-3, S0-5)
    ben.wait("v.phase === 'must_reroll'")
    assert ben.view["tokens"] == {"near": 0, "far": 1}
    assert ben.view["near"]["points"][13] == 5
    assert ben.hand.checkers("p13") == 5
    assert "double" not in ben.kinds  # S0-9

    ben.roll()
    assert "rollover" not in ben.kinds
    ben.turn((24, 18), (13, 9))
    anna.wait_for("roll")
    assert anna.view["last"]["text"] == "24/18 13/9"
    anna.press("rollover")  # on the finished play (S0-4)
    ben.wait("v.phase === 'must_reroll'")
    assert ben.view["tokens"] == {"near": 0, "far": 0}
    assert ben.view["near"]["points"][24] == 2

    ben.roll()
    ben.turn((8, 5), (6, 5))
    anna.wait("v.last.text === '8/5 6/5'")
    anna.wait_for("roll")
    assert "rollover" not in anna.kinds
    assert any("roll over their own 2-1" in line or "rolls over their own 2-1" in line for line in anna.said)
    assert any(line.startswith("You roll over") and line.endswith("6-4") for line in anna.said)


def test_the_loser_calls_off_the_winning_bear_off(open_site: Callable[..., Site]) -> None:
    """RC-10, RC-12, RC-17: the result is official only after the loser's answer."""
    dice = ScriptedDice([(6, 5)], [(2, 1), (6, 6), (2, 1), (2, 1), (6, 6)])
    site = open_site(dice=dice)
    options = {"opt-hypergammon-checkers": "1"}
    anna, ben = site.pair("roll-over", "hypergammon", length=1, **options)
    anna.turn((24, 18), (18, 13))
    ben.roll()
    ben.turn((24, 22), (22, 21))
    anna.roll()
    anna.turn((13, 7), (7, 1), (1, 0))
    ben.wait("v.phase === 'provisional_end'")
    assert ben.kinds == ["keep", "rollover"]
    anna.wait("v.phase === 'provisional_end'")
    assert anna.view["result"] is None
    notice = ben.page.locator("#notice")
    assert "Your answer" in notice.inner_text()
    expect(notice).to_have_attribute("aria-live", "off")  # said once; nobody is read every second
    ben.press("rollover")

    anna.wait("v.phase === 'must_reroll'")
    assert anna.view["near"]["points"][0] == 0
    assert anna.hand.checkers("p13") == 1
    anna.roll()
    anna.press("rollover")  # her own token, on the roll that failed to win
    anna.wait("v.phase === 'must_reroll'")
    assert anna.view["tokens"] == {"near": 0, "far": 0}
    anna.roll()
    anna.turn((13, 11), (11, 10))
    ben.roll()
    ben.anything()
    anna.wait("v.to_act === 'near' || v.result")


@pytest.mark.deep
def test_the_loser_lets_the_winning_roll_stand(open_site: Callable[..., Site]) -> None:
    site = open_site(dice=ScriptedDice([(6, 5)], [(2, 1), (6, 6)]))
    anna, ben = site.pair("roll-over", "hypergammon", length=1, **{"opt-hypergammon-checkers": "1"})
    anna.turn((24, 18), (18, 13))
    ben.roll()
    ben.turn((24, 22), (22, 21))
    anna.roll()
    anna.turn((13, 7), (7, 1), (1, 0))
    ben.press("keep")
    anna.wait("v.result")
    assert anna.page.locator("#banner").is_visible()


def test_a_winning_roll_stands_by_itself_when_the_time_is_up(open_site: Callable[..., Site]) -> None:
    site = open_site(dice=ScriptedDice([(6, 5)], [(2, 1), (6, 6)]), provisional_ms=700, scheduler_ms=50)
    anna, ben = site.pair("roll-over", "hypergammon", length=1, **{"opt-hypergammon-checkers": "1"})
    anna.turn((24, 18), (18, 13))
    ben.roll()
    ben.turn((24, 22), (22, 21))
    anna.roll()
    anna.turn((13, 7), (7, 1), (1, 0))
    anna.wait("v.result")
    ben.wait("v.result")
    assert any("the roll stand" in line for line in anna.said)
