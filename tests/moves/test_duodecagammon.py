"""Duodecagammon: the worked positions of rulings 3.4 under both readings of the obligation, and its rulings DG."""

import pytest

from barpoint.board import Side
from barpoint.moves import Turn, legal_plays
from barpoint.variants import variant
from tests.support.positions import place, texts

GLOBAL = variant("duodecagammon")
PER_OPTION = variant("duodecagammon(per_option)")
NOTHING = "(no play)"

WORKED = {
    "DC1": ("21", "13", 8, ["21/15"], ["21/16", "21/17"]),
    "DC2": ("21", "13 15", 8, ["21/16"], ["21/17", "21/19"]),
    "DC3": ("21 3(2)", "12 18", 9, ["21/15"], [NOTHING, "21/16"]),
    "DC4": ("15 8", "2 6 9 12", 9, ["15/10 8/4", "15/11 8/3"], ["8/5"]),
    "DC5": ("bar 13(2)", "19 20 21", 9, ["bar/16", "bar/22 13/7", "bar/22 13/10(2)"], [NOTHING]),
    "DC7": ("bar(2)", "22", 6, ["bar/23 bar/21", "bar/24 bar/20"], []),
    "DC8": ("bar", "24", 1, [NOTHING], []),
    "DC9": ("bar 6(2)", "23", 1, ["bar/24"], []),
    "DC10": ("13", "7 9", 12, [NOTHING], []),
    "DC11": ("13", "7 5", 12, ["13/9"], [NOTHING]),
    "DC12": ("20 13", "14 7 5", 12, ["20/12 13/9", "20/8"], [NOTHING]),
}
"""us, them, roll, plays, and what per_option adds."""


@pytest.mark.parametrize("case", WORKED)
def test_the_worked_positions_under_the_obligation_over_all_options(case):
    us, them, face, expected, _ = WORKED[case]
    assert texts(GLOBAL, place(us, them), face) == sorted(expected)


@pytest.mark.parametrize("case", WORKED)
def test_the_worked_positions_when_an_option_is_fixed_freely(case):
    us, them, face, expected, added = WORKED[case]
    assert texts(PER_OPTION, place(us, them), face) == sorted(expected + added)


@pytest.mark.parametrize("rules", [GLOBAL, PER_OPTION], ids=lambda rules: rules.name)
def test_dc6_a_nine_bears_off_in_five_ways(rules):
    position = place("6 3(3)", "24")
    left = {play.result.us for play in legal_plays(rules, position, (9,))}
    assert left == {
        Side.of({0: 14, 6: 1}),  # 3/off(3)
        Side.of({0: 13, 3: 2}),  # 6/off 3/off
        Side.of({0: 12, 3: 3}),  # 6/3, and a 3 borne off with the 6
        Side.of({0: 12, 3: 2, 2: 1}),  # 6/2 3/off
        Side.of({0: 12, 3: 2, 1: 1}),  # 6/1 3/off
    }


def test_the_first_rolls_have_the_stored_numbers_of_results_under_both_obligations():
    stored = [3, 9, 24, 25, 28, 38, 31, 30, 39, 16, 7, 33]
    for rules in (GLOBAL, PER_OPTION):
        assert [len(legal_plays(rules, rules.start, (face,))) for face in range(1, 13)] == stored


def test_an_allowed_three_and_three_gives_six_more_results():
    rules = variant("duodecagammon(include_3_3)")
    assert len(legal_plays(rules, rules.start, (6,))) == 47


def test_dg3_numbers_fix_the_option_only_as_far_as_they_were_played():
    turn = Turn(GLOBAL, GLOBAL.start, (9,)).move(24, 21)
    assert {number for _, _, number in turn.next_moves()} == {6, 3}
    turn = turn.move(13, 10, 3)
    assert {number for _, _, number in turn.next_moves()} == {3}


def test_dg4_an_option_that_cannot_be_completed_may_not_be_begun():
    turn = Turn(GLOBAL, place("15 8", "2 6 9 12"), (9,))
    assert {number for _, _, number in turn.next_moves()} == {5, 4}


def test_dg7_a_triple_may_hit_on_the_way():
    position = place("24 13", "20(1) 7 6", GLOBAL)
    assert "24/20*/12" in texts(GLOBAL, position, 12)


def test_dg10_a_triple_bears_off_three_checkers():
    assert texts(GLOBAL, place("3(3)", "24"), 9) == ["3/off(2)", "3/off(3)"]


def test_dg15_what_is_left_of_a_roll_is_moot_when_the_last_checker_is_off():
    assert texts(GLOBAL, place("2", "24"), 12) == ["2/off"]
