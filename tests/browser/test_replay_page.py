"""Replay of a match in the browser: by keys, buttons, slider, list and URL, rerolled rolls included."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

import barpoint as bp
from barpoint.analysis import Study
from barpoint.game.event import kind_of
from barpoint.record import Book, format_book
from barpoint.server.storage import analyses as analysis_storage
from tests.browser.barriers import violations
from tests.browser.scales import MAX_BYTES, Scales
from tests.browser.site import VIEW, Site, open_site, resize, until
from tests.browser.visits import PHONE
from tests.support.played import play_match
from tests.support.scripted_bots import ChanceBot

__all__ = ["open_site"]


ASKED = "**/analysis.json?plies=0&*"
"""What a replay asks last about analyses that there are; one ordered before would be awaited and shown twice."""


IN_SIGHT = """(() => {
  const [row, list] = ['#lines [aria-current]', '#events'].map((one) => document.querySelector(one).getBoundingClientRect());
  return list.height > 140 && row.top >= list.top && row.bottom <= list.bottom; })()"""


TOGETHER = """(() => {
  const [board, verdict] = ['bg-board', '#verdict .theme'].map((one) => document.querySelector(one).getBoundingClientRect());
  return board.top >= 0 && verdict.top >= board.bottom && verdict.bottom <= innerHeight; })()"""


BESIDE = """(() => {
  const [board, verdict] = ['.bg-stage', '#verdict .theme'].map((one) => document.querySelector(one).getBoundingClientRect());
  return board.top >= 0 && board.bottom <= innerHeight && verdict.left >= board.right && verdict.bottom <= innerHeight; })()"""


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
        assert violations(shown) == []


@pytest.mark.parametrize("width", [768, 820])
def test_on_a_tablet_held_upright_the_moves_stand_beside_the_analysis(
    open_site: Callable[..., Site], width: int
) -> None:
    opened = open_site()
    match_id = opened.served.call(play_match(opened.served.services, "backgammon"))
    person = opened.person(viewport={"width": width, "height": 1024})
    person.go(f"/match/{match_id}/replay")
    until(person.page, VIEW)
    analysis, moves = (person.page.locator(one).bounding_box() for one in ("#analysis", ".moves-box"))
    assert analysis is not None
    assert moves is not None
    assert moves["x"] >= analysis["x"] + analysis["width"]
    assert abs(moves["y"] - analysis["y"]) < 2
    assert person.page.evaluate("document.documentElement.scrollWidth") <= width


def test_on_paper_a_replay_has_all_its_moves_and_nothing_to_press(open_site: Callable[..., Site]) -> None:
    opened = open_site()
    match_id = opened.served.call(play_match(opened.served.services, "backgammon"))
    person = opened.person()
    for path in (f"/match/{match_id}/replay", f"/match/{match_id}"):
        person.go(path)
        until(person.page, f"{VIEW} && document.querySelector('#lines tr')")
        person.page.emulate_media(media="print")
        for row in (person.page.locator("#lines tr").first, person.page.locator("#lines tr").last):
            expect(row).to_be_visible()
        assert person.page.evaluate(
            "(({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight)(document.querySelector('.moves'))"
        )
        assert [one for one in person.page.locator("#lines td:not(:empty)").all_inner_texts() if not one.strip()] == []
        for pressed in (".steps .button-row", ".top nav", ".banner"):
            assert person.page.locator(f"{pressed}:visible").count() == 0
        person.page.emulate_media(media="screen")


def test_a_step_beyond_what_a_running_match_has_says_that_the_server_cannot_be_reached(
    open_site: Callable[..., Site],
) -> None:
    site = open_site()
    anna, _ben = site.pair()
    page = anna.page
    anna.go(f"{anna.path}/replay")
    stands = page.locator(".match-page")
    expect(stands).to_have_attribute("data-at", "0")
    page.keyboard.press("End")
    expect(stands).not_to_have_attribute("data-at", "0")
    page.route("**/replay.json", lambda route: route.abort())
    page.keyboard.press("ArrowRight")
    expect(page.locator("#toast")).to_have_text("The server cannot be reached.")
    site.forgive("Failed to load resource")


def test_errors_are_marked_shown_with_arrows_and_led_to(open_site: Callable[..., Site]) -> None:
    """Requested on the page, computed, and stored for the next visitor."""
    opened = open_site()
    served = opened.served
    match_id = served.call(play_match(served.services, "duodecagammon"))
    events = served.call(served.services.matches.live_match(match_id)).match.events
    person = opened.person()
    page = person.page
    with page.expect_response(ASKED):
        person.go(f"/match/{match_id}/replay")
    expect(page.locator(".match-page")).to_have_attribute("data-at", "0")
    page.select_option("#plies", "0")
    page.get_by_role("button", name="Analyse").click()
    expect(page.locator("#judged")).to_be_visible()
    expect(page.locator("#totals")).to_contain_text("Performance rating")
    page.get_by_role("button", name="Next mistake").click()
    marked = page.locator(".verdict:is(.doubtful, .error, .blunder)")
    expect(marked.first).to_be_visible()
    at = int(page.locator(".match-page").get_attribute("data-at") or "")
    assert at > 0
    expect(page.locator("#lines .mark-sign").first).to_be_attached()
    while not marked.locator(".play").count():  # a marked cube action or reroll has no play to show
        page.get_by_role("button", name="Next mistake").click()
        expect(page.locator(".match-page")).not_to_have_attribute("data-at", str(at))
        at = int(page.locator(".match-page").get_attribute("data-at") or "")
    expect(page.locator(".bg-arrow-best").first).to_be_attached()
    expect(page.locator(".bg-arrow-made").first).to_be_attached()
    before = page.evaluate(f"JSON.stringify([{VIEW}.near.points, {VIEW}.far.points])")
    marked.locator(".play").first.focus()
    until(page, f"JSON.stringify([{VIEW}.near.points, {VIEW}.far.points]) !== {before!r}")
    marked.locator(".play").first.blur()
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
        assert violations(shown) == []


def test_an_analysis_is_waited_for_while_the_server_is_away(open_site: Callable[..., Site]) -> None:
    """A look that fails, by the network or in the server, is not the last one."""
    opened = open_site()
    served = opened.served
    match_id = served.call(play_match(served.services, "backgammon"))
    page = opened.person().page
    page.goto(f"{served.address}/match/{match_id}/replay")
    expect(page.locator("#order-button")).to_be_enabled()
    expect(page.locator(".match-page")).to_have_attribute("data-at", "0")
    page.wait_for_load_state("networkidle")
    failures = [503, 0]

    def answer(route: Route) -> None:
        if not failures:
            route.continue_()
        elif status := failures.pop():
            route.fulfill(status=status, content_type="text/html", body="<!doctype html>")
        else:
            route.abort()

    page.route("**/analysis.json?*", answer)
    page.select_option("#plies", "0")
    page.get_by_role("button", name="Analyse").click()
    expect(page.locator("#judged")).to_be_visible()
    expect(page.locator("#totals")).to_contain_text("Luck-adjusted result")
    assert failures == []
    opened.forgive(*(one for one in opened.complaints if "Failed to load resource" in one))


def test_an_analysis_by_an_older_net_is_shown_and_can_be_made_again(
    open_site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = open_site()
    served = opened.served
    match_id = served.call(play_match(served.services, "backgammon"))
    page = opened.person().page
    page.goto(f"{served.address}/match/{match_id}/replay")
    page.select_option("#plies", "0")
    page.get_by_role("button", name="Analyse").click()
    expect(page.locator("#depth")).to_contain_text("Analysed at 0-ply by net")
    monkeypatch.setattr("barpoint.server.web.replay.net_of", lambda rules: "tomorrow")
    monkeypatch.setattr("barpoint.server.study.analyses.required_net", lambda rules: "tomorrow")
    page.reload()
    expect(page.locator("#totals")).to_contain_text("Luck-adjusted result")
    expect(page.locator("#depth")).to_contain_text("Analysed at 0-ply by an older net")
    page.select_option("#plies", "0")
    page.get_by_role("button", name="Analyse again").click()
    expect(page.locator("#standing")).to_have_text(re.compile("Waiting|Next in the queue"))


def test_a_long_match_weighs_no_more_than_other_pages_and_what_does_not_come_can_be_asked_for_again(
    open_site: Callable[..., Site], tmp_path: Path
) -> None:
    """The findings of a game when it is looked at, the quiz when it is wanted."""
    site = open_site()
    *_, match = bp.play_match(bp.Match.start(length=28), ChanceBot(1), ChanceBot(2), dice=bp.dice.seeded(1))
    assert len(match.events) > 600
    (tmp_path / "match.json").write_bytes(format_book(Book(match), ".json"))
    player = site.person()
    player.go("/review")
    player.page.set_input_files("#file", tmp_path / "match.json")
    player.page.wait_for_url("**/review/*/replay*")
    path = player.path.partition("/replay")[0]
    for _ in (study := Study(match, plies=0, luck=False)):
        pass
    services = site.served.services
    key = services.analyses.key(path.rpartition("/")[2], match.rules, 0, "review")
    packed = gzip.compress(study.report().json())
    site.served.call(services.store.write(analysis_storage.put, key, packed, study.done, 1))

    marked = [one for one in study.decisions if one.mark and one.kind == "play"]
    here, there = (next(one for one in marked if one.game == game) for game in (3, 5))
    scales, page = Scales(person := site.person(**PHONE)), person.page
    verdict, shown = page.locator("#verdict"), page.locator("#verdict .verdict .play")
    person.go(f"{path}/replay#{here.event - 1}")
    expect(shown).to_have_count(len(here.options))
    expect(page.locator(".bg-arrow-best").first).to_be_attached()
    expect(page.locator("#graph ellipse")).to_have_count(sum(1 for one in study.decisions if one.mark))
    assert len(packed) < scales.weight() <= MAX_BYTES

    page.route("**/analysis.json?*game=*", lambda route: route.abort())
    page.evaluate(f"location.hash = '{there.event - 1}'")
    expect(verdict.get_by_role("alert")).to_have_text("The server cannot be reached.")
    page.unroute("**/analysis.json?*game=*")
    verdict.get_by_role("button", name="Try again").click()
    expect(shown).to_have_count(len(there.options))

    page.route("**/quiz.js", lambda route: route.abort())
    page.get_by_role("button", name="Guess every decision").click()
    expect(page.locator("#toast")).to_have_text("The server cannot be reached.")
    page.unroute("**/quiz.js")
    page.get_by_role("button", name="Guess every decision").click()
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator("#quiz-count")).to_contain_text("1 of ")
    site.forgive("Failed to load resource")


def test_long_names_cut_off_no_column_of_what_it_adds_up_to(open_site: Callable[..., Site], tmp_path: Path) -> None:
    *_, match = bp.play_match(bp.Match.start(length=1), ChanceBot(1), ChanceBot(2), dice=bp.dice.seeded(2))
    file = tmp_path / "match.mat"
    file.write_bytes(format_book(Book(match, ("W" * 20, "M" * 20)), ".mat"))
    page = (person := open_site().person()).page
    person.go("/review")
    with page.expect_response(ASKED):
        page.set_input_files("#file", file)
        page.wait_for_url("**/review/*/replay*")
    page.select_option("#plies", "0")
    page.get_by_role("button", name="Analyse").click()
    expect(page.locator("#totals-box")).to_be_visible()
    for width in (1280, 390):
        resize(page, width, 800)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        wide, room = (page.locator(place).bounding_box() or {} for place in ("#totals table", "#totals"))
        assert wide["width"] <= room["width"]


def test_mistakes_of_one_side_are_looked_at_from_its_side_and_deeper_for_everybody(
    open_site: Callable[..., Site], tmp_path: Path
) -> None:
    """Whose, of which kind and size; flipped; all plays; a ply deeper, which the next visitor sees at once."""
    opened = open_site()
    served = opened.served
    *_, match = bp.play_match(bp.Match.start(length=1), ChanceBot(1), ChanceBot(2), dice=bp.dice.seeded(2))
    file = tmp_path / "match.mat"
    file.write_bytes(format_book(Book(match, ("Anna-Lena", "Ben")), ".mat"))
    person = opened.person()
    page = person.page
    person.go("/review")
    with page.expect_response(ASKED):
        page.set_input_files("#file", file)
        page.wait_for_url("**/review/*/replay*")
    page.select_option("#plies", "0")
    page.get_by_role("button", name="Analyse").click()
    expect(page.locator("#judged")).to_be_visible()
    expect(page.locator("#depth")).to_contain_text("0-ply")
    expect(page.locator("#plies option:not([hidden])")).to_have_count(2)

    expect(page.locator("#errors")).to_contain_text("mistakes of both sides")
    both = page.locator("#lines .mark-sign").count()
    page.select_option("#whose", label=page.locator("#whose option", has_text="Ben").inner_text())
    expect(page.locator("#errors")).to_contain_text("Ben: ")
    until(page, f"{VIEW}.labels.near === 'Ben'")
    assert 0 < page.locator("#lines .mark-sign").count() < both
    page.select_option("#sizes", "blunder")
    page.select_option("#kinds", "group:play")
    expect(page.locator("#lines .mark-sign:not(.blunder)")).to_have_count(0)
    page.locator("#share").focus()
    page.keyboard.press("n")
    verdict = page.locator("#verdict .verdict.blunder").first
    expect(verdict.locator("h3")).to_contain_text("Ben: ")
    expect(verdict.locator(".theme").first).to_be_visible()
    expect(verdict.locator(".plays .chosen")).to_have_count(1)
    address = page.url
    page.keyboard.press("f")
    until(page, f"{VIEW}.labels.near === 'Anna-Lena'")
    expect(page.locator("#open-here")).to_have_attribute("href", re.compile("&player=0$"))
    page.keyboard.press("F")
    until(page, f"{VIEW}.labels.near === 'Ben'")
    expect(page.locator("#open-here")).to_have_attribute("href", re.compile("&player=1$"))

    few = verdict.locator(".plays li").count()
    verdict.get_by_role("button", name="All plays").click()
    until(page, f"document.querySelectorAll('#verdict .plays li').length >= {few}")
    expect(verdict.locator(".got")).to_contain_text("0-ply")
    for plies in (1, 2, 3):
        verdict.get_by_role("button", name="Deeper").click()
        expect(verdict.locator(".got")).to_contain_text(f"{plies}-ply")
    expect(verdict.get_by_role("button", name="Deeper")).to_be_disabled()
    expect(verdict.locator(".plays .chosen")).to_have_count(1)

    phone = opened.person(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    phone.go(address.removeprefix(served.address))
    other = phone.page
    expect(other.locator("#verdict .got")).to_contain_text("3-ply")
    assert other.evaluate(TOGETHER), "board and verdict are on one screen"
    assert other.evaluate("document.documentElement.scrollWidth") <= 360
    on_its_side = opened.person(viewport={"width": 844, "height": 390}, has_touch=True, is_mobile=True)
    on_its_side.go(address.removeprefix(served.address))
    expect(on_its_side.page.locator("#verdict .got")).to_contain_text("3-ply")
    assert on_its_side.page.evaluate(BESIDE), "board and verdict are on one screen"
    resize(on_its_side.page, 667, 375)
    assert on_its_side.page.evaluate("document.documentElement.scrollWidth") <= 667
    for shown in (page, other):
        assert violations(shown) == []


def test_a_replay_says_each_mistake_and_lists_its_keys(open_site: Callable[..., Site]) -> None:
    opened = open_site()
    served = opened.served
    match_id = served.call(play_match(served.services, "backgammon"))
    page = (person := opened.person()).page
    person.go(f"/match/{match_id}/replay")
    page.select_option("#plies", "0")
    page.get_by_role("button", name="Analyse").click()
    expect(page.locator("#judged")).to_be_visible()
    page.select_option("#kinds", "group:play")
    page.select_option("#sizes", "blunder")
    page.locator("#share").focus()
    page.keyboard.press("n")
    expect(page.locator("#errors")).to_have_text(
        re.compile(r"istake \d.* of \d+.*\. .+: \d-\d .+/.+, blunder, loses \d\.\d{3}; best .+/.+\.$")
    )
    best = page.locator("#verdict .blunder .plays .play").first.inner_text().splitlines()[0]
    expect(page.locator("#errors")).to_contain_text(f"; best {best}.")

    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keys")
    assert keys.locator("kbd").all_inner_texts() == [
        *("Arrow left", "Arrow right", "Home", "End", "N", "P", "F", "A", "L", "?")
    ]
    page.keyboard.press("Escape")
    expect(keys).to_have_count(0)
    expect(page.locator("#share")).to_be_focused()
    page.keyboard.press("l")
    until(page, "document.querySelector('.bg-voice').textContent.includes('Pips:')")


def test_a_replay_goes_on_by_itself_to_its_end_and_gives_links_and_frames_of_a_moment(
    open_site: Callable[..., Site],
) -> None:
    opened = open_site()
    served = opened.served
    match_id = served.call(play_match(served.services, "backgammon"))
    path, last = f"/match/{match_id}", served.call(served.services.matches.live_match(match_id)).seq
    page = (person := opened.person(permissions=["clipboard-read", "clipboard-write"], reduced_motion="reduce")).page
    person.go(f"{path}/replay?at={last - 2}")
    stands, play = page.locator(".match-page"), page.locator("#autoplay")
    expect(stands).to_have_attribute("data-at", str(last - 2))
    page.locator("#share").click()
    assert page.evaluate("navigator.clipboard.readText()") == f"{served.address}{path}/replay?at={last - 2}"
    page.locator("#copy-embedded").click()
    expect(page.locator("#toast")).to_have_text("The code is copied.")
    frame = page.evaluate("navigator.clipboard.readText()")
    assert f'<iframe src="{served.address}{path}/embedded?at={last - 2}"' in frame

    page.keyboard.press("a")
    expect(play).to_have_text("Pause")
    expect(stands).to_have_attribute("data-at", str(last))
    expect(play).to_have_text("Play")
    page.keyboard.press("Home")
    expect(stands).to_have_attribute("data-at", "0")
    play.click()
    expect(stands).to_have_attribute("data-at", "1")
    page.keyboard.press("ArrowRight")
    expect(play).to_have_text("Play")

    person.go(f"{path}/embedded?at=3")
    expect(stands).to_have_attribute("data-at", "3")
    expect(page.locator("#whole")).to_have_attribute("href", f"{path}/replay?at=3")
    expect(page.locator("form[action]")).to_have_count(0)
    assert violations(page) == []
