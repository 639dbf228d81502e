"""A study: saved from the analysis board, grown on the board by its owner, read and tried by anybody, by keyboard too."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.barriers import violations
from tests.browser.site import Person, Site, open_site
from tests.browser.test_tournament_page import club_of, log_in

__all__ = ["open_site"]

OpenSite = Callable[..., Site]


def owner_of_study(site: Site, title: str) -> Person:
    """Somebody who has saved the opening roll 3-1 to a new study, and sees it."""
    owner = site.person(viewport={"width": 1280, "height": 800})
    (member,) = site.served.call(club_of(site).enroll(1))
    log_in(site, owner, member.id)
    owner.go("/analysis?roll=31")
    owner.arrive()
    owner.page.get_by_role("button", name="Save to a study").click()
    owner.page.get_by_label("Title of a new study").fill(title)
    owner.page.keyboard.press("Enter")
    owner.page.wait_for_url("**/study/*")
    owner.arrive()
    return owner


def make_point(owner: Person) -> None:
    """Plays 8/5 6/5."""
    owner.hand.drag("p8", "p5")
    owner.hand.settle()
    owner.hand.drag("p6", "p5")
    owner.hand.settle()
    owner.page.get_by_role("button", name="Done").click()


def test_a_study_is_made_on_the_board_and_read_by_whoever_has_the_link(open_site: OpenSite) -> None:
    site = open_site()
    owner = owner_of_study(site, "Openings")
    page = owner.page
    current = page.locator("#tree [aria-current]")
    expect(current).to_have_text("Position, roll 31")
    make_point(owner)
    expect(current).to_have_text("31: 8/5 6/5")
    page.get_by_label("Comment").fill("The point everybody wants.")
    page.get_by_role("button", name="Save").click()
    expect(current).to_contain_text("✎")
    expect(page.locator("#open-rolls")).to_be_enabled()  # once the board shows the new position
    current.focus()
    page.keyboard.press("r")
    page.locator("#dice").get_by_role("button", name="Roll 6-2").first.click()
    page.locator("#answer summary").click()
    page.locator("#choices .play").first.click()
    expect(page.locator("#tree li")).to_have_count(3)
    assert violations(page) == []

    reader = site.person(viewport={"width": 360, "height": 740})
    reader.go(owner.path.partition("#")[0])
    reader.arrive()
    page = reader.page
    current = page.locator("#tree [aria-current]")
    current.focus()
    page.keyboard.press("ArrowRight")
    comment, tree = page.get_by_text("The point everybody wants."), page.locator("#tree")
    expect(comment).to_be_visible()
    above, below = comment.bounding_box(), tree.bounding_box()
    assert above
    assert below
    assert above["y"] < below["y"], "on a phone it stands below the board"
    page.keyboard.press("ArrowRight")
    expect(current).to_contain_text("62: ")
    page.keyboard.press("Home")
    expect(current).to_have_text("Position, roll 31")
    expect(page.locator("[name=comment]")).to_have_count(0)
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_lesson_asks_before_it_explains_and_its_owner_sees_the_answers(open_site: OpenSite) -> None:
    site = open_site()
    owner = owner_of_study(site, "Lesson")
    page = owner.page
    page.get_by_label("Comment").fill("The point everybody wants.")
    page.get_by_label("Ask readers first").check()
    expect(page.locator("#tree [aria-current]")).to_contain_text("?")
    make_point(owner)
    expect(page.locator("#tree [aria-current]")).to_have_text("31: 8/5 6/5")

    reader = site.person(viewport={"width": 320, "height": 700})
    reader.go(owner.path.partition("#")[0])
    reader.arrive()
    page = reader.page
    expect(page.get_by_text("How do you play 3-1?")).to_be_visible()
    expect(page.get_by_text("The point everybody wants.")).to_have_count(0)
    expect(page.locator("#tree li")).to_have_count(1)
    expect(page.locator("#answer")).to_be_hidden()
    make_point(reader)
    expect(page.get_by_text("8/5 6/5: the best choice.")).to_be_visible()
    expect(page.get_by_text("The point everybody wants.")).to_be_visible()
    expect(page.get_by_text("1 of 1 right, 0.000 lost, PR 0.0")).to_be_visible()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.keyboard.press("ArrowRight")
    expect(page.locator("#tree [aria-current]")).to_have_text("31: 8/5 6/5")
    page.reload()
    page.locator("#tree button").first.click()
    expect(page.get_by_text("8/5 6/5: the best choice.")).to_be_visible()

    owner.page.reload()
    owner.page.get_by_text("Results").click()
    expect(owner.page.get_by_text("Guest: 1 of 1 right, 0.000 lost, PR 0.0")).to_be_visible()
    assert violations(owner.page) == []


def test_a_comment_is_kept_without_a_button_on_leaving_the_position_or_the_page(open_site: OpenSite) -> None:
    site = open_site()
    owner = owner_of_study(site, "Notes")
    page = owner.page
    page.get_by_label("Comment").fill("Written on the way.")
    make_point(owner)
    expect(page.locator("#tree [aria-current]")).to_have_text("31: 8/5 6/5")
    expect(page.get_by_label("Comment")).to_have_value("")
    page.get_by_label("Name of this position").fill("The point")
    page.get_by_label("Name of this position").press("Tab")
    expect(page.locator("#toast")).to_have_text("Saved.")
    expect(page.get_by_label("Comment")).to_be_focused()
    page.get_by_label("Comment").type("Made before a step.")
    page.get_by_role("button", name="Previous position").click()
    expect(page.get_by_label("Comment")).to_have_value("Written on the way.")
    page.get_by_role("button", name="Next position").click()
    expect(page.get_by_label("Comment")).to_have_value("Made before a step.")

    page.get_by_label("Comment").fill("Made before leaving.")
    study = owner.path
    expect(page.locator("#tree [aria-current]")).to_contain_text("✎")
    with page.expect_response("**/edit"):
        page.get_by_label("Comment").press("End")
        page.get_by_label("Comment").type(" Soon.")
    owner.go("/study")  # as from the address bar: no field loses the focus
    owner.go(study)
    owner.arrive()
    expect(page.get_by_label("Comment")).to_have_value("Made before leaving. Soon.")


def test_a_comment_that_cannot_be_kept_is_not_left(open_site: OpenSite) -> None:
    site = open_site()
    owner = owner_of_study(site, "Notes")
    page = owner.page
    make_point(owner)
    current = page.locator("#tree [aria-current]")
    expect(current).to_have_text("31: 8/5 6/5")
    page.route("**/edit", lambda route: route.abort())
    page.get_by_label("Comment").fill("The point everybody wants.")
    page.get_by_role("button", name="Previous position").click()
    expect(page.locator("#toast")).to_have_text("The server cannot be reached.")
    expect(page.get_by_label("Comment")).to_have_value("The point everybody wants.")
    expect(current).to_have_text("31: 8/5 6/5")
    page.unroute("**/edit")
    page.get_by_role("button", name="Previous position").click()
    expect(current).to_have_text("Position, roll 31")
    page.get_by_role("button", name="Next position").click()
    expect(page.get_by_label("Comment")).to_have_value("The point everybody wants.")
    site.forgive("Failed to load resource")


def test_that_a_comment_is_saved_interrupts_no_screen_reader_but_that_it_is_not_does(open_site: OpenSite) -> None:
    site = open_site()
    page = owner_of_study(site, "Notes").page
    page.get_by_label("Comment").fill("The roll everybody wants.")
    expect(page.get_by_role("status").get_by_text("Saved.")).to_be_visible()
    page.route("**/edit", lambda route: route.abort())
    page.get_by_label("Comment").fill("The roll nobody wants.")
    expect(page.get_by_role("alert")).to_have_text("The server cannot be reached.")
    page.unroute("**/edit")
    site.forgive("Failed to load resource")
