"""Cube nets: their labels, what they are fitted to, and what a wrong efficiency loses."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

import training.cube
from barpoint.engine.net import find_net, load_cube_net
from barpoint.variants import variant
from training.cube import (
    CubeLabels,
    CubeTargets,
    activations,
    by_place,
    drawn_stakes,
    fit,
    gradients,
    label,
    learned,
    losses,
    net_of,
    read,
    save,
    targets,
)

RULES = variant("backgammon")
ENTRY = find_net(RULES)


@pytest.fixture(scope="module")
def labels() -> CubeLabels:
    """Of a few games, at no depth: values by the cube net of the entry."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(training.cube, "GAMES", 30)
        patch.setattr(training.cube, "PLIES", 0)
        return label(ENTRY, RULES, 5, 1)


def test_labels_value_each_place_of_the_cube_for_money_and_at_scores(labels: CubeLabels) -> None:
    assert len(labels.positions) > 300
    assert labels.values.shape == (len(labels.positions), 5)
    assert labels.sights.shape == (len(labels.positions), 2, 9)
    assert 0.35 < labels.money.mean() < 0.65
    assert not np.isnan(labels.values[labels.money]).any()
    owned = np.isnan(labels.values[:, 0])
    assert 0.1 < owned.mean() < 0.4, "a cube of 2 and more is nowhere centred"
    assert not np.isnan(labels.values[:, 1:]).any()
    assert (labels.sights[labels.money, :, 2:6] == 1).all(), "all gammons count for money"
    assert (labels.sights[~labels.money, :, 2:6] < 0.9).any()
    assert np.nanmax(np.abs(labels.values)) <= training.cube.MOST


def test_for_money_a_cube_once_turned_is_worth_twice_as_much(labels: CubeLabels) -> None:
    money = labels.values[labels.money]
    assert money[:, 3:] == pytest.approx(2 * money[:, 1:3], abs=1e-5)


def test_without_a_search_the_values_are_those_of_an_efficiency_between_dead_and_live(labels: CubeLabels) -> None:
    low, high = np.minimum(labels.dead, labels.live), np.maximum(labels.dead, labels.live)
    inside = (labels.values > low - 1e-4) & (labels.values < high + 1e-4)
    assert inside[~np.isnan(labels.values)].mean() > 0.99
    assert np.nanmax(high - low) > 0.3


def test_the_same_seed_and_chunk_give_the_same_labels(labels: CubeLabels, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training.cube, "GAMES", 30)
    monkeypatch.setattr(training.cube, "PLIES", 0)
    again = label(ENTRY, RULES, 5, 1)
    for field in fields(labels):
        assert np.array_equal(getattr(labels, field.name), getattr(again, field.name), equal_nan=True)


def test_labels_come_back_from_their_file(labels: CubeLabels, tmp_path: Path) -> None:
    save(labels, tmp_path / "5_1.npz")
    again = read(tmp_path / "5_1.npz")
    assert np.array_equal(again.values, labels.values, equal_nan=True)
    assert [file.name for file in tmp_path.iterdir()] == ["5_1.npz"]


def test_targets_have_a_value_for_each_place_that_was_asked_about(labels: CubeLabels) -> None:
    found = targets(labels)
    asked = ~np.isnan(labels.values)
    assert np.array_equal(found.asked == 1, asked)
    assert found.goal[:, 3:] == pytest.approx(labels.values[:, 3:] / 2)
    assert (found.goal[~asked] == 0).all()
    net = load_cube_net(ENTRY)
    assert net is not None
    wrong = (found.dead + learned(net, labels) * found.gain - found.goal)[:, 1:]
    assert np.abs(wrong).max() < 1e-4, "without a search they are the values of the present cube net"


def test_at_drawn_stakes_the_player_to_act_may_double_and_can_gain_by_it() -> None:
    draw = np.random.default_rng(4)
    found = [drawn_stakes(draw) for _ in range(500)]
    assert any(info.score is None for info in found)
    for info in found:
        assert info.cube is not None
        assert info.cube.owner != "them"
        assert info.score is None or info.score.us > info.cube_value


def small(count: int = 4096) -> CubeTargets:
    """Values that an efficiency of 0.3 and 0.8 makes, by the sign of one input."""
    draw = np.random.default_rng(2)
    inputs = draw.normal(0, 1, (count, 2, 90)).astype(np.float32)
    dead, gain = draw.normal(0, 1, (2, count, 5)).astype(np.float32)
    efficiency = np.where(inputs[:, :, 0] > 0, 0.3, 0.8)[:, [0, 0, 0, 1, 1]]
    ones = np.ones_like(dead)
    return CubeTargets(inputs, dead, gain, (dead + efficiency * gain).astype(np.float32), ones, ones[:, :1])


def test_the_fit_finds_the_efficiency_that_made_the_values() -> None:
    data = small()
    layers = fit(data, seed=1, epochs=40)
    inputs = data.inputs.reshape(-1, 90)
    found = activations(layers, inputs)[-1]
    assert found[inputs[:, 0] > 1].mean(axis=0) == pytest.approx([0.3] * 3, abs=0.05)
    assert found[inputs[:, 0] < -1].mean(axis=0) == pytest.approx([0.8] * 3, abs=0.05)
    assert len(net_of(layers).bytes()) == 8 + 12 + 2 * sum(each.size for each in layers) + 8


def test_gradients_are_those_of_the_error() -> None:
    data = small(64)
    everything = np.arange(64)
    layers = [each.astype(np.float64) for each in fit(data, seed=1, epochs=0)]

    def error() -> float:
        found = by_place(activations(layers, data.inputs.reshape(-1, 90))[-1])
        wrong = data.dead + data.gain * found - data.goal
        apart = 2 * wrong[:, 4:] - wrong[:, :2]
        return float(((wrong**2).sum() + (apart**2).sum()) / 2 / 64)

    for layer, slope in zip(layers, gradients(layers, data, everything), strict=True):
        at = np.unravel_index(int(np.abs(slope).argmax()), slope.shape)
        before = layer[at]
        layer[at] = before + 1e-5
        above = error()
        layer[at] = before - 1e-5
        below = error()
        layer[at] = before
        assert slope[at] == pytest.approx((above - below) / 2e-5, rel=1e-3)


def test_who_doubles_too_early_or_takes_too_little_loses_the_difference() -> None:
    nothing = np.nan
    values = np.array([[0.5, 0.7, 0, 0, 0.2], [nothing, 0.5, 0, 0, 0.45], [0.9, 1.0, 0, 0, 0.6]], np.float32)
    right = losses(values, values)
    assert [each.tolist() for each in right] == [[0] * 5, [0] * 3]
    eager = np.array([[0.5, 0.7, 0, 0, 0.3], [nothing, 0.95, 0, 0, 0.45], [0.9, 1.0, 0, 0, 0.45]], np.float32)
    doubler, taker = losses(values, eager)
    assert doubler == pytest.approx([0.1, 0, 0.4, 0.1, 0])
    assert taker == pytest.approx([0, 0, 0.2])
