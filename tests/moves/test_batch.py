"""Positions, legal plays and results as arrays."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from barpoint.board import Position, Side
from barpoint.error import ArgumentError, PositionError, RollError
from barpoint.moves import (
    check_position,
    decode,
    encode,
    find_play,
    flip,
    legal_plays,
    legal_plays_batch,
    outcome,
    outcomes,
    roll_rows,
)
from barpoint.native import pack
from barpoint.variants import variant, variants
from tests.support.strategies import rolled_positions, strange_positions

BACKGAMMON = variant()
ACEY = variant("acey-deucey")
EVERY = pytest.mark.parametrize(
    "entry", [entry for entry in variants() if not entry.is_sequence], ids=lambda entry: entry.name
)


def batch(rules, pairs):
    return legal_plays_batch(rules, encode(position for position, _ in pairs), roll_rows(rules, [f for _, f in pairs]))


# ---------------------------------------------------------------- positions


def test_the_columns_of_a_side_are_its_points_its_hand_and_its_pins():
    array = encode([Position(Side.of({6: 2, 25: 1, 9: 1}, hand=3, pinned=1 << 9), Side.of({0: 4}))])
    assert (array.shape, array.dtype) == ((1, 2, 32), np.int8)
    assert (array[0, 0, 6], array[0, 0, 25], array[0, 0, 26], array[0, 1, 0]) == (2, 1, 3, 4)
    assert array[0, 0, 28:].tolist() == [0, 2, 0, 0]


@given(position=strange_positions(variant("plakoto")))
def test_encoding_and_decoding_gives_the_positions_back(position):
    assert decode(encode([position, position.flip()])) == [position, position.flip()]
    assert decode(flip(encode([position]))) == [position.flip()]


def test_no_positions_are_an_array_too():
    assert encode([]).shape == (0, 2, 32)
    assert decode(encode([])) == []


@pytest.mark.parametrize(
    "array", [np.zeros((1, 2, 26), np.int8), np.zeros((2, 32), np.int8), np.zeros((1, 2, 32), np.uint8), [[0]]]
)
def test_arrays_of_another_shape_or_type_are_refused(array):
    for work in (decode, flip, lambda found: outcomes(BACKGAMMON, found)):
        with pytest.raises(PositionError, match=r"they are int8 \[n, 2, 32\]"):
            work(array)


def test_negative_counts_are_refused():
    array = encode([BACKGAMMON.start])
    array[0, 0, 6] = -1
    with pytest.raises(PositionError, match="negative"):
        decode(array)


# ---------------------------------------------------------------- rolls


def test_rolls_are_rows_or_faces_in_any_order():
    rows = [row.faces for row in BACKGAMMON.dice.rows]
    assert roll_rows(BACKGAMMON, rows).tolist() == list(range(21))
    assert roll_rows(BACKGAMMON, [faces[::-1] for faces in rows]).tolist() == list(range(21))
    assert roll_rows(BACKGAMMON, np.arange(21)).tolist() == list(range(21))
    assert roll_rows(variant("duodecagammon"), [[9], [12]]).tolist() == [8, 11]


@pytest.mark.parametrize("rolls", [[21], [-1], [[7, 1]], [[3]], [[3, 1, 1]], [1.5], [[[1]]], ["3-1"]])
def test_rolls_that_these_dice_do_not_show_are_refused(rolls):
    with pytest.raises(RollError):
        roll_rows(BACKGAMMON, rolls)


# ---------------------------------------------------------------- plays


@EVERY
@settings(max_examples=20)
@given(data=st.data())
def test_a_batch_has_the_plays_of_each_roll_by_itself_in_the_same_order(entry, data):
    rules = variant(entry.name)
    pairs = [(position, row.faces) for position, row in (data.draw(rolled_positions(rules)) for _ in range(2))]
    results, offsets, again = batch(rules, pairs)
    assert offsets[0] == 0
    assert len(results) == len(again) == offsets[-1]
    for i, (position, faces) in enumerate(pairs):
        span = slice(offsets[i], offsets[i + 1])
        plays = legal_plays(rules, position, faces)
        assert results[span].tobytes() == b"".join(pack(play.result) for play in plays)
        assert again[span].tolist() == [play.again for play in plays]


@EVERY
@settings(max_examples=10)
@given(data=st.data())
def test_the_moves_of_a_play_lead_to_its_result(entry, data):
    rules = variant(entry.name)
    position, row = data.draw(rolled_positions(rules))
    plays = legal_plays(rules, position, row.faces)
    for play in plays[:: 1 + len(plays) // 8]:
        assert find_play(rules, position, row.faces, play.moves) == play


def test_an_empty_batch_has_no_results():
    results, offsets, again = legal_plays_batch(BACKGAMMON, encode([]), [])
    assert (results.shape, offsets.tolist(), again.shape) == ((0, 2, 32), [0], (0,))


def test_results_outlive_the_call_and_may_be_changed():
    results, _, _ = batch(BACKGAMMON, [(BACKGAMMON.start, (3, 1))])
    before = results.copy()
    batch(BACKGAMMON, [(BACKGAMMON.start, (6, 5))] * 100)
    assert (results == before).all()
    results[:] = 0


def test_a_batch_refuses_rolls_and_positions_before_it_starts():
    start = encode([BACKGAMMON.start])
    with pytest.raises(RollError, match=r"^row 21; rows of these dice are 0 to 20$"):
        legal_plays_batch(BACKGAMMON, start, [21])
    with pytest.raises(PositionError, match="position 0: our checkers add up to 0"):
        legal_plays_batch(BACKGAMMON, np.zeros((1, 2, 32), np.int8), [0])
    with pytest.raises(RollError, match="2 rolls for 1 positions"):
        legal_plays_batch(BACKGAMMON, start, [0, 1])


@given(position=strange_positions(BACKGAMMON))
def test_a_batch_refuses_exactly_what_the_door_refuses(position):
    array = encode([position])
    check_position(BACKGAMMON, position)
    legal_plays_batch(BACKGAMMON, array, [0])
    array[0, 0, 6] += 1
    with pytest.raises(PositionError):
        legal_plays_batch(BACKGAMMON, array, [0])


# ---------------------------------------------------------------- results


@EVERY
@settings(max_examples=10)
@given(data=st.data())
def test_results_of_many_positions_are_those_of_each(entry, data):
    rules = variant(entry.name)
    position, row = data.draw(rolled_positions(rules))
    array = encode([position, *(play.next for play in legal_plays(rules, position, row.faces)[:50])])
    over, winner, level, points = outcomes(rules, array)
    for i, each in enumerate(decode(array)):
        found = outcome(rules, each)
        assert bool(over[i]) == (found is not None)
        if found is not None:
            assert (winner[i], level[i], points[i]) == (found.winner, found.level, found.points)


def test_what_is_no_positions_is_refused():
    with pytest.raises(ArgumentError, match="positions is Position"):
        encode(BACKGAMMON.start)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match=r"position is 'x' \(str\); allowed: Position"):
        encode(["x"])  # type: ignore[list-item]


def test_batches_are_compared_by_identity():
    start = encode([variant().start])
    for made in (lambda: legal_plays_batch(variant(), start, [(3, 1)]), lambda: outcomes(variant(), start)):
        one, other = made(), made()
        assert one == one
        assert one != other
