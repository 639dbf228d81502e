"""Two people with accounts meet in the lobby, play and chat; and every page of lobby and accounts is accessible."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.site import WAIT_MS, Person, Site, open_site
from tests.support.accounts import PASSWORD, hasten

__all__ = ["open_site"]

OpenSite = Callable[..., Site]

CUT = """(() => {
  const found = [], pen = document.createElement("canvas").getContext("2d"), ARROW = 18;
  for (const field of document.querySelectorAll("select, input[placeholder]")) {
    if (!field.checkVisibility()) continue;
    const style = getComputedStyle(field), select = field instanceof HTMLSelectElement;
    const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - (select ? ARROW : 0);
    pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const texts = select ? [...field.options].map((option) => option.text) : [field.placeholder];
    found.push(...texts.filter((text) => pen.measureText(text).width > room));
  }
  return found;
})()"""
"""The choices of fields, and what stands in empty ones, that are too long for their field."""


PLACES = """(titles) => [titles.map((title) => [...document.querySelectorAll("h1, h2, h3")]
    .find((one) => one.checkVisibility() && one.textContent.trim().startsWith(title)).getBoundingClientRect().top),
  document.querySelector("button[aria-label^='Play '][aria-label*='Backgammon']").getBoundingClientRect().bottom]"""
"""Where headings begin and a challenge ends, all at one time: the lobby is filled anew whenever somebody comes."""


def join(person: Person, name: str) -> None:
    """Registers."""
    person.go("/register")
    person.page.get_by_label("Name").fill(name)
    person.page.get_by_label("Password").fill(PASSWORD)
    person.page.get_by_role("button", name="Register").click()
    expect(person.page.locator(".codes li")).to_have_count(8, timeout=WAIT_MS)


def wait_in_lobby(person: Person) -> None:
    """Waits until the lobby is connected."""
    expect(person.page.locator("[data-connected]")).to_be_attached(timeout=WAIT_MS)


def test_two_people_find_each_other_play_a_rated_match_and_talk(open_site: OpenSite) -> None:
    opened = open_site()
    hasten(opened.served)
    anna, ben = opened.person(), opened.person(viewport={"width": 360, "height": 740}, color_scheme="dark")
    join(anna, "Anna")
    join(ben, "Benedict")
    anna.go("/?opponent=lobby")
    anna.page.locator("#rated").check()
    anna.page.select_option("#length", "1")
    anna.page.get_by_role("button", name="Play", exact=True).click()
    anna.page.wait_for_url("**/lobby")
    wait_in_lobby(anna)
    ben.go("/lobby")
    ben.page.get_by_role("button", name=re.compile("^Play Anna: Backgammon, 1 point.*rated")).click()
    for person in (anna, ben):
        person.page.wait_for_url("**/match/*")
        person.arrive()
        person.wait("v.phase !== 'opening'")

    anna.page.locator("#chat > summary").click()
    expect(anna.page.locator("#chat input[name=text]")).to_be_focused()
    anna.page.get_by_label("Say something").fill("<b>Good luck</b>")
    anna.page.get_by_role("button", name="Say", exact=True).click()
    expect(ben.page.locator("#chat .badge")).to_have_text("1 new", timeout=WAIT_MS)
    expect(ben.page.locator("#toast")).to_have_text("Anna: <b>Good luck</b>")
    ben.page.locator("#chat > summary").click()
    expect(ben.page.locator(".chat-lines li")).to_have_text("Anna <b>Good luck</b>")
    expect(ben.page.locator("#chat .badge")).to_be_hidden()

    first, second = (anna, ben) if "play" in anna.kinds else (ben, anna)
    first.anything()
    second.wait_for("roll")
    second.resign(1)
    first.press("accept")
    for person in (anna, ben):
        expect(person.page.locator("#banner-title")).to_contain_text("the match", timeout=WAIT_MS)
    anna.go("/player/Benedict")
    expect(anna.page.locator("svg.plot")).to_be_visible(timeout=WAIT_MS)
    ben.go("/matches")
    expect(ben.page.locator(".match-summary").first).to_contain_text("Anna", timeout=WAIT_MS)


@pytest.mark.parametrize("locale", [pytest.param("en-GB", marks=pytest.mark.deep), "de-DE"])
def test_no_choice_of_a_form_is_cut(open_site: OpenSite, locale: str) -> None:
    opened = open_site()
    for wide in (360, 1280):
        person = opened.person(viewport={"width": wide, "height": 740}, locale=locale)
        for path in ("/", "/lobby", "/challenge", "/chouettes"):
            person.go(path)
            person.page.evaluate("document.fonts.ready.then(() => null)")
            assert person.page.evaluate(CUT) == [], (wide, path)


def test_on_a_phone_challenges_come_first_then_the_form_then_what_else_there_is(open_site: OpenSite) -> None:
    opened = open_site()
    anna = opened.person()
    anna.go("/?opponent=lobby")
    anna.page.get_by_role("button", name="Play", exact=True).click()
    wait_in_lobby(anna)
    ben = opened.person(viewport={"width": 360, "height": 740})
    ben.choose(opponent="bot")
    ben.go("/lobby")
    wait_in_lobby(ben)
    titles = ("Open challenges", "Go on playing", "Play somebody", "Tournaments", "Online")
    tops, end = ben.page.evaluate(PLACES, titles)
    assert tops == sorted(tops)
    assert 0 < end < 740, "on the first screen"


def test_a_button_that_is_being_pressed_stays_while_the_lobby_changes(open_site: OpenSite) -> None:
    site = open_site()
    anna, ben = site.person(), site.person()
    ben.go("/?opponent=lobby")
    anna.go("/?opponent=lobby")
    anna.page.get_by_role("button", name="Play", exact=True).click()
    anna.page.wait_for_url("**/lobby")
    wait_in_lobby(anna)
    withdraw = anna.page.get_by_role("button", name="Withdraw")
    withdraw.hover()
    withdraw.evaluate("(button) => void (button.dataset.pressed = 'yes')")
    anna.page.mouse.down()
    ben.page.get_by_role("button", name="Play", exact=True).click()
    ben.page.wait_for_url("**/lobby")
    wait_in_lobby(ben)
    anna.page.wait_for_timeout(500)
    assert anna.page.locator("[data-pressed]").count() == 1
    anna.page.mouse.up()
    expect(withdraw).to_have_count(0)
    expect(anna.page.get_by_role("button", name=re.compile("^Play "))).to_have_count(1)
