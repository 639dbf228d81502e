"""What a net says in each of its states: its own values, what a pruning net learns of them, and how far it is off."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pytest

from barpoint.engine.net import find_net, load
from barpoint.error import NetError
from barpoint.native import core, core_rules
from barpoint.train import Recipe, TrainingLabels, distil, equity_error, own_values
from barpoint.train.distil import MAX_REPLIES
from barpoint.train.gammon_states import MONEY, WEIGHTS, stakes, values_by_state
from barpoint.variants import variant

distil_module = sys.modules["barpoint.train.distil"]  # train.distil is the function
RULES = variant("backgammon")
NET = load(find_net(RULES))
RECIPE = Recipe.small(RULES)


@pytest.fixture(scope="module")
def own() -> TrainingLabels:
    return own_values(NET, RECIPE, replies=600, tables=False)


def test_a_net_that_knows_which_gammons_count_says_its_values_in_all_four_states(own: TrainingLabels) -> None:
    assert NET.by_gammons
    assert own.targets.shape == (len(own), len(WEIGHTS), 5)
    searcher = core.Searcher(core_rules(RULES), NET)
    for state in range(len(WEIGHTS)):
        assert np.array_equal(own.targets[:, state], searcher.evaluate(own.positions, 0, stakes(state))[:, 0])
    money = searcher.evaluate(own.positions, 0)[:, 0]
    assert np.allclose(own.targets[:, MONEY], money, atol=1e-6), "money is the last of them"
    assert not np.allclose(own.targets[:, 0], money, atol=1e-3)


@pytest.mark.parametrize("name", ["roll-over", "acey-deucey"])
def test_other_nets_say_theirs_in_the_states_of_tokens_that_they_have(name: str) -> None:
    rules = variant(name)
    net = load(find_net(rules))
    found = own_values(net, Recipe.small(rules), replies=300, tables=False)
    assert found.targets.shape == (len(found), net.states, 3 if net.per_checker else 5)
    said = core.Searcher(core_rules(rules), net).evaluate(found.positions, 0)
    assert np.array_equal(values_by_state(core.Searcher(core_rules(rules), net), net, found.positions, 0), said)


def test_so_many_replies_are_asked_for_and_those_to_one_roll_are_siblings() -> None:
    found = own_values(NET, RECIPE, replies=2_000, tables=False)
    assert 2_000 <= len(found) < 2_000 + MAX_REPLIES, "up to the end of a roll"
    assert found.rolls is not None
    assert len(np.unique(found.rolls)) < len(found)
    few = own_values(NET, RECIPE, replies=1, tables=False)
    assert 1 <= len(few) <= MAX_REPLIES
    assert np.array_equal(few.positions, found.positions[: len(few)])
    starts = replace(RECIPE, starts=(("backgammon", 0.5), ("nackgammon", 0.5)))
    assert 200 <= len(own_values(NET, starts, replies=200, tables=False)) < 200 + 2 * MAX_REPLIES
    with pytest.raises(NetError, match="replies 0; at least 1 is needed"):
        own_values(NET, RECIPE, replies=0)


def test_exact_databases_answer_where_they_are_asked() -> None:
    exact, alone = (own_values(NET, RECIPE, replies=2_000, tables=tables) for tables in (True, False))
    assert np.array_equal(exact.positions, alone.positions)
    assert not np.array_equal(exact.targets, alone.targets)


def test_a_pruning_net_learns_the_values_for_money_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(distil_module, "values_by_state", lambda *_: pytest.fail("the other states are not needed"))

    def watched(state: int) -> core.Stakes:
        asked.append(state)
        return stakes(state)

    monkeypatch.setattr(distil_module, "stakes", watched)
    small = distil(NET, replace(RECIPE, pruning_games=1), hidden=16, epochs=1)
    assert (small.states, small.by_gammons, asked) == (1, False, [MONEY])


def test_the_error_of_a_net_is_that_of_its_values_for_money(own: TrainingLabels) -> None:
    assert equity_error(NET, RECIPE, own) < 1e-4
    wrong = own.targets.copy()
    wrong[:, MONEY, 0] += 0.01
    assert equity_error(NET, RECIPE, replace(own, targets=wrong)) == pytest.approx(0.02, abs=1e-3)
