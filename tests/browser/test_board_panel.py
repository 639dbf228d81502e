"""The controls around the checkers: buttons with their stakes, cube, tokens, rerolls, the twelve-sided die."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.hand import BOARD, Hand
from tests.browser.views import FAR_CORNER, HAND, roll, roll_twelve, view

RESIGN = {"kind": "resign", "levels": [1, 2, 3], "points": [2, 4, 6]}


def splits(hand: Hand) -> list[tuple[str, bool, bool]]:
    """(text, open, chosen) of each split."""
    found = hand.page.locator("[data-split]").evaluate_all(
        "all => all.map(split => [split.textContent, split.ariaDisabled !== 'true', split.ariaPressed === 'true'])"
    )
    return [(text, is_open, chosen) for text, is_open, chosen in found]


def test_done_is_closed_with_its_reason_until_the_turn_is_complete(hand: Hand) -> None:
    hand.show(view(dice=roll(3, 1)))
    done = hand.button("play")
    assert done.get_attribute("aria-disabled") == "true"
    assert hand.page.locator(".bg-status").inner_text() == "3 and 1 can still be played"
    done.click(force=True)
    assert hand.events == []
    hand.drag("p8", "p5")
    assert hand.page.locator(".bg-status").inner_text() == "1 can still be played"
    hand.drag("p6", "p5")
    assert done.get_attribute("aria-disabled") is None
    done.click()
    assert hand.events == [{"kind": "play", "moves": [[8, 5, 3], [6, 5, 1]]}]


def test_how_often_a_number_can_still_be_played_is_said(hand: Hand) -> None:
    hand.show(view(dice=roll(4, 4)))
    status = hand.page.locator(".bg-status")
    assert status.inner_text() == "4 can still be played four times"
    hand.drag("p24", "p16")
    assert status.inner_text() == "4 can still be played twice"
    hand.drag("p13", "p9")
    assert status.inner_text() == "4 can still be played"


def test_a_roll_that_cannot_be_played_is_passed_by_a_button(hand: Hand) -> None:
    hand.show(view({25: 1, 6: 2}, {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2}, dice=roll(6, 5)))
    assert hand.page.locator(".bg-status").inner_text() == "Nothing can be played"
    assert hand.button("play").inner_text() == "No play\npass the turn"
    hand.button("play").click()
    assert hand.events == [{"kind": "play", "moves": []}]


def test_a_second_click_in_the_same_breath_sends_nothing(hand: Hand) -> None:
    hand.stop_time()
    hand.show(view(allowed=[{"kind": "roll"}]))
    hand.button("roll").dblclick()
    assert hand.events == [{"kind": "roll"}]


def test_a_button_that_is_pressed_while_news_comes_keeps_its_click(hand: Hand) -> None:
    hand.show(view(allowed=[{"kind": "roll"}]))
    hand.button("roll").hover()
    hand.page.mouse.down()
    more = view(allowed=[{"kind": "roll"}, {"kind": "double", "value": 2}])
    hand.page.evaluate(f"view => {BOARD}.set(view)", more)
    hand.page.mouse.up()
    assert hand.events == [{"kind": "roll"}]
    assert hand.button("double").is_visible()


def test_roll_and_double_spell_out_the_stake(hand: Hand) -> None:
    hand.show(view(allowed=[{"kind": "roll"}, {"kind": "double", "value": 2}]))
    assert hand.button("double").inner_text() == "Double\nto 2"
    hand.button("double").click()
    assert hand.events == [{"kind": "double"}]


def test_a_double_is_asked_once_more_where_that_is_wanted(hand: Hand) -> None:
    hand.show(view(allowed=[{"kind": "roll"}, {"kind": "double", "value": 2}]), confirm=True)
    dialog = hand.page.get_by_role("dialog", name="Offer the cube at 2?")
    for answer, sent in (("Back", []), ("Double", [{"kind": "double"}])):
        hand.button("double").click()
        assert hand.events == []
        dialog.get_by_role("button", name=answer).click()
        assert hand.events == sent
    hand.button("roll").click()
    assert hand.events[-1] == {"kind": "roll"}


def test_undo_takes_back_move_after_move_and_is_gone_with_the_last(hand: Hand) -> None:
    hand.show(view(dice=roll(3, 1)))
    undo = hand.button("undo")
    expect(undo).to_have_count(0)
    hand.drag("p8", "p5")
    hand.drag("p6", "p5")
    for move, left in (("6/5", [[8, 5, 3]]), ("8/5", [])):
        expect(undo).to_have_accessible_name(f"undo {move}")
        undo.click()
        hand.settle()
        assert hand.draft == left
    expect(undo).to_have_count(0)
    assert hand.page.evaluate("document.activeElement.closest('bg-board') !== null")
    assert hand.events == []


def test_an_offered_cube_is_taken_passed_or_beavered_with_the_stakes_in_sight(hand: Hand) -> None:
    offer = {"value": 2, "owner": "far", "offered": {"by": "far", "value": 4}}
    answers = [{"kind": "take", "value": 4}, {"kind": "pass", "points": [2]}, {"kind": "beaver", "value": 8}]
    hand.show(view(to_act="near", cube=offer, allowed=answers))
    assert hand.on_board("cube") == "cube 4, offered by Barpoint"
    assert hand.button("take").inner_text() == "Take\nplay for 4"
    assert hand.button("pass").inner_text() == "Pass\nlose 2 points"
    assert hand.button("beaver").inner_text() == "Beaver\ncube to 8, keep it"
    hand.button("take").click()
    assert hand.events == [{"kind": "take"}]


def test_leaving_is_asked_first_where_it_loses_the_match(hand: Hand) -> None:
    hand.show(view(allowed=[{"kind": "abort"}]))
    assert hand.button("abort").inner_text() == "Leave\nnothing is lost"
    hand.show(view(allowed=[{"kind": "abort", "reason": "loses"}]))
    assert hand.button("abort").inner_text() == "Leave\nyou lose this match"
    for answer, sent in (("Stay", []), ("Leave: lose this match", [{"kind": "abort"}])):
        hand.button("abort").click()
        assert hand.events == []
        hand.page.get_by_role("dialog", name="Leave this match?").get_by_role("button", name=answer).click()
        assert hand.events == sent


def test_the_cube_lies_at_its_owners_side(hand: Hand) -> None:
    def middle_of_cube() -> float:
        box = hand.page.locator(".bg-cube").bounding_box()
        assert box is not None
        return float(box["y"] + box["height"] / 2)

    hand.show(view(cube={"value": 1, "owner": None, "offered": None}))
    centre = middle_of_cube()
    hand.show(view(cube={"value": 2, "owner": "near", "offered": None}))
    below = middle_of_cube()
    hand.show(view(cube={"value": 2, "owner": "far", "offered": None}))
    assert middle_of_cube() < centre < below


def test_a_click_on_the_cube_doubles_only_where_that_is_allowed(hand: Hand) -> None:
    hand.show(view(allowed=[{"kind": "roll"}]))
    hand.page.locator('[data-spot="cube"]').click()
    assert hand.events == []
    hand.show(view(allowed=[{"kind": "roll"}, {"kind": "double", "value": 2}]))
    hand.page.locator('[data-spot="cube"]').click()
    assert hand.events == [{"kind": "double"}]


def test_a_game_without_a_cube_shows_none(hand: Hand) -> None:
    hand.show(view(cube=None))
    assert hand.page.locator(".bg-cube").count() == 0
    assert not hand.page.locator('[data-spot="cube"]').is_visible()


def test_resigning_asks_how_much(hand: Hand) -> None:
    hand.show(view(dice=roll(3, 1), allowed=[RESIGN], cube={"value": 2, "owner": "far", "offered": None}))
    hand.button("resign").click()
    dialog = hand.page.get_by_role("dialog")
    assert dialog.get_by_role("button").all_inner_texts() == [
        "a single game\nlose 2 points", "a gammon\nlose 4 points", "a backgammon\nlose 6 points", "Play on",
    ]  # fmt: skip
    dialog.get_by_role("button", name="a gammon").click()
    assert hand.events == [{"kind": "resign", "level": 2}]
    expect(dialog).to_have_count(0)


def test_prices_are_shown_as_the_server_states_them_whatever_the_cube_shows(hand: Hand) -> None:
    offer = {"value": 1, "owner": None, "offered": {"by": "far", "value": 4}}
    hand.show(view(cube=offer, allowed=[{"kind": "take", "value": 8}, {"kind": "pass", "points": [4]}]))
    assert hand.button("pass").inner_text() == "Pass\nlose 4 points"
    jacoby = {"kind": "resign", "levels": [1, 2, 3], "points": [1, 1, 1]}
    hand.show(view(dice=roll(3, 1), allowed=[jacoby]))
    hand.button("resign").click()
    buttons = hand.page.get_by_role("dialog").locator("[data-level]")
    assert [text.split("\n")[1] for text in buttons.all_inner_texts()] == ["lose 1 point"] * 3


def test_the_answers_to_a_resignation_stand_one_below_the_other_on_a_phone(open_board: Any) -> None:
    hand = open_board(reduced_motion="reduce", viewport={"width": 360, "height": 640})
    hand.show(view(dice=roll(3, 1), allowed=[RESIGN]))
    hand.button("resign").click()
    boxes = [button.bounding_box() for button in hand.page.get_by_role("dialog").get_by_role("button").all()]
    assert len(boxes) == 4
    for upper, lower in pairwise(boxes):
        assert upper
        assert lower
        assert upper["y"] + upper["height"] <= lower["y"]
        assert upper["x"] > 0
        assert upper["x"] + upper["width"] < 360


def test_a_resignation_can_be_thought_better_of(hand: Hand) -> None:
    hand.show(view(dice=roll(3, 1), allowed=[RESIGN]))
    hand.button("resign").click()
    hand.page.get_by_role("button", name="Play on").click()
    assert hand.events == []
    expect(hand.page.get_by_role("dialog")).to_have_count(0)


def test_a_resignation_offered_is_accepted_or_rejected(hand: Hand) -> None:
    offered = {"by": "far", "kind": "resign", "level": 2, "text": "Barpoint offers to resign a gammon"}
    hand.show(view(allowed=[{"kind": "accept", "points": [4]}, {"kind": "reject"}], last=offered))
    assert "Barpoint offers to resign a gammon" in hand.page.locator(".bg-status").inner_text()
    assert hand.button("accept").inner_text() == "Accept\nwin 4 points"
    hand.button("reject").click()
    hand.button("accept").click()
    assert hand.events == [{"kind": "reject"}, {"kind": "accept"}]


@pytest.mark.parametrize(
    ("phase", "asked"),
    [("to_roll", "roll"), ("doubled", "answer"), ("resigned", "answer"), ("to_play", "play")],
)
def test_what_the_other_side_is_to_do_is_named(hand: Hand, phase: str, asked: str) -> None:
    hand.show(view(to_act="far", phase=phase, allowed=[]))
    assert hand.page.locator(".bg-status").inner_text() == f"Barpoint to {asked}"


def test_the_name_of_the_dice_follows_a_swap(hand: Hand) -> None:
    hand.show(view(dice=roll(3, 1)))
    assert hand.on_board("dice") == "your dice: 3-1; swap which is played first"
    hand.page.locator('[data-spot="dice"]').click()
    assert hand.on_board("dice") == "your dice: 1-3; swap which is played first"


def test_the_end_of_a_game_is_announced_in_the_servers_words(hand: Hand) -> None:
    hand.show(view(dice=roll(3, 1)))
    result = {"winner": "near", "points": 2, "kind": "gammon", "how": "Barpoint runs out of time"}
    hand.show(view(allowed=[], to_act=None, result=result))
    assert hand.said == "Barpoint runs out of time."


# The end of a game.

WON = {"winner": "near", "points": 4, "kind": "gammon", "how": "You win a gammon: 4 points"}


@pytest.mark.parametrize("size", [(320, 568), (360, 740), (768, 1024), (1280, 720), (844, 390)])
def test_the_result_stands_on_the_board_and_hides_no_button(open_board: Any, size: tuple[int, int]) -> None:
    hand: Hand = open_board(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce")
    hand.show(view({6: 2}, {}, to_act=None, result=WON, allowed=[{"kind": "next"}]))
    plate = hand.page.locator(".bg-result p")
    assert plate.inner_text() == WON["how"]
    bar, shown, board = hand.box("bar-near"), plate.bounding_box(), hand.page.locator(".bg-svg").bounding_box()
    assert shown is not None
    assert board is not None
    assert shown["x"] + shown["width"] / 2 == pytest.approx(bar["x"] + bar["width"] / 2, abs=2)
    assert shown["y"] + shown["height"] / 2 == pytest.approx(board["y"] + board["height"] / 2, abs=2)
    assert shown["x"] >= board["x"]
    assert shown["x"] + shown["width"] <= board["x"] + board["width"]
    hand.button("next").click()
    assert hand.events == [{"kind": "next"}]


def test_the_result_is_read_once(hand: Hand) -> None:
    hand.show(view({6: 2}, {}, to_act=None, result=WON, allowed=[{"kind": "next"}]))
    assert hand.page.locator(".bg-result").get_attribute("aria-hidden") == "true"
    assert hand.page.locator(".bg-status").inner_text() == WON["how"]
    assert hand.page.locator(".bg-status").evaluate("line => getComputedStyle(line).opacity") == "0"
    assert hand.page.get_by_role("paragraph").filter(has_text="You win a gammon").count() == 1


def test_the_result_goes_when_the_next_game_begins(hand: Hand) -> None:
    hand.show(view({6: 2}, {}, to_act=None, result=WON, allowed=[{"kind": "next"}]))
    assert hand.page.locator(".bg-result").is_visible()
    hand.show(view(allowed=[{"kind": "roll"}]))
    assert not hand.page.locator(".bg-result").is_visible()
    assert hand.page.locator(".bg-status").evaluate("line => getComputedStyle(line).opacity") == "1"


def test_the_result_waits_for_the_last_checker(open_board: Any) -> None:
    hand: Hand = open_board()
    hand.show(view({1: 1}, {6: 2}, dice=roll(2, 1)))
    borne_off = {"by": "near", "kind": "play", "moves": [[1, 0, 2]], "faces": [2, 1], "text": "1/off"}
    visible = hand.page.evaluate(
        """async after => { const board = document.querySelector('bg-board'); board.set(after);
            await new Promise(done => requestAnimationFrame(done));
            return !board.querySelector('.bg-result').hidden; }""",
        view({}, {6: 2}, to_act=None, result=WON, last=borne_off, allowed=[{"kind": "next"}]),
    )
    assert not visible
    hand.settle()
    assert hand.page.locator(".bg-result").is_visible()


def test_the_cube_shows_its_highest_number_before_it_is_turned(hand: Hand) -> None:
    number = hand.page.locator(".bg-cube-number")
    hand.show(view(cube={"value": 1, "owner": None, "offered": None}))
    assert number.text_content() == "64"
    assert hand.on_board("cube") == "cube 1, in the middle"
    hand.show(view(cube={"value": 2, "owner": "near", "offered": None}))
    assert number.text_content() == "2"


@pytest.mark.parametrize("theme", ["", "harbour", "orchard"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_buttons_have_the_colour_of_the_board_and_can_be_read(open_board: Any, theme: str, scheme: str) -> None:
    hand: Hand = open_board(reduced_motion="reduce", color_scheme=scheme)
    hand.page.evaluate("theme => { if (theme) document.documentElement.dataset.board = theme; }", theme)
    hand.show(view(allowed=[{"kind": "roll"}]))
    text, face = hand.button("roll").evaluate(
        "button => { const style = getComputedStyle(button); return [style.color, style.backgroundColor]; }"
    )
    assert contrast(text, face) >= 4.5
    number, cube = hand.page.evaluate(
        "['.bg-cube-number', '.bg-cube-face'].map(part => getComputedStyle(document.querySelector(part)).fill)"
    )
    assert contrast(number, cube) >= 4.5
    names = hand.page.evaluate(
        "['.bg-tray-name', '.bg-frame'].map(part => getComputedStyle(document.querySelector(part)).fill)"
    )
    assert contrast(*names) >= 4.5


def test_each_theme_has_buttons_of_its_own(hand: Hand) -> None:
    hand.show(view(allowed=[{"kind": "roll"}]))
    found = hand.page.evaluate(
        """['', 'harbour', 'orchard'].map(theme => { document.documentElement.dataset.board = theme;
            return getComputedStyle(document.querySelector('.bg-primary')).backgroundColor; })"""
    )
    assert len(set(found)) == 3


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, each as `rgb(r, g, b)`."""

    def light(colour: str) -> float:
        parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
        red, green, blue = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    dark, bright = sorted([light(one), light(other)])
    return (bright + 0.05) / (dark + 0.05)


# Roll-Over.


def test_each_side_shows_its_token_until_it_is_used(hand: Hand) -> None:
    hand.show(view(tokens={"near": 1, "far": 0}))
    names = hand.page.locator(".bg-token").evaluate_all("all => all.map(token => token.getAttribute('aria-label'))")
    assert names == ["Barpoint: reroll token used", "You: reroll token, not used yet"]


def test_a_call_names_the_roll_it_takes_back(hand: Hand) -> None:
    own = {"kind": "rollover", "roll": 5, "on": "own", "faces": [3, 1]}
    hand.show(view(dice=roll(3, 1), tokens={"near": 1, "far": 1}, allowed=[own]))
    assert hand.button("rollover").inner_text() == "Roll over\nmy 3-1"
    hand.button("rollover").click()
    assert hand.events == [{"kind": "rollover", "roll": 5}]
    other = {"kind": "rollover", "roll": 6, "on": "other", "faces": [6, 6]}
    hand.show(view(tokens={"near": 1, "far": 1}, allowed=[{"kind": "roll"}, other]))
    assert hand.button("rollover").inner_text() == "Roll over\nBarpoint’s 6-6"


def test_a_call_says_what_was_cancelled(hand: Hand) -> None:
    hand.show(view(dice=roll(6, 2), tokens={"near": 1, "far": 1}))
    hand.drag("p24", "p18")
    called = {"by": "far", "kind": "rollover", "faces": [6, 2], "text": "Barpoint rolls over your 6-2"}
    hand.show(view(tokens={"near": 1, "far": 0}, allowed=[{"kind": "roll"}], last=called))
    assert hand.page.locator(".bg-status").inner_text() == "Barpoint rolls over your 6-2. Your roll"
    assert hand.page.locator(".bg-die.bg-rerolled").count() == 2
    assert hand.checkers("p24") == 2


def test_the_loser_of_a_game_may_let_the_last_roll_stand(hand: Hand) -> None:
    allowed = [{"kind": "rollover", "roll": 9, "on": "other", "faces": [4, 2]}, {"kind": "keep"}]
    hand.show(view({6: 2}, {}, to_act="near", tokens={"near": 1, "far": 0}, allowed=allowed))
    hand.button("keep").click()
    assert hand.events == [{"kind": "keep"}]


# Duodecagammon.


def test_the_twelve_sided_die_shows_its_splits(hand: Hand) -> None:
    hand.show(view(dice=roll_twelve(9)))
    assert hand.on_board("dice") == "your dice: 9 on the twelve-sided die; to play as 6+3, 5+4 or 3+3+3"
    assert splits(hand) == [("6+3", True, False), ("5+4", True, False), ("3+3+3", True, False)]


def test_a_move_closes_the_splits_that_it_does_not_fit(hand: Hand) -> None:
    hand.show(view(dice=roll_twelve(9)))
    hand.drag("p24", "p18")
    assert splits(hand) == [("6+3", True, False), ("5+4", False, False), ("3+3+3", False, False)]
    hand.drag("p18", "p24")
    assert [is_open for _, is_open, _ in splits(hand)] == [True, True, True]


def test_a_chosen_split_offers_its_numbers_only(hand: Hand) -> None:
    hand.show(view(dice=roll_twelve(9)))
    hand.tap("p8")
    assert {"p2", "p5", "p4", "p3"} <= set(hand.goals)
    hand.page.get_by_role("button", name="split 5+4").click()
    assert hand.goals == ["p3", "p4"]
    assert splits(hand)[1] == ("5+4", True, True)
    hand.page.get_by_role("button", name="split 5+4").click()
    assert "p5" in hand.goals


def test_a_triple_is_played_by_one_checker_in_one_drop(hand: Hand) -> None:
    hand.show(view(dice=roll_twelve(9)))
    hand.page.get_by_role("button", name="split 3+3+3").click()
    hand.drag("p24", "p15")
    assert hand.draft == [[24, 21, 3], [21, 18, 3], [18, 15, 3]]
    hand.button("play").click()
    assert hand.events == [{"kind": "play", "moves": hand.draft}]


# Games that begin off the board, and rolls with two stages.


def acey(made: list[list[int]], nodes: list[Any], alternatives: list[list[int]]) -> dict[str, Any]:
    shown = view({HAND: 15}, {HAND: 15}, cube=None, allowed=[{"kind": "play"}])
    shown["dice"] = {"kind": "2d6", "faces": [2, 1], "of": "near", "alternatives": alternatives}
    shown["turn"] = {"nodes": nodes, "made": made}
    return shown


def test_a_checker_enters_from_the_hand_and_is_taken_back_there(hand: Hand) -> None:
    nodes = [[0, [[26, 23, 2, 0, 1], [26, 24, 1, 0, 2]]], [0, [[26, 24, 1, 0, -1]]], [0, [[26, 23, 2, 0, -1]]]]
    hand.show(acey([], nodes, [[2, 1]]))
    assert hand.on_board("hand-near").startswith("your hand, fifteen checkers; moves: 23 with the 2, 24 with the 1")
    hand.drag("hand-near", "p23")
    assert hand.draft == [[26, 23, 2]]
    hand.tap("p23")
    assert hand.lamps == {"hand-near": "undo hand/23"}
    hand.drag("p23", "hand-near")
    assert hand.draft == []


def test_the_second_stage_comes_with_a_deeper_graph(hand: Hand) -> None:
    first = [[0, [[26, 23, 2, 0, 1], [26, 24, 1, 0, 2]]], [0, [[26, 24, 1, 0, -1]]], [0, [[26, 23, 2, 0, -1]]]]
    hand.show(acey([], first, [[2, 1]]))
    hand.drag("hand-near", "p23")
    hand.drag("hand-near", "p24")
    assert hand.page.locator(".bg-status").inner_text() == "The next part of this roll is on its way"
    made = hand.draft
    doubles = [[number] * 4 for number in range(1, 7)]
    edges = [[26, 25 - number, number, 0, 3 + number] for number in range(1, 7)]
    deeper = [*first[:1], [0, [[26, 24, 1, 0, 3]]], [0, [[26, 23, 2, 0, 3]]], [0, edges], *([[1, []]] * 6)]
    hand.show(acey(made, deeper, doubles))
    assert [text for text, _, _ in splits(hand)] == ["1-1", "2-2", "3-3", "4-4", "5-5", "6-6"]
    hand.page.get_by_role("button", name="split 5-5", exact=True).click()
    hand.tap("hand-near")
    assert hand.goals == ["p20"]
    used = hand.page.locator(".bg-die").evaluate_all("dice => dice.map(die => die.classList.contains('bg-used'))")
    assert used == [True, True]


def test_both_sides_may_travel_the_same_way(hand: Hand) -> None:
    hand.show(view({24: 15}, {24: 15}, meets=FAR_CORNER, cube=None))
    assert hand.checkers("p24") == 15
    assert hand.checkers("p12") == 15
    near, far = hand.box("off-near"), hand.box("off-far")
    assert near["x"] > far["x"]
    assert near["y"] > far["y"]


# Views that arrive during a turn.


def test_an_echo_of_an_older_draft_takes_no_move_away(hand: Hand) -> None:
    hand.show(view(dice=roll(3, 1)))
    hand.drag("p8", "p5")
    hand.drag("p6", "p5")
    hand.show(view(dice=roll(3, 1), made=[[8, 5, 3]]))
    assert hand.checkers("p5") == 2


def test_a_draft_from_another_window_is_shown(hand: Hand) -> None:
    hand.show(view(dice=roll(3, 1)))
    hand.show(view(dice=roll(3, 1), made=[[24, 23, 1]]))
    assert hand.checkers("p23") == 1


def test_a_draft_is_there_again_after_a_reload(hand: Hand) -> None:
    hand.show(view(dice=roll(3, 1), made=[[8, 5, 3]]))
    assert hand.checkers("p5") == 1
    hand.tap("p5")
    assert hand.lamps == {"p8": "undo 8/5"}


def test_a_view_that_comes_while_a_checker_is_carried_leaves_it_in_the_hand(hand: Hand) -> None:
    hand.show(view(dice=roll(3, 1)))
    hand.drag("p8", "p6", drop=False)
    hand.show(view(dice=roll(3, 1)))
    assert hand.goals == ["p4", "p5", "p7"]
    hand.page.mouse.move(*hand.at("p5"), steps=3)
    hand.page.mouse.up()
    hand.settle()
    assert hand.draft == [[8, 5, 3]]


def test_a_play_that_was_watched_while_it_was_tried_is_not_moved_twice(open_board: Any) -> None:
    hand: Hand = open_board()
    dice = {"kind": "2d6", "faces": [3, 1], "of": "far", "alternatives": [[3, 1]]}
    watched = view(to_act="far", dice=dice, turn={"nodes": [[0, [[8, 5, 3, 0, 1]]], [0, []]], "made": [[8, 5, 3]]})
    hand.show(watched)
    assert hand.checkers("p20") == 1
    played = {"by": "far", "kind": "play", "moves": [[8, 5, 3], [6, 5, 1]], "faces": [3, 1], "text": "8/5 6/5"}
    moving = hand.page.evaluate(
        """async after => { const board = document.querySelector('bg-board'); board.set(after);
            await new Promise(done => requestAnimationFrame(done));
            return board.getAnimations({subtree: true}).filter(motion => motion.effect.target.dataset.id).length; }""",
        view(far={24: 2, 13: 5, 8: 2, 6: 4, 5: 2}, allowed=[{"kind": "roll"}], last=played),
    )
    hand.settle()
    assert moving == 1
    assert hand.checkers("p20") == 2


LARGE = 2**62 + 1


def test_numbers_beyond_those_of_javascript_arrive_exactly(hand: Hand) -> None:
    said = (
        f'{{"cube": {2**62}, "points": [{LARGE}, -{LARGE}, 3, 0.1234567890123456789], "text": "{LARGE}, \\"{LARGE}"}}'
    )
    told = hand.page.evaluate(
        """async (said) => { const { parseExact, formatExact } = await import('/static/session/exact.js');
        const { cube, points, text } = parseExact(said);
        return [`${cube} ${points}`, text, typeof points[2], formatExact(parseExact(said))]; }""",
        said,
    )
    assert told[:3] == [f"{2**62} {LARGE},-{LARGE},3,0.12345678901234568", f'{LARGE}, "{LARGE}', "number"]
    assert json.loads(told[3]) == {**json.loads(said), "points": [LARGE, -LARGE, 3, 0.12345678901234568]}


def test_the_highest_cube_is_shown_as_a_power_and_named_in_full(hand: Hand) -> None:
    shown = view(cube={"value": 2, "owner": "near", "offered": None}, allowed=[{"kind": "roll"}])
    hand.page.evaluate(
        f"""async (view) => {{ view.cube.value = {2**62}n; view.score = {{ near: {LARGE}n, far: 0, length: 0, crawford: false }};
        {BOARD}.set(view); }}""",
        shown,
    )
    hand.settle()
    assert hand.page.locator(".bg-cube-number").text_content() == "2⁶²"
    assert hand.page.locator(".bg-score").all_inner_texts() == ["0", str(LARGE)]
    assert hand.page.get_by_label(f"cube {2**62}").count() >= 1
