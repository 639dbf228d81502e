"""Tabula: three dice, both sides the same way round from the same corner (rulings 4.12)."""

from itertools import permutations

import pytest

from barpoint.board import BAR, OFF, Position, Side
from barpoint.dice import THREE_DICE
from barpoint.game import Game, Opening
from barpoint.moves import legal_plays, outcome
from barpoint.rules import Capture, Meeting, Movement, Rules, Setup
from barpoint.variants import variant
from tests.support.positions import place, texts

RULES = variant("tabula")
EXACT = variant("tabula(exact)")
ZENO = place("19(7) 16 15(2) 6(2) 5(2) 2", "17 14 13 12(1) 11 10 7 4", RULES)


def test_zeno_had_one_play() -> None:
    (play,) = legal_plays(RULES, ZENO, (6, 5, 2))
    assert str(play) == "15/9 6/1 5/3"
    assert sum(count == 1 for count in play.result.us.points[1:25]) == 8  # "eight single pieces"


@pytest.mark.parametrize("faces", [*permutations((6, 5, 2))])
def test_dice_are_read_in_any_order(faces: tuple[int, ...]) -> None:
    assert texts(RULES, ZENO, *faces) == ["15/9 6/1 5/3"]


def test_three_dice_fall_as_often_as_they_can() -> None:
    assert sum(row.weight for row in THREE_DICE) == 6**3
    weights = {row.faces: row.weight for row in THREE_DICE}
    assert (weights[6, 5, 2], weights[4, 4, 1], weights[4, 1, 1], weights[3, 3, 3]) == (6, 3, 3, 1)


def test_equal_dice_bring_nothing_more() -> None:
    assert texts(RULES, place("24", "15", RULES), 2, 2, 2) == ["24/18"]
    assert texts(RULES, place("24", "15", RULES), 2, 2, 1) == ["24/19"]


def test_the_winner_of_the_opening_roll_rolls_three_dice() -> None:
    game = Game.start(RULES).apply(Opening((2, 5)))
    assert (game.player, game.faces) == (1, ())
    assert game.next_roll(iter((0, 0))).faces == (1, 1, 1)  # type: ignore[union-attr]
    assert game.next_roll(iter((251, 251))).faces == (6, 6, 6)  # type: ignore[union-attr]


def test_all_begin_in_the_hand_and_enter_where_the_other_side_does() -> None:
    assert RULES.start.us == RULES.start.them == Side.of({}, hand=15)
    plays = ["hand/19 hand/18", "hand/20 hand/17", "hand/23 hand/14", "hand/23 hand/20 hand/19"]
    assert texts(RULES, RULES.start, 6, 5, 2) == plays


def test_entering_is_closed_by_two_of_the_other_side_and_hits_one() -> None:
    (play,) = legal_plays(RULES, place("hand", "24 23 22(1) 17(2)", RULES), (3, 2, 1))
    assert str(play) == "hand/22*/19"
    assert play.result.them.points[BAR] == 1


def test_what_was_hit_enters_first() -> None:
    assert texts(RULES, place("bar 13", "24 22 20", RULES), 5, 3, 1) == ["(no play)"]
    assert texts(RULES, place("bar 13", "24 22 19", RULES), 5, 3, 1) == ["bar/16", "bar/17 13/12", "bar/20 13/9"]


def test_nobody_goes_into_the_second_half_before_all_have_entered() -> None:
    waiting = place("hand 14(2)", "19 20 24", RULES)  # 6, 5 and 1 do not enter
    assert texts(RULES, waiting, 6, 5, 1) == ["14/13"]


def test_the_last_to_enter_opens_the_second_half_to_the_same_roll() -> None:
    plays = texts(RULES, place("hand 14", "24", RULES), 6, 5, 4)
    assert "hand/21 14/3" in plays
    assert all("hand" in play for play in plays)


def test_a_checker_on_the_bar_does_not_close_the_second_half() -> None:
    assert "bar/21 14/3" in texts(RULES, place("bar 14", "24", RULES), 6, 5, 4)


def test_as_many_numbers_are_played_as_possible() -> None:
    position = place("20", "13 12 11", RULES)
    assert texts(RULES, position, 6, 2, 1) == ["20/17"]  # rather than 20/14


def test_of_as_many_numbers_those_with_the_largest_sum_are_played() -> None:
    position = place("20", "10", RULES)  # 6-3-1 would end there
    assert texts(RULES, position, 6, 3, 1) == ["20/11"]


def test_each_point_has_the_same_number_for_both_sides() -> None:
    (play,) = legal_plays(RULES, place("10", "3(1)", RULES), (4, 2, 1))
    assert str(play) == "10/3*"


def test_whoever_is_behind_hits_in_the_home_board_too() -> None:
    bearing_off = place("5 3", "6(1) 2(1)", RULES)
    assert texts(RULES, bearing_off, 3, 1, 1) == ["5/2*/1 3/2", "5/2*/off", "5/3 3/off"]


def test_bearing_off_is_as_in_backgammon_or_by_exact_numbers() -> None:
    assert texts(RULES, place("4 2", "24", RULES), 6, 5, 4) == ["4/off 2/off"]
    assert texts(EXACT, place("4 2", "24", RULES), 6, 5, 4) == ["4/off"]


def test_a_win_is_one_point() -> None:
    over = outcome(RULES, Position(Side.of({OFF: 15}), Side.of({}, hand=15)))
    assert (over.winner, over.points) == (1, 1)


def test_a_game_of_ones_own_may_let_checkers_wait_as_well() -> None:
    rules = Rules(
        name="",
        setup=Setup(((24, 2),), hand=1),
        movement=Movement(lowest_while_entering=20, meeting=Meeting.FAR_CORNER),
    )
    assert rules.movement.capture is Capture.HIT
    assert texts(rules, rules.start, 6, 5) == ["hand/14", "hand/19 24/19", "hand/20 24/18"]
