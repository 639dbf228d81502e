"""Why a tap on the board is refused: one line below the board and in the live region, from what the board was given."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.hand import Hand
from tests.browser.views import roll, roll_twelve, view

FAR_ROLL = {"kind": "2d6", "faces": [6, 5], "of": "far", "alternatives": [[6, 5]]}


def status(hand: Hand) -> str:
    return hand.page.locator(".bg-status").inner_text()


@pytest.mark.parametrize(
    ("given", "place", "reason"),
    [
        (view({25: 1, 8: 2, 6: 3}, dice=roll(3, 1), checkers=6), "p8", "Enter from the bar first"),
        (view({26: 2, 8: 2}, {18: 2, 20: 2}, dice=roll(3, 1), checkers=4), "p8", "Enter from the hand first"),
        (view({13: 1, 6: 1}, {24: 2}, dice=roll(5, 5), checkers=2), "p6", "That checker has no legal move with 5"),
        (view({13: 1, 24: 1}, {5: 2, 4: 2}, dice=roll(4, 3), checkers=4), "p24", "That checker has no legal move with 4 or 3"),
        (view({13: 2, 24: 1}, {16: 2, 17: 2, 18: 2, 19: 2}, dice=roll_twelve(9), checkers=8), "p1", "No checker of yours there"),
        (view(dice=FAR_ROLL, to_act="far"), "p8", "Not your turn"),
        (view(dice=FAR_ROLL, to_act="far", labels={"near": "Anna", "far": "Ben"}), "p8", "Ben is to act"),
        (view(allowed=[{"kind": "roll"}, {"kind": "double", "value": 2}]), "p8", "Roll first"),
        (view(allowed=[{"kind": "take", "value": 2}, {"kind": "pass", "points": [1]}]), "p8", "Answer the double first"),
        (view(dice=roll(3, 1)), "p12", "No checker of yours there"),
        (view(dice=roll(3, 1)), "p10", "No checker of yours there"),
        (view({25: 1, 6: 2}, {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2}, dice=roll(6, 5)), "p6",
         "Nothing can be played: press No play"),
    ],
)  # fmt: skip
def test_a_tap_that_does_nothing_says_why(hand: Hand, given: dict[str, Any], place: str, reason: str) -> None:
    hand.show(given)
    hand.tap(place)
    assert status(hand) == reason
    assert hand.said == f"{reason}."
    assert hand.drafts == []


def test_a_complete_play_says_how_to_end_it(hand: Hand) -> None:
    hand.show(view(dice=roll(3, 1)))
    hand.drag("p8", "p5")
    hand.drag("p6", "p5")
    hand.tap("p13")
    assert status(hand) == "The play is complete: press Done"


def test_a_place_that_a_lifted_checker_cannot_reach_puts_it_back_with_the_reason(hand: Hand) -> None:
    hand.show(view(dice=roll(3, 1)))
    hand.tap("p8")
    hand.tap("p2")
    assert hand.goals == []
    assert status(hand) == "That checker cannot go there"
    assert hand.said == "8 put back. That checker cannot go there."


def test_a_checker_that_the_chosen_split_rules_out_says_so(hand: Hand) -> None:
    hand.show(view({8: 1, 13: 1}, {23: 2, 20: 2}, dice=roll_twelve(9), checkers=4))
    hand.page.locator('[data-split="0"]').click()
    hand.tap("p8")
    assert status(hand) == "Not when 6 and 3 are to be played"


def test_the_reason_gives_way_to_what_is_done_next(hand: Hand) -> None:
    hand.show(view({13: 2, 6: 1, 25: 1}, dice=roll(3, 1), checkers=4))
    hand.tap("p13")
    assert status(hand) == "Enter from the bar first"
    hand.tap("bar-near")
    assert status(hand) == "3 and 1 can still be played"


def test_the_reason_goes_away_after_a_while(hand: Hand) -> None:
    hand.stop_time()
    hand.show(view(dice=roll(3, 1)))
    hand.tap("p2")
    assert status(hand) == "No checker of yours there"
    hand.pass_time(4100)
    assert status(hand) == "3 and 1 can still be played"


def test_a_key_on_a_place_that_cannot_be_used_says_why(hand: Hand) -> None:
    hand.show(view(allowed=[{"kind": "roll"}]))
    hand.press("ArrowLeft", " ")
    assert hand.said == "Roll first."


def test_a_picture_says_nothing(hand: Hand) -> None:
    hand.show(view(dice=roll(3, 1), to_act="far"), controls=False)
    before = hand.said
    hand.tap("p8")
    assert hand.said == before
