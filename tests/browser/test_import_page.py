"""What the page that imports files takes besides chosen files: pasted text, and the first of too many."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from barpoint.server.domain.accounts import SESSION_COOKIE
from tests.browser.site import Site, open_site
from tests.record.test_mat import MATCH
from tests.server.web.test_reviews import ANALYSED, SAID, XGID, archive_of_31
from tests.support.accounts import browser_of

__all__ = ["open_site"]

PASTE = """text => { const data = new DataTransfer(); data.setData("text/plain", text);
  document.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true })); }"""


def paste(page: Page, text: str) -> None:
    page.evaluate(PASTE, text)


def test_a_pasted_match_leads_to_its_replay_and_a_pasted_id_to_the_board(open_site: Callable[..., Site]) -> None:
    opened = open_site()
    person = opened.person(viewport={"width": 360, "height": 740})
    page = person.page
    person.go("/review")
    paste(page, "hello")
    expect(page.locator("#hint")).to_contain_text("“hello” is neither a match nor a position; allowed:")
    opened.complaints.clear()  # the browser reports the status 422
    paste(page, MATCH)
    page.wait_for_url("**/review/*/replay*")
    person.go("/review")
    paste(page, XGID)
    page.wait_for_url("**/analysis?*roll=31*")
    expect(page.locator("#answer li").first).to_be_visible()


def test_of_too_many_files_the_first_ones_are_read_and_the_limit_is_said(
    open_site: Callable[..., Site], tmp_path: Path
) -> None:
    files = [tmp_path / f"{number:02}.mat" for number in range(24)]
    for number, file in enumerate(files):
        file.write_text(MATCH.replace("Ben", f"Ben {number}"))
    person = open_site().person()
    page = person.page
    person.go("/review")
    page.set_input_files("#file", files)
    expect(page.locator("#reading-state")).to_have_text("20 of 20 files read")
    expect(page.locator("#reading-note")).to_have_text(
        re.compile(r"^These are 24 files; the first 20 are taken, .* 1000 ")
    )
    expect(page.locator("#reading-files a")).to_have_count(20)


def test_positions_from_files_are_listed_with_what_they_say_and_become_a_study(
    open_site: Callable[..., Site], tmp_path: Path
) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    for name, content in (
        ("a.mat", MATCH.encode()),
        ("b.txt", ANALYSED.encode()),
        ("c.xgp", archive_of_31()),
        ("d.txt", XGID.encode()),
    ):
        (folder / name).write_bytes(content)
    site = open_site()
    person = site.person(viewport={"width": 390, "height": 844})
    page = person.page
    person.go("/review")
    page.set_input_files("#file", sorted(folder.iterdir()))
    expect(page.locator("#reading-positions h3")).to_have_text("3 positions")
    expect(page.locator("#reading-positions")).to_contain_text("With an account they become a study")
    with browser_of(site.served, "collector") as http:
        cookie = {"name": SESSION_COOKIE, "value": http.cookies[SESSION_COOKIE], "url": site.served.address}
    person.context.add_cookies([cookie])
    person.go("/review")
    page.set_input_files("#file", sorted(folder.iterdir()))
    expect(page.locator("#reading-state")).to_have_text("4 of 4 files read")
    expect(page.locator('[data-of="position"] p')).to_have_text([f"b.txt: {SAID}", f"c.xgp: {SAID}", "d.txt"])
    page.get_by_label("Title").fill("Openings")
    page.get_by_role("button", name="Make a study of them").click()
    page.wait_for_url("**/study/*")
    expect(page.locator("h1")).to_contain_text("Openings")
    expect(page.locator("[name=comment]")).to_have_value(re.compile(re.escape(SAID)))
    person.go("/review")
    expect(page.locator('#read [data-of="position"] p')).to_have_text([f"b.txt: {SAID}", f"c.xgp: {SAID}", "d.txt"])
    page.set_input_files("#file", folder / "c.xgp")
    page.wait_for_url("**/analysis?*roll=31*")
    expect(page.locator("#said")).to_contain_text(SAID)
    person.go("/review")
    page.set_input_files("#file", [folder / "a.mat", folder / "d.txt"])
    expect(page.locator("#reading-state")).to_have_text("2 of 2 files read")
    expect(page.locator('[data-of="position"] p')).to_have_text(["d.txt"])
