"""The door to the core: packing, and rules as the core has them."""

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from barpoint.board import Position, Side
from barpoint.error import PositionError, UnknownVariant
from barpoint.native import core, core_rules, pack, row_index, unpack
from barpoint.rules import Movement, Rules
from barpoint.variants import variant, variants
from tests.support.strategies import rolled_positions, strange_positions

BACKGAMMON = variant()


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


@pytest.mark.parametrize(
    "entry", [entry for entry in variants() if not entry.is_sequence], ids=lambda entry: entry.name
)
@settings(max_examples=30)
@given(data=st.data())
def test_both_generators_of_the_core_find_the_same(entry, data):
    """`plays` walks the graph of each stage; `play_results` takes the fast way where steps commute."""
    rules = variant(entry.name)
    position, row = data.draw(rolled_positions(rules))
    asked = core_rules(rules), pack(position), row_index(rules, row.faces)
    results, again = core.play_results(*asked)
    found = sorted((results[64 * i : 64 * i + 64], bool(flag)) for i, flag in enumerate(again))
    assert found == sorted((packed, flag) for packed, flag, _, _ in core.plays(*asked))


ASK_IN_A_THREAD = """
import threading, time
import barpoint as bp
asked = threading.Event()
def ask():
    engine = bp.Engine()
    engine.equity(engine.rules.start)
    asked.set()
    time.sleep(60)
threading.Thread(target=ask, daemon=True).start()
asked.wait()
"""


def test_a_program_that_ends_while_a_thread_has_an_engine_prints_nothing():
    done = subprocess.run([sys.executable, "-c", ASK_IN_A_THREAD], capture_output=True, text=True, check=True)
    assert done.stdout + done.stderr == ""


def test_rules_that_no_generator_could_follow_are_refused_with_the_reason():
    with pytest.raises(UnknownVariant, match="single checkers are captured where two close a point"):
        core_rules(Rules(movement=Movement(block=1)))


def test_a_net_says_its_size() -> None:
    assert repr(core.Net(hidden=16)) == "<Net of 4 inputs and 16 units>"
    assert repr(core.Net(hidden=16, hidden2=16, phases=8, states=4)).endswith(
        " and 16+16 units, 8 phases, with tokens>"
    )
