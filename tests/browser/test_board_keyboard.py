"""The board by keyboard alone, and what it announces to screen readers."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.hand import Hand
from tests.browser.views import roll, roll_twelve, view

RESIGN = {"kind": "resign", "levels": [1, 2, 3], "points": [1, 2, 3]}


def focused(hand: Hand) -> str:
    found: str = hand.page.evaluate("document.activeElement.dataset.spot ?? document.activeElement.dataset.lamp ?? ''")
    return found


def test_arrows_walk_along_a_row_over_bar_and_tray(hand: Hand) -> None:
    hand.show(view(dice=roll(3, 1)))
    hand.press("ArrowRight")
    seen = [focused(hand)]
    for _ in range(6):
        hand.press("ArrowRight")
        seen.append(focused(hand))
    assert seen == ["p6", "p5", "p4", "p3", "p2", "p1", "off-near"]
    for _ in range(8):
        hand.press("ArrowLeft")
    assert focused(hand) in ("bar-near", "bar-far", "p7")


def test_the_place_with_the_focus_is_marked_once_it_is_walked_to_and_not_for_whoever_clicks(hand: Hand) -> None:
    ring = "getComputedStyle(document.activeElement.querySelector('.bg-ring')).stroke"
    hand.show(view(dice=roll(3, 1)))
    hand.tap("p8")
    hand.press("Enter")
    assert (focused(hand), hand.page.evaluate(ring)) == ("p8", "none")
    hand.press("ArrowRight")
    assert hand.page.evaluate(ring) != "none"


def test_dice_and_cube_are_reached_by_arrows(hand: Hand) -> None:
    hand.show(view(allowed=[{"kind": "roll"}, {"kind": "double", "value": 2}]))
    hand.walk_to("p7")
    hand.press("ArrowRight")
    assert focused(hand).startswith("bar")
    hand.press("ArrowUp")
    assert focused(hand) == "cube"
    hand.press(" ")
    assert hand.events == [{"kind": "double"}]


def test_a_turn_is_lifted_dropped_taken_back_and_committed_by_keys(hand: Hand) -> None:
    hand.show(view(dice=roll(3, 1)))
    hand.walk_to("p8")
    hand.press(" ")
    assert hand.goals == ["p4", "p5", "p7"]
    hand.walk_to("p5")
    hand.press(" ")
    assert hand.draft == [[8, 5, 3]]
    hand.press("Backspace")
    assert hand.draft == []
    hand.walk_to("p8")
    hand.press(" ")
    hand.walk_to("p5")
    hand.press(" ")
    hand.walk_to("p6")
    hand.press(" ")
    hand.walk_to("p5")
    hand.press(" ", "Enter")
    assert hand.events == [{"kind": "play", "moves": [[8, 5, 3], [6, 5, 1]]}]


def test_escape_puts_a_lifted_checker_down(hand: Hand) -> None:
    hand.show(view(dice=roll(3, 1)))
    hand.walk_to("p8")
    hand.press(" ", "Escape")
    assert hand.goals == []


def test_the_undo_light_is_reached_by_tab_and_pressed_by_enter(hand: Hand) -> None:
    hand.show(view(dice=roll(3, 1)))
    hand.drag("p8", "p5")
    hand.walk_to("p5")
    hand.press(" ")
    hand.page.locator('[data-lamp="p8"]').focus()
    hand.press("Enter")
    assert hand.draft == []


@pytest.mark.parametrize(
    ("key", "allowed", "event"),
    [
        ("r", {"kind": "roll"}, {"kind": "roll"}),
        ("d", {"kind": "double", "value": 2}, {"kind": "double"}),
        ("t", {"kind": "take", "value": 2}, {"kind": "take"}),
        ("p", {"kind": "pass"}, {"kind": "pass"}),
        ("b", {"kind": "beaver", "value": 4}, {"kind": "beaver"}),
        ("B", {"kind": "raccoon", "value": 8}, {"kind": "raccoon"}),
        ("o", {"kind": "rollover", "roll": 5, "on": "other", "faces": [6, 2]}, {"kind": "rollover", "roll": 5}),
        ("k", {"kind": "keep"}, {"kind": "keep"}),
        ("y", {"kind": "accept"}, {"kind": "accept"}),
        ("n", {"kind": "reject"}, {"kind": "reject"}),
        ("Enter", {"kind": "next"}, {"kind": "next"}),
    ],
)
def test_every_answer_has_a_key(hand: Hand, key: str, allowed: dict[str, object], event: dict[str, object]) -> None:
    hand.show(view(allowed=[allowed]))
    hand.press(key)
    assert hand.events == [event]


def test_a_key_for_what_is_not_allowed_does_nothing(hand: Hand) -> None:
    hand.show(view(allowed=[{"kind": "roll"}]))
    hand.press("d", "t", "o", "x", "Enter")
    assert hand.events == []


def test_enter_before_the_turn_is_complete_says_why(hand: Hand) -> None:
    hand.show(view(dice=roll(3, 1)))
    hand.press("Enter")
    assert hand.events == []
    assert hand.said == "3 and 1 can still be played."


def test_a_resignation_by_keys_asks_how_much(hand: Hand) -> None:
    hand.show(view(dice=roll(3, 1), allowed=[RESIGN]))
    hand.press("x", "Enter")
    assert hand.events == [], "Enter alone plays on"
    hand.press("x", "Shift+Tab", "Shift+Tab", "Enter")
    assert hand.events == [{"kind": "resign", "level": 2}]


def test_a_key_counts_at_once_after_a_question_was_closed(hand: Hand) -> None:
    """The closed question keeps the focus until the next frame, and a machine under load draws frames late."""
    hand.show(view(dice=roll(3, 1), allowed=[RESIGN]))
    hand.press("x")
    asked = hand.page.evaluate(
        """() => { document.activeElement.click();
        document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key: "x", bubbles: true}));
        return document.querySelectorAll("dialog[open]").length; }"""
    )
    assert asked == 1


def test_points_are_named_with_their_checkers_and_moves(hand: Hand) -> None:
    hand.show(view(dice=roll(3, 1)))
    assert (
        hand.on_board("p8") == "8 point, three checkers, yours; moves: 5 with the 3, 7 with the 1, 4 with the 3 and 1"
    )
    assert hand.on_board("p19") == "19 point, five checkers, Barpoint’s"
    assert hand.on_board("p5") == "5 point, empty"
    assert hand.on_board("off-near") == "your tray, no checkers borne off"
    assert hand.on_board("cube") == "cube 1, in the middle"
    assert hand.on_board("dice") == "your dice: 3-1; swap which is played first"


def test_the_other_sides_roll_and_play_are_announced(hand: Hand) -> None:
    hand.show(view(to_act="far"))
    far_dice = {"kind": "2d6", "faces": [6, 5], "of": "far", "alternatives": [[6, 5]]}
    hand.show(view(to_act="far", dice=far_dice))
    assert hand.said == "Barpoint rolls 6-5."
    played = {"by": "far", "kind": "play", "moves": [[24, 18, 6], [18, 13, 5]], "faces": [6, 5], "text": "24/13"}
    hand.show(view(far={24: 1, 13: 6, 8: 3, 6: 5}, allowed=[{"kind": "roll"}], last=played))
    assert hand.said == "Barpoint plays 24/13. Your roll."


def test_a_hit_is_said_by_the_viewers_numbers_and_what_waits_on_the_bar(hand: Hand) -> None:
    far_dice = {"kind": "2d6", "faces": [4, 3], "of": "far", "alternatives": [[4, 3]]}
    hand.show(view(to_act="far", dice=far_dice))
    played = {"by": "far", "kind": "play", "moves": [[24, 20, 4], [20, 17, 3]], "faces": [4, 3], "text": "24/20*/17*"}
    near = {25: 2, 24: 1, 13: 4, 8: 3, 6: 5}
    hand.show(view(near, {24: 1, 17: 1, 13: 5, 8: 3, 6: 5}, allowed=[{"kind": "roll"}], last=played))
    assert hand.said == (
        "Barpoint plays 24/20*/17*. Your checkers on 5 and 8 are hit. Your roll. 2 checkers on your bar."
    )


def test_a_double_is_said_once_with_what_each_answer_costs(hand: Hand) -> None:
    hand.show(view(to_act="far"))
    doubled = {"by": "far", "kind": "double", "text": "Barpoint doubles to 2"}
    cube = {"value": 1, "owner": None, "offered": {"by": "far", "value": 2}}
    answers = [{"kind": "take", "value": 2}, {"kind": "pass", "points": [1]}]
    hand.show(view(phase="doubled", cube=cube, allowed=answers, last=doubled))
    assert hand.said == "Barpoint doubles to 2. Take: play for 2. Pass: lose 1 point."


def test_ones_own_double_and_a_roll_that_is_rolled_over_are_said_once(hand: Hand) -> None:
    hand.show(view(allowed=[{"kind": "roll"}, {"kind": "double", "value": 2}]))
    doubled = {"by": "near", "kind": "double", "text": "You double to 2"}
    cube = {"value": 1, "owner": None, "offered": {"by": "near", "value": 2}}
    hand.show(view(to_act="far", phase="doubled", cube=cube, last=doubled))
    assert hand.said == "You double to 2."
    called = {"by": "far", "kind": "rollover", "faces": [6, 2], "text": "Barpoint rolls over your 6-2"}
    hand.show(view(phase="must_reroll", allowed=[{"kind": "roll"}], last=called))
    assert hand.said == "Barpoint rolls over your 6-2. Your roll."


def test_the_opening_roll_is_called_by_its_name(hand: Hand) -> None:
    hand.show(view(phase="opening", to_act=None))
    rolled = {"by": None, "kind": "opening", "faces": [2, 6], "text": "Opening roll: You 2, Barpoint 6"}
    hand.show(view(to_act="far", last=rolled))
    assert hand.said == "Opening roll: You 2, Barpoint 6. Barpoint to play."


def test_a_key_says_where_all_checkers_are_by_the_viewers_numbers(hand: Hand) -> None:
    hand.show(view({25: 1, 24: 1, 13: 5, 6: 5}, {24: 2, 13: 5, 8: 3, 6: 5}, dice=roll(3, 1)))
    hand.press("l")
    assert hand.said == (
        "You: 1 on the bar, 1 on 24, 5 on 13, 5 on 6, 3 off. Barpoint: 5 on 19, 3 on 17, 5 on 12, 2 on 1. "
        "Pips: You 144, Barpoint 167. Match to 3 points: You 0, Barpoint 0. Cube at 1, in the middle."
    )


def test_score_cube_dice_last_play_and_clock_are_said_by_keys_and_commands(hand: Hand) -> None:
    far_dice = {"kind": "2d6", "faces": [6, 5], "of": "far", "alternatives": [[6, 5]]}
    hand.show(view(to_act="far", dice=far_dice))
    played = {"by": "far", "kind": "play", "moves": [[24, 18, 6], [18, 13, 5]], "faces": [6, 5], "text": "24/13"}
    far = {24: 1, 13: 6, 8: 3, 6: 5}
    standing = {
        "score": {"near": 2, "far": 4, "length": 5, "crawford": True},
        "cube": {"value": 2, "owner": "far", "offered": None},
        "tokens": {"near": 1, "far": 0},
    }
    hand.show(view(far=far, allowed=[{"kind": "roll"}], last=played, **standing))
    hand.show(view(far=far, dice=roll(3, 1), **standing), commands=True)
    answers = {
        "w": (
            "Match to 5 points: You 2, Barpoint 4. Crawford game. Cube at 2, Barpoint may double. "
            "Reroll tokens: You 1, Barpoint 0."
        ),
        "i": "Your dice: 3-1; swap which is played first.",
        "m": "6-5: Barpoint plays 24/13.",
        "c": "There is no clock.",
    }
    for (key, answer), word in zip(answers.items(), ("score", "dice", "last", "clock"), strict=True):
        hand.press(key)
        assert hand.said == answer
        assert command(hand, f"/{word}") == answer
        hand.page.get_by_label("Command").evaluate("box => box.blur()")


def test_points_won_stand_for_the_score_where_there_is_no_match(hand: Hand) -> None:
    hand.show(view(cube=None, score={"near": 3, "far": -3, "length": 0, "crawford": False}))
    hand.press("w")
    assert hand.said == "Points won: You 3, Barpoint −3."
    hand.press("m")
    assert hand.said == "No play has been made yet."


def test_the_choice_to_roll_over_is_said_before_ones_roll_and_after_it(hand: Hand) -> None:
    tokens = {"near": 1, "far": 1}
    theirs = {"kind": "rollover", "roll": 3, "on": "other", "faces": [6, 1]}
    hand.show(view(to_act="far", tokens=tokens))
    hand.show(view(allowed=[{"kind": "roll"}, {"kind": "double", "value": 2}, theirs], tokens=tokens))
    assert hand.said == "Roll, double, or roll over their 6-1."
    assert hand.page.locator(".bg-status").inner_text() == "Roll, double, or roll over their 6-1"
    hand.show(view(to_act="far", tokens=tokens))
    hand.show(view(allowed=[{"kind": "roll"}, theirs], tokens=tokens))
    assert hand.said == "Roll, or roll over their 6-1."
    own = {"kind": "rollover", "roll": 4, "on": "own", "faces": [3, 1]}
    hand.show(view(dice=roll(3, 1), allowed=[own], tokens=tokens))
    assert hand.said == "You roll 3-1. 3 and 1 can still be played. You may roll over your 3-1."


def test_the_ways_to_split_a_roll_are_said(hand: Hand) -> None:
    hand.show(view(to_act="far"))
    hand.show(view(dice=roll_twelve(9)))
    assert hand.said == "You roll 9 on the twelve-sided die. Play it as 6+3, 5+4 or 3+3+3."
    assert hand.on_board("dice") == "your dice: 9 on the twelve-sided die; to play as 6+3, 5+4 or 3+3+3"
    hand.drag("p8", "p5")
    assert hand.said == "8/5. Play the rest as 6 or 3+3."


def test_letters_act_also_while_something_beside_the_board_has_the_focus(hand: Hand) -> None:
    hand.show(view(allowed=[{"kind": "roll"}]))
    hand.page.evaluate(
        """() => { const list = document.createElement('div'); list.tabIndex = 0; list.id = 'list'; document.body.append(list);
            list.focus(); }"""
    )
    hand.press("l")
    hand.until("document.querySelector('.bg-voice').textContent.includes('You: 2 on 24')")
    hand.press("ArrowDown", "Enter", " ")
    assert hand.page.evaluate("document.activeElement.id") == "list"
    assert hand.events == []
    hand.page.wait_for_timeout(500)
    hand.press("r")
    hand.until("window.events.length")
    assert hand.events == [{"kind": "roll"}]


def test_a_word_that_is_typed_beside_the_board_plays_nothing_and_a_letter_alone_does(hand: Hand) -> None:
    hand.stop_time()
    hand.show(view(allowed=[{"kind": "roll"}, {"kind": "double", "value": 2}, RESIGN]))
    hand.page.keyboard.type("Sorry, great luck. Extra dice x")
    hand.pass_time(1000)
    assert hand.events == []
    assert hand.page.locator("dialog").count() == 0
    for keys, events in ((("r", "Backspace"), []), (("Shift+D",), [{"kind": "double"}])):
        for key in keys:
            hand.page.keyboard.press(key)
        hand.pass_time(300)
        assert hand.events == [], "another one may follow"
        hand.pass_time(200)
        assert hand.events == events


def test_letters_act_on_the_board_alone_where_that_is_wanted(hand: Hand) -> None:
    hand.stop_time()
    hand.show(view(allowed=[{"kind": "roll"}]), letters=False)
    for key in "r/?":
        hand.page.keyboard.press(key)
        hand.pass_time(1000)
    assert hand.events == []
    assert hand.page.locator("dialog, .bg-commands:not([hidden])").count() == 0
    hand.page.keyboard.press("ArrowLeft")
    hand.page.keyboard.press("r")
    assert hand.events == [{"kind": "roll"}]


def test_keys_are_left_alone_while_something_else_is_typed(hand: Hand) -> None:
    hand.show(view(allowed=[{"kind": "roll"}]), commands=True)
    hand.page.get_by_label("Command").fill("")
    hand.page.get_by_label("Command").press("r")
    assert hand.events == []


# The command box.

START_TEXT = "2 on 24, 5 on 13, 3 on 8, 5 on 6"
HELP = (
    "Type a play (8/5 6/5, bar/22, 13/7/3, 6/off, 8/5(2)) or a word: board, pips, score, dice, last, clock, done, undo"
)


def command(hand: Hand, line: str) -> str:
    box = hand.page.get_by_label("Command")
    box.fill(line)
    box.press("Enter")
    hand.settle()
    return hand.page.locator(".bg-answer").inner_text()


@pytest.mark.parametrize("line", ["8/5 6/5", "6/5 8/5", "8/5, 6/5", "8-5 6-5"])
def test_a_play_is_typed_in_any_order(hand: Hand, line: str) -> None:
    hand.show(view(dice=roll(3, 1)), commands=True)
    assert command(hand, line) == ""
    assert sorted(hand.draft) == [[6, 5, 1], [8, 5, 3]]


@pytest.mark.parametrize(
    ("line", "dice", "moves"),
    [
        ("13/7/3", (6, 4), [[13, 7, 6], [7, 3, 4]]),
        ("8/4(2)", (2, 2), [[8, 6, 2], [6, 4, 2], [8, 6, 2], [6, 4, 2]]),
        ("24/18 13/8", (6, 5), [[24, 18, 6], [13, 8, 5]]),
    ],
)
def test_runs_and_repeats_are_understood(hand: Hand, line: str, dice: tuple[int, int], moves: list[list[int]]) -> None:
    hand.show(view(dice=roll(*dice)), commands=True)
    assert command(hand, line) == ""
    assert sorted(hand.draft) == sorted(moves)


def test_bar_and_off_are_understood(hand: Hand) -> None:
    hand.show(view({25: 1, 6: 2}, {24: 2, 1: 1}, dice=roll(5, 3), checkers=3), commands=True)
    assert command(hand, "bar/20 6/3") == ""
    assert hand.draft == [[25, 20, 5], [6, 3, 3]]
    hand.show(view({6: 2, 5: 1}, {1: 2}, dice=roll(6, 2)), commands=True)
    assert command(hand, "6/off 5/3") == ""
    assert hand.draft == [[6, 0, 6], [5, 3, 2]]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("8/2", "8/2 cannot be played with this roll"),
        ("8/x", "“x” is not a place"),
        ("8", "“8” is not a move: write where it starts and ends, as in 8/5"),
        ("/8/x", "“x” is not a place"),
        ("eight", f"“eight” is not known. {HELP}"),
        ("/what", f"“what” is not known. {HELP}"),
        ("help", HELP),
        ("double", "“double” is not possible now"),
        ("done", "3 and 1 can still be played"),
        ("undo", "Nothing can be taken back"),
        ("pips", "Pips: You 167, Barpoint 167."),
        (
            "board",
            f"You: {START_TEXT}. Barpoint: 5 on 19, 3 on 17, 5 on 12, 2 on 1. Pips: You 167, Barpoint 167. "
            "Match to 3 points: You 0, Barpoint 0. Cube at 1, in the middle.",
        ),
    ],
)
def test_the_command_box_answers_what_it_cannot_do(hand: Hand, line: str, answer: str) -> None:
    hand.show(view(dice=roll(3, 1)), commands=True)
    assert command(hand, line) == answer
    box = hand.page.get_by_label("Command")
    expect(box).to_have_value("" if line in ("pips", "board", "help") else line)  # what is refused can be corrected
    assert box.evaluate("box => box.value.slice(box.selectionStart, box.selectionEnd)") == box.input_value()
    assert hand.events == []
    assert hand.drafts == []


def test_two_ways_that_hit_differently_have_to_be_named(hand: Hand) -> None:
    hand.show(view({13: 1, 6: 2}, {15: 1, 1: 2}, dice=roll(3, 2), checkers=3), commands=True)
    assert command(hand, "13/8") == "13/8 can be played in two ways: name the point in between"
    assert command(hand, "13/10*/8") == ""
    assert hand.draft == [[13, 10, 3], [10, 8, 2]]


@pytest.mark.parametrize(
    ("line", "allowed", "event"),
    [
        ("roll", {"kind": "roll"}, {"kind": "roll"}),
        ("Double", {"kind": "double", "value": 2}, {"kind": "double"}),
        ("drop", {"kind": "pass"}, {"kind": "pass"}),
        ("roll over", {"kind": "rollover", "roll": 7, "on": "own", "faces": [2, 1]}, {"kind": "rollover", "roll": 7}),
        ("resign gammon", RESIGN, {"kind": "resign", "level": 2}),
    ],
)
def test_words_are_events(hand: Hand, line: str, allowed: dict[str, object], event: dict[str, object]) -> None:
    hand.show(view(allowed=[allowed]), commands=True)
    assert command(hand, line) == ""
    assert hand.events == [event]
