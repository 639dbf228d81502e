"""Practice in the browser: a card made on the analysis board, answered with the keyboard, graded by hand, and done."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Route, expect

from barpoint.server.study.daily_positions import DAYS_KEPT, day_text, reference_of_day
from tests.browser.barriers import violations
from tests.browser.hand import BOARD
from tests.browser.site import VIEW, Person, Site, open_site, until

__all__ = ["open_site"]

BECOME_GUEST_WITH_DECK = """(async () => {
  await fetch("/match", {method: "POST", body: new URLSearchParams({opponent: "board", length: "1"})});
  await fetch("/api/practice/deck", {method: "POST", body: '{"name": "Openings"}'});
})()"""

PLAY_FIRST = """(() => { const board = document.querySelector('bg-board');
  const [from, to, number] = board.turn.view.turn.nodes[board.turn.now.node][1].at(0);
  return board.player.make([[from, to, number]], new Map()).then(() => null); })()"""


def _ask_for_card(person: Person) -> None:
    """Becomes a guest with a deck, and begins to make a card from an opening roll."""
    person.go("/")
    person.page.evaluate(BECOME_GUEST_WITH_DECK)
    person.go("/analysis?roll=31")
    person.arrive()
    person.page.get_by_role("button", name="Make a card").click()


def test_a_card_is_made_answered_graded_and_asked_once_more(open_site: Callable[..., Site]) -> None:
    person = open_site().person()
    page = person.page
    _ask_for_card(person)
    page.get_by_role("button", name="Openings").click()
    expect(page.locator("#toast")).to_contain_text("The card is made")
    person.go("/analysis?turn=far")
    person.arrive()
    page.get_by_role("button", name="Make a card").click()
    page.get_by_role("button", name="In no deck").click()
    expect(page.locator("#toast")).to_contain_text("The card is made")

    person.go("/practice")
    expect(page.locator(".decks")).to_contain_text("Openings")
    page.get_by_role("link", name="Practise 2 cards").click()
    expect(page.locator("#ask")).to_have_text("How do you play 3-1?")
    until(page, f"{VIEW}?.turn && !{BOARD}.busy")
    while not page.evaluate(f"{BOARD}.turn.mayCommit"):
        page.evaluate(PLAY_FIRST)
        until(page, f"!{BOARD}.busy && !{BOARD}.turn.waiting")
    page.keyboard.press("Enter")
    expect(page.locator(".quiz-said")).to_contain_text("gives away")
    expect(page.locator("#table")).to_contain_text("8/5 6/5")
    expect(page.locator('[data-grade="again"]')).to_have_attribute("aria-pressed", "true")
    assert violations(page) == []
    page.keyboard.press("2")
    expect(page.locator('[data-grade="hard"]')).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#next")).to_be_focused()
    page.keyboard.press("Enter")

    expect(page.locator("#ask")).to_have_text("You are doubled: take or pass?")
    page.keyboard.press("p")
    expect(page.locator(".quiz-said")).to_contain_text("Pass gives away")
    page.keyboard.press("Enter")
    expect(page.locator("#count")).to_contain_text("once more")
    page.keyboard.press("t")
    expect(page.locator(".quiz-said")).to_have_text("Take: the best choice.")
    page.keyboard.press("Enter")
    expect(page.locator("#end h2")).to_have_text("0 of 2 right")
    person.go("/practice")
    expect(page.locator("main")).to_contain_text("Nothing is due")


def test_percent_are_entered_with_or_without_their_sign_and_only_from_0_to_100(open_site: Callable[..., Site]) -> None:
    person = open_site().person()
    page = person.page
    person.go("/")
    page.evaluate(BECOME_GUEST_WITH_DECK)
    person.go("/practice/drills/match-equity")
    field, told = page.get_by_label("Matches won"), page.locator("#told")
    for typed, said in (
        ("-5", "A number from 0 to 100 is wanted."),
        ("500 %", "A number from 0 to 100 is wanted."),
        ("%", "A number is wanted."),
        ("5%0", "A number is wanted."),
    ):
        field.fill(typed)
        field.press("Enter")
        expect(told).to_have_text(said)
    expect(page.locator("#count")).not_to_contain_text("right")
    for done, typed in enumerate(("25%", "50,5 %", "60"), start=1):
        field.fill(typed)
        field.press("Enter")
        expect(page.locator("#count")).to_contain_text(f"of {done} right")
        page.get_by_role("button", name="Next").click()


def test_somebody_new_finds_the_drills_and_answers_them(open_site: Callable[..., Site]) -> None:
    person = open_site().person()
    page = person.page
    person.go("/practice")
    expect(page.locator("main").get_by_role("link", name="log in")).to_be_visible()
    expect(page.locator("main").get_by_role("link", name="play a match")).to_be_visible()
    page.locator("main").get_by_role("link", name="Drills").click()
    page.get_by_role("link", name="Take points From which").click()
    page.get_by_label("Take point").fill("99.5")
    page.get_by_role("button", name="Answer").click()
    expect(page.locator(".quiz-said")).to_contain_text(
        re.compile(r"^Not right\. Right is \d+\.\d %; you said 99\.5 %\.")
    )
    person.go("/practice/drills")
    expect(page.locator(".done")).to_contain_text("of 1 right")


def test_somebody_new_answers_positions_of_the_day_and_sees_how_everybody_did(open_site: Callable[..., Site]) -> None:
    site = open_site()
    person = site.person()
    page = person.page
    today = site.served.services.daily_positions.today
    days = range(today - 1, today - DAYS_KEPT - 1, -1)
    cube, play = (next(day for day in days if bool(reference_of_day(day).faces) is faces) for faces in (False, True))
    person.go("/")
    page.get_by_role("link", name="Position of the day").click()
    until(page, VIEW)  # what is below the board stays where it is from then on
    page.get_by_text("The last 30 days").click()
    page.locator(f'details [href="/practice/day/{day_text(cube)}"]').click()
    page.get_by_role("button", name="No double").wait_for()
    page.keyboard.press("2")
    expect(page.locator(".quiz-said")).to_contain_text(
        re.compile(r"^(Right: Double, take|Not right\. Right is .*; you said Double, take)\.$")
    )
    expect(page.get_by_role("row", name="Double, take ✓")).to_contain_text("100%")

    person.go(f"/practice/day/{day_text(play)}")
    until(page, f"{VIEW}?.turn && !{BOARD}.busy")
    while not page.evaluate(f"{BOARD}.turn.mayCommit"):
        page.evaluate(PLAY_FIRST)
        until(page, f"!{BOARD}.busy && !{BOARD}.turn.waiting")
    page.keyboard.press("Enter")
    expect(page.locator(".quiz-said")).to_be_visible()
    shown = page.locator("#table").inner_text()
    assert violations(page) == []
    page.reload()
    expect(page.locator("#table")).to_contain_text("1 person has answered.")
    assert page.locator("#table").inner_text() == shown
    page.get_by_role("button", name="Make a card").click()
    expect(page.locator("#toast")).to_contain_text("The card is made")


def test_on_a_phone_the_question_stands_close_below_the_board(open_site: Callable[..., Site]) -> None:
    page = (person := open_site().person(viewport={"width": 360, "height": 740})).page
    person.go("/practice/drills/pips")
    question = page.get_by_role("heading", name="Count both sides")
    expect(page.get_by_role("textbox", name="Opponent")).to_be_visible()
    until(page, f"{VIEW} && !{BOARD}.busy")
    asked, stage = question.bounding_box(), page.locator(".bg-stage").bounding_box()
    assert asked
    assert stage
    assert asked["y"] - stage["y"] - stage["height"] < 80
    button = page.get_by_role("button", name="Answer").bounding_box()
    assert button
    assert button["y"] + button["height"] < 740
    assert violations(page) == []


def test_on_a_phone_on_its_side_a_question_without_a_board_stands_in_the_middle(
    open_site: Callable[..., Site],
) -> None:
    person = open_site().person(viewport={"width": 844, "height": 390}, has_touch=True, is_mobile=True)
    person.go("/practice/drills/match-equity")
    expect(person.page.get_by_label("Matches won")).to_be_visible()
    side = person.page.locator(".side").bounding_box()
    assert side
    assert abs(side["x"] + side["width"] / 2 - 422) < 10


def test_a_wrong_answer_stands_beside_the_right_one(open_site: Callable[..., Site]) -> None:
    person = open_site().person()
    page, said = person.page, person.page.locator(".quiz-said")
    person.go("/practice/drills/pips")
    page.get_by_role("textbox", name="You").fill("1")
    page.get_by_role("textbox", name="Opponent").fill("2")
    page.get_by_role("button", name="Answer").click()
    expect(said).to_contain_text(
        re.compile(r"^Not right\. Right is You \d+, Opponent \d+; you said You 1, Opponent 2\.")
    )

    person.go("/practice/drills/cube")
    for _attempt in range(8):
        page.get_by_role("button", name="Too good to double").click()
        expect(said).to_be_visible()
        if "Not right" in said.inner_text():
            break
        page.get_by_role("button", name="Next").click()
    choice = "(No double|Double, take|Double, pass)"
    expect(said).to_contain_text(
        re.compile(rf"^Not right\. Right is {choice}; you said Too good to double\. · No double [+−-]\d")
    )

    person.go("/practice/drills/opening")
    until(page, f"{VIEW}?.turn && !{BOARD}.busy")
    while not page.evaluate(f"{BOARD}.turn.mayCommit"):
        page.evaluate(PLAY_FIRST)
        until(page, f"!{BOARD}.busy && !{BOARD}.turn.waiting")
    page.keyboard.press("Enter")
    expect(said).to_contain_text(re.compile(r"(Right is|best play is) \d.*; you played \d|^Right: \d"))


def test_a_card_waits_while_the_server_is_away(open_site: Callable[..., Site]) -> None:
    site = open_site()
    person = site.person()
    page = person.page
    _ask_for_card(person)
    page.get_by_role("button", name="In no deck").click()
    expect(page.locator("#toast")).to_contain_text("The card is made")
    page.route("**/api/practice/card/*", lambda route: route.abort())
    person.go("/practice/session")
    expect(page.locator("#told")).to_have_text("The server cannot be reached.")
    page.unroute("**/api/practice/card/*")
    page.get_by_role("button", name="Again").click()
    expect(page.locator("#ask")).to_have_text("How do you play 3-1?")
    expect(page.locator("#count")).to_contain_text("1 of 1")
    site.forgive("Failed to load resource")


def test_an_answer_whose_verdict_got_lost_counts_once_and_that_of_another_page_beside_it(
    open_site: Callable[..., Site],
) -> None:
    site = open_site()
    person = site.person()
    page = person.page
    person.go("/")
    page.evaluate(BECOME_GUEST_WITH_DECK)
    page.evaluate("fetch('/api/practice/position', {method: 'POST', body: '{\"address\": {}}'})")
    person.go("/practice/session")
    other = page.context.new_page()
    other.goto(page.url)
    for one in (page, other):
        expect(one.locator("#ask")).to_have_text("Double, or roll?")

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route("**/answer", lose)
    page.keyboard.press("r")
    expect(page.locator("#told")).to_contain_text("Not judged")
    page.unroute("**/answer")
    page.keyboard.press("r")
    expect(page.locator(".quiz-said")).to_have_text("No double: the best choice.")
    other.keyboard.press("d")
    expect(other.locator(".quiz-said")).to_contain_text("Double gives away")
    (day,) = page.evaluate("fetch('/api/practice').then((answer) => answer.json())")["days"]
    assert (day["answers"], day["right"]) == (2, 1)
    site.forgive("Failed to load resource")


def test_what_is_pressed_holds_though_the_server_answers_late(open_site: Callable[..., Site]) -> None:
    """A card that is graded again comes once more, and one that is deleted is the one that was seen."""
    page = (person := open_site().person()).page
    person.go("/")
    page.evaluate(BECOME_GUEST_WITH_DECK)
    for address in ("{turn: 'far'}", "{}"):
        page.evaluate(
            f"fetch('/api/practice/position', {{method: 'POST', body: JSON.stringify({{address: {address}}})}})"
        )
    person.go("/practice/session")
    ask, following = page.locator("#ask"), page.locator("#next")
    held: list[Route] = []
    page.route(re.compile("/(grade|remove)$"), lambda route: held.append(route))
    expect(ask).to_have_text("You are doubled: take or pass?")
    page.keyboard.press("t")
    expect(page.locator('[data-grade="good"]')).to_have_attribute("aria-pressed", "true")
    with page.expect_request("**/grade"):
        page.keyboard.press("1")
    expect(page.locator('[data-grade="again"]')).to_have_attribute("aria-pressed", "true")
    following.click()
    expect(ask).to_have_text("Double, or roll?")
    held.pop().continue_()
    page.keyboard.press("r")
    expect(following).to_have_text("Next")  # the first one comes once more
    with page.expect_request("**/remove"):
        page.get_by_role("button", name="Delete this card").click()
    following.click()
    expect(page.locator("#count")).to_contain_text("once more")
    held.pop().continue_()
    expect(page.locator("#toast")).to_have_text("The card is deleted.")
    expect(ask).to_have_text("You are doubled: take or pass?")
    page.keyboard.press("t")
    expect(following).to_have_text("The end")
    page.keyboard.press("1")
    expect(page.locator('[data-grade="again"]')).to_have_attribute("aria-pressed", "true")
    expect(following).to_have_text("Next")


def test_a_second_press_asks_for_no_second_question(open_site: Callable[..., Site]) -> None:
    person = open_site().person()
    page = person.page
    person.go("/practice/drills/match-equity")
    page.get_by_label("Matches won").fill("50")
    page.get_by_role("button", name="Answer").click()
    wanted: list[Route] = []
    page.route("**/drills/question/*", lambda route: wanted.append(route))
    following = page.get_by_role("button", name="Next")
    with page.expect_request("**/drills/question/*"):
        following.click()
    following.click()
    for route in wanted:
        route.continue_()
    page.unroute("**/drills/question/*")
    expect(following).to_be_hidden()
    assert len(wanted) == 1
