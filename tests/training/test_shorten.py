"""Weights with fewer bits: a smaller file that says nearly the same."""

import numpy as np
import pytest

from barpoint.engine.net import parse
from barpoint.engine.net_file import packed
from barpoint.error import NetError
from barpoint.native import core, core_rules
from barpoint.variants import variant
from tests.core.test_net import array, money, played_positions
from training.shorten import BITS, shortened


def test_a_shortened_net_takes_less_room_and_says_nearly_the_same() -> None:
    rules, sample = core_rules(variant("fevga")), array(played_positions("fevga", 100))
    net = core.Net(inputs=7, hidden=64, hidden2=16, phases=8, seed=3)
    short = core.Net.parse(shortened(net.bytes()))
    before, after = (money(core.Searcher(rules, each).evaluate(sample, 0)) for each in (net, short))
    assert 0 < np.abs(after - before).max() < 0.02
    assert len(packed(short.bytes())) < 0.95 * len(packed(net.bytes()))
    assert shortened(short.bytes()) == short.bytes()


def test_ten_bits_change_nothing_and_a_damaged_file_is_still_refused() -> None:
    data = core.Net(inputs=7, hidden=16).bytes()
    assert shortened(data, 10) == data
    damaged = bytearray(shortened(data, BITS))
    damaged[100] ^= 1
    with pytest.raises(NetError):
        parse(bytes(damaged))
