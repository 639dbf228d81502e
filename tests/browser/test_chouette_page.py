"""A chouette in three browsers: the order, one player's double and cube, a captain who resigns, and the next game."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.barriers import violations
from tests.browser.site import Person, Site, open_site
from tests.support.scripted_bots import ScriptedDice

__all__ = ["open_site"]

ORDER = [(6, 1), (5, 1), (4, 1)]
"""Anna is the box, Ben the captain, Kim plays with them."""


def named(person: Person, name: str) -> None:
    """A guest with this name."""
    person.go("/")
    person.page.context.request.post(
        f"{person.site.served.address}/name", form={"name": name}, headers={"Origin": person.site.served.address}
    )


def row(person: Person, name: str) -> str:
    """The list's line about a player."""
    return " ".join(person.page.locator(f".player:has(.name:text-is('{name}'))").inner_text().split())


def says(person: Person, name: str, text: str) -> None:
    """Waits until the list has this text about a player."""
    expect(person.page.locator(f".player:has(.name:text-is('{name}'))")).to_contain_text(text)


def hears(person: Person, text: str) -> None:
    """Waits until screen readers are told this of somebody else's game."""
    expect(person.page.locator("#announced")).to_have_text(text)


def sit_down(person: Person, invitation: str) -> None:
    """A second or third player comes and is on the page of the table."""
    person.go(invitation)
    sit = person.page.get_by_role("button", name="Sit down")
    sit.click()
    expect(sit).to_have_count(
        0
    )  # the page hears of it by its connection too, and may load itself before the answer does
    expect(person.page.locator(".player").first).to_be_visible()


def seated(open_site: Callable[..., Site]) -> tuple[Person, Person, Person]:
    """Three people at a chouette, before the first order."""
    site = open_site(dice=ScriptedDice([*ORDER, (6, 5)], [(2, 1), (3, 1)]))
    anna, ben = site.person(), site.person()
    kim = site.person(viewport={"width": 360, "height": 740}, color_scheme="dark")
    for person, name in ((anna, "Anna"), (ben, "Ben"), (kim, "Kim")):
        named(person, name)
    anna.go("/chouettes")
    assert violations(anna.page) == []
    anna.page.get_by_role("button", name="Open the chouette").click()
    anna.page.wait_for_url("**/chouette/*")
    invite = anna.page.get_by_role("region", name="Invite the others")
    expect(invite.get_by_role("textbox")).to_have_value(f"{site.served.address}{anna.path}")
    expect(anna.page.get_by_role("button", name="Roll for the order and begin")).to_have_count(0)
    invitation = anna.invitation()
    for person in (ben, kim):
        sit_down(person, invitation)
    says(anna, "Kim", "")
    return anna, ben, kim


def test_lists_say_in_which_chouette_one_sits_and_whether_it_waits(open_site: Callable[..., Site]) -> None:
    anna, ben, _kim = seated(open_site)
    anna.page.get_by_role("button", name="Roll for the order and begin").click()
    anna.arrive()
    anna.wait("v.phase === 'to_play'")
    number = anna.path.rpartition("/")[2]
    for person, said, in_lobby in ((anna, "your move", 1), (ben, "not your move", 0)):
        person.go("/")
        going = person.page.get_by_role("region", name="Go on playing").locator(f"#chouette-{number}")
        expect(going).to_contain_text("Chouette, Backgammon")
        expect(going.locator("em")).to_have_text(said)
        person.go("/lobby")
        expect(person.page.locator(f"li:has(#t-{number})").get_by_text("your move")).to_have_count(in_lobby)
    somebody = anna.site.person()
    somebody.go("/")
    expect(somebody.page.locator(f"#chouette-{number}")).to_have_count(0)


def test_names_without_spaces_make_no_list_wider_than_a_phone(open_site: Callable[..., Site]) -> None:
    site = open_site()
    person = site.person(viewport={"width": 390, "height": 800}, locale="de-DE")
    named(person, "W" * 20)
    person.go("/chouettes")
    person.page.locator("[name=bots]").select_option("2")
    person.page.locator("form[action='/chouette'] button").click()
    person.page.wait_for_url("**/chouette/*")
    for path in ("/lobby", "/chouettes", "/"):
        person.go(path)
        expect(person.page.locator("a[href^='/chouette/']")).to_be_visible()
        assert person.page.evaluate("document.documentElement.scrollWidth") <= 390


TAGS = """[...document.querySelectorAll('.player .name, #name-0, #name-1')].map((name) => getComputedStyle(name, '::before').content)"""
"""What stands before each name."""

AGAINST_BOT = """(async () => (await fetch("/match", {method: "POST",
  body: new URLSearchParams({opponent: "bot", variant: "backgammon", length: "1"})})).url)()"""


def test_bots_are_tagged_in_the_language_of_the_reader(open_site: Callable[..., Site]) -> None:
    person = open_site().person(locale="de-DE")
    page = person.page
    person.go("/chouettes")
    page.locator("[name=bots]").select_option("2")
    page.locator("form[action='/chouette'] button").click()
    page.wait_for_url("**/chouette/*")
    expect(page.locator(".player .name")).to_have_count(3)
    assert sorted(page.evaluate(TAGS)) == ['"Bot"', '"Bot"', "none"]
    page.goto(page.evaluate(AGAINST_BOT))
    person.arrive()
    assert sorted(page.evaluate(TAGS)) == ['"Bot"', "none"]


def test_three_people_at_a_table(open_site: Callable[..., Site]) -> None:
    anna, ben, kim = seated(open_site)
    begin = anna.page.get_by_role("button", name="Roll for the order and begin")
    assert "primary" in (begin.get_attribute("class") or "")
    assert violations(kim.page) == []
    begin.click()
    expect(anna.page.locator("#invite")).to_be_hidden()
    for person in (anna, ben, kim):
        person.arrive()
        person.wait("v.phase === 'to_play'")
    says(kim, "Anna", "Box")
    says(kim, "Ben", "Captain")
    anna.turn((24, 18), (18, 13))

    kim.wait_for("double")
    assert kim.page.get_by_role("button", name="No double").is_visible()
    ben.wait("v.last?.kind === 'play'")
    assert "roll" not in ben.kinds, "the captain waits for Kim"
    kim.press("double")
    says(anna, "Kim", "2")
    hears(ben, "Kim doubles to 2. Cubes: Ben 1 in the middle; Kim 1, doubled to 2")
    anna.press("take")
    hears(ben, "Anna takes (Kim). Cubes: Ben 1 in the middle; Kim 2 with Anna")
    kim.wait("v.cube.value === 2 && v.cube.owner === 'far'")
    ben.wait("v.cube.value === 1")  # Ben's own is still in the middle
    assert violations(anna.page) == []
    assert violations(kim.page) == []
    kim.page.evaluate(
        "(said) => { const pill = document.getElementById('notice'); pill.hidden = false; pill.textContent = said; }",
        "Time to decide: 119 s",
    )
    assert kim.page.evaluate("document.documentElement.scrollWidth") <= 360

    ben.roll()
    kim.wait("v.dice && !v.allowed.some(may => may.kind === 'play')")  # she sees the roll but may not play it
    ben.move((13, 11))
    kim.wait("v.turn.made.length === 1")  # the server has it
    ben.page.reload()
    ben.arrive()
    ben.wait("v.turn.made.length === 1")  # moves that Ben has tried are kept
    ben.move((6, 5))
    ben.commit()
    anna.wait_for("roll")

    ben.resign(1)
    says(anna, "Ben", "Ben offers to resign a single game: 1 point for Anna")
    anna.press("accept")
    says(kim, "You", "Captain")  # she plays on
    says(kim, "Ben", "out")
    says(kim, "Anna", "+1")
    anna.roll()
    anna.anything()
    kim.wait_for("roll")
    kim.page.get_by_label("Settle with the box").click()
    kim.page.get_by_label("Points that you want from the box; negative to pay").fill("1.5")
    kim.page.get_by_role("button", name="Offer").click()
    agree = anna.page.get_by_role("button", name="Offered: you pay 1.5. Agree")
    expect(agree).to_be_visible()
    kim.page.get_by_role("button", name="You offer: you get 1.5. Withdraw").click()
    expect(agree).to_have_count(0)
    assert violations(kim.page) == []
    kim.page.get_by_role("button", name="Offer").click()
    agree.click()
    kim.wait("v.result")
    says(kim, "You", "+1.5")
    says(kim, "You", "Box")  # she has beaten it
    assert [" ".join(text.split()) for text in kim.page.locator("#lines .result").all_inner_texts()] == [
        "Anna wins 1 point from Ben",
        "Kim wins 1.5 points from Anna",
    ]
    kim.press("next")
    anna.wait("v.phase === 'to_play' || v.phase === 'to_roll'")
    says(anna, "You", "team")
    anna.page.locator("#chat summary").click()
    anna.page.locator("#chat input[name=text]").fill("Well played")
    anna.page.get_by_role("button", name="Say").click()
    expect(kim.page.locator("#chat li")).to_have_text("Anna Well played")


def test_an_offer_that_is_being_typed_outlives_what_the_others_do(open_site: Callable[..., Site]) -> None:
    anna, _ben, kim = seated(open_site)
    anna.page.get_by_role("button", name="Roll for the order and begin").click()
    for person in (anna, kim):
        person.arrive()
        person.wait("v.phase === 'to_play'")
    kim.page.get_by_label("Settle with the box").click()
    points = kim.page.get_by_label("Points that you want from the box; negative to pay")
    points.fill("1.5")
    anna.turn((24, 18), (18, 13))
    kim.wait_for("double")
    expect(points).to_be_visible()
    expect(points).to_have_value("1.5")
    expect(points).to_be_focused()
