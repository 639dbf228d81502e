"""Two players against each other, in pairs of games with the seats exchanged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import barpoint as bp
from barpoint.driver import random_policy
from barpoint.engine import Comparison, Engine, Estimate
from barpoint.error import ArgumentError, NetError, OptionError
from barpoint.train import Recipe

RULES = bp.variant("hypergammon")
ENGINE = Engine(RULES)
FRESH = Recipe.small("hypergammon", hidden=16).fresh_net()


def at_random(turns: bp.BatchTurns) -> Any:
    return random_policy(np.random.default_rng(len(turns)))(turns)


@pytest.mark.parametrize(
    "made",
    [
        lambda: ENGINE,
        lambda: ENGINE.policy,
        lambda: Engine(RULES, plies=1),
        lambda: bp.Bot("hypergammon", "strong"),
    ],
    ids=["engine", "policy", "search", "bot"],
)
def test_whoever_plays_against_themselves_wins_as_much_as_they_lose(made: Any) -> None:
    found = bp.compare(made(), made(), games=4, rules=RULES)
    assert (found.points.mean, found.points.error, found.games) == (0, 0, 4)


def test_two_nets_are_compared_luck_adjusted_from_either_side() -> None:
    found = bp.compare(ENGINE, FRESH, games=80)
    low, high = found.interval()
    assert found.luck_adjusted
    assert 0 < low < found.points.mean < high
    other = bp.compare(FRESH, ENGINE, games=80)
    assert other.points.mean == pytest.approx(-found.points.mean, abs=1e-6)


def test_the_file_of_a_net_is_a_player_too(tmp_path: Path) -> None:
    (tmp_path / "fresh.net").write_bytes(FRESH.bytes())
    assert bp.compare(ENGINE, tmp_path / "fresh.net", games=4) == bp.compare(ENGINE, FRESH, games=4)
    with pytest.raises(NetError, match=r"missing\.net"):
        bp.compare(ENGINE, tmp_path / "missing.net", games=4)


def test_a_good_policy_wins_against_random_plays() -> None:
    found = bp.compare(ENGINE.policy, at_random, games=200, rules=RULES)
    assert found.interval(4)[0] > 0
    assert not found.luck_adjusted


def test_the_mean_is_that_of_the_games_of_both_seats() -> None:
    pair = (ENGINE.policy, at_random)
    begun = bp.play_batch(RULES, 10, pair, seed=3).scores
    second = bp.play_batch(RULES, 10, pair[::-1], seed=3).scores
    found = bp.compare(*pair, games=20, rules=RULES, seed=3)
    assert found.points == Estimate.of((begun - second) / 2)


def test_bots_play_with_a_cube_where_it_is_asked_for() -> None:
    strong, weak = bp.Bot("hypergammon", "strong"), bp.Bot("hypergammon", "beginner")
    found, without = (bp.compare(strong, weak, games=20, cube=cube) for cube in (True, False))
    assert found == bp.compare(strong, weak, games=20, cube=True)
    assert found != without
    assert bp.compare(ENGINE, strong, games=4, cube=True).games == 4


def test_a_comparison_says_what_stands_and_is_ended_by_what_its_progress_raises() -> None:
    seen: list[Comparison] = []

    def progress(now: Comparison) -> None:
        seen.append(now)
        if len(seen) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bp.compare(ENGINE.policy, at_random, games=2000, rules=RULES, progress=progress)
    assert [one.games for one in seen] == [64, 128]
    assert bp.compare(ENGINE.policy, at_random, games=128, rules=RULES) == seen[-1]


def test_it_is_printed_with_its_error_and_interval() -> None:
    found = Comparison(Estimate(0.1, 0.02), 400)
    assert str(found) == "+0.100 ± 0.020 points a game, 95 % between +0.061 and +0.139; 400 games"
    assert str(Comparison(Estimate(0.1, 0.02), 400, True)).endswith("400 games, luck-adjusted")


def test_an_interval_has_the_errors_that_are_asked_for() -> None:
    assert Estimate(1.0, 0.5).interval(2) == (0.0, 2.0)


def test_what_cannot_be_compared_is_refused() -> None:
    with pytest.raises(OptionError, match="3 games; an even number is allowed"):
        bp.compare(ENGINE, ENGINE, games=3)
    with pytest.raises(OptionError, match="0 games"):
        bp.compare(ENGINE, ENGINE, games=0)
    with pytest.raises(ArgumentError, match="games is 'many'"):
        bp.compare(ENGINE, ENGINE, games="many")  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="3 cannot play; allowed: an engine, a bot"):
        bp.compare(ENGINE, 3)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="is a policy; it plays against policies, engines and nets only"):
        bp.compare(bp.Bot("hypergammon"), at_random)
    with pytest.raises(ArgumentError, match="no option is called 'length'"):
        bp.compare(ENGINE, ENGINE, length=3)
    with pytest.raises(OptionError, match="an engine of hypergammon; the games are backgammon"):
        bp.compare(ENGINE, ENGINE, rules="backgammon")
