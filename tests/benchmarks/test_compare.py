"""The sequential test between two nets."""

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from barpoint.engine.executors import executor_named
from barpoint.engine.net import find_net, load
from barpoint.error import RolloutError
from barpoint.train import Recipe
from barpoint.variants import variant
from benchmarks import compare

GAIN = 0.004
SPREAD = 0.07  # of a pair of luck-adjusted games


def decided(mean: float, seed: int) -> str:
    """What the test says of normal values with that mean."""
    values = np.random.default_rng(seed).normal(mean, SPREAD, 20_000)
    for count in range(compare.MIN_BLOCKS * compare.BLOCK, len(values), compare.BLOCK):
        if said := compare.verdict(compare.log_odds(values[:count], GAIN), GAIN):
            return said
    return ""


@pytest.mark.parametrize(("mean", "right"), [(0.0, "equal"), (GAIN, "better"), (-GAIN, "equal"), (2 * GAIN, "better")])
def test_the_sequential_test_errs_as_seldom_as_it_promises(mean: float, right: str) -> None:
    found = [decided(mean, seed).startswith(right) for seed in range(100)]
    assert sum(found) >= 90  # 95 are expected at the two means it tells apart


def content(name: str) -> bytes:
    return load(find_net(variant(name))).bytes()


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compare, "BLOCK", 5)


def test_a_net_is_equal_to_itself(capsys: pytest.CaptureFixture[str]) -> None:
    net = content("hypergammon")
    said = compare.play_until_decided(variant("hypergammon"), net, net, gain=GAIN, pairs=40)
    assert said == "equal rather than better by 0.004"
    assert "40 games: +0.0000 +- 0.0000" in (printed := capsys.readouterr().out)
    assert said in printed


def other_net() -> bytes:
    """A net that has learned nothing."""
    return Recipe.small("hypergammon", hidden=16).fresh_net(1).bytes()


def test_games_begin_in_rare_positions_where_that_is_wanted() -> None:
    rules, new, old = (
        variant("backgammon"),
        Recipe.small("backgammon", hidden=16).fresh_net(1).bytes(),
        content("backgammon"),
    )
    usual, rare = (compare.pairs_of_games(rules, new, old, seed=3, pairs=2, rare=rare) for rare in (False, True))
    assert len(usual) == len(rare) == 2
    assert rare != usual
    assert rare == compare.pairs_of_games(rules, new, old, seed=3, pairs=2, rare=True)


def test_rare_positions_of_fifteen_checkers_are_none_of_another_game() -> None:
    with pytest.raises(ValueError, match="checkers"):
        compare.pairs_of_games(variant("hypergammon"), other_net(), other_net(), seed=3, pairs=2, rare=True)


def test_a_comparison_that_was_stopped_goes_on_where_it_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rules, nets = variant("hypergammon"), (content("hypergammon"), other_net())
    alone = compare.play_until_decided(rules, *nets, gain=GAIN, pairs=30)
    result, file = capsys.readouterr().out, tmp_path / "kept"
    played, real = [], compare.pairs_of_games

    def interrupted(*task: Any) -> list[float]:
        if len(played) == 2:
            raise KeyboardInterrupt
        played.append(task)
        return real(*task)

    monkeypatch.setattr(compare, "pairs_of_games", interrupted)
    assert compare.play_until_decided(rules, *nets, gain=GAIN, pairs=30, file=file) == "stopped"
    monkeypatch.setattr(compare, "pairs_of_games", lambda *task: played.append(task) or real(*task))
    capsys.readouterr()
    assert compare.play_until_decided(rules, *nets, gain=GAIN, pairs=30, file=file) == alone
    assert capsys.readouterr().out == result
    assert len({task[3] for task in played}) == len(played), "no block is played twice"
    with pytest.raises(RolloutError, match="another run"):
        compare.play_until_decided(rules, *reversed(nets), gain=GAIN, pairs=30, file=file)


def test_threads_and_processes_play_the_same_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules, nets = variant("hypergammon"), (content("hypergammon"), other_net())
    printed = set()
    for name in ("", "threads", "processes"):
        with executor_named(name, 2) if name else nullcontext() as executor:
            compare.play_until_decided(
                rules, *nets, gain=GAIN, pairs=20, executor=executor, file=tmp_path / f"{name}.run"
            )
        printed.add(capsys.readouterr().out)
    assert len(printed) == 1
    assert len({file.read_bytes() for file in tmp_path.glob("*.run")}) == 1


def test_both_nets_play_the_same_judged_decisions(capsys: pytest.CaptureFixture[str]) -> None:
    net = content("backgammon")
    compare.compare_decisions(variant("backgammon"), net, net)
    assert "+0.00 +- 0.00" in (printed := capsys.readouterr().out)
    assert "equal rather than better by 0.001" in printed
