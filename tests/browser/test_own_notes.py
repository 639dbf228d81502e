"""Own notes on a replay: kept without a button, linked from the list, told by the quiz after the answer; the star of a list."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.analysis.test_statistics import MATCH
from tests.browser.barriers import violations
from tests.browser.site import Site, open_site, resize
from tests.browser.test_review_page import answer
from tests.browser.test_tournament_page import club_of, log_in
from tests.server.study.test_statistics import REPORT, finish

__all__ = ["open_site"]

WORST = max(REPORT.decisions, key=lambda one: one.loss)


def test_a_note_is_kept_found_again_and_told_after_the_answer(open_site: Callable[..., Site]) -> None:
    site = open_site()
    person = site.person(viewport={"width": 360, "height": 740})
    page = person.page
    (member,) = site.served.call(club_of(site).enroll(1))
    log_in(site, person, member.id)
    person.go("/review")
    page.set_input_files("#file", {"name": "a.mat", "mimeType": "text/plain", "buffer": MATCH.encode()})
    path = (page.locator("#reading-files a").get_attribute("href") or "").partition("/replay")[0]
    finish(site.served, "review", path.split("/")[2], 0)

    person.go(f"{path}/replay#{WORST.event - 1}")
    note = page.get_by_role("form", name="This position")
    note.get_by_label("Comment").fill("Run sooner!")
    page.get_by_role("button", name="One event on").click()
    expect(page.locator("#toast")).to_have_text("Saved.")
    expect(note.get_by_label("Comment")).to_have_value("")
    page.locator("#of-match summary").click()
    whole = page.get_by_role("form", name="This match")
    whole.get_by_label("Tags").fill("Lesson 3, back game")
    with page.expect_response("**/api/note"):
        whole.get_by_label("Star").check()
    page.reload()
    expect(whole.get_by_label("Tags")).to_have_value("Lesson 3, back game")
    page.locator("#noted a").click()
    expect(note.get_by_label("Comment")).to_have_value("Run sooner!")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360

    page.get_by_role("button", name="Quiz me on my mistakes").click()
    page.select_option("#quiz-player", "both")
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#quiz")).to_have_attribute("data-stage", "asking")
    expect(page.locator(".own-note")).to_have_count(0)
    answer(page)
    expect(page.locator(".own-note")).to_have_text("My note: Run sooner!")

    person.go("/library?show=matches")
    star = page.get_by_role("button", name="Star")
    expect(star).to_have_attribute("aria-pressed", "true")
    star.click()
    expect(star).to_have_attribute("aria-pressed", "false")
    expect(star).to_be_focused()
    assert violations(page) == []
    resize(page, 320, 640)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
