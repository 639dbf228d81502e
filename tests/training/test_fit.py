"""training.fit: a fit to folders of labels in stages, judged by labels that it has not seen."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from barpoint.engine.net import entries, load, read_net
from barpoint.train.gammon_states import MONEY
from barpoint.variants import variant
from training import fit
from training.labels import make

NAME = "hypergammon"


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    folder = tmp_path / "labels"
    assert len(list(make(NAME, folder, 3, games=20))) == 3
    return folder


def test_the_last_files_are_held_out_with_whole_rolls_and_all_checkers(labels: Path) -> None:
    rules = variant(NAME)
    fitted, held = fit.read_labels([labels], 1, rules)
    everything, _ = fit.read_labels([labels, labels], 1, rules)
    assert len(everything) == 2 * len(fitted)
    assert set(held.boards.astype(int).sum(2).ravel()) == {rules.checkers}


def test_labels_of_the_game_without_tokens_teach_the_state_in_which_none_is_left(tmp_path: Path) -> None:
    own, plain = tmp_path / "own", tmp_path / "plain"
    list(make("roll-over", own, 2, games=4))
    (money,) = make("standard", plain, 1, games=4)
    alone, _ = fit.read_labels([own], 1, variant("roll-over"))
    both, _ = fit.read_labels([own], 1, variant("roll-over"), [plain])
    added = both.targets[len(alone) :]
    assert len(added) == len(money) > 0
    assert np.array_equal(added[:, 0], money.targets[:, MONEY], equal_nan=True)
    assert np.isnan(added[:, 1:]).all()
    assert not np.isnan(alone.targets[:, 1:]).all()


def test_errors_are_none_of_a_net_on_its_own_values_and_those_of_a_roll_take_their_mean_off(labels: Path) -> None:
    rules = variant(NAME)
    net = load(next(entry for entry in entries() if entry.name == NAME))
    _, held = fit.read_labels([labels], 1, rules)
    held.targets[:] = fit.values_by_state(fit.core.Searcher(fit.core_rules(rules), net), net, held.positions, 0)
    assert fit.errors(net, rules, held).max() < 0.01
    held.targets[:, :, 0] += 0.01  # 20 thousandths of a point everywhere, whatever the play
    equity, beside = fit.errors(net, rules, held)[0]
    assert equity == pytest.approx(20, abs=0.1)
    assert beside < 0.01


def test_every_stage_leaves_a_net_and_the_same_command_goes_on(
    labels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    command = ["fit", NAME, str(out), str(labels), "--stages", "2", "--passes", "1", "--threads", "1", "--held", "1"]
    monkeypatch.setattr(sys, "argv", command)
    fit.main()
    first, second, final = (read_net(out / f"{name}.net") for name in ("stage-1", "stage-2", "final"))
    assert first.bytes() != second.bytes()
    assert "stage 2: [[" in capsys.readouterr().out
    written = (out / "stage-1.net").stat().st_mtime_ns
    (out / "stage-2.net").unlink()
    fit.main()
    assert (out / "stage-1.net").stat().st_mtime_ns == written
    assert read_net(out / "final.net").bytes() == final.bytes()
