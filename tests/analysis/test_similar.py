"""Distances of positions against a plain reference that carries checkers one by one, and the nearest of a collection."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from barpoint.analysis.similar import PLACES, PositionCollection, counts_of_places
from barpoint.error import PositionError
from barpoint.variants import variant

CHECKERS = 15
START = counts_of_places(variant("backgammon").start)


def travelled(first: list[int], second: list[int]) -> int:
    """Pips between two sides: checkers paired in order, which no other pairing beats on a line."""
    places = [[place for place, count in enumerate(side) for _ in range(count)] for side in (first, second)]
    return sum(abs(one - other) for one, other in zip(*places, strict=True))


@st.composite
def sides(draw: st.DrawFn) -> list[int]:
    places = draw(st.lists(st.integers(0, PLACES - 1), min_size=CHECKERS, max_size=CHECKERS))
    return [places.count(place) for place in range(PLACES)]


positions = st.tuples(sides(), sides())


@given(st.lists(positions, min_size=1, max_size=12), positions, st.integers(1, 12))
def test_the_nearest_are_those_whose_checkers_travel_least(
    held: list[tuple[list[int], list[int]]], wanted: tuple[list[int], list[int]], count: int
) -> None:
    classes = np.arange(len(held), dtype=np.uint8) % 2
    found = PositionCollection(np.array(held, np.int8), classes).nearest(np.array(wanted, np.int8), 0, count)
    pips = {
        index: sum(travelled(*pair) for pair in zip(one, wanted, strict=True))
        for index, one in enumerate(held)
        if index % 2 == 0
    }
    expected = sorted(pips, key=lambda index: (pips[index], index))[:count]
    assert (found.indices.tolist(), found.pips.tolist()) == (expected, [pips[index] for index in expected])


def test_one_checker_carried_five_pips_is_five_away_and_another_class_is_not_compared() -> None:
    moved = START.copy()
    moved[0, 13] -= 1
    moved[0, 8] += 1
    collection = PositionCollection(np.stack([moved, START, START]), np.array([1, 2, 1], np.uint8))
    found = collection.nearest(START, 1, 9)
    assert (found.indices.tolist(), found.pips.tolist()) == ([2, 0], [0, 5])
    assert collection.nearest(START, 3, 9).indices.tolist() == []
    assert collection.nbytes == 3 * 53


def test_positions_of_another_shape_are_refused() -> None:
    with pytest.raises(PositionError, match=r"\[n, 2, 27\]"):
        PositionCollection(np.zeros((3, 2, 26), np.int8), np.zeros(3, np.uint8))
