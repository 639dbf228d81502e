"""Labels made on an executor are those made in one thread."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from barpoint import train
from barpoint.engine.executors import executor_named
from barpoint.native import core
from barpoint.train import pieces

RECIPE = train.Recipe.small("hypergammon", hidden=16, first_games=40, epochs=2, pruning_games=2)


@pytest.mark.parametrize("siblings", [0, 3])
@pytest.mark.parametrize("name", ["threads", "processes"])
def test_an_executor_makes_the_same_labels(name: str, siblings: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "PIECE", 4)
    recipe = replace(RECIPE, siblings=siblings)
    net = core.Net.parse(train.learn_by_playing(recipe.fresh_net(), recipe).bytes())
    pruning_net = core.Net.parse(train.distil(net, recipe).bytes())
    alone = train.label(net, recipe, 10, first_game=3, pruning_net=pruning_net, seed=5)
    told: list[int] = []
    with executor_named(name, 2) as executor:
        found, seconds = train.label_on(
            executor,
            net,
            recipe,
            10,
            first_game=3,
            pruning_net=pruning_net,
            seed=5,
            progress=lambda done, _: told.append(done),
        )
    assert np.array_equal(found.positions, alone.positions)
    assert np.array_equal(found.targets, alone.targets, equal_nan=True)
    assert (alone.rolls is None) == (siblings == 0)
    if found.rolls is not None and alone.rolls is not None:
        assert np.array_equal(np.diff(found.rolls) == 0, np.diff(alone.rolls) == 0)
        assert np.array_equal(found.rolls < 0, alone.rolls < 0)
    assert (seconds > 0) == (name == "processes"), "time of this process is counted by whoever asks"
    assert told[-1] == len(found)
    assert told == sorted(told)
    assert len(told) == 3


def test_a_run_with_an_executor_keeps_the_same_labels(tmp_path: Path) -> None:
    train.TrainingRun(RECIPE, tmp_path / "here", 0.01).train()
    with executor_named("threads", 2) as executor:
        final = train.TrainingRun(RECIPE, tmp_path / "there", 0.01, executor=executor).train()
    here, there = (train.TrainingLabels.load(tmp_path / name / "labels-1-0000.npz") for name in ("here", "there"))
    assert np.array_equal(here.positions, there.positions)
    assert np.array_equal(here.targets, there.targets, equal_nan=True)
    assert final.exists()
