"""A file imported in the browser, its replay, its analysis, and the quiz on its mistakes, by keyboard and by hand."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from barpoint.game import Accept, PlayMade, Resign
from barpoint.record import Book, format_book, parse_mat
from barpoint.record.annotation import Annotation, EvaluatedPlay
from tests.browser.barriers import violations
from tests.browser.hand import BOARD
from tests.browser.site import VIEW, Person, Site, open_site, until
from tests.browser.test_replay_page import ASKED
from tests.record.test_mat import MATCH
from tests.support.played import play_match
from tests.support.scripted_bots import RepeatedDice

__all__ = ["open_site"]

PLAY_ANY = """(() => { const board = document.querySelector('bg-board');
  const [from, to, number] = board.turn.view.turn.nodes[board.turn.now.node][1].at(-1);
  return board.player.make([[from, to, number]], new Map()).then(() => null); })()"""


def answer(page: Page) -> None:
    """Gives any answer to the question; a play goes through its turn graph and ends with its key."""
    if page.locator("#quiz").get_attribute("data-kind") != "play":
        page.keyboard.press(page.locator("#quiz-choices kbd").first.inner_text().lower())
        return
    until(page, f"{VIEW}?.turn && !{BOARD}.busy")
    while not page.evaluate(f"{BOARD}.turn.mayCommit"):
        page.evaluate(PLAY_ANY)
        until(page, f"!{BOARD}.busy && !{BOARD}.turn.waiting")
    page.keyboard.press("Enter")


def test_a_file_is_brought_judged_and_its_mistakes_are_asked_again(
    open_site: Callable[..., Site], tmp_path: Path
) -> None:
    opened = open_site(dice=RepeatedDice())  # a first roll of 3-1 would leave nothing about which the programs disagree
    served = opened.served
    live_match = served.call(
        served.services.matches.live_match(served.call(play_match(served.services, "roll-over", length=2)))
    )
    file = tmp_path / "match.sgf"
    played = next(seq for seq, event in enumerate(live_match.match.events, start=1) if isinstance(event, PlayMade))
    notes = {played: Annotation("A bold one.", (EvaluatedPlay(((8, 5), (6, 5)), 0.125, (), "2-ply"),))}
    file.write_bytes(format_book(Book(live_match.match, ("Anna", "Ben"), annotations=notes), ".sgf"))
    person = opened.person()
    page = person.page
    person.go("/review")
    with page.expect_response(ASKED):
        page.set_input_files("#file", file)
        page.wait_for_url("**/review/*/replay*")
    expect(page.locator(".match-page")).to_have_attribute("data-at", "0")
    expect(page.locator("#name-0")).to_have_text("Anna")
    for _ in range(played - 1):
        page.get_by_role("button", name="One event on").click()
    expect(page.locator("#from-file")).to_contain_text("From the file: A bold one.")
    expect(page.locator("#from-file")).to_contain_text("2-ply: 8/5 6/5")
    page.select_option("#plies", "0")
    page.get_by_role("button", name="Analyse").click()
    expect(page.locator("#judged")).to_be_visible()
    expect(page.locator("#verdict .from-file")).to_contain_text("2-ply: 8/5 6/5")
    expect(page.locator("#from-file")).not_to_contain_text("2-ply")
    page.select_option("#whose", "")
    page.select_option("#kinds", label="Where the programs disagree")
    expect(page.locator("#errors")).to_contain_text("1 of 1")
    page.select_option("#kinds", "")

    page.get_by_role("button", name="Quiz me on my mistakes").click()
    expect(page.locator("#quiz-player")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    quiz = page.locator("#quiz")
    total = page.locator("#quiz-count")
    kinds = set()
    expect(quiz).to_have_attribute("data-stage", "asking")
    questions = int(total.inner_text().split()[2])
    assert questions > 1
    for number in range(1, questions + 1):
        expect(total).to_contain_text(f"{number} of {questions} ")
        expect(quiz).to_have_attribute("data-stage", "asking")
        kind = quiz.get_attribute("data-kind")
        if kind in kinds or len(kinds) == 3:
            page.locator("#quiz-next").click()
            continue
        kinds.add(kind)
        answer(page)
        expect(quiz).to_have_attribute("data-stage", "answered")
        expect(page.locator(".quiz-said")).to_be_visible()
        expect(page.locator("#quiz-table .chosen")).to_be_visible()
        if kind == "play":
            expect(page.locator(".bg-arrow-best").first).to_be_attached()
            assert violations(page) == []
        page.keyboard.press("Enter")
    assert "play" in kinds
    expect(page.locator("#quiz-end h2")).to_contain_text(f"of {questions} right")
    expect(page.locator("#quiz-end")).to_contain_text("skipped")
    page.locator(".quiz-list button").first.click()
    expect(quiz).to_be_hidden()
    expect(page.locator("#verdict .verdict").first).to_be_visible()

    person.go("/review")
    expect(page.locator(".brought")).to_contain_text("Anna – Ben")
    later = opened.person(viewport={"width": 360, "height": 740}, color_scheme="dark")
    later.go("/review")
    assert later.page.evaluate("document.documentElement.scrollWidth") <= 360
    for shown in (page, later.page):
        assert violations(shown) == []
    page.get_by_role("button", name="Delete Anna – Ben").click()
    expect(page.locator(".brought")).to_have_count(0)


ONE_MISTAKE = """\
 1 point match

 Game 1
 Anna : 0                        Ben : 0
  1) 31: 13/10 6/5                42: 8/4 6/4
"""


def bring_and_judge(person: Person, file: Path) -> Page:
    """Brings a file to the review page, and has its match analysed by the net alone."""
    page = person.page
    person.go("/review")
    with page.expect_response(ASKED):
        page.set_input_files("#file", file)
        page.wait_for_url("**/review/*/replay*")
    page.select_option("#plies", "0")
    page.get_by_role("button", name="Analyse").click()
    expect(page.locator("#judged")).to_be_visible()
    return page


def test_the_board_of_a_quiz_shows_what_is_pointed_at_but_not_what_appears_under_a_mouse_at_rest(
    open_site: Callable[..., Site], tmp_path: Path
) -> None:
    (tmp_path / "match.mat").write_text(ONE_MISTAKE)
    page = bring_and_judge(open_site().person(), tmp_path / "match.mat")
    page.get_by_role("button", name="Quiz me on my mistakes").click()
    expect(page.locator("#quiz-player")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#quiz-count")).to_contain_text("1 of 1 ")
    arrow = page.locator(".bg-arrow-best")
    answer(page)
    expect(arrow.first).to_be_attached()

    row = page.locator("#quiz-table button.play").first
    row.hover()
    expect(arrow).to_have_count(0)
    page.mouse.move(0, 0)
    expect(arrow.first).to_be_attached()

    row.hover()
    box = row.bounding_box()
    assert box
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Those missed again").press("Enter")
    expect(page.locator("#quiz")).to_have_attribute("data-stage", "asking")
    answer(page)
    expect(arrow.first).to_be_attached()
    under_mouse = f"document.elementFromPoint({box['x'] + box['width'] / 2}, {box['y'] + box['height'] / 2})"
    assert page.evaluate(f"{under_mouse}.closest('button.play') !== null")
    expect(arrow.first).to_be_attached()


TWO_MISTAKES = f"{ONE_MISTAKE}  2) 43: 6/2 6/3\n"
"""Anna's second one is the worse; Ben does not hit."""


def test_no_arrow_shows_the_answer_of_a_quiz_before_it_is_given(open_site: Callable[..., Site], tmp_path: Path) -> None:
    """Neither those of the mistake that was looked at, nor those that come with a deeper analysis meanwhile."""
    (tmp_path / "match.mat").write_text(TWO_MISTAKES)
    page = bring_and_judge(open_site().person(), tmp_path / "match.mat")
    arrows = page.locator(".bg-arrow-best, .bg-arrow-made")
    page.get_by_role("button", name="Next mistake").click()
    expect(arrows.first).to_be_attached()
    held: list[Route] = []
    passing: list[bool] = []
    page.route("**/analysis.json?plies=1&*", lambda route: route.continue_() if any(passing) else held.append(route))
    page.select_option("#plies", "1")
    with page.expect_request("**/analysis.json?plies=1&*"):
        page.get_by_role("button", name="Analyse deeper").click()
    page.get_by_role("button", name="Quiz me on my mistakes").click()
    expect(arrows).to_have_count(0)
    passing.append(True)
    for route in held:
        route.continue_()
    expect(page.locator("#depth")).to_contain_text("1-ply")
    expect(arrows).to_have_count(0)

    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator("#quiz")).to_have_attribute("data-stage", "asking")
    expect(arrows).to_have_count(0)
    answer(page)
    expect(arrows.first).to_be_attached()
    page.locator('[data-quiz="stop"]:visible').click()
    expect(page.locator("#quiz")).to_be_hidden()
    expect(arrows.first).to_be_attached()


def test_the_board_of_a_match_is_that_of_a_mere_position_once_it_is_set_up_otherwise_and_where_its_link_is_copied(
    open_site: Callable[..., Site], tmp_path: Path
) -> None:
    (tmp_path / "match.mat").write_text(ONE_MISTAKE)
    person = open_site().person(permissions=["clipboard-read", "clipboard-write"])
    page = person.page
    person.go("/review")
    page.set_input_files("#file", tmp_path / "match.mat")
    page.wait_for_url("**/review/*/replay*")
    page.goto(f"{page.url.partition('/replay')[0]}/analysis-board?before=2&player=0")
    asked = page.locator("#asked")
    expect(asked).to_have_text("Anna to play 3-1.")
    board, _hash, of_match = page.url.partition("#")
    assert of_match.startswith("review/")
    page.locator('[aria-controls="share"]').click()
    page.locator("#copy-link").click()
    expect(page.locator("#toast")).to_have_text("The link is copied.")
    assert page.evaluate("navigator.clipboard.readText()") == board

    page.route("**/decision.json*", lambda route: route.fulfill(status=404))
    page.evaluate("location.hash = '#match/nowhere/2/0'")
    expect(asked).to_have_text("You to play 3-1")
    page.unroute("**/decision.json*")
    page.go_back()
    expect(asked).to_have_text("Anna to play 3-1.")
    page.get_by_role("button", name="Set up").click()
    page.select_option("[name=length]", "7")
    page.wait_for_url("**length=7*")
    assert "#" not in page.url
    expect(page.locator("#origin")).to_be_hidden()
    person.site.forgive("Failed to load resource")


def test_the_sides_are_called_as_in_the_match_of_the_link_also_where_the_position_has_its_answer_already(
    open_site: Callable[..., Site], tmp_path: Path
) -> None:
    """And an answer about a match that comes late, when another link has been followed, changes nothing."""
    (tmp_path / "match.mat").write_text(ONE_MISTAKE)
    person = open_site().person()
    page = person.page
    person.go("/review")
    page.set_input_files("#file", tmp_path / "match.mat")
    page.wait_for_url("**/review/*/replay*")
    page.goto(f"{page.url.partition('/replay')[0]}/analysis-board?before=2&player=0")
    asked, answer = page.locator("#asked"), page.locator("#choices button")
    expect(asked).to_have_text("Anna to play 3-1.")
    expect(answer.first).to_be_attached()

    held: list[Route] = []
    page.route("**/nowhere/decision.json*", lambda route: route.fulfill(status=404))
    page.route("**/later/decision.json*", lambda route: held.append(route))
    with page.expect_request("**/later/decision.json*"):
        page.evaluate("location.hash = '#match/later/2/0'")
    expect(asked).to_have_text("You to play 3-1")
    with page.expect_response("**/nowhere/decision.json*"):
        page.evaluate("location.hash = '#match/nowhere/2/0'")
    late = {"query": "", "also": "", "names": ["Eve", "Max"], "said": ["Late"], "other": {}}
    with page.expect_response("**/later/decision.json*"):
        held[0].fulfill(json=late)
    expect(asked).to_have_text("You to play 3-1")
    expect(page.locator("#said")).to_be_hidden()
    page.evaluate("history.go(-2)")
    expect(asked).to_have_text("Anna to play 3-1.")
    person.site.forgive("Failed to load resource")


def test_where_an_answer_did_not_come_that_of_the_position_before_is_never_shown_in_its_place(
    open_site: Callable[..., Site],
) -> None:
    person = open_site().person()
    page, question = person.page, re.compile(r"/api/analysis\?")
    person.go("/analysis?roll=3-1")
    choices = page.locator("#choices")
    expect(choices).to_contain_text("8/5")
    page.route(question, lambda route: route.abort())
    page.locator("#open-rolls").click()
    page.get_by_role("button", name="Roll 6-5", exact=True).first.click()
    expect(choices).to_have_text("The server cannot be reached.")
    page.unroute(question)
    with page.expect_request(question):
        page.evaluate("location.hash = '#match/nowhere/2/0'")
    expect(choices).to_contain_text("24/")
    expect(choices).not_to_contain_text("8/5 6/5")
    person.site.forgive("Failed to load resource")


def test_a_setting_that_cannot_be_is_shown_and_where_it_is_not_asked_for_it_stops_nothing(
    open_site: Callable[..., Site], tmp_path: Path
) -> None:
    (tmp_path / "match.mat").write_text(ONE_MISTAKE)
    page = bring_and_judge((site := open_site()).person(), tmp_path / "match.mat")
    form = page.locator("#deepening")
    form.evaluate("(form) => { form.hidden = false; form.elements.games.value = '5'; }")
    games = form.locator('[name="games"]')
    expect(games).to_be_hidden()
    form.locator("button").click()
    expect(games).to_be_focused()
    form.locator('[name="plies"]').select_option("3")
    with page.expect_request("**/deepening") as asked:
        form.locator("button").click()
    assert asked.value.post_data == "which=error&plies=3"
    expect(page.locator("#toast")).to_be_visible()  # a second look follows the first
    site.forgive("409 (Conflict)")


def test_mistakes_are_looked_at_from_the_first_to_the_last(open_site: Callable[..., Site], tmp_path: Path) -> None:
    (tmp_path / "match.mat").write_text(TWO_MISTAKES)
    page = bring_and_judge(open_site().person(), tmp_path / "match.mat")
    where = page.locator("#errors")
    back, on = (page.get_by_role("button", name=f"{way} mistake") for way in ("Previous", "Next"))
    expect(where).to_have_text("3 mistakes of both sides")
    expect(back).to_be_disabled()
    address = page.url.partition("/replay")[0]
    losses = [
        one["loss"]
        for one in page.request.get(f"{address}/analysis.json?plies=0").json()["decisions"]
        if one.get("mark")
    ]
    assert losses[0] < losses[-1] == max(losses)

    page.goto(f"{address}/replay?mistakes")
    expect(where).to_have_text(
        re.compile(r"^Mistake 1 of 3, both sides\. Anna: \d-\d .+, .+, loses 0\.\d{3}; best .+\.$")
    )
    expect(page.locator("#verdict .loss-line")).to_contain_text(f"−{losses[0]:.3f}")
    expect(page.locator("#verdict .legend")).to_contain_text("– loss ·")
    expect(back).to_be_disabled()
    for number in (2, 3):
        expect(on).to_be_enabled()
        on.click()
        expect(where).to_contain_text(f"Mistake {number} of 3, both sides")
        expect(back).to_be_enabled()
    expect(on).to_be_disabled()
    page.select_option("#whose", label="Anna (2)")
    expect(where).to_contain_text("Anna: mistake 2 of 2")
    page.locator("#share").focus()
    page.keyboard.press("n")
    expect(page.locator("#toast")).to_have_text("No more mistakes in that direction.")
    page.keyboard.press("Home")
    expect(where).to_have_text("Anna: 2 mistakes")
    expect(on).to_be_enabled()


def test_back_leads_from_a_quiz_to_the_replay(open_site: Callable[..., Site], tmp_path: Path) -> None:
    (tmp_path / "match.mat").write_text(ONE_MISTAKE)
    page = bring_and_judge(open_site().person(), tmp_path / "match.mat")
    address = page.url
    for leave in (page.go_back, lambda: page.locator('[data-quiz="stop"]:visible').first.click()):
        page.get_by_role("button", name="Quiz me on my mistakes").click()
        expect(page.locator("#quiz")).to_be_visible()
        leave()
        expect(page.locator("#quiz")).to_be_hidden()
        expect(page.locator("#replay-side")).to_be_visible()
        assert page.url == address


def test_a_quiz_waits_with_all_that_was_asked_while_the_server_is_away(
    open_site: Callable[..., Site], tmp_path: Path
) -> None:
    (tmp_path / "match.mat").write_text(TWO_MISTAKES)
    site = open_site()
    page = bring_and_judge(site.person(), tmp_path / "match.mat")
    quiz, count, following = (page.locator(id) for id in ("#quiz", "#quiz-count", "#quiz-next"))

    def press_off_line(name: str) -> None:
        page.route("**/quiz.json?*", lambda route: route.abort())
        with page.expect_event("requestfailed"):
            quiz.get_by_role("button", name=name, exact=True).click()
        expect(page.locator("#toast")).to_have_text("The server cannot be reached.")
        page.unroute("**/quiz.json?*")

    page.get_by_role("button", name="Quiz me on my mistakes").click()
    press_off_line("Start")
    quiz.get_by_role("button", name="Start").click()
    expect(count).to_contain_text("1 of 2 ")
    press_off_line("Skip")
    expect(count).to_contain_text("1 of 2 ")
    page.evaluate("document.activeElement.blur()")  # of the button, which would take the key
    answer(page)
    expect(quiz).to_have_attribute("data-stage", "answered")
    press_off_line("Next")
    expect(page.locator(".quiz-said")).to_be_visible()
    expect(page.locator(".bg-arrow-best").first).to_be_attached()
    following.click()
    expect(count).to_contain_text("2 of 2 ")
    following.click()
    expect(page.locator("#quiz-end h2")).to_contain_text("of 2 right")
    press_off_line("Those missed again")
    expect(page.locator("#quiz-end h2")).to_contain_text("of 2 right")
    quiz.get_by_role("button", name="Those missed again").click()
    expect(count).to_contain_text("1 of ")
    site.forgive("Failed to load resource")


def test_every_decision_is_guessed_rated_beside_the_players_and_taken_away_as_text(
    open_site: Callable[..., Site], tmp_path: Path
) -> None:
    """Anna and Ben have three plays to decide together; the last one is not answered."""
    (tmp_path / "match.mat").write_text(TWO_MISTAKES)
    page = bring_and_judge(open_site().person(), tmp_path / "match.mat")
    page.get_by_role("button", name="Guess every decision").click()
    page.locator("#quiz-player").select_option(label="Both (3)")
    page.locator("#quiz-order").select_option("worst")
    expect(page.locator("#quiz-player option")).to_have_text(["Anna (2)", "Ben (1)", "Both (3)"])
    page.locator("#quiz-order").select_option("every")
    page.get_by_role("button", name="Start", exact=True).click()
    quiz = page.locator("#quiz")
    for number, player in ((1, "Anna"), (2, "Ben")):
        expect(page.locator("#quiz-count")).to_contain_text(f"{number} of 3 ")
        expect(page.locator("#quiz-ask")).to_contain_text(f"{player}: how is")
        answer(page)
        expect(quiz).to_have_attribute("data-stage", "answered")
        expect(page.locator("#quiz-answer")).to_contain_text(
            re.compile(rf"Given away: 0\.\d+ by you, 0\.\d+ by {player}\.")
        )
        if number == 1:
            page.locator("#quiz-next").click()
    page.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.get_by_role("button", name="Copy with analysis").click()
    text = page.get_by_role("textbox", name="Text to copy")
    expect(text).to_have_value(re.compile(r"^X: Ben, O: Anna\n.*XGID=.*\n\* .*0-ply", re.DOTALL))
    assert violations(page) == []
    assert page.evaluate("getSelection().toString()").startswith("X: Ben")
    page.keyboard.press("Escape")
    page.locator('#quiz-question [data-quiz="stop"]').click()
    expect(page.locator(".quiz-score")).to_contain_text("these 2 decisions of both sides")
    expect(page.locator(".quiz-score")).to_contain_text(
        re.compile(r"Anna, 1 decision: your PR is [\d.]+, theirs [\d.]+\.")
    )
    assert violations(page) == []
    page.locator("#quiz-end").get_by_role("button", name="Back to the replay").click()
    with page.expect_download() as saved:
        page.get_by_role("link", name="Report to print").click()
    assert "Anna against Ben" in saved.value.path().read_text()


SUMS = """(() => Object.fromEntries([...document.querySelectorAll('#totals tr')].map(({ cells }) =>
  [cells[0].textContent, [...cells].slice(1).map((cell) => cell.textContent)])))()"""


def test_a_resignation_says_what_is_resigned_and_is_in_no_rating(
    open_site: Callable[..., Site], tmp_path: Path
) -> None:
    """Ben gives up a gammon, and with it the match, when each side has made one play, both of them mistakes."""
    match = parse_mat(ONE_MISTAKE.replace("1 point", "2 point")).match.apply(Resign(0, 2)).apply(Accept(1))
    (tmp_path / "match.sgf").write_bytes(format_book(Book(match, ("Ben", "Anna")), ".sgf"))
    page = bring_and_judge(open_site().person(), tmp_path / "match.sgf")
    sums = page.evaluate(SUMS)
    assert (sums["Unforced decisions"], sums["Blunders ??"]) == (["1", "2"], ["1", "1"]), "the plays alone are wrong"
    lost, unrated = sums["Equity lost"], sums["Lost by resignations, unrated"]
    assert float(unrated[0]) > 1 > max(map(float, lost)) > 0
    assert (unrated[1], sums["Resignations ??"]) == ("", ["1", ""])
    assert sums["Rating by decision (how many)"] == sums["Rating by kind of game (how many)"] == []
    assert sums["opening"] == [
        f"{rating} ({count})" for rating, count in zip(sums["Performance rating"], (1, 2), strict=True)
    ]
    assert sums["Plays"][0] == sums["opening"][0]
    none, (rating, count) = sums["Cube"][0], sums["Cube"][1].split()
    assert (none, count) == ("", "(1)")
    assert float(rating) < 1, "not to double may be close"
    shares = [float(text.removesuffix("%").replace("−", "-")) for text in sums["Luck-adjusted result"]]
    assert sum(shares) == pytest.approx(100)

    page.locator('#lines [data-seq="5"]').click()
    expect(page.locator("#verdict h3").first).to_contain_text("Ben: Resignation of a gammon blunder ??")
    expect(page.locator("#verdict .chosen").first).to_contain_text("Resign a gammon ✓")
    page.get_by_role("button", name="One event on").click()
    expect(page.locator("#verdict h3").first).to_contain_text("Anna: Answer to the resignation of a gammon")
    expect(page.locator("#verdict .chosen").first).to_contain_text("Accept a gammon ✓")

    page.get_by_role("button", name="Quiz me on my mistakes").click()
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator("#quiz-ask")).to_have_text("Ben: resign a gammon?")
    expect(page.locator("#quiz-choices button")).to_have_text(["Play on N", "Resign a gammon X"])
    page.keyboard.press("x")
    expect(page.locator(".quiz-said")).to_contain_text("Resign a gammon gives away")
    expect(page.locator("#quiz-table .chosen")).to_contain_text("Resign a gammon ✓")
    expect(page.locator("#quiz-answer .theme b")).to_have_text(
        "Resigned too early"
    )  # in the reader's language, unlike a lesson


def _write_three(folder: Path) -> None:
    """A match, one with an illegal play, and a file that is none."""
    (folder / "one.mat").write_text(MATCH)
    (folder / "odd.mat").write_text(MATCH.replace("8/5 6/5", "8/5 8/6"))
    (folder / "bad.sgf").write_text("nothing")


def test_several_files_are_listed_as_they_are_read(open_site: Callable[..., Site], tmp_path: Path) -> None:
    _write_three(tmp_path)
    person = open_site().person()
    page = person.page
    person.go("/review")
    page.set_input_files("#file", [tmp_path / name for name in ("one.mat", "odd.mat", "bad.sgf")])
    expect(page.locator("#reading-state")).to_have_text("2 of 3 files read, 1 could not be read")
    listed = [text.split(":")[0].split(",")[0] for text in page.locator("#reading-files p").all_inner_texts()]
    assert listed == ["bad.sgf", "odd.mat", "one.mat"], "what went wrong comes first"
    expect(page.locator("#reading-files p").last).to_contain_text(re.compile(r"\d : \d, \d+ point"))
    expect(page.locator("#reading-files li")).to_contain_text("kept as an illegal play")
    expect(page.locator("#reading-files .problem")).to_contain_text("bad.sgf: This is no match that can be read")
    assert violations(page) == []
    page.get_by_role("link", name="All files from elsewhere").click()
    expect(page.locator(".brought")).to_have_count(2)


def test_files_that_are_brought_while_others_are_read_are_read_after_them_and_counted_with_them(
    open_site: Callable[..., Site], tmp_path: Path
) -> None:
    _write_three(tmp_path)
    person = open_site().person()
    page = person.page
    person.go("/review")
    hint = page.locator("#hint").inner_text()
    held: list[Route] = []
    page.route("**/review", lambda route: held.append(route))
    with page.expect_request("**/review"):
        page.set_input_files("#file", [tmp_path / "one.mat", tmp_path / "bad.sgf"])
    page.set_input_files("#file", tmp_path / "odd.mat")
    expect(page.locator("#reading-state")).to_have_text("Reading 3 files …")
    for route in held:
        route.continue_()
    page.unroute("**/review")
    expect(page.locator("#reading-state")).to_have_text("2 of 3 files read, 1 could not be read")
    expect(page.locator("#reading-files a")).to_have_text(["odd.mat", "one.mat"])
    expect(page.locator("#reading-done")).to_be_visible()
    expect(page.locator("#hint")).to_have_text(hint)


DROP_UNREADABLE_FOLDER = """(() => {
  const folder = {isFile: false, isDirectory: true, createReader: () => ({readEntries: (done, fail) => fail(new DOMException("", "NotReadableError"))})};
  const dataTransfer = {types: ["Files"], files: [], items: [{webkitGetAsEntry: () => folder}]};
  document.dispatchEvent(Object.assign(new Event("drop"), {dataTransfer}));
})()"""


def test_a_dropped_folder_that_cannot_be_read_is_said_to_be_so(open_site: Callable[..., Site]) -> None:
    person = open_site().person()
    person.go("/review")
    person.page.evaluate(DROP_UNREADABLE_FOLDER)
    expect(person.page.locator("#hint")).to_have_text("This file cannot be read.")
