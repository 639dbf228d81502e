"""Undoing moves in a real match, and what survives a reload, a lost connection and a restart (S4-12, S4-13)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.site import WAIT_MS, Person, Site, open_site
from tests.support.scripted_bots import ScriptedDice

__all__ = ["open_site"]

ONE_CHECKER = {"opt-hypergammon-checkers": "1"}


def made(person: Person) -> list[list[int]]:
    """The moves tried, as the board shows them."""
    person.hand.settle()
    found: list[list[int]] = person.page.evaluate("document.querySelector('bg-board').turn.made")
    return found


def wait_until_kept(site: Site, person: Person, *moves: tuple[int, int, int]) -> None:
    """Waits until the server has these draft moves."""
    match_id = person.path.rpartition("/")[2]
    for _ in range(WAIT_MS // 25):
        kept = site.served.call(site.served.services.matches.live_match(match_id)).made
        if kept == moves:
            return
        person.page.wait_for_timeout(25)
    raise AssertionError(f"the server never had {moves}; it has {kept}")


def lift(person: Person, place: str) -> None:
    x, y = person.hand.at(place)
    person.page.mouse.move(x, y)
    person.page.mouse.down()
    person.page.mouse.move(x + 12, y - 12, steps=3)


def test_the_light_takes_back_the_first_of_two_moves(open_site: Callable[..., Site]) -> None:
    site = open_site(dice=ScriptedDice([(3, 1)]))
    anna, _ = site.pair()
    anna.move((8, 5), (6, 5))
    assert made(anna) == [[8, 5, 3], [6, 5, 1]]
    lift(anna, "p5")
    assert set(anna.hand.lamps) == {"p8", "p6"}
    anna.page.mouse.move(*anna.hand.at("p8"), steps=6)
    anna.page.mouse.up()
    anna.hand.settle()
    assert made(anna) == [[6, 5, 1]]
    anna.turn((8, 5))
    anna.wait("v.last.text === '8/5 6/5'")


@pytest.mark.deep
def test_the_light_takes_a_checker_back_to_the_bar(open_site: Callable[..., Site]) -> None:
    site = open_site(dice=ScriptedDice([(6, 2)], [(6, 1), (4, 2)]))
    anna, ben = site.pair()
    anna.turn((24, 18), (13, 11))
    ben.roll()
    ben.turn((13, 7), (8, 7))
    anna.roll()
    assert anna.hand.checkers("bar-near") == 1
    anna.move((25, 21), (24, 22))
    lift(anna, "p21")
    assert anna.hand.lamps == {}, "24/22 could not be played with a checker on the bar"
    anna.page.mouse.up()
    anna.hand.settle()
    assert made(anna) == [[25, 21, 4], [24, 22, 2]]
    anna.move((22, 24))
    lift(anna, "p21")
    assert set(anna.hand.lamps) == {"bar-near"}
    anna.page.mouse.move(*anna.hand.at("bar-near"), steps=6)
    anna.page.mouse.up()
    anna.hand.settle()
    assert made(anna) == []
    assert anna.hand.checkers("bar-near") == 1
    wait_until_kept(site, anna)


@pytest.mark.deep
def test_the_light_takes_a_checker_back_from_the_tray(open_site: Callable[..., Site]) -> None:
    site = open_site(dice=ScriptedDice([(6, 5)], [(2, 1), (6, 6)]))
    anna, ben = site.pair("hypergammon", **ONE_CHECKER)
    anna.turn((24, 18), (18, 13))
    ben.roll()
    ben.turn((24, 22), (22, 21))
    anna.roll()
    anna.move((13, 7), (7, 1), (1, 0))
    lift(anna, "off-near")
    assert set(anna.hand.lamps) >= {"p1"}
    anna.page.mouse.move(*anna.hand.at("p1"), steps=6)
    anna.page.mouse.up()
    anna.hand.settle()
    assert len(made(anna)) == 2
    wait_until_kept(site, anna, (13, 7, 6), (7, 1, 6))
    anna.turn((1, 0))
    anna.wait("v.result")


def test_a_reload_in_mid_turn_keeps_tried_moves(open_site: Callable[..., Site]) -> None:
    site = open_site(dice=ScriptedDice([(6, 5)]))
    anna, _ = site.pair()
    anna.move((24, 18))
    wait_until_kept(site, anna, (24, 18, 6))
    anna.page.reload()
    anna.arrive()
    assert made(anna) == [[24, 18, 6]]
    assert anna.hand.checkers("p18") == 1
    lift(anna, "p18")
    assert "p24" in anna.hand.lamps
    anna.page.mouse.up()
    anna.turn((18, 13))
    anna.wait("v.last.text === '24/13'")


def test_a_restart_of_the_server_in_mid_turn_loses_nothing(open_site: Callable[..., Site]) -> None:
    site = open_site(dice=ScriptedDice([(6, 5)]))
    anna, ben = site.pair()
    anna.move((24, 18))
    ben.wait("v.turn.made.length === 1")
    site.restart()
    assert made(anna) == [[24, 18, 6]]
    wait_until_kept(site, anna, (24, 18, 6))
    anna.turn((18, 13))
    ben.wait("v.last.text === '24/13'")
    ben.wait_for("roll")


def test_moves_made_while_the_connection_is_lost_arrive_later(open_site: Callable[..., Site]) -> None:
    site = open_site(dice=ScriptedDice([(6, 5)]))
    anna, ben = site.pair()
    with site.stopped():
        anna.page.get_by_text("Connecting").wait_for()
        anna.move((24, 18), (18, 13))
        anna.press("play")
        expect(anna.page.locator(".bg-status")).to_have_text("Will be sent when the connection is back")
    ben.wait("v.last.text === '24/13'")
    anna.wait("v.to_act === 'far'")
