"""training.labels: chunks of labels in a folder, for a fit elsewhere."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from barpoint.train import TrainingLabels
from training.labels import make

NAME = "hypergammon"


def kept(folder: Path) -> list[TrainingLabels]:
    """The labels in a folder, in the order of the chunks."""
    return [TrainingLabels.load(file) for file in sorted(folder.iterdir())]


def same(one: TrainingLabels, other: TrainingLabels) -> bool:
    """Whether both hold the same positions, rolls and targets."""
    assert one.rolls is not None
    assert other.rolls is not None
    return (
        np.array_equal(one.positions, other.positions)
        and np.array_equal(one.rolls, other.rolls)
        and np.array_equal(one.targets, other.targets, equal_nan=True)
    )


def test_each_chunk_has_games_of_its_own_with_siblings(tmp_path: Path) -> None:
    first, second = make(NAME, tmp_path, 2, games=2)
    assert first.rolls is not None
    assert len(np.unique(first.rolls)) < len(first)
    assert not np.array_equal(first.positions[:5], second.positions[:5])
    assert all(same(each, other) for each, other in zip(kept(tmp_path), (first, second), strict=True))


def test_what_is_there_stays_and_only_the_rest_is_made(tmp_path: Path) -> None:
    before = list(make(NAME, tmp_path, 2, games=2))
    (tmp_path / "labels-1-0000.npz").unlink()
    (again,) = make(NAME, tmp_path, 2, games=2)
    assert same(again, before[0])
    assert not list(make(NAME, tmp_path, 2, games=2))


def test_an_executor_makes_the_same_labels(tmp_path: Path) -> None:
    (here,) = make(NAME, tmp_path / "here", 1, games=12)
    with ThreadPoolExecutor(2) as executor:
        (there,) = make(NAME, tmp_path / "there", 1, executor=executor, games=12)
    assert same(here, there)


def test_games_from_rare_positions_are_labelled_by_their_outcomes_in_one_state(tmp_path: Path) -> None:
    (rare,) = make("standard", tmp_path / "rare", 1, games=12, rare=1.0)
    (none,) = make("standard", tmp_path / "none", 1, games=2, rare=0.0)
    known = [np.isfinite(each.targets[:, :, 0]).sum(1) for each in (rare, none)]
    assert (known[0] == 1).mean() > 0.5
    assert (known[1] == 4).all()
