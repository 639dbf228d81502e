"""Sides and positions as values."""

from typing import Any

import pytest

from barpoint.board import Position, Side
from barpoint.error import ArgumentError, PositionError
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


@pytest.mark.parametrize("checkers", [{30: 2}, {-1: 2}, {6: -1}, {6: 1.5}, {"6": 2}])
def test_points_and_counts_that_there_are_none_of_are_refused(checkers: Any) -> None:
    with pytest.raises(PositionError, match=r"allowed: whole numbers from 0 on 0 \(off\), 1 to 24, 25 \(bar\)"):
        Side.of(checkers)
    with pytest.raises(PositionError):
        variant().start.copy_with(us=checkers)


def test_a_side_has_twenty_six_counts() -> None:
    with pytest.raises(PositionError, match="3 counts of a side; it has 26"):
        Side((0, 2, 1))


def test_a_position_is_made_of_two_sides() -> None:
    with pytest.raises(ArgumentError, match=r"them is 4 \(int\); allowed: Side"):
        Position(Side.of({6: 2}), 4)  # type: ignore[arg-type]


def test_a_position_with_other_checkers_is_a_new_one() -> None:
    start = variant().start
    moved = start.copy_with(us={8: 2, 6: 4, 5: 2})
    assert moved.us == Side.of({24: 2, 13: 5, 8: 2, 6: 4, 5: 2})
    assert (moved.them, start.us.points[5]) == (start.them, 0)
    assert start.copy_with(them=moved.us) == moved.flip()
    assert start.copy_with() == start


@pytest.mark.parametrize("checkers", [[1, 2], "x", 3, None])
def test_a_side_is_made_of_a_mapping(checkers: Any) -> None:
    with pytest.raises(ArgumentError, match=r"checkers is .*; allowed: Mapping"):
        Side.of(checkers)


def test_what_is_printed_of_a_position_gives_it_again() -> None:
    position = Position(Side.of({6: 2, 25: 1}, hand=3), Side.of({24: 1}, pinned=1 << 24))
    assert repr(position) == "Position(us=Side.of({6: 2, 25: 1}, hand=3), them=Side.of({24: 1}, pinned=16777216))"
    assert eval(repr(position)) == position


def test_a_position_as_text_is_a_board() -> None:
    assert str(variant().start).splitlines()[1] == " | X               O      |    | O                   X  |"
