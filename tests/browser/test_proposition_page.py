"""A proposition from the analysis board, as a person begins and plays it (RULES 4.14)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from barpoint.server.domain.analysis_board import BoardAddress, query_of
from tests.browser.site import Person, Site, open_site, until
from tests.browser.test_analysis_page import opened

__all__ = ["open_site"]

OpenSite = Callable[..., Site]

RACE = "swEAgG0AAAAAAA"


def begin(person: Person) -> None:
    page = person.page
    page.get_by_role("button", name="Play on", exact=True).click()
    page.get_by_text("each game", exact=True).click()
    expect(page.get_by_label("To find out")).to_be_visible()


def play(person: Person) -> None:
    person.page.locator("#play-on").get_by_role("button", name="Play", exact=True).click()
    person.page.wait_for_url("**/match/*")
    person.arrive()


def test_a_friend_follows_the_link_and_the_players_change_sides_after_each_game(open_site: OpenSite) -> None:
    site = open_site()
    ann, ben = site.person(), site.person()
    opened(ann)
    begin(ann)
    expect(ann.page.get_by_label("Your play")).to_be_hidden()
    ann.page.locator("#level").select_option(label="A friend, by a link")
    ann.page.get_by_label("Games until I stop").select_option("until I stop")
    ann.page.get_by_label("Spot").fill("3")
    play(ann)
    expect(ann.page.locator("#proposition")).to_contain_text("3 points a game to whoever is not to act")
    ben.take(ann.invitation())
    ann.wait("v.to_act === 'near'")
    ben.wait("v.to_act === 'far'")
    ann.resign(1)
    ben.press("accept")
    ann.wait("v.score.near === 0 && v.score.far === 4")
    ann.press("next")
    ann.wait("v.to_act === 'far' && v.dice === null")
    ben.resign(1)
    ann.press("accept")
    ann.wait("v.score.near === 4 && v.score.far === 4")
    expect(ann.page.locator("#proposition")).to_contain_text("Whoever is to act: −4.00 points a game in 2 games")


@pytest.mark.parametrize("touch", [pytest.param(False, marks=pytest.mark.deep), True], ids=["desk", "phone"])
def test_two_plays_are_played_out_against_the_bot(open_site: OpenSite, touch: bool) -> None:
    site = open_site()
    size = {"width": 390, "height": 780} if touch else {"width": 1280, "height": 800}
    person = site.person(viewport=size, has_touch=touch)
    opened(person, "?roll=31")
    begin(person)
    page = person.page
    assert page.get_by_label("To find out").locator("option:not([hidden])").count() == 2, (
        "a double comes before the roll"
    )
    page.get_by_label("To find out").select_option("which of two plays is better")
    expect(page.get_by_label("Your play")).to_have_value("8/5 6/5")
    page.get_by_label("Their play").select_option("8/5 6/5")
    page.locator("#play-on").get_by_role("button", name="Play", exact=True).click()
    assert "/analysis" in page.url, "the same play twice is said in the form"
    page.get_by_label("Their play").select_option("13/9")
    play(person)
    expect(page.locator("#proposition")).to_contain_text("You have made 8/5 6/5")
    person.wait("v.near.points[5] === 2 && v.to_act === 'near'")
    person.resign(1)
    person.wait("v.score.far === 1")
    person.press("next")
    person.wait("v.far.points[9] === 1 && v.far.points[13] === 4 && v.to_act === 'near'")


def test_a_take_is_offered_where_a_double_is_possible_and_a_match_is_no_proposition(open_site: OpenSite) -> None:
    site = open_site()
    person = site.person()
    person.go(f"/analysis?{query_of(BoardAddress(position=RACE))}")
    person.arrive()
    begin(person)
    page = person.page
    page.get_by_label("To find out").select_option("take or pass: the double is taken")
    expect(page.get_by_label("Spot")).to_be_hidden()
    page.locator("#play-on").get_by_text("the side above").click()
    play(person)
    person.wait("v.cube.value === 2 && v.cube.owner === 'near'")
    person.go(f"/analysis?{query_of(BoardAddress(position=RACE, length=5))}")
    person.arrive()
    page.get_by_role("button", name="Play on", exact=True).click()
    expect(page.get_by_text("each game", exact=True)).to_be_hidden()
    until(page, "document.querySelector('#proposition').disabled")
