"""Replay of a match in the browser: by keys, buttons, slider, list and URL, rerolled rolls included."""

from __future__ import annotations

import re
from collections.abc import Callable

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from barpoint.game.event import kind_of
from tests.browser.site import VIEW, Site, open_site, until
from tests.support.played import play_match

__all__ = ["open_site"]


IN_SIGHT = """(() => {
  const [row, list] = ['#lines [aria-current]', '#events'].map((one) => document.querySelector(one).getBoundingClientRect());
  return list.height > 200 && row.top >= list.top && row.bottom <= list.bottom; })()"""


def test_a_spectator_steps_through_a_finished_match(open_site: Callable[..., Site]) -> None:
    opened = open_site()
    served = opened.served
    match_id = served.call(play_match(served.services, "roll-over"))
    events = served.call(served.services.matches.live_match(match_id)).match.events
    person = opened.person()
    page = person.page
    person.go(f"/match/{match_id}/replay")
    stands = page.locator(".match-page")
    expect(stands).to_have_attribute("data-at", "0")
    expect(page.locator("#happened")).to_have_text("Before the first roll")

    page.keyboard.press("ArrowRight")
    expect(stands).to_have_attribute("data-at", "1")
    page.get_by_role("button", name="One event on").click()
    expect(stands).to_have_attribute("data-at", "2")
    page.keyboard.press("ArrowLeft")
    expect(stands).to_have_attribute("data-at", "1")
    page.keyboard.press("End")
    expect(stands).to_have_attribute("data-at", str(len(events)))
    until(page, f"{VIEW}.result")
    page.get_by_role("slider").fill("3")
    expect(stands).to_have_attribute("data-at", "3")

    rerolled = next(seq for seq, event in enumerate(events, start=1) if kind_of(event) == "rollover")
    page.locator(f'#lines [data-seq="{rerolled}"]').click()
    expect(stands).to_have_attribute("data-at", str(rerolled))
    expect(page.locator("#happened")).to_contain_text("over")
    until(page, f"{VIEW}.last?.kind === 'rollover'")
    expect(page.locator(".bg-rolled, .bg-dice").first).to_be_attached()

    expect(page).to_have_url(re.compile(rf"#{rerolled}$"))
    later = opened.person(viewport={"width": 360, "height": 740}, color_scheme="dark")
    later.go(f"/match/{match_id}/replay#{rerolled}")
    expect(later.page.locator(".match-page")).to_have_attribute("data-at", str(rerolled))
    expect(later.page.locator(f'#lines [data-seq="{rerolled}"]')).to_have_attribute("aria-current", "step")
    assert later.page.evaluate("document.documentElement.scrollWidth") <= 360
    for shown in (page, later.page):
        found = Axe().run(shown)
        assert found.violations_count == 0, found.generate_report()


def test_errors_are_marked_shown_with_arrows_and_led_to(open_site: Callable[..., Site]) -> None:
    """Requested on the page, computed, and stored for the next visitor."""
    opened = open_site()
    served = opened.served
    match_id = served.call(play_match(served.services, "duodecagammon"))
    events = served.call(served.services.matches.live_match(match_id)).match.events
    person = opened.person()
    page = person.page
    person.go(f"/match/{match_id}/replay")
    expect(page.locator(".match-page")).to_have_attribute("data-at", "0")
    page.select_option("#plies", "0")
    page.get_by_role("button", name="Analyse").click()
    expect(page.locator("#judged")).to_be_visible()
    expect(page.locator("#totals")).to_contain_text("Performance rating")
    page.get_by_role("button", name="Error ▶").click()
    marked = page.locator(".verdict:is(.doubtful, .error, .blunder)")
    expect(marked.first).to_be_visible()
    at = int(page.locator(".match-page").get_attribute("data-at") or "")
    assert at > 0
    expect(page.locator("#lines .mark-sign").first).to_be_attached()
    while not marked.locator("button").count():  # a marked cube action or reroll has no play to show
        page.get_by_role("button", name="Error ▶").click()
        expect(page.locator(".match-page")).not_to_have_attribute("data-at", str(at))
        at = int(page.locator(".match-page").get_attribute("data-at") or "")
    expect(page.locator(".bg-arrow-best").first).to_be_attached()
    expect(page.locator(".bg-arrow-made").first).to_be_attached()
    before = page.evaluate(f"JSON.stringify([{VIEW}.near.points, {VIEW}.far.points])")
    marked.locator("button").first.focus()
    until(page, f"JSON.stringify([{VIEW}.near.points, {VIEW}.far.points]) !== {before!r}")
    marked.locator("button").first.blur()
    until(page, f"JSON.stringify([{VIEW}.near.points, {VIEW}.far.points]) === {before!r}")

    later = opened.person(viewport={"width": 360, "height": 740}, color_scheme="dark")
    later.go(f"/match/{match_id}/replay#{at}")
    expect(later.page.locator("#judged")).to_be_visible()
    expect(later.page.locator("#plies option:enabled")).to_have_count(2)
    later.page.get_by_role("button", name="Analyse").click()  # two rolls ahead, while the first is shown
    expect(later.page.locator("#order")).to_be_hidden()
    expect(later.page.locator("#judged")).to_be_visible()
    expect(later.page.locator("#progress")).to_be_hidden()
    expect(later.page.locator("#plies option:enabled")).to_have_count(0)
    expect(later.page.locator("#verdict .verdict").first).to_be_visible()
    assert later.page.evaluate("document.documentElement.scrollWidth") <= 360
    wide = opened.person(viewport={"width": 1280, "height": 800})
    wide.go(f"/match/{match_id}/replay#{len(events) * 2 // 3}")
    expect(wide.page.locator("#verdict")).to_be_visible()
    until(wide.page, IN_SIGHT)
    for shown in (page, later.page):
        found = Axe().run(shown)
        assert found.violations_count == 0, found.generate_report()
