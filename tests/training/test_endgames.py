"""Races that exact tables know, taught to a net: its positions with contact stay as they are."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import training.endgames
from barpoint.engine.net import find_net, load, read_net
from barpoint.native import core, core_rules, unpack
from barpoint.train import TrainingLabels, publish
from barpoint.train.gammon_states import values_by_state
from barpoint.variants import variant
from tests.core.test_net import array, played_positions
from training.endgames import FITTING, HOME, RACE, errors, home_races, spread_races, with_checkers

RULES = variant("backgammon")
NET = load(find_net(RULES))


def test_random_races_have_all_checkers_home_or_borne_off() -> None:
    found = home_races(RULES, 500, HOME, 1)
    for each in found:
        for side in (unpack(each.tobytes()).us, unpack(each.tobytes()).them):
            assert sum(side.points[: HOME + 1]) == RULES.checkers
            assert 1 <= sum(side.points[1 : HOME + 1]) <= HOME
    assert (NET.phases_of(found) == RACE).all()


@pytest.mark.parametrize("checkers", [1, 5, 15])
def test_spread_races_have_no_contact_whatever_the_number_of_checkers(checkers: int) -> None:
    found = spread_races(checkers, 500, 1)
    assert len(found) > 150
    assert (NET.phases_of(found) == RACE).all()
    assert {sum(unpack(each.tobytes()).us.points[:25]) for each in found} == {checkers}
    core.Searcher(core_rules(with_checkers(RULES, checkers)), NET).evaluate(found, 0)  # refuses others


def test_values_of_the_state_in_which_all_gammons_count_are_those_for_money() -> None:
    searcher = core.Searcher(core_rules(RULES), NET)
    found = home_races(RULES, 50, RULES.checkers, 1)
    assert np.allclose(values_by_state(searcher, NET, found, 1)[:, 3], searcher.evaluate(found, 1)[:, 0], atol=1e-6)


def test_the_command_brings_races_nearer_to_their_exact_values_and_leaves_contact_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rules, name = variant("duodecagammon"), "duodecagammon"
    begun, out = (tmp_path / file for file in ("begun.net", "fitted.net"))
    publish(core.Net(hidden=32, hidden2=16, phases=8, seed=3), begun)
    monkeypatch.setattr(training.endgames, "FITTING", FITTING | {"batch": 32, "first_rate": 3e-2})
    words = ["endgames", name, str(out), "--begin", str(begun), "--races", "4000", "--games", "20", "--passes", "30"]
    monkeypatch.setattr(sys, "argv", words)
    training.endgames.main()
    assert "all home: off by " in capsys.readouterr().out
    nets = read_net(begun), read_net(out)
    played = array(played_positions(name, 200))
    contact = np.ascontiguousarray(played[nets[0].phases_of(played) != RACE])
    before, after = (core.Searcher(core_rules(rules), net).evaluate(contact, 0) for net in nets)
    assert len(contact) > 50
    assert np.array_equal(before, after)
    races = home_races(rules, 500, HOME, 7)
    exact = values_by_state(core.Searcher(core_rules(rules), nets[0], tables=True), nets[0], races, 0)
    off = [errors(net, rules, TrainingLabels(races, exact))[0] for net in nets]
    assert off[1] < 0.5 * off[0]
