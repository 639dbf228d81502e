"""Sides and positions as values."""

from typing import Any

import numpy as np
import pytest

from barpoint.board import Position, Side
from barpoint.error import ArgumentError, PositionError
from barpoint.native import pack, unpack
from barpoint.variants import variant


def test_the_start_has_167_pips_and_fifteen_checkers_a_side():
    start = variant().start
    assert (start.us.pips, start.us.total) == (167, 15)


def test_a_checker_in_the_hand_counts_as_far_as_one_on_the_bar():
    assert Side.of({}, hand=2).pips == Side.of({25: 2}).pips == 50


def test_a_position_has_the_pips_of_both_sides():
    position = variant("backgammon").start.copy_with(us={24: 1, 23: 1})
    assert (position.pips, position.flip().pips) == ((166, 167), (167, 166))


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


@pytest.mark.parametrize("kind", [list, np.array, bytes, lambda counts: (np.int64(one) for one in counts)])
def test_a_side_keeps_its_points_as_a_tuple_of_int(kind: Any) -> None:
    side = Side(kind([2, *[0] * 24, 1]), np.int8(3), np.int64(1 << 24), np.int8(2), np.int8(1))
    assert side == Side((2, *[0] * 24, 1), 3, 1 << 24, 2, 1)
    assert hash(side) == hash(Side((2, *[0] * 24, 1), 3, 1 << 24, 2, 1))
    numbers = (*side.points, side.hand, side.pinned, side.plain_rolls, side.owed)
    assert {type(number) for number in numbers} == {int}
    assert "np." not in repr(side)


@pytest.mark.parametrize("points", [["x"] * 26, (1.0,) * 26, (256,) * 26, (-1,) * 26, "a" * 26, None, 26, np.ones(26)])
def test_counts_that_are_no_whole_numbers_are_refused(points: Any) -> None:
    with pytest.raises(PositionError, match=r"points of a side are .*; allowed: 26 whole numbers from 0 to 255"):
        Side(points)


@pytest.mark.parametrize(
    ("name", "value", "most"),
    [
        ("hand", -1, 255),
        ("hand", 256, 255),
        ("hand", 1.5, 255),
        ("pinned", "x", 4294967295),
        ("pinned", None, 4294967295),
        ("plain_rolls", 4, 3),
        ("owed", 64, 63),
    ],
)
def test_other_numbers_of_a_side_that_are_none_are_refused(name: str, value: Any, most: int) -> None:
    with pytest.raises(PositionError, match=f"{name} of a side is {value!r}; allowed: whole numbers from 0 to {most}"):
        Side((0,) * 26, **{name: value})


def test_a_side_that_the_core_made_is_the_one_made_by_hand() -> None:
    position = Position(Side((1,) * 26, 3, 1 << 24, 2, 5), Side((0,) * 26))
    again = unpack(pack(position))
    assert (again, hash(again.us), repr(again.us)) == (position, hash(position.us), repr(position.us))


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
