"""training.refine: rounds that fit a net to the labels of its own games."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from barpoint.engine.net import parse
from barpoint.train import Recipe, TrainingLabels
from training.refine import refine_round

RECIPE = Recipe((("narde", 1.0),), hidden=16, hidden2=16, pruning_games=2)


def test_a_round_keeps_its_pruning_net_labels_and_net_and_gives_the_net_as_published(tmp_path: Path) -> None:
    net = refine_round(tmp_path, RECIPE, RECIPE.fresh_net(), 1, games=3, seed=1)
    assert {file.name for file in tmp_path.iterdir()} == {"pruning-1.net", "labels-1.npz", "round-1.net"}
    assert net.bytes() == parse((tmp_path / "round-1.net").read_bytes()).bytes()


def test_a_round_that_was_stopped_goes_on_from_what_is_kept_and_gives_the_same_net(tmp_path: Path) -> None:
    begun = RECIPE.fresh_net()
    whole = refine_round(tmp_path, RECIPE, begun, 1, games=3, seed=1)
    labels = (tmp_path / "labels-1.npz").stat().st_mtime_ns
    (tmp_path / "round-1.net").unlink()
    assert refine_round(tmp_path, RECIPE, begun, 1, games=3, seed=1).bytes() == whole.bytes()
    assert (tmp_path / "labels-1.npz").stat().st_mtime_ns == labels


def test_each_round_labels_games_of_its_own(tmp_path: Path) -> None:
    net = refine_round(tmp_path, RECIPE, RECIPE.fresh_net(), 1, games=3, seed=1)
    refine_round(tmp_path, replace(RECIPE, exploration=0.0), net, 2, games=3, seed=1)
    first, second = (TrainingLabels.load(tmp_path / f"labels-{number}.npz") for number in (1, 2))
    assert first.positions.tobytes() != second.positions.tobytes()
