"""What the published nets say of games that are solved: near the exact values, in every token state (docs/decisions/0022)."""

from __future__ import annotations

import numpy as np
import pytest

from barpoint.engine import contact
from barpoint.engine.net import find_net, load
from barpoint.native import core, core_rules
from barpoint.variants import variant
from benchmarks.exact import array, games, judged, races


@pytest.mark.parametrize(
    ("name", "checkers"),
    [
        ("hypergammon(checkers=1)", 1),
        pytest.param("hypergammon(checkers=2)", 2, marks=pytest.mark.deep),
        ("roll-over+hypergammon(checkers=1)", 1),
        ("cancelgammon+hypergammon(checkers=1)", 1),
    ],
)
def test_whole_games_with_few_checkers(name: str, checkers: int) -> None:
    rules, positions = variant(name), array(games(300, checkers, 1))
    made = contact.solver(rules, checkers)
    contact.solve(made)
    said = judged(rules, core.Searcher(core_rules(rules), load(find_net(rules))), positions)
    states = range(said.shape[1])
    exact = np.array([[made.equities(each.tobytes(), state)[0] for state in states] for each in positions])
    assert (np.abs(said - exact).mean(0) < 0.02).all()


@pytest.mark.parametrize(
    "name",
    [
        "backgammon",
        "duodecagammon",
        "roll-over",
        "cancelgammon",
        "roll-over+duodecagammon",
        "cancelgammon+duodecagammon",
    ],
)
def test_short_races(name: str) -> None:
    rules, positions = variant(name), array(races(500, 1))
    net = load(find_net(rules))
    said, exact = (
        judged(rules, core.Searcher(core_rules(rules), net, tables=tables), positions) for tables in (False, True)
    )
    assert (np.abs(said - exact).mean(0) < 0.012).all()
