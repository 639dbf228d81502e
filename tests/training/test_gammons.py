"""Teaching a net whose gammons count: what is learned and what stays, and the round that does it."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import training.gammons
from barpoint.engine import Engine
from barpoint.engine.net import find_net, load, load_pruning_net, read_net
from barpoint.native import core
from barpoint.train import label
from barpoint.variants import variant
from training.gammons import LABELS, MONEY, apart, learn
from training.recipe import RECIPES

RULES = variant("hypergammon")
ENTRY = find_net(RULES)
RECIPE = replace(RECIPES["hypergammon"], **LABELS)


@pytest.fixture(scope="module")
def learned() -> core.Net:
    """The money net, after one round of few games."""
    net = core.Net.parse(load(ENTRY).for_money().by_gammon_state().bytes())
    return learn(net, load_pruning_net(ENTRY), RECIPE, 300, 1, 1)


def test_each_position_has_a_target_in_the_state_of_its_game() -> None:
    net = load(ENTRY).for_money().by_gammon_state()
    found = label(net, RECIPE, 40, seed=3)
    assert found.targets.shape[1:] == (4, 5)
    known = np.isfinite(found.targets[:, :, 0])
    assert (known.sum(1) == 1).all()
    assert known.any(0).all(), "games are played in every state"


def test_money_stays_as_it_was_and_the_other_states_come_nearer_to_their_targets(learned: core.Net) -> None:
    assert learned.for_money().bytes() == load(ENTRY).for_money().bytes()
    found = apart(learned, RECIPE, label(learned, RECIPE, 300, first_game=300, seed=9))
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
