"""The library in the browser: a folder is brought, its mistakes are searched by keyboard, and one leads to positions like it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.analysis.test_statistics import MATCH
from tests.browser.barriers import violations
from tests.browser.site import Site, open_site
from tests.server.study.test_statistics import finish

__all__ = ["open_site"]


def check(page: Page) -> None:
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_folder_is_brought_and_its_mistakes_are_searched(open_site: Callable[..., Site], tmp_path: Path) -> None:
    for name, text in (
        ("a/one.mat", MATCH),
        ("a/b/two.mat", MATCH.replace("Ben", "Cleo")),
        ("a/none.mat", "no match"),
        ("a/readme.md", "no match"),
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text(text)
    opened = open_site()
    person = opened.person(viewport={"width": 360, "height": 740})
    page = person.page
    person.go("/review")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose a folder").click()
    chooser.value.set_files(tmp_path / "a")
    expect(page.locator("#reading-state")).to_have_text("2 of 3 files read, 1 could not be read")
    links = [link.get_attribute("href") or "" for link in page.locator("#reading-files a").all()]
    for link in links:
        finish(opened.served, "review", link.split("/")[2], 0)

    person.go("/library")
    page.get_by_role("combobox", name="Size of the error").focus()
    page.keyboard.press("End")
    page.get_by_role("textbox", name="Opponent").focus()
    page.keyboard.type("cleo")
    page.keyboard.press("Enter")
    page.wait_for_url("**/library?*opponent=cleo*loss=0.0*")
    expect(page.locator(".card").first).to_contain_text("Cleo")
    check(page)
    page.get_by_role("link", name="Positions like this").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/library/similar?*")
    expect(page.locator(".card").first).to_contain_text("0 pips away")
    check(page)
