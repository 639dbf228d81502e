"""Teaching a net whose gammons count: what is learned and what stays, and the round that does it."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import training.gammons
from barpoint.engine import Engine
from barpoint.engine.net import find_net, load, read_net
from barpoint.native import core
from barpoint.train import Recipe, label, learn_by_playing
from barpoint.train.gammon_states import MONEY
from barpoint.variants import variant
from training.gammons import LABELS, apart, learn
from training.recipe import RECIPES

RULES = variant("hypergammon")
ENTRY = find_net(RULES)
RECIPE = replace(RECIPES["hypergammon"], **LABELS)


@pytest.fixture(scope="module")
def begun() -> core.Net:
    """A net of a few games, which has much to learn in every state."""
    small = Recipe.small("hypergammon", hidden=32)
    net = learn_by_playing(small.fresh_net(), small, games=1000)
    return core.Net.parse(core.Net.parse(net.bytes()).by_gammon_state().bytes())


@pytest.fixture(scope="module")
def learned(begun: core.Net) -> core.Net:
    """That net after one round of a thousand games: after 300 the errors differ by less than dice make them."""
    return learn(begun, None, RECIPE, 1000, 1, 1)


def test_each_position_has_a_target_in_the_state_of_its_game() -> None:
    net = load(ENTRY).for_money().by_gammon_state()
    found = label(net, RECIPE, 40, seed=3)
    assert found.targets.shape[1:] == (4, 5)
    known = np.isfinite(found.targets[:, :, 0])
    assert (known.sum(1) == 1).all()
    assert known.any(0).all(), "games are played in every state"


def test_money_stays_as_it_was_and_the_other_states_come_nearer_to_their_targets(
    begun: core.Net, learned: core.Net
) -> None:
    assert learned.for_money().bytes() == begun.for_money().bytes()
    found = apart(learned, RECIPE, label(learned, RECIPE, 1500, first_game=1000, seed=9))
    assert found[MONEY][2] == 0
    for state in range(MONEY):
        money, own, between = found[state]
        assert own < money
        assert between > 0


def test_the_command_keeps_each_round_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(training.gammons, "HELD_GAMES", 80)
    monkeypatch.setitem(RECIPES, "hypergammon", RECIPE)
    words = ["gammons", "hypergammon", str(tmp_path), "--games", "30", "--rounds"]
    monkeypatch.setattr(sys, "argv", [*words, "1"])
    training.gammons.main()
    assert capsys.readouterr().out.startswith("round 1, gammons of neither side: off by ")
    first = (tmp_path / "1-round-1.net").read_bytes()
    monkeypatch.setattr(sys, "argv", [*words, "2"])
    training.gammons.main()
    assert "round 1" not in capsys.readouterr().out
    assert (tmp_path / "1-round-1.net").read_bytes() == first
    assert read_net(tmp_path / "final.net").by_gammons
    Engine("hypergammon", net=tmp_path / "final.net")
