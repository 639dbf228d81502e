"""The door to the core: packing and the batch call."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from barpoint.board import Position, Side
from barpoint.error import PositionError, RollError
from barpoint.moves import legal_plays, legal_plays_batch
from barpoint.native import core_rules, pack, row_index, unpack
from barpoint.variants import variant, variants
from tests.support.strategies import rows_of, strange_positions

BACKGAMMON = variant()
ACEY = variant("acey-deucey")


def test_a_position_is_64_bytes_us_first_pins_low_byte_first():
    packed = pack(Position(Side.of({6: 2, 25: 1}, hand=3, pinned=1 << 9), Side.of({0: 4})))
    assert (len(packed), packed[6], packed[25], packed[26], packed[27]) == (64, 2, 1, 3, 0)
    assert packed[28:32] == bytes([0, 2, 0, 0])
    assert packed[32:] == bytes([4]) + bytes(31)


@given(position=strange_positions(variant("plakoto")))
def test_packing_and_unpacking_gives_the_position_back(position):
    assert unpack(pack(position)) == position


@pytest.mark.parametrize("size", [0, 63, 65])
def test_other_numbers_of_bytes_are_no_position(size):
    with pytest.raises(PositionError, match=f"{size} bytes"):
        unpack(bytes(size))


def test_equal_rules_share_their_place_in_the_core():
    assert core_rules(variant()) is core_rules(variant("standard"))
    assert core_rules(BACKGAMMON).name == "backgammon"


def batch(rules, pairs):
    positions = np.frombuffer(b"".join(pack(position) for position, _ in pairs), np.uint8).reshape(-1, 64)
    return legal_plays_batch(rules, positions, np.array([row_index(rules, faces) for _, faces in pairs]))


def test_the_batch_finds_what_legal_plays_finds():
    pairs = [(ACEY.start, (2, 1)), (ACEY.start, (6, 6)), (ACEY.start, (5, 3))]
    results, offsets, again = batch(ACEY, pairs)
    for number, (position, faces) in enumerate(pairs):
        part = slice(offsets[number], offsets[number + 1])
        found = {(row.tobytes(), bool(flag)) for row, flag in zip(results[part], again[part], strict=True)}
        assert found == {(pack(play.result), play.again) for play in legal_plays(ACEY, position, faces)}
        assert len(found) == offsets[number + 1] - offsets[number]


@pytest.mark.parametrize("entry", variants(), ids=lambda entry: entry.name)
@settings(max_examples=60)
@given(data=st.data())
def test_both_generators_of_the_core_find_the_same(entry, data):
    """legal_plays walks the graph of each stage; the batch takes the fast way where steps commute."""
    rules = variant(entry.name)
    position, row = data.draw(strange_positions(rules)), data.draw(rows_of(rules))
    results, _, again = batch(rules, [(position, row.faces)])
    found = sorted((packed.tobytes(), bool(flag)) for packed, flag in zip(results, again, strict=True))
    assert found == sorted((pack(play.result), play.again) for play in legal_plays(rules, position, row.faces))


def test_an_empty_batch_has_no_results():
    results, offsets, again = legal_plays_batch(BACKGAMMON, np.zeros((0, 64), np.uint8), np.zeros(0, np.int64))
    assert (results.shape, offsets.tolist(), again.shape) == ((0, 64), [0], (0,))


def test_results_outlive_the_call_and_may_be_changed():
    results, _, _ = batch(BACKGAMMON, [(BACKGAMMON.start, (3, 1))])
    before = results.copy()
    batch(BACKGAMMON, [(BACKGAMMON.start, (6, 5))] * 100)
    assert (results == before).all()
    results[:] = 0


def test_the_batch_refuses_rows_and_positions_before_it_starts():
    start = np.frombuffer(pack(BACKGAMMON.start), np.uint8).reshape(1, 64)
    with pytest.raises(RollError, match=r"outside 0\.\.20"):
        legal_plays_batch(BACKGAMMON, start, np.array([21]))
    with pytest.raises(RollError):
        legal_plays_batch(BACKGAMMON, start, np.array([-1]))
    with pytest.raises(PositionError, match="position 0: our checkers add up to 0"):
        legal_plays_batch(BACKGAMMON, np.zeros((1, 64), np.uint8), np.array([0]))
    with pytest.raises(PositionError, match="they are"):
        legal_plays_batch(BACKGAMMON, start, np.array([0, 1]))
    with pytest.raises(PositionError, match="they are"):
        legal_plays_batch(BACKGAMMON, start[:, :63], np.array([0]))


@given(position=strange_positions(BACKGAMMON))
def test_the_batch_refuses_exactly_what_the_door_refuses(position):
    packed = np.frombuffer(pack(position), np.uint8).copy().reshape(1, 64)
    legal_plays_batch(BACKGAMMON, packed, np.array([0]))
    packed[0, 6] += 1
    with pytest.raises(PositionError):
        legal_plays_batch(BACKGAMMON, packed, np.array([0]))
