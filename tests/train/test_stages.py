"""Nets are trained by functions, for any variant, and the engine plays with their files."""

from __future__ import annotations

import json
import pickle
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import barpoint as bp
from barpoint import train
from barpoint.driver.batch import random_policy
from barpoint.error import ArgumentError, FormatError, NetError, UnsupportedRules
from barpoint.rules import Capture, Movement, Rerolls, Setup, Variant

PINS = Variant(
    name="short-pins",
    title="Short pins",
    line="Ten checkers each; blots are pinned.",
    source="this test",
    axes={"setup": Setup(((24, 5), (13, 5))), "movement": Movement(capture=Capture.PIN)},
)
TINY = {"hidden": 16, "first_games": 40, "epochs": 2, "pruning_games": 2}


@pytest.fixture(autouse=True)
def forgotten(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Registered variants are gone after the test."""
    catalogue = sys.modules["barpoint.variants"]
    monkeypatch.setattr(catalogue, "_registered", [])
    yield
    catalogue._rules.cache_clear()


def test_a_net_for_rules_that_no_net_covers_is_trained_published_and_played(tmp_path: Path) -> None:
    rules = bp.register(PINS)
    with pytest.raises(UnsupportedRules):
        bp.Engine(rules)
    recipe = train.Recipe.small("short-pins", **TINY)
    fresh = recipe.fresh_net()
    said: list[tuple[int, float]] = []
    player = train.learn_by_playing(fresh, recipe, progress=lambda done, error: said.append((done, error)))
    assert said[-1][0] == 40
    labels, unseen = train.label(player, recipe, 20).split(0.8)
    assert (bp.decode(labels.boards)[0].us.total, len(unseen) > 20) == (10, True)
    fitted = train.fit(player, labels, epochs=25, batch=16, first_rate=1e-2)
    assert train.equity_error(fitted, recipe, labels) < 0.7 * train.equity_error(fresh, recipe, labels)
    file = train.publish(fitted, tmp_path / "pins.net")
    engine = bp.Engine("short-pins", net=file)
    copied = pickle.loads(pickle.dumps(engine))
    assert copied.rank(rules.start, (3, 1)) == engine.rank(rules.start, (3, 1))
    assert engine.equity(rules.start) == pytest.approx(bp.Engine(rules, net=fitted).equity(rules.start), abs=0.01)
    bot = bp.Bot(rules, evaluator=engine)
    *_, match = bp.play_match(bp.Match.start(length=1, rules=rules), bot, bot, dice=bp.dice.seeded(1))
    assert match.over


@pytest.mark.parametrize("name", [entry.name for entry in bp.variants() if not entry.is_sequence])
def test_every_variant_of_the_catalogue_can_be_learned(name: str) -> None:
    recipe = train.Recipe.small(name, **TINY, longest=20)
    net = train.learn_by_playing(recipe.fresh_net(), recipe, games=2)
    labels = train.label(net, recipe, 1)
    faces = recipe.rules.dice.rows[-2].faces
    assert labels.targets.shape[1:] == (recipe.token_states, 3 if recipe.rules.scoring.per_checker else 5)
    assert bp.Engine(name, net=train.fit(net, labels, epochs=1)).rank(recipe.rules.start, faces, limit=1)


def test_a_net_learns_what_the_engine_says_of_positions_from_elsewhere() -> None:
    recipe = train.Recipe.small("backgammon", **TINY)
    seen: list[npt.NDArray[np.int8]] = []

    def policy(turns: bp.BatchTurns) -> npt.NDArray[np.int64]:
        seen.append(turns.positions)
        return random_policy(np.random.default_rng(1))(turns)

    bp.play_batch(recipe.rules, 20, policy)
    boards = np.concatenate(seen)[:1000]
    labels = train.TrainingLabels.of(boards, bp.Engine().evaluate_array(boards)[:, None])
    assert np.array_equal(labels.boards, boards)
    fitted = train.fit(recipe.fresh_net(), labels, epochs=10, batch=16, first_rate=1e-2)
    assert train.equity_error(fitted, recipe, labels) < 0.6 * train.equity_error(recipe.fresh_net(), recipe, labels)
    assert len(train.label(recipe.fresh_net(), recipe, 1).boards[0]) == 2


def test_labels_are_kept_in_files_and_joined(tmp_path: Path) -> None:
    recipe = train.Recipe.small("hypergammon", **TINY)
    one, other = (train.label(recipe.fresh_net(), recipe, 3, first_game=first) for first in (0, 3))
    one.save(tmp_path / "labels.npz")
    joined = train.TrainingLabels.joined([train.TrainingLabels.load(tmp_path / "labels.npz"), other])
    assert np.array_equal(joined.targets, train.label(recipe.fresh_net(), recipe, 6).targets)
    tokens = train.Recipe.small("roll-over+hypergammon", **TINY)
    with pytest.raises(NetError, match="nets of different shapes"):
        train.TrainingLabels.joined([one, train.label(tokens.fresh_net(), tokens, 1)])
    with pytest.raises(NetError, match="there are no labels"):
        train.TrainingLabels.joined([])
    np.savez(tmp_path / "other.npz", positions=one.positions)
    for name in ("other.npz", "text.npz"):
        (tmp_path / "text.npz").write_text("no numpy")
        with pytest.raises(FormatError, match=f"{name} holds no labels"):
            train.TrainingLabels.load(tmp_path / name)
    with pytest.raises(NetError, match=r"positions \[\d+, 64\] and targets \[2, 1, 5\]"):
        train.TrainingLabels(one.positions, one.targets[:2])


def test_labels_after_plays_of_a_roll_stay_together(tmp_path: Path) -> None:
    recipe = train.Recipe.small("hypergammon", **TINY, siblings=3, longest=20)
    net = recipe.fresh_net()
    one, plain = train.label(net, recipe, 3), train.label(net, replace(recipe, siblings=0), 3)
    assert plain.rolls is None
    one.save(tmp_path / "labels.npz")
    kept = train.TrainingLabels.load(tmp_path / "labels.npz")
    assert one.rolls is not None
    assert np.array_equal(kept.rolls, one.rolls)
    joined = train.TrainingLabels.joined([one, plain, one])
    assert joined.rolls is not None
    first, middle, last = np.split(joined.rolls, [len(one), len(one) + len(plain)])
    assert (middle == -1).all()
    assert np.array_equal(first < 0, one.rolls < 0)
    assert not set(first[first >= 0]) & set(last), "rolls of different parts have different numbers"
    parts = joined.split(0.5)
    assert sum(map(len, parts)) == len(joined)
    numbers = [set(part.rolls[part.rolls >= 0]) for part in parts if part.rolls is not None]
    assert numbers[0]
    assert not numbers[0] & numbers[1], "siblings are not divided"
    with pytest.raises(NetError, match=r"rolls \[2\]; \[\d+\] is needed"):
        train.TrainingLabels(one.positions, one.targets, one.rolls[:2])


def test_labels_are_compared_by_identity_since_arrays_have_no_one_truth() -> None:
    labels = train.TrainingLabels(np.zeros((1, 64), np.uint8), np.zeros((1, 4, 5), np.float32))
    assert labels == labels
    assert labels != train.TrainingLabels(labels.positions, labels.targets)
    assert len({labels, labels}) == 1


def test_the_stages_refuse_arguments_of_another_kind() -> None:
    recipe = train.Recipe.small("backgammon", **TINY)
    net: Any = recipe.fresh_net()
    other: Any = None
    calls: list[tuple[str, Any]] = [
        ("net", lambda: train.learn_by_playing(other, recipe)),
        ("recipe", lambda: train.learn_by_playing(net, other)),
        ("net", lambda: train.label(other, recipe, 1)),
        ("recipe", lambda: train.own_values(net, other)),
        ("net", lambda: train.distil(other, recipe)),
        ("labels", lambda: train.fit(net, other)),
        ("labels", lambda: train.equity_error(net, recipe, other)),
        ("path", lambda: train.publish(net, other)),
    ]
    for name, call in calls:
        with pytest.raises(ArgumentError, match=f"^{name} is None"):
            call()


def test_recipes_that_make_no_net_are_refused() -> None:
    tokens = bp.register(replace(PINS, axes={"rerolls": Rerolls(tokens=2, own=True, other=True)}))
    with pytest.raises(UnsupportedRules, match="gives each side 2 tokens; nets know at most one"):
        train.Recipe.small(tokens)
    with pytest.raises(ArgumentError, match="did you mean hidden"):
        train.Recipe.small("backgammon", hiden=32)
    for changes, said in (
        ({"hidden": 33}, "hidden 33; a multiple of 16"),
        ({"phases": 8}, "phases without a second layer"),
        ({"exploration": 2.0}, "exploration 2.0; 0 to 1 are allowed"),
        ({"epochs": 0}, "epochs 0; at least 1 is needed"),
        ({"starts": ()}, "at least one start"),
    ):
        with pytest.raises(NetError, match=said):
            train.Recipe.small("backgammon", **changes).fresh_net()


def test_nets_of_other_rules_are_refused(tmp_path: Path) -> None:
    tokens, plain = train.Recipe.small("roll-over", **TINY), train.Recipe.small("backgammon", **TINY)
    labels = train.label(plain.fresh_net(), replace(plain, longest=20), 1)
    with pytest.raises(NetError, match="token states"):
        train.learn_by_playing(plain.fresh_net(), tokens, games=1)
    with pytest.raises(NetError, match="token states"):
        train.label(plain.fresh_net(), tokens, 1)
    with pytest.raises(NetError, match="targets are"):
        train.fit(tokens.fresh_net(), labels)
    with pytest.raises(NetError, match="refining needs the net to begin with"):
        train.TrainingRun(plain, tmp_path, 1, refine=True)


def test_a_folder_goes_on_only_with_the_rules_that_it_was_begun_with(tmp_path: Path) -> None:
    def begun(rules: bp.Rules) -> train.TrainingRun:
        return train.TrainingRun(train.Recipe.small(rules, **TINY), tmp_path / "run", 1)

    begun(bp.register(PINS))
    begun(bp.register(replace(PINS, title="Pins, called otherwise"), overwrite=True))
    other: list[dict[str, Any]] = [{"setup": Setup(((24, 4), (13, 6)))}, {"cube": False}, {"rerolls": Rerolls(1)}]
    for axes in other:
        changed = bp.register(replace(PINS, axes={**PINS.axes, **axes}), overwrite=True)
        with pytest.raises(NetError, match=r"run holds a training of short-pins by other rules.*a folder of their own"):
            begun(changed)
    with pytest.raises(NetError, match=r"run holds a training of short-pins \(hidden=16.*not of backgammon"):
        begun(bp.variant("backgammon"))
    kept = tmp_path / "run" / "recipe.json"
    told = json.loads(kept.read_text(encoding="utf-8"))
    del told["rules"]
    kept.write_text(json.dumps(told), encoding="utf-8")
    begun(changed)  # as earlier versions wrote it


def test_a_file_that_holds_no_net_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bad.net").write_bytes(b"no net")
    with pytest.raises(NetError, match="net file"):
        bp.Engine(net=tmp_path / "bad.net")
    with pytest.raises(NetError, match=r"none\.net"):
        bp.Engine(net=str(tmp_path / "none.net"))


def test_what_a_progress_raises_stops_the_work() -> None:
    recipe = train.Recipe.small("backgammon")

    def tired(done: int, error: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train.learn_by_playing(recipe.fresh_net(), recipe, games=10_000_000, progress=tired)


def test_a_training_is_plotted_as_text_and_a_picture_says_what_it_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = [{"stage": "first", "seconds": 90.0, "error": 0.25}, {"stage": "fit-1", "seconds": 30.0, "error": 0.125}]
    shown = train.plot(log, tmp_path / "progress.txt").read_text(encoding="utf-8")
    assert [line.split() for line in shown.splitlines()] == [
        ["1.50", "min", "first", "0.2500"],
        ["2.00", "min", "fit-1", "0.1250"],
    ]
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ImportError, match=r"pip install 'barpoint\[train\]'"):
        train.plot(log, tmp_path / "progress.png")


def test_numbers_that_make_no_sense_are_refused_before_any_work(tmp_path: Path) -> None:
    recipe = train.Recipe.small("backgammon", **TINY)
    net = recipe.fresh_net()
    for wrong in (lambda: train.label(net, recipe, -1), lambda: train.learn_by_playing(net, recipe, games=-1)):
        with pytest.raises(NetError, match="games -1; at least 0 is needed"):
            wrong()
    for name, units in (("hidden", 20), ("hidden", 0), ("hidden", 2048), ("hidden2", 512)):
        with pytest.raises(NetError, match=f"{name} {units}; a multiple of 16 from"):
            train.Recipe.small("backgammon", **{name: units})
    with pytest.raises(ArgumentError, match="hidden is '64'"):
        train.Recipe.small("backgammon", hidden="64")
    with pytest.raises(NetError, match="minutes 0; more than 0 are needed"):
        train.TrainingRun(recipe, tmp_path / "run", 0)
    with pytest.raises(NetError, match="threads 0; at least 1 is needed"):
        train.TrainingRun(recipe, tmp_path / "run", 1, threads=0)
    assert not (tmp_path / "run").exists()
