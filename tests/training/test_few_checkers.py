"""Exact labels of whole games with few checkers (rulings 9.8)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from barpoint.engine import contact
from barpoint.error import TableError
from barpoint.native import unpack
from barpoint.train import Recipe, label
from barpoint.variants import variant
from training.few_checkers import FewCheckers, random_games
from training.refine import refine_round

ONE = "roll-over+hypergammon(checkers=1)"
RECIPE = Recipe(((ONE, 0.5), ("roll-over+hypergammon(checkers=2)", 0.5)), hidden=16, hidden2=16, pruning_games=2)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables are kept in a folder of the test."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def _folder(path: Path, name: str) -> Path:
    (path / name).mkdir()
    return path / name


def test_random_positions_have_no_point_with_both_sides_on_it_and_no_side_that_has_finished() -> None:
    found = [unpack(each.tobytes()) for each in random_games(2, 400, 1)]
    assert len(found) > 250
    for position in found:
        us, them = position.us.points, position.them.points
        assert sum(us[:26]) == sum(them[:26]) == 2
        assert us[0] < 2 > them[0]
        assert not any(us[point] and them[25 - point] for point in range(1, 25))


def test_labels_are_those_of_the_solved_game_in_every_token_state_and_others_stay() -> None:
    few = FewCheckers.of(RECIPE, 1)
    made = contact.solver(variant(ONE), 1)
    contact.solve(made)
    before = label(RECIPE.fresh_net(), RECIPE, 12, seed=2)
    after = few.exactly(before)
    alone = before.boards[:, 0, :26].sum(1) == 1
    assert alone.any()
    assert not alone.all()
    assert np.array_equal(after.targets[~alone], before.targets[~alone], equal_nan=True)
    weights = np.array([2, 1, 1, -1, -1])
    for position, target in zip(after.positions[alone][:50], after.targets[alone], strict=False):
        for state in range(4):
            exact = made.equities(position.tobytes(), state)[0]
            assert target[state] @ weights - 1 == pytest.approx(exact, abs=1e-5)


def test_drawn_labels_are_exact_too() -> None:
    few = FewCheckers.of(RECIPE, 1)
    drawn = few.drawn(100, seed=3)
    assert np.array_equal(few.exactly(drawn).targets, drawn.targets)


def test_a_round_keeps_drawn_positions_with_the_labels_of_its_games(tmp_path: Path) -> None:
    plain = refine_round(_folder(tmp_path, "plain"), RECIPE, RECIPE.fresh_net(), 1, games=3, seed=1)
    exact = refine_round(_folder(tmp_path, "exact"), RECIPE, RECIPE.fresh_net(), 1, games=3, seed=1, exact=1, drawn=50)
    assert exact.bytes() != plain.bytes()


def test_a_recipe_without_such_games_is_refused() -> None:
    with pytest.raises(TableError, match="up to 2 checkers"):
        FewCheckers.of(Recipe.small("backgammon"), 2)
