"""The sequential test between two nets."""

import numpy as np
import pytest

from barpoint.engine.net import find_net, load
from barpoint.variants import variant
from benchmarks import compare

GAIN = 0.004
SPREAD = 0.07  # of a pair of luck-adjusted games


def decided(mean: float, seed: int) -> str:
    """What the test says of normal values with that mean."""
    values = np.random.default_rng(seed).normal(mean, SPREAD, 20_000)
    for count in range(compare.MIN_BLOCKS * compare.BLOCK, len(values), compare.BLOCK):
        if said := compare.verdict(compare.log_odds(list(values[:count]), GAIN), GAIN):
            return said
    return ""


@pytest.mark.parametrize(("mean", "right"), [(0.0, "equal"), (GAIN, "better"), (-GAIN, "equal"), (2 * GAIN, "better")])
def test_the_sequential_test_errs_as_seldom_as_it_promises(mean: float, right: str) -> None:
    found = [decided(mean, seed).startswith(right) for seed in range(100)]
    assert sum(found) >= 90  # 95 are expected at the two means it tells apart


def test_a_net_is_equal_to_itself(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compare, "BLOCK", 5)
    net = load(find_net(variant("hypergammon")))
    compare.play_until_decided(variant("hypergammon"), net, net, gain=GAIN, pairs=40)
    assert "40 games: +0.0000 +- 0.0000" in (said := capsys.readouterr().out)
    assert "equal rather than better" in said


def test_both_nets_play_the_same_judged_decisions(capsys: pytest.CaptureFixture[str]) -> None:
    rules = variant("backgammon")
    net = load(find_net(rules))
    compare.compare_decisions(rules, net, net)
    assert "+0.00 +- 0.00" in capsys.readouterr().out
