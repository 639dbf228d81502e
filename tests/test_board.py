"""Sides and positions as values."""

from barpoint.board import Position, Side
from barpoint.variants import variant


def test_the_start_has_167_pips_and_fifteen_checkers_a_side():
    start = variant().start
    assert (start.us.pips, start.us.total) == (167, 15)


def test_a_checker_in_the_hand_counts_as_far_as_one_on_the_bar():
    assert Side.of({}, hand=2).pips == Side.of({25: 2}).pips == 50


def test_flipping_twice_gives_the_same_position():
    position = Position(Side.of({6: 2}), Side.of({24: 1, 25: 1}))
    assert position.flip() != position
    assert position.flip().flip() == position


def test_the_rearmost_checker_is_found_on_points_bar_and_hand():
    assert Side.of({1: 1, 6: 2}).rearmost == 6
    assert Side.of({6: 2, 25: 1}).rearmost == 25
    assert Side.of({6: 2}, hand=1).rearmost == 25
    assert Side.of({0: 15}).rearmost == 0
