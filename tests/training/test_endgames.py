"""Races that exact tables know, taught to a net: its positions with contact stay as they are."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import training.endgames
from barpoint.engine.net import find_net, load, read_net
from barpoint.native import core, core_rules, unpack
from barpoint.train import TrainingLabels
from barpoint.variants import variant
from tests.core.test_net import array, played_positions
from training.endgames import HOME, RACE, errors, home_races, values

RULES = variant("backgammon")
NET = load(find_net(RULES))


def test_random_races_have_all_checkers_home_or_borne_off() -> None:
    found = home_races(RULES, 500, HOME, 1)
    for each in found:
        for side in (unpack(each.tobytes()).us, unpack(each.tobytes()).them):
            assert sum(side.points[: HOME + 1]) == RULES.checkers
            assert 1 <= sum(side.points[1 : HOME + 1]) <= HOME
    assert (NET.phases_of(found) == RACE).all()


def test_values_of_the_state_in_which_all_gammons_count_are_those_for_money() -> None:
    searcher = core.Searcher(core_rules(RULES), NET)
    found = home_races(RULES, 50, RULES.checkers, 1)
    assert np.allclose(values(searcher, NET, found, 1)[:, 3], searcher.evaluate(found, 1)[:, 0], atol=1e-6)


def test_the_command_brings_races_nearer_to_their_exact_values_and_leaves_contact_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "fitted.net"
    words = ["endgames", "duodecagammon", str(out), "--races", "8000", "--games", "40", "--passes", "4"]
    monkeypatch.setattr(sys, "argv", words)
    training.endgames.main()
    assert "all home: off by " in capsys.readouterr().out
    rules = variant("duodecagammon")
    nets = load(find_net(rules)), read_net(out)
    played = array(played_positions("duodecagammon", 200))
    contact = np.ascontiguousarray(played[nets[0].phases_of(played) != RACE])
    before, after = (core.Searcher(core_rules(rules), net).evaluate(contact, 0) for net in nets)
    assert len(contact) > 50
    assert np.array_equal(before, after)
    races = home_races(rules, 500, HOME, 7)
    exact = values(core.Searcher(core_rules(rules), nets[0], tables=True), nets[0], races, 0)
    off = [errors(net, rules, TrainingLabels(races, exact)) for net in nets]
    assert (off[1] < off[0]).all()
