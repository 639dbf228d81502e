"""A student's evening by keyboard: matches brought, the worst mistake understood and practised, a position shared."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from barpoint.server.study import rollouts
from tests.analysis.test_statistics import MATCH
from tests.browser.barriers import violations
from tests.browser.hand import BOARD
from tests.browser.site import VIEW, Person, Site, open_site, until
from tests.browser.test_practice_page import PLAY_FIRST
from tests.server.study.test_statistics import finish

__all__ = ["open_site"]

OpenSite = Callable[..., Site]

XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:4:0:7:10"


def press(page: Page, role: str, name: str) -> None:
    """Presses a button or link by keyboard."""
    wanted = page.get_by_role(role, name=name).first  # type: ignore[arg-type]
    expect(wanted).to_be_enabled()
    wanted.focus()
    page.keyboard.press("Enter")


def bring(person: Person, folder: Path) -> None:
    """Brings two matches and has them analysed."""
    files = [folder / "one.mat", folder / "two.mat"]
    for file, name in zip(files, ("Ben", "Cleo"), strict=True):
        file.write_text(MATCH.replace("Ben", name))
    person.go("/review")
    person.page.locator("#file").set_input_files(files)
    expect(person.page.locator("#reading-state")).to_have_text("2 of 2 files read")
    for link in person.page.locator("#reading-files a").all():
        finish(person.site.served, "review", (link.get_attribute("href") or "").split("/")[2], 0)


@pytest.mark.deep
def test_an_evening_from_the_first_file_to_the_shared_link(
    open_site: OpenSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rollouts, "TRIALS", 36)
    site = open_site()
    person = site.person(viewport={"width": 1280, "height": 800})
    page = person.page
    bring(person, tmp_path)

    person.go("/statistics")
    expect(page.locator(".totals")).to_contain_text("Performance rating")
    theme = page.locator("section[aria-labelledby=worst-title] ol a").first
    expect(theme).to_contain_text("instead of")
    theme.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/replay#*")
    person.arrive()
    press(page, "button", "All plays")
    expect(page.locator(".plays li").nth(5)).to_be_visible()
    press(page, "button", "Deeper")
    expect(page.get_by_text("1-ply").or_(page.get_by_text("2-ply")).first).to_be_visible()
    press(page, "button", "Roll out")
    expect(page.get_by_text("luck subtracted").first).to_be_visible()
    assert violations(page) == []
    press(page, "button", "Make a card")
    expect(page.locator("#toast")).to_contain_text("The card is made")

    person.go("/practice/session")
    expect(page.locator("#ask")).to_contain_text("How do you play")
    until(page, f"{VIEW}?.turn && !{BOARD}.busy")
    while not page.evaluate(f"{BOARD}.turn.mayCommit"):
        page.evaluate(PLAY_FIRST)
        until(page, f"!{BOARD}.busy && !{BOARD}.turn.waiting")
    page.keyboard.press("Enter")
    expect(page.locator(".quiz-said")).not_to_be_empty()

    person.go("/library?sort=loss")
    press(page, "link", "Positions like this")
    expect(page.locator(".card").first).to_contain_text("0 pips away")

    person.go("/analysis")
    person.arrive()
    page.locator("#tab-answer").focus()
    page.keyboard.press("ArrowLeft")
    page.locator("#paste").focus()
    page.keyboard.insert_text(XGID)
    page.keyboard.press("Enter")
    page.wait_for_url("**length=7*")
    page.locator("#tab-answer").focus()
    for _tab in range(2):
        page.keyboard.press("ArrowRight")
    expect(page.locator("#scores table")).to_contain_text("After the Crawford game")
    page.keyboard.press("p")
    expect(page.locator("#play-on")).to_be_visible()
    page.keyboard.press("Escape")

    other = site.person(viewport={"width": 1280, "height": 800})
    other.go(person.path)
    expect(other.page.locator("#choices")).to_contain_text("8/5 6/5")
    expect(other.page.get_by_role("link", name="Log in")).to_be_visible()
    assert violations(other.page) == []
