"""Moving checkers with mouse and finger, and undoing moves."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.hand import BOARD, Hand
from tests.browser.views import roll, view


def test_a_checker_is_dragged_to_a_point_its_number_reaches(hand: Hand) -> None:
    hand.show(view(dice=roll(3, 1)))
    hand.drag("p8", "p5")
    assert hand.draft == [[8, 5, 3]]
    assert hand.checkers("p5") == 1
    assert hand.checkers("p8") == 2


def test_a_checker_dropped_elsewhere_returns(hand: Hand) -> None:
    hand.show(view(dice=roll(3, 1)))
    hand.drag("p8", "p2")
    assert hand.drafts == []
    assert hand.checkers("p8") == 3


def test_a_circle_stays_where_a_carried_checker_came_from_until_it_is_dropped(hand: Hand) -> None:
    hand.show(view(dice=roll(3, 1)))
    came_from = hand.page.locator(".bg-left circle")
    hand.drag("p8", "p6", drop=False)
    assert came_from.count() == 1
    lies, point = came_from.bounding_box(), hand.box("p8")
    assert lies is not None
    assert point["x"] < lies["x"] + lies["width"] / 2 < point["x"] + point["width"]
    hand.page.mouse.up()
    hand.settle()
    assert came_from.count() == 0


def test_lifting_lights_up_what_the_numbers_reach_alone_and_together(hand: Hand) -> None:
    hand.show(view(dice=roll(3, 1)))
    hand.drag("p8", "p6", drop=False)
    assert hand.goals == ["p4", "p5", "p7"]


def test_a_checker_without_a_move_is_not_lifted(hand: Hand) -> None:
    hand.show(view(dice=roll(5, 5)))
    hand.drag("p24", "p19")
    assert hand.drafts == []
    assert hand.goals == []


def test_one_drop_can_take_both_numbers(hand: Hand) -> None:
    hand.show(view(dice=roll(3, 1)))
    hand.drag("p8", "p4")
    assert sorted(move[2] for move in hand.draft) == [1, 3]
    assert [hand.draft[0][0], hand.draft[-1][1]] == [8, 4]


def test_one_drop_can_take_four_numbers_of_a_double(hand: Hand) -> None:
    hand.show(view(dice=roll(1, 1)))
    hand.drag("p8", "p4")
    assert hand.draft == [[8, 7, 1], [7, 6, 1], [6, 5, 1], [5, 4, 1]]


def test_two_orders_that_hit_differently_are_asked_about(hand: Hand) -> None:
    hand.show(view({13: 1, 6: 2}, {15: 1, 1: 2}, dice=roll(3, 2), checkers=3))
    hand.drag("p13", "p8")
    assert hand.drafts == []
    dialog = hand.page.get_by_role("dialog", name="Which way?")
    assert dialog.get_by_role("button").all_inner_texts() == ["13/10/8, 3 then 2", "13/11/8, 2 then 3"]
    dialog.get_by_role("button", name="13/10/8").click()
    hand.settle()
    assert hand.draft == [[13, 10, 3], [10, 8, 2]]
    assert "one checker" in hand.on_board("bar-far")


def test_a_tap_on_a_checker_and_a_tap_on_a_point_move_it(hand: Hand) -> None:
    hand.show(view(dice=roll(3, 1)))
    hand.tap("p8")
    assert hand.goals == ["p4", "p5", "p7"]
    hand.tap("p5")
    assert hand.draft == [[8, 5, 3]]


def test_a_second_slow_tap_puts_the_checker_down(hand: Hand) -> None:
    hand.show(view(dice=roll(3, 1)))
    hand.tap("p8")
    hand.tap("p8")
    assert hand.goals == []
    assert hand.drafts == []


PRESS_AT_ONCE = f"""async ([after, spot]) => {{ const board = {BOARD}; board.set(after);
    await new Promise(done => requestAnimationFrame(done));
    const {{ x, y, width, height }} = board.querySelector(`[data-spot="${{spot}}"] .bg-area`).getBoundingClientRect();
    const at = {{ isPrimary: true, bubbles: true, pointerType: 'mouse', clientX: x + width / 2, clientY: y + height / 2 }};
    for (const kind of ['pointerdown', 'pointerup']) board.stage.dispatchEvent(new PointerEvent(kind, at));
    return board.busy; }}"""


def moving(*far_moves: list[int]) -> dict[str, Any]:
    """A view in which near may move at once while the other side's checkers still do."""
    played = {"by": "far", "kind": "play", "moves": list(far_moves), "faces": [6, 5], "text": "24/13"}
    return view(far={24: 1, 13: 6, 8: 3, 6: 5}, dice=roll(3, 1), last=played)


def test_a_tap_while_the_other_sides_checkers_move_counts(open_board: Any) -> None:
    hand = open_board()
    hand.show(view(to_act="far"))
    assert hand.page.evaluate(PRESS_AT_ONCE, [moving([24, 18, 6], [18, 13, 5]), "p8"]) is True
    hand.settle()
    assert hand.goals == ["p4", "p5", "p7"]


def test_a_key_while_the_other_sides_checkers_move_counts(open_board: Any) -> None:
    hand = open_board(reduced_motion="reduce")
    hand.show(view(to_act="far"))
    hand.walk_to("p8")
    hand.page.emulate_media(reduced_motion="no-preference")
    hand.page.evaluate(f"after => {BOARD}.set(after)", moving([24, 18, 6], [18, 13, 5]))
    hand.press(" ")
    assert hand.goals == ["p4", "p5", "p7"]


def test_a_double_tap_plays_the_left_die(hand: Hand) -> None:
    hand.show(view(dice=roll(3, 1)))
    hand.double_tap("p8")
    assert hand.draft == [[8, 5, 3]]


def test_one_click_plays_the_left_die_where_that_is_wanted_and_a_click_on_what_arrived_lifts_it(hand: Hand) -> None:
    hand.show(view(dice=roll(3, 1)), click=True)
    hand.tap("p8")
    hand.tap("p6")
    assert hand.draft == [[8, 5, 3], [6, 5, 1]]
    hand.tap("p5")
    hand.light("p6")
    assert hand.draft == [[8, 5, 3]]
    hand.drag("p8", "p7")
    assert hand.draft == [[8, 5, 3], [8, 7, 1]]


def test_a_click_on_the_dice_swaps_which_is_played_first(hand: Hand) -> None:
    hand.show(view(dice=roll(3, 1)))
    hand.page.locator('[data-spot="dice"]').click()
    hand.double_tap("p8")
    assert hand.draft == [[8, 7, 1]]


def test_used_dice_are_dimmed(hand: Hand) -> None:
    hand.show(view(dice=roll(3, 1)))
    hand.double_tap("p8")
    dimmed = hand.page.locator(".bg-die").evaluate_all("dice => dice.map(die => die.classList.contains('bg-used'))")
    assert dimmed == [True, False]


def test_a_hit_checker_goes_to_the_bar(hand: Hand) -> None:
    hand.show(view({8: 2, 6: 2}, {20: 1, 13: 2}, dice=roll(3, 1), checkers=4))
    hand.drag("p8", "p5")
    assert hand.checkers("bar-far") == 1
    assert hand.checkers("p5") == 1


def test_a_finger_drags_a_checker_which_shows_above_it(open_board: Any) -> None:
    hand = open_board(reduced_motion="reduce", has_touch=True, viewport={"width": 360, "height": 640})
    hand.show(view(dice=roll(3, 1)))
    to_x, to_y = hand.at("p5")
    hand.finger_drag(hand.at("p8"), (to_x, to_y), drop=False)
    bottom = "document.querySelector('.bg-air .bg-checker')?.getBoundingClientRect().bottom"
    hand.until(f"{bottom} > 0 && {bottom} < {to_y}")


@pytest.mark.parametrize("width", [320, pytest.param(360, marks=pytest.mark.deep), 768])
@pytest.mark.parametrize(
    ("options", "source", "target"),
    [
        pytest.param({}, "p8", "p5", id="sideways"),
        pytest.param({}, "p13", "p12", id="down"),
        pytest.param({"flip": True}, "p13", "p12", id="up"),
        pytest.param({}, "p13", "p9", id="slantwise down"),
        pytest.param({"flip": True}, "p13", "p10", id="slantwise up"),
    ],
)
def test_a_finger_drags_in_any_direction_on_a_page_that_scrolls(
    open_board: Any, width: int, options: dict[str, Any], source: str, target: str
) -> None:
    hand = open_board(reduced_motion="reduce", has_touch=True, is_mobile=True, viewport={"width": width, "height": 700})
    hand.page.evaluate("() => { document.body.style.height = '3000px'; scrollTo(0, 40); }")
    hand.show(view({13: 2, 8: 3}, {24: 2, 6: 3}, dice=roll(3, 1), checkers=5), **options)
    hand.finger_drag(hand.at(source), hand.at(target))
    moved = [int(source[1:]), int(target[1:])]
    assert hand.draft
    assert [hand.draft[0][0], hand.draft[-1][1]] == moved
    assert hand.page.evaluate("scrollY") == 40


def test_a_finger_on_an_empty_part_of_the_board_does_not_scroll_the_page_and_one_beside_it_does(
    open_board: Any,
) -> None:
    hand = open_board(reduced_motion="reduce", has_touch=True, is_mobile=True, viewport={"width": 360, "height": 700})
    hand.page.evaluate("() => { document.body.style.height = '3000px'; }")
    hand.show(view(dice=roll(3, 1)))
    x, y = hand.at("p16")
    hand.finger_drag((x, y + 60), (x, y))
    assert hand.page.evaluate("scrollY") == 0
    hand.finger_drag((180, 660), (180, 560))
    hand.until("scrollY > 50")


def test_a_checker_dropped_a_little_beside_a_point_counts(hand: Hand) -> None:
    hand.show(view(dice=roll(3, 1)))
    box = hand.box("p5")
    hand.page.mouse.move(*hand.at("p8"))
    hand.page.mouse.down()
    hand.page.mouse.move(box["x"] - box["width"] * 0.35, box["y"] + box["height"] / 2, steps=6)
    hand.page.mouse.up()
    hand.settle()
    assert hand.draft == [[8, 5, 3]]


def test_a_checker_let_go_over_its_own_point_returns(hand: Hand) -> None:
    hand.show(view(dice=roll(3, 1)))
    box = hand.box("p8")
    hand.page.mouse.move(*hand.at("p8"))
    hand.page.mouse.down()
    hand.page.mouse.move(box["x"] + box["width"] * 0.9, box["y"] + box["height"] / 2, steps=6)
    hand.page.mouse.up()
    hand.settle()
    assert hand.drafts == []


# What a screen reader hears of one's own moves.


def test_lifting_dropping_undoing_and_what_is_left_are_announced(hand: Hand) -> None:
    hand.show(view({8: 3, 6: 2}, {17: 1, 20: 1, 13: 2}, dice=roll(3, 1), checkers=5))
    hand.tap("p8")
    assert hand.said == "8 lifted; moves: 5 with the 3, 7 with the 1, 4 with the 3 and 1."
    hand.tap("p5")
    assert hand.said == "8/5, a hit. 1 can still be played."
    hand.tap("p5")
    assert hand.said == "5 lifted; moves: 4 with the 1; undo 8/5."
    hand.press("Escape")
    assert hand.said == "5 put back."
    hand.press("Backspace")
    assert hand.said == "8/5 taken back. 3 and 1 can still be played."


def test_a_finger_on_the_tray_of_a_phone_bears_off_although_the_checker_covers_a_point(open_board: Any) -> None:
    hand = open_board(viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True, reduced_motion="reduce")
    hand.show(view({3: 3}, {24: 1, 20: 1}, dice=roll(5, 1), checkers=3))
    hand.finger_drag(hand.at("p3"), hand.at("off-near"))
    assert hand.draft == [[3, 0, 5]]


def test_a_finger_taps_a_checker_and_a_point(open_board: Any) -> None:
    hand = open_board(reduced_motion="reduce", has_touch=True, viewport={"width": 360, "height": 640})
    hand.show(view(dice=roll(3, 1)))
    hand.page.touchscreen.tap(*hand.at("p8"))
    hand.until("document.querySelector('[data-goal]')")
    assert hand.goals == ["p4", "p5", "p7"]
    hand.page.touchscreen.tap(*hand.at("p7"))
    hand.until("window.drafts.length")
    hand.settle()
    assert hand.draft == [[8, 7, 1]]


# The light (S4-12, S4-13).


def test_a_moved_checker_shows_a_light_at_its_source_only_while_lifted(hand: Hand) -> None:
    hand.show(view(dice=roll(3, 1)))
    hand.drag("p8", "p5")
    assert hand.lamps == {}
    hand.drag("p5", "p4", drop=False)
    assert hand.lamps == {"p8": "undo 8/5"}
    hand.page.mouse.up()
    hand.settle()
    assert hand.draft == [[8, 5, 3], [5, 4, 1]]
    assert hand.lamps == {}


def test_dropping_on_the_light_takes_the_move_back(hand: Hand) -> None:
    hand.show(view(dice=roll(3, 1)))
    hand.drag("p8", "p5")
    hand.drag("p5", "p8")
    assert hand.draft == []
    assert hand.checkers("p8") == 3
    assert hand.checkers("p5") == 0


def test_the_light_is_a_button_that_needs_no_drag(hand: Hand) -> None:
    hand.show(view(dice=roll(3, 1)))
    hand.drag("p8", "p5")
    hand.tap("p5")
    hand.page.get_by_role("application", name="Board").get_by_role("button", name="undo 8/5", exact=True).click()
    hand.settle()
    assert hand.drafts == [[[8, 5, 3]], []]


def test_the_first_of_two_moves_can_be_taken_back(hand: Hand) -> None:
    hand.show(view(dice=roll(3, 1)))
    hand.drag("p8", "p5")
    hand.drag("p6", "p5")
    hand.tap("p5")
    assert hand.lamps == {"p8": "undo 8/5", "p6": "undo 6/5"}
    hand.light("p8")
    assert hand.draft == [[6, 5, 1]]
    assert hand.checkers("p8") == 3
    assert hand.checkers("p6") == 4


def test_a_run_of_two_moves_can_be_taken_back_at_once_or_in_part(hand: Hand) -> None:
    hand.show(view(dice=roll(3, 1)))
    hand.drag("p8", "p4")
    hand.tap("p4")
    middle = f"p{hand.draft[0][1]}"
    assert set(hand.lamps) == {"p8", middle}
    hand.light("p8")
    assert hand.draft == []


def test_an_entered_checker_is_taken_back_to_the_bar(hand: Hand) -> None:
    hand.show(view({25: 1, 6: 2}, {24: 2, 1: 1}, dice=roll(5, 3), checkers=3))
    hand.drag("bar-near", "p20")
    hand.drag("p20", "p19", drop=False)
    assert hand.lamps == {"bar-near": "undo bar/20"}
    hand.page.mouse.move(*hand.at("bar-near"), steps=4)
    hand.page.mouse.up()
    hand.settle()
    assert hand.draft == []
    assert hand.checkers("bar-near") == 1


def test_a_borne_off_checker_is_taken_back_from_the_tray(hand: Hand) -> None:
    hand.show(view({6: 2, 5: 1}, {1: 2}, dice=roll(6, 2), checkers=15))
    hand.drag("p6", "off-near")
    assert hand.checkers("off-near") == 13
    hand.tap("off-near")
    assert hand.lamps == {"p6": "undo 6/off"}
    hand.drag("off-near", "p6")
    assert hand.draft == []
    assert hand.checkers("p6") == 2
    assert hand.checkers("off-near") == 12


def test_taking_a_hit_back_puts_the_hit_checker_back(hand: Hand) -> None:
    hand.show(view({8: 2, 6: 2}, {20: 1, 13: 2}, dice=roll(3, 1), checkers=4))
    hand.drag("p8", "p5")
    hand.drag("p5", "p8")
    assert hand.checkers("p5") == 1
    assert hand.checkers("bar-far") == 0


def test_no_light_where_the_remaining_moves_could_not_be_played(hand: Hand) -> None:
    # The checker on the bar has to enter first: with 6/3 played after it, bar/20 alone cannot be undone.
    hand.show(view({25: 1, 6: 2}, {24: 2, 1: 1}, dice=roll(5, 3), checkers=3))
    hand.drag("bar-near", "p20")
    hand.drag("p6", "p3")
    hand.tap("p20")
    assert hand.lamps == {}
    hand.tap("p3")
    assert hand.lamps == {"p6": "undo 6/3"}


PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "reduced_motion": "reduce"}


def test_a_finger_drags_while_a_thumb_rests_beside_the_board_and_two_fingers_on_it_zoom(open_board: Any) -> None:
    hand = open_board(**PHONE)
    hand.show(view(dice=roll(3, 1)))
    touch, thumb = hand.touches(), (380.0, 830.0)
    (x, y), (to_x, to_y) = hand.at("p8"), hand.at("p5")
    for other, draft in ((thumb, [[8, 5, 3]]), (hand.at("p20"), [])):
        touch("touchStart", other)
        touch("touchStart", other, (x, y))
        for step in range(1, 9):
            touch("touchMove", other, (x + (to_x - x) * step / 8, y + (to_y - y) * step / 8))
        touch("touchMove", other)  # the other one stays down
        touch("touchEnd")
        hand.settle()
        assert (hand.draft, hand.goals) == (draft, [])
        if draft:
            hand.page.keyboard.press("Backspace")
            hand.settle()
    hand.spent = True


THUMB = (380.0, 830.0)
"""Beside the board on a phone."""


def finger_tap(hand: Hand, selector: str, *others: tuple[float, float]) -> None:
    """Taps the middle of something with one finger while others rest on the page."""
    touch, box = hand.touches(), hand.page.locator(selector).bounding_box()
    assert box is not None, f"{selector} is not on the screen"
    hand.page.wait_for_timeout(150)  # sooner after a drag Chromium takes a tap for a hand that stops the scrolling
    for other in others:
        touch("touchStart", other)
    touch("touchStart", *others, (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))
    if others:
        touch("touchMove", *others)  # the other one stays down
    touch("touchEnd")
    hand.settle()


def test_buttons_and_dice_answer_a_finger_while_a_thumb_rests_beside_the_board(open_board: Any) -> None:
    """Browsers send no click for the second finger."""
    hand = open_board(**PHONE)
    hand.show(view(dice=roll(3, 1)))
    for others in ((THUMB,), ()):
        before = len(hand.drafts)
        hand.finger_drag(hand.at("p8"), hand.at("p5"))
        hand.finger_drag(hand.at("p6"), hand.at("p5"))
        hand.until(f"{BOARD}.turn.made.length === 2")
        for left in (1, 0):
            finger_tap(hand, '.bg-actions [data-kind="undo"]', *others)
            hand.until(f"{BOARD}.turn.made.length === {left}")  # the click may come later than the touch
        first = hand.page.evaluate(f"{BOARD}.turn.first")
        finger_tap(hand, '[data-spot="dice"]', *others)
        hand.until(f"{BOARD}.turn.first === {1 - first}")
        assert hand.drafts[before:] == [[[8, 5, 3]], [[8, 5, 3], [6, 5, 1]], [[8, 5, 3]], []], "each tap once"
    hand.spent = True


@pytest.mark.parametrize("others", [(THUMB,), ()], ids=["thumb", "alone"])
def test_roll_done_and_resign_act_once_for_a_finger_with_a_thumb_beside_the_board_and_without(
    open_board: Any, others: tuple[tuple[float, float], ...]
) -> None:
    hand = open_board(**PHONE)
    events: list[dict[str, Any]] = []

    def tells(event: dict[str, Any]) -> None:
        events.append(event)
        hand.until(f"window.events.length >= {len(events)}")
        hand.page.wait_for_timeout(500)  # a second click would have come by now
        assert hand.events == events

    hand.show(view(phase="to_roll", allowed=[{"kind": "roll"}]))
    finger_tap(hand, '.bg-actions [data-kind="roll"]', *others)
    tells({"kind": "roll"})
    hand.show(view(dice=roll(3, 1)))
    hand.finger_drag(hand.at("p8"), hand.at("p5"))
    hand.finger_drag(hand.at("p6"), hand.at("p5"))
    hand.until(f"{BOARD}.turn.made.length === 2")
    finger_tap(hand, '.bg-actions [data-kind="play"]', *others)
    tells({"kind": "play", "moves": [[8, 5, 3], [6, 5, 1]]})
    resign = {"kind": "resign", "levels": [1, 2, 3], "points": [1, 2, 3]}
    hand.show(view(phase="to_roll", allowed=[{"kind": "roll"}, resign]))
    finger_tap(hand, '.bg-actions [data-kind="resign"]', *others)
    hand.page.locator(".bg-dialog").wait_for()
    assert hand.page.locator(".bg-dialog").count() == 1
    finger_tap(hand, '.bg-dialog [data-level="2"]', *others)
    tells({"kind": "resign", "level": 2})
    hand.spent = True


def test_a_second_tap_right_after_a_resting_thumb_is_lifted_counts_too(open_board: Any) -> None:
    hand = open_board(**PHONE)
    hand.show(view(dice=roll(3, 1)))
    hand.finger_drag(hand.at("p8"), hand.at("p5"))
    hand.finger_drag(hand.at("p6"), hand.at("p5"))
    hand.until(f"{BOARD}.turn.made.length === 2")
    touch, box = hand.touches(), hand.button("undo").bounding_box()
    finger = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    for fingers in ((THUMB, finger), (finger,)):
        touch("touchStart", fingers[0])
        if len(fingers) > 1:
            touch("touchStart", *fingers)
            touch("touchMove", fingers[0])
        touch("touchEnd")
    hand.until(f"{BOARD}.turn.made.length === 0")
    assert hand.drafts[-2:] == [[[8, 5, 3]], []]
    hand.spent = True


CARRIED = f"[{BOARD}.setUp.carried, {BOARD}.scene.held, document.querySelectorAll('[data-goal]').length]"


def test_a_checker_that_is_carried_while_a_position_is_set_up_lies_down_again_where_the_touch_is_cancelled(
    open_board: Any,
) -> None:
    hand = open_board(**PHONE)
    hand.show(view(), setup="near")
    lies = hand.checkers("p6")
    touch, (x, y) = hand.touches(), hand.at("p6")
    touch("touchStart", (x, y))
    for step in range(1, 5):
        touch("touchMove", (x - 20 * step, y - 30 * step))
    assert hand.page.evaluate(CARRIED)[0]["spot"] == "p6"
    touch("touchCancel")
    hand.until(f"!{BOARD}.setUp.carried")
    assert hand.page.evaluate(CARRIED) == [None, "", 0]
    assert hand.checkers("p6") == lies


def test_escape_puts_a_checker_down_while_a_position_is_set_up(hand: Hand) -> None:
    hand.show(view(), setup="near")
    hand.page.evaluate(f"{BOARD}.addEventListener('bg-setup', (event) => window.events.push(event.detail))")
    hand.drag("p6", "p4", drop=False)
    hand.page.keyboard.press("Escape")
    assert hand.page.evaluate(CARRIED) == [None, "", 0]
    hand.page.mouse.up()
    hand.settle()
    assert hand.events == []
