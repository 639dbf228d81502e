"""From board to board in matches with days for a turn."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.site import Site, open_site
from tests.support.scripted_bots import ScriptedDice

__all__ = ["open_site"]


def test_after_a_turn_a_key_leads_to_the_next_board_and_the_last_one_says_so(open_site: Callable[..., Site]) -> None:
    site = open_site(dice=ScriptedDice([(6, 5)] * 2))
    anna, ben = site.person(), site.person()
    boards = []
    for days in (2, 1):
        ben.take(anna.challenge(length=3, time_control=f"Correspondence {days}"))
        anna.wait("v.phase === 'to_play'")
        boards.append(anna.path)
    later, sooner = boards
    anna.go(sooner)
    anna.arrive()
    next_board = anna.page.get_by_role("button", name="Next board (1)")
    expect(next_board).to_have_count(0)
    anna.turn((24, 18), (18, 13))
    expect(next_board).to_be_visible()
    anna.page.keyboard.press("g")
    anna.page.wait_for_url(f"**{later}")
    anna.arrive()
    anna.page.get_by_role("button", name="More").click()
    away = anna.page.get_by_role("form", name="While I am away")
    away.get_by_label("passing, when nothing can be played").check()
    expect(away.get_by_role("status")).to_have_text("Saved.")
    anna.page.keyboard.press("Escape")
    anna.turn((24, 18), (18, 13))
    expect(anna.page.locator(".bg-status")).to_contain_text("No other board waits for you.")
    anna.page.reload()
    anna.arrive()
    expect(anna.page.locator("#automatic [name=passes]")).to_be_checked()
