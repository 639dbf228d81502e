"""The analysis board by mouse, finger and keyboard: set up, paste, answers, deeper, rollout, links."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from barpoint.server.domain.analysis_board import BoardAddress, query_of
from barpoint.server.study import rollouts
from tests.browser.barriers import violations
from tests.browser.hand import BOARD
from tests.browser.site import Person, Site, open_site, until
from tests.server.web.test_reviews import ANALYSED, SAID

__all__ = ["open_site"]

OpenSite = Callable[..., Site]

HOME_RACE = query_of(BoardAddress(position="swEAgG0AAAAAAA"))


def opened(person: Person, query: str = "") -> None:
    """Goes to a position and waits for its answer."""
    person.go(f"/analysis{query}")
    person.arrive()
    expect(person.page.locator("#got")).to_contain_text("-ply")
    expect(person.page.locator("#got")).to_have_attribute("title", re.compile("net "))


def points(person: Person, side: str = "near") -> list[int]:
    found: list[int] = person.view[side]["points"]
    return found


def test_a_position_is_set_up_with_the_mouse_and_the_link_opens_it_elsewhere(open_site: OpenSite) -> None:
    site = open_site()
    person = site.person(viewport={"width": 1280, "height": 800})
    opened(person)
    page = person.page
    page.get_by_role("button", name="Set up").click()
    person.hand.drag("p24", "p20")
    until(page, f"{BOARD}.turn.view.near.points[20] === 1")
    person.hand.settle()
    person.hand.drag("p6", "off-near")
    until(page, f"{BOARD}.turn.view.near.points[0] === 1")
    page.get_by_text("removes", exact=True).click()
    person.hand.settle()
    person.hand.tap("p13")
    until(page, f"{BOARD}.turn.view.near.points[0] === 2")
    page.get_by_text("adds yours", exact=True).click()
    person.hand.settle()
    person.hand.tap("p5")
    until(page, f"{BOARD}.turn.view.near.points[5] === 1")
    page.select_option("[name=length]", "7")
    page.wait_for_url("**length=7*")
    page.fill("[name=score-near]", "6")
    page.locator("[name=score-near]").blur()
    page.wait_for_url("**score=6-0*")
    page.locator("[name=crawford]").check()
    page.wait_for_url("**crawford=1*")
    expect(page.locator("#choices")).to_contain_text("nobody may double in the Crawford game")

    other = site.person(viewport={"width": 1280, "height": 800})
    opened(other, "?" + page.url.partition("?")[2])
    assert other.view["near"] == person.view["near"]
    expect(other.page.locator("#choices")).to_contain_text("nobody may double in the Crawford game")


def slowed(page: Page, latency_ms: int = 300) -> None:
    """Gives every answer of the server a delay."""
    slow = {"offline": False, "latency": latency_ms, "downloadThroughput": -1, "uploadThroughput": -1}
    page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", slow)


def typing_a_score(open_site: OpenSite) -> Person:
    """Somebody who sets up a match to 7 points while all answers are slow, and has just typed that they have 6."""
    person = open_site().person(viewport={"width": 1280, "height": 800})
    opened(person, "?length=7")
    slowed(person.page)
    person.page.get_by_role("button", name="Set up").click()
    person.page.get_by_label("Your score").click(click_count=2)
    person.page.keyboard.type("6")
    return person


def test_both_scores_are_typed_one_after_the_other_while_the_answers_are_slow(open_site: OpenSite) -> None:
    person = typing_a_score(open_site)
    page = person.page
    yours, theirs = page.get_by_label("Your score"), page.get_by_label("Their score")
    with page.expect_response("**/api/analysis/board?*score=6-0*"):
        page.keyboard.press("Tab")
        expect(theirs).to_be_focused()
        page.keyboard.type("2")
    expect(theirs).to_have_value("2")
    page.keyboard.press("Tab")
    page.wait_for_url("**score=6-2*")
    expect(yours).to_have_value("6")
    expect(theirs).to_have_value("2")
    assert person.view["score"] == {"near": 6, "far": 2, "length": 7, "crawford": False}


def test_changes_that_come_faster_than_the_answers_all_reach_the_server(open_site: OpenSite) -> None:
    page = typing_a_score(open_site).page
    page.keyboard.press("Tab")
    page.keyboard.type("2")
    page.keyboard.press("Tab")
    page.locator("[name=crawford]").check()
    page.get_by_role("button", name="Change turn").click()
    page.wait_for_url("**turn=far**")
    assert "score=6-2" in page.url
    assert "crawford=1" in page.url


def test_another_length_keeps_the_score_where_it_fits(open_site: OpenSite) -> None:
    person = open_site().person(viewport={"width": 1280, "height": 800})
    opened(person, "?length=7&score=4-2")
    page = person.page
    page.get_by_role("button", name="Set up").click()
    page.select_option("[name=length]", "9")
    page.wait_for_url("**length=9**")
    assert "score=4-2" in page.url
    page.select_option("[name=length]", "5")
    page.wait_for_url("**length=5**")
    assert "score=4-2" in page.url
    page.select_option("[name=length]", "3")
    page.wait_for_url("**length=3**")
    assert "score" not in page.url
    expect(page.get_by_label("Your score")).to_have_value("0")


def test_going_back_undoes_a_set_up_as_one_step(open_site: OpenSite) -> None:
    person = open_site().person(viewport={"width": 1280, "height": 800})
    opened(person, "?roll=31")
    page = person.page
    before = page.url
    for length in ("7", "9"):
        page.get_by_role("button", name="Set up").click()
        page.select_option("[name=length]", length)
        page.wait_for_url(f"**length={length}**")
        page.select_option("[name=turn]", "far" if length == "7" else "near")
        page.wait_for_url("**turn=far**" if length == "7" else lambda url: "turn" not in url)
        page.get_by_role("button", name="Done").click()
    page.go_back()
    page.wait_for_url("**length=7**")
    assert "turn=far" in page.url
    expect(page.get_by_label("To act")).to_have_value("far")
    page.get_by_role("button", name="Take back").click()
    page.wait_for_url(before)
    until(page, f"{BOARD}.turn.view.to_act === 'near'")
    expect(page.get_by_role("button", name="Take back")).to_be_disabled()


def test_a_game_without_a_cube_has_no_scores_and_calls_the_first_tab_what_it_shows(open_site: OpenSite) -> None:
    person = open_site().person(viewport={"width": 1280, "height": 800})
    opened(person, "?variant=plakoto")
    page = person.page
    expect(page.get_by_role("tab").first).to_have_text("Equity")
    expect(page.get_by_role("tab", name="Scores")).to_be_hidden()
    page.get_by_role("tab", name="Rolls").press("ArrowRight")
    expect(page.get_by_role("tab", name="Counts")).to_be_focused()
    opened(person)
    expect(page.get_by_role("tab").first).to_have_text("Cube")
    page.get_by_role("tab", name="Scores").click()
    page.get_by_role("button", name="Set up").click()
    page.select_option("[name=variant]", "narde")
    page.wait_for_url("**variant=narde**")
    expect(page.get_by_role("tab", name="Equity")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("tab", name="Scores")).to_be_hidden()


def test_while_the_answer_is_awaited_the_page_says_so_and_nothing_is_where_a_play_will_be(open_site: OpenSite) -> None:
    person = open_site().person(viewport={"width": 1280, "height": 800})
    page, held = person.page, list[Route]()
    page.route("**/api/analysis?*", lambda route: held.append(route))
    person.go("/analysis")
    expect(page.locator("#choices")).to_have_text("Looking …")
    expect(page.locator("#tab-answer")).to_have_text("Cube")
    expect(page.get_by_role("button", name="Play on")).to_be_hidden()
    for route in held:
        route.continue_()
    page.unroute("**/api/analysis?*")
    expect(page.get_by_role("button", name="Play on")).to_be_visible()
    page.get_by_role("button", name="Choose a roll").click()
    page.get_by_role("button", name="Roll 3-1").first.click()
    expect(page.locator("#asked")).to_have_text("You to play 3-1")
    expect(page.get_by_role("button", name="Choose a roll")).to_be_hidden()


def test_a_finger_adds_takes_and_clears_checkers(open_site: OpenSite) -> None:
    person = open_site().person(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    opened(person)
    page = person.page
    page.locator("#open-setup").tap()
    page.get_by_role("button", name="Clear").tap()
    expect(page.locator("#problem")).to_be_visible()
    box = page.locator('[data-spot="p6"]').bounding_box()
    assert box is not None
    for count in (1, 2):
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        until(page, f"{BOARD}.turn.view.near.points[6] === {count}")
    page.get_by_text("adds theirs", exact=True).tap()
    box = page.locator('[data-spot="p20"]').bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    until(page, f"{BOARD}.turn.view.far.points[5] === 1")
    expect(page.locator("#problem")).to_be_hidden()
    expect(page.locator("#choices")).to_contain_text("double")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


PLACES = """[scrollY, ...['#board', '.tools', '.brush', '#close-setup', '.tabs'].map((one) =>
  document.querySelector(one).getBoundingClientRect().top)]"""


@pytest.mark.parametrize("locale", [pytest.param("en-GB", marks=pytest.mark.deep), "de-DE"])
def test_on_a_phone_every_tool_is_in_sight_and_nothing_moves_when_a_tap_gets_another_meaning(
    open_site: OpenSite, locale: str
) -> None:
    person = open_site().person(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True, locale=locale)
    person.go("/analysis?roll=31")
    person.arrive()
    page = person.page
    expect(page.locator(".plays .play").first).to_be_visible()
    boxes = [tool.bounding_box() for tool in page.locator(".tools .button:visible").all()]
    assert len(boxes) == 5
    assert all(box and box["x"] >= 0 and box["x"] + box["width"] <= 360 and box["height"] >= 38 for box in boxes)
    assert len({round(box["y"]) for box in boxes if box}) == 2, "in two rows"
    page.locator("#open-setup").tap()
    person.hand.settle()
    before = page.evaluate(PLACES)
    for brush in ("far", "remove", "near"):
        page.locator(f"label[for=brush-{brush}]").tap()
        expect(page.locator(f"#brush-{brush}")).to_be_checked()
        person.hand.settle()
        assert page.evaluate(PLACES) == before, brush


def test_a_play_that_fell_behind_says_how_deep_it_was_searched(open_site: OpenSite) -> None:
    person = open_site().person(viewport={"width": 360, "height": 740})
    with person.page.expect_response(lambda answer: "/api/analysis?" in answer.url) as got:
        opened(person, "?roll=52")
    plays = got.value.json()["plays"]
    shown = person.page.locator(".plays li")
    expect(shown).to_have_count(6)
    person.page.get_by_role("button", name="Show all").click()
    expect(shown).to_have_count(len(plays))
    assert {play["plies"] for play in plays} == {0, 1, 2}
    for row, play in zip(shown.all(), plays, strict=True):
        less = row.locator(".less")
        assert less.all_inner_texts() == ([] if play.get("deep", True) else [f"{play['plies']}-ply only"])
    assert person.page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_pasted_id_opens_its_position_and_a_play_is_judged_and_taken_back(open_site: OpenSite) -> None:
    person = open_site().person(viewport={"width": 1280, "height": 800})
    opened(person)
    page = person.page
    page.get_by_role("tab", name="Share").click()
    page.fill("#paste", "here it is: XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:4:0:7:10 and more")
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.locator("#asked")).to_have_text("You to play 3-1")
    assert person.view["score"] == {"near": 2, "far": 4, "length": 7, "crawford": False}
    expect(page.locator(".plays .play").first).to_contain_text("8/5 6/5")
    person.hand.settle()
    person.hand.drag("p24", "p21")
    person.hand.drag("p6", "p5")
    page.locator('.bg-actions [data-kind="play"]').click()
    expect(page.locator("#played")).to_contain_text("24/21 6/5: number")
    expect(page.locator("#asked")).to_have_text("Opponent to act")
    page.get_by_role("button", name="Take back").click()
    expect(page.locator("#asked")).to_have_text("You to play 3-1")
    page.locator(".plays .play").first.click()
    expect(page.locator("#played")).to_contain_text("8/5 6/5: the best play")


def test_deeper_the_rolls_and_the_scores_come_by_one_press(open_site: OpenSite) -> None:
    person = open_site().person(viewport={"width": 1280, "height": 800})
    opened(person, "?roll=31")
    page = person.page
    expect(page.locator("#got")).to_contain_text("2-ply")
    page.get_by_role("button", name="Look 3 plies deep").click()
    expect(page.locator("#got")).to_contain_text("3-ply")
    expect(page.locator(".plays .play").first).to_contain_text("8/5 6/5")
    page.get_by_role("tab", name="Scores").click()
    expect(page.locator("#scores .scores tbody").first.locator("button")).to_have_count(81)
    page.get_by_role("tab", name="Rolls").click()
    expect(page.locator("#rolls .heat button")).to_have_count(36)
    page.get_by_role("button", name="6-5: 24/13").first.click()
    expect(page.locator("#asked")).to_have_text("You to play 6-5")
    page.get_by_role("tab", name="Counts").click()
    expect(page.locator("#counts")).to_contain_text("167")


@pytest.mark.deep
def test_a_rollout_shows_its_means_stops_and_goes_on(open_site: OpenSite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rollouts, "TRIALS", 36)
    person = open_site().person(viewport={"width": 1280, "height": 800})
    person.go(f"/analysis?{HOME_RACE}&cube=0")
    person.arrive()
    page = person.page
    page.get_by_role("button", name="Roll out", exact=True).click()
    expect(page.locator("#rollout h3")).to_have_text("Rollout 36 games")
    expect(page.locator("#rollout")).to_contain_text("±")
    page.get_by_role("button", name="Roll out further").click()
    expect(page.locator("#rollout h3")).to_have_text("Rollout 72 games")


def test_a_play_of_ones_own_is_rolled_out_beside_the_best_ones(
    open_site: OpenSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rollouts, "TRIALS", 36)
    person = open_site().person(viewport={"width": 390, "height": 844})
    person.go("/analysis?roll=3-1")
    person.arrive()
    page = person.page
    expect(page.get_by_role("checkbox", name="Roll out 13/9")).to_be_hidden()
    page.locator("#rollout-settings summary").click()
    page.get_by_role("checkbox", name="Roll out 13/9").check()
    expect(page.locator("#rollout-settings summary")).to_have_text("Settings, changed")
    page.get_by_role("button", name="Roll out", exact=True).click()
    expect(page.locator("#rollout")).to_contain_text("36 games")
    expect(page.locator("#rollout .rolled")).to_contain_text("13/9")
    expect(page.locator("#rollout .rolled")).to_contain_text("8/5 6/5")
    page.get_by_role("checkbox", name="Roll out 13/9").uncheck()
    expect(page.locator("#rollout")).to_be_hidden()
    page.get_by_role("checkbox", name="Roll out 13/9").check()
    expect(page.locator("#rollout .rolled")).to_contain_text("13/9")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_rollout_is_made_with_the_settings_and_plays_that_were_chosen_and_comes_into_sight(
    open_site: OpenSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rollouts, "TRIALS", 36)
    opened_site = open_site()
    person = opened_site.person(viewport={"width": 1366, "height": 768})
    opened(person, "?roll=3-1")
    page = person.page
    page.locator("#rollout-settings summary").click()
    for play in ("13/10 6/5", "24/23 13/10"):
        page.get_by_role("checkbox", name=f"Roll out {play}").check()
    page.get_by_label("Truncate after rolls").fill("5")
    page.locator("#rollout-settings").get_by_label("Games").fill("9999")
    page.get_by_role("button", name="Roll out", exact=True).click()
    expect(page.locator("#toast")).to_contain_text("36 to 2592 are allowed")
    page.locator("#rollout-settings").get_by_label("Games").fill("36")
    page.get_by_role("button", name="Roll out", exact=True).click()
    expect(page.locator("#rollout h3")).to_have_text("Rollout 36 games")
    expect(page.locator("#rollout .rolled th")).to_have_count(2)
    expect(page.locator("#rollout p.hint")).to_contain_text("0-ply games of 5 rolls, then judged")
    expect(page.locator("#rollout .rolled")).to_be_in_viewport(ratio=1)
    opened(person, "?roll=3-1")
    expect(page.locator("#rollout")).to_be_hidden()
    assert opened_site.complaints.pop().endswith("422 (Unprocessable Entity)")
    opened_site.complaints.clear()


def test_a_rollout_that_was_told_to_stop_says_so_until_it_has_stopped(open_site: OpenSite) -> None:
    person = open_site().person(viewport={"width": 1280, "height": 800})
    choices = [
        {"text": "8/5 6/5", "equity": 0.16, "error": 0.01, "games": 36, "loss": 0.0},
        {"text": "24/21", "equity": -0.1, "error": None, "games": 1, "loss": 0.26, "loss_error": None},
    ]
    answer = {"net": "0", "plies": 0, "kind": "play", "done": 36, "trials": 648, "choices": choices}
    states = ["running"]

    def tell(route: Route) -> None:
        route.fulfill(json={"state": states[0], "more": 612, "answer": answer})

    person.page.route("**/analysis/rollout?*", tell)
    person.page.route("**/analysis/rollout/stop?*", tell)
    opened(person, "?roll=31")
    button, stop = person.page.locator("#roll-out"), person.page.locator("#rollout button")
    expect(stop).to_have_text("Stop")
    expect(button).to_be_disabled()
    stop.click()
    expect(stop).to_have_text("Stopping …")
    expect(stop).to_be_disabled()
    with person.page.expect_response("**/analysis/rollout?*"):
        pass
    expect(stop).to_be_disabled()
    states[0] = "waiting"
    expect(person.page.locator("#rollout .button-row")).to_contain_text("Next in the queue.")
    states[0] = "done"
    expect(stop).to_be_hidden()
    expect(button).to_have_text("Roll out further")
    expect(button).to_be_enabled()
    assert "± 0.000" not in person.page.locator("#rollout").inner_text()
    expect(person.page.locator(".rolled tr").last).to_have_text("24/21−0.100−0.260")


@pytest.mark.parametrize(
    ("action", "said", "right"),
    [
        ("no double", "No double, take", "No double"),
        pytest.param("double/take", "Double, take", "Double, take", marks=pytest.mark.deep),
        pytest.param("double/pass", "Double, pass", "Double, pass", marks=pytest.mark.deep),
        ("too good", "Too good to double, pass", "No double"),
    ],
)
def test_a_rolled_out_cube_marks_the_right_action_and_keeps_the_order_of_the_cube(
    open_site: OpenSite, action: str, said: str, right: str
) -> None:
    person = open_site().person(viewport={"width": 1280, "height": 800})
    rolled = [
        {"text": text, "equity": equity, "error": 0.01, "games": 36}
        for text, equity in (("Double, pass", 1.0), ("No double", 0.2), ("Double, take", -0.1))
    ]
    answer = {"net": "0", "plies": 0, "kind": "cube", "done": 36, "trials": 36, "choices": rolled}
    person.page.route(
        "**/analysis/rollout?*",
        lambda route: route.fulfill(json={"state": "done", "answer": answer | {"action": action, "over": True}}),
    )
    opened(person)
    table = person.page.locator("#rollout .rolled")
    expect(table.locator("th")).to_have_text(["No double", "Double, take", "Double, pass"])
    expect(table.locator(".best th")).to_have_text([right])
    expect(person.page.locator("#rollout .action")).to_have_text(said)


def test_it_is_used_by_keyboard_alone(open_site: OpenSite) -> None:
    person = open_site().person(viewport={"width": 1280, "height": 800})
    opened(person)
    page = person.page
    page.keyboard.press("s")
    expect(page.locator("#setup")).to_be_visible()
    page.get_by_text("removes", exact=True).focus()
    page.locator("#brush-remove").press("Space")
    page.locator('[data-spot="p6"]').focus()
    page.keyboard.press("Space")
    until(page, f"{BOARD}.turn.view.near.points[6] === 4")
    page.keyboard.press("s")
    expect(page.locator("#setup")).to_be_hidden()
    page.wait_for_timeout(500)  # letters that follow one another at once are a word
    page.keyboard.press("r")
    expect(page.locator("#dice button").first).to_be_focused()
    page.get_by_role("button", name="Roll 5-2").first.press("Enter")
    expect(page.locator("#asked")).to_have_text("You to play 5-2")
    page.get_by_role("tab", name="Plays").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Rolls")).to_be_focused()
    expect(page.locator("#rolls .heat")).to_be_visible()
    page.get_by_role("tab", name="Rolls").press("ArrowLeft")
    page.get_by_role("button", name="Show all").press("Enter")
    expect(page.locator(".plays .play").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#played")).to_contain_text("the best play")
    expect(page.locator("#answer")).to_be_focused()


@pytest.mark.parametrize(("scheme", "wide"), [("dark", 360), pytest.param("light", 1280, marks=pytest.mark.deep)])
def test_it_has_no_barrier_that_axe_knows_and_fits_the_screen(open_site: OpenSite, scheme: str, wide: int) -> None:
    person = open_site().person(viewport={"width": wide, "height": 740}, color_scheme=scheme)
    opened(person, "?roll=31&length=5")
    page = person.page
    page.get_by_role("button", name="Set up").click()
    for name in ("Plays", "Rolls", "Scores", "Counts", "Share"):
        page.get_by_role("tab", name=name).click()
        if name == "Scores":
            expect(page.locator("#scores .scores")).to_be_visible()
        if name == "Rolls":
            expect(page.locator("#rolls .heat")).to_be_visible()
        assert violations(page) == [], name
        assert page.evaluate("document.documentElement.scrollWidth") <= wide, name
    page.locator("#open-rolls").click()
    assert violations(page) == []


def test_an_address_that_cannot_be_read_shows_the_start_and_what_is_wrong(open_site: OpenSite) -> None:
    opened = open_site()
    person = opened.person(viewport={"width": 360, "height": 740})
    person.go("/analysis?length=5&score=9-0")
    person.arrive()
    expect(person.page.locator("#problem")).to_contain_text("allowed: below its length")
    expect(person.page.locator("#choices")).to_be_empty()
    assert person.page.url.endswith("?length=5&score=9-0"), "it can be corrected"
    assert opened.complaints.pop().endswith("422 (Unprocessable Entity)")


def test_a_link_with_what_is_no_position_opens_the_start_with_the_reason_above_and_the_text_in_the_field(
    open_site: OpenSite,
) -> None:
    opened_site = open_site()
    person = opened_site.person(viewport={"width": 1366, "height": 768})
    text = "XGID=-b----E-C---eE---c-e----C-:0:0:1:31:0:0:0:7:10"
    person.go(f"/analysis?id={text}")
    person.arrive()
    page = person.page
    expect(page.locator("#bad-link")).to_contain_text("16")
    expect(page.locator("#bad-link")).to_be_in_viewport()
    expect(page.locator("#paste")).to_have_value(text)
    expect(page.locator("#paste")).to_be_in_viewport()
    page.locator("#paste").fill(text.replace("C-:", "B-:"))
    page.locator("#read").get_by_role("button", name="Open").click()
    expect(page.locator("#asked")).to_have_text("You to play 3-1")
    expect(page.locator("#bad-link")).to_be_hidden()
    assert opened_site.complaints.pop().endswith("422 (Unprocessable Entity)")


def test_a_cube_has_its_losses_labels_of_its_market_window_and_what_the_score_makes_of_the_game(
    open_site: OpenSite,
) -> None:
    person = open_site().person(viewport={"width": 360, "height": 740})
    opened(person, "?length=7&score=2-3")
    page = person.page
    expect(page.locator(".cube tr").first.locator("td").nth(1)).to_have_text("best")
    expect(page.locator(".cube tr").nth(1).locator("td").nth(1)).to_have_text(re.compile(r"^−0\.\d{3}$"))
    expect(page.locator(".cube tr").nth(2).locator("td").nth(1)).to_have_text(re.compile(r"^\+0\.\d{3}$"))
    expect(page.locator(".window-labels")).to_have_text(["takepass", "doubletoo good"])
    boxes = page.evaluate(
        "[...document.querySelectorAll('.window-labels')].map((row) => [...row.children].map((one) => one.getBoundingClientRect().toJSON()))"
    )
    for first, _gap, second in boxes:
        assert 0 <= first["left"] < first["right"] <= second["left"] < second["right"] <= 360
    expect(page.locator("#score-values")).to_contain_text("Gammon value")
    page.get_by_role("link", name="Match equities at this score").click()
    expect(page.locator("[aria-current=true]")).to_have_count(3)


def test_the_analysis_of_another_program_that_is_pasted_stands_beside_ours_and_stays_with_its_position(
    open_site: OpenSite,
) -> None:
    person = open_site().person(viewport={"width": 390, "height": 844})
    opened(person)
    page = person.page
    page.locator("#tab-share").click()
    page.fill("#paste", ANALYSED)
    page.locator("#paste").press("Enter")
    page.wait_for_url("**roll=31*")
    expect(page.locator("#said")).to_contain_text(SAID)
    best = page.locator("#choices li").filter(has=page.get_by_text("8/5 6/5", exact=True))
    expect(best.locator(".other")).to_have_text("eXtreme Gammon +0.159")
    page.reload()
    expect(page.locator("#said")).to_contain_text(SAID)
    expect(best.locator(".other")).to_have_text("eXtreme Gammon +0.159")
    page.get_by_role("button", name="Change turn").click()
    page.wait_for_url("**turn=far*")
    expect(page.locator("#said")).to_be_hidden()
    expect(page.locator("#choices li .equity").first).to_be_visible()
    expect(page.locator("#choices .other")).to_have_count(0)
    page.go_back()
    expect(page.locator("#said")).to_contain_text(SAID)


def test_a_pasted_text_that_is_no_position_stays_with_what_is_wrong_until_it_is_changed(open_site: OpenSite) -> None:
    opened = open_site()
    person = opened.person(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    person.go("/analysis")
    person.arrive()
    page = person.page
    page.locator("#open-setup").tap()
    page.get_by_role("button", name="Paste").tap()
    expect(page.locator("#paste")).to_be_focused()
    page.locator("#paste").fill("8/5 6/5")
    page.locator("#read").get_by_role("button", name="Open").tap()
    expect(page.locator("#unread")).to_contain_text("'8/5 6/5' is in no notation of positions")
    expect(page.locator("#paste")).to_have_value("8/5 6/5")
    page.locator("#paste").fill("4HPwATDgc/ABMA")
    expect(page.locator("#unread")).to_be_hidden()
    page.locator("#read").get_by_role("button", name="Open").tap()
    expect(page.locator("#choices .cube")).to_be_visible()
    assert opened.complaints.pop().endswith("400 (Bad Request)")


def test_the_board_and_its_answers_are_in_the_language_of_the_browser(open_site: OpenSite) -> None:
    person = open_site().person(viewport={"width": 1280, "height": 800}, locale="de-DE")
    person.go("/analysis?roll=31")
    person.arrive()
    page = person.page
    expect(page.locator("#got")).to_contain_text(re.compile("ply", re.IGNORECASE))
    assert person.view["labels"] == {"near": "Du", "far": "Gegner"}
    assert "; Züge: 5 mit 3, " in person.hand.on_board("p8")
    assert page.locator(".bg-tray-name").all_text_contents() == ["aus", "aus"]
    expect(page.locator("#asked")).to_contain_text("Du ")
    expect(page.locator("#tab-answer")).to_have_text("Züge")


def test_a_position_that_cannot_be_copied_as_text_is_not_said_to_be(open_site: OpenSite) -> None:
    site = open_site()
    person = site.person(viewport={"width": 1280, "height": 800})
    opened(person)
    page, said = person.page, person.page.locator("#toast")
    page.locator("#tab-share").click()
    page.route("**/analysis/board.txt?*", lambda route: route.fulfill(status=503, body="<!doctype html>"))
    page.locator("#copy-text").click()
    expect(said).to_have_text("The server answered 503.")
    page.route("**/analysis/board.txt?*", lambda route: route.abort())
    page.locator("#copy-text").click()
    expect(said).to_have_text("The server cannot be reached.")
    site.forgive("Failed to load resource")
