"""What a finger presses on a phone is 40 px high and wide, or as wide as its words."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.site import Person, Site, open_site
from tests.support.accounts import hasten
from tests.support.scripted_bots import ScriptedDice

__all__ = ["open_site"]

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

LOW = """() => [...document.querySelectorAll('button, summary, select, .button, .tick, .segments label, nav a, input:not([type=checkbox], [type=radio])')]
  .filter((one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !one.closest('.hidden, .skip'))
  .map((one) => [one.id || one.textContent.trim(), one.getBoundingClientRect()])
  .filter(([, { height }]) => height > 1 && height < 39.5).map(([name, { height }]) => `${name}: ${height} px`)"""


@pytest.fixture
def phone(open_site: Callable[..., Site]) -> Person:
    return open_site().person(**PHONE)


@pytest.mark.parametrize(
    "path", ["/", "/analysis", "/login", "/lobby", "/review", "/practice", "/practice/today", "/learn/first-game"]
)
def test_nothing_to_press_is_too_low_for_a_finger(phone: Person, path: str) -> None:
    phone.go(path)
    assert phone.page.evaluate(LOW) == []


def test_nor_on_the_account_page(open_site: Callable[..., Site]) -> None:
    site = open_site()
    hasten(site.served)
    phone = site.person(**PHONE)
    phone.go("/register")
    phone.page.fill("[name=name]", "Anna")
    phone.page.fill("[name=password]", "correct horse")
    phone.page.get_by_role("button", name="Register").click()
    phone.page.locator(".codes").wait_for()
    phone.go("/account")
    assert phone.page.evaluate(LOW) == []


def test_a_finger_hits_the_trays_and_the_cube(open_site: Callable[..., Site]) -> None:
    site = open_site(dice=ScriptedDice([(6, 5), (6, 5)]))
    phone, ben = site.person(**PHONE), site.person()
    ben.take(phone.challenge(length=3))
    phone.wait("v.phase !== 'opening'")
    areas = "(name) => [...document.querySelectorAll(`[data-spot^=${name}] .bg-area`)].map((one) => one.getBoundingClientRect())"
    for name in ("off", "cube"):
        for box in phone.page.evaluate(f"({areas})('{name}').map(({{ width, height }}) => [width, height])"):
            assert min(box) >= 39.5, name


def test_nor_at_a_match_and_in_its_dialogs(phone: Person) -> None:
    phone.challenge("backgammon", length=3)
    assert phone.page.evaluate(LOW) == []
    wide = "[...document.querySelectorAll('.top .plain')].map((one) => one.getBoundingClientRect().width)"
    assert set(phone.page.evaluate(wide)) == {40, 0}, "what is hidden has no width"
    for name in ("More", "Settings"):
        phone.page.get_by_role("button", name=name, exact=True).tap()
        assert phone.page.evaluate(LOW) == []
        phone.page.locator("dialog[open] .close").tap()


def test_a_match_that_is_over_marks_no_point_of_the_board_on_a_phone(open_site: Callable[..., Site]) -> None:
    site = open_site(dice=ScriptedDice([(3, 1)]))
    phone, ben = site.person(**PHONE), site.person()
    ben.take(phone.challenge(length=1))
    phone.wait("v.phase !== 'opening'")
    phone.resign(1)
    ben.press("accept")
    for person, focused in ((phone, False), (ben, True)):
        person.wait("v.result")
        person.go(person.path)
        person.arrive()
        person.page.locator("#banner").wait_for()
        assert person.page.evaluate("document.activeElement.closest('bg-board') !== null") == focused


def test_a_tap_beside_the_cube_in_the_middle_doubles(open_site: Callable[..., Site]) -> None:
    site = open_site(dice=ScriptedDice([(3, 1), (4, 2)]))
    phone, ben = site.person(**PHONE), site.person()
    ben.take(phone.challenge(length=3, cube="1"))
    phone.wait_for("play")
    phone.anything()
    ben.wait_for("roll")
    ben.roll()
    ben.anything()
    phone.wait_for("double")
    box = phone.page.locator("[data-spot=cube] .bg-area").bounding_box()
    assert box is not None
    phone.page.touchscreen.tap(box["x"] + box["width"] - 3, box["y"] + box["height"] / 2)
    ben.wait_for("take")
