"""Fitting nets to labels, and whole training runs."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from barpoint.engine.net import find_net, load, load_pruning_net, read_net
from barpoint.error import NetError
from barpoint.native import core, core_rules, pack
from barpoint.rules import Scoring
from barpoint.train import (
    Recipe,
    TrainingLabels,
    TrainingRun,
    arranged,
    distil,
    equity_error,
    fit,
    label,
    own_values,
    refined,
)
from barpoint.train.arrange import changes, neighbours
from barpoint.train.distil import positions_of
from barpoint.train.rare import rare_positions
from barpoint.train.run import labels_in
from barpoint.train.stages import RARE
from barpoint.variants import variant
from tests.train.test_self_play import TINY, finished, net_for, settings


def labels_of_games(games: int, seed: int) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
    """Positions of a net that knows nothing, with their targets."""
    net = net_for("hypergammon")
    return finished(
        core.start_labelling(net, seed=seed, first_game=0, games=games, threads=1, **settings("hypergammon"))
    ).labels()


@pytest.fixture
def few_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs label fewer games at once than trainings that last."""
    monkeypatch.setattr("barpoint.train.run.CHUNK_GAMES", 40)


@pytest.mark.parametrize(("hidden2", "phases"), [(0, 1), (16, 1), (16, 8)])
def test_fitting_brings_a_net_to_its_labels(hidden2: int, phases: int) -> None:
    rules = core_rules(variant("hypergammon"))
    positions, targets = labels_of_games(games=60, seed=4)

    def miss(net: core.Net) -> float:
        found = core.Searcher(rules, net).evaluate(positions, 0)[:, 0, 0]
        return float(np.sqrt(np.mean((found - targets[:, 0, 0]) ** 2)))

    fresh = net_for("hypergammon", hidden=32, hidden2=hidden2, phases=phases)
    fitted = core.start_fitting(fresh, positions, targets, epochs=25, batch=16, first_rate=1e-2, last_rate=3e-4, seed=1)
    assert miss(finished(fitted).net()) < 0.5 * miss(fresh)  # more would be learning the noise by heart


@pytest.mark.parametrize("per_checker", [False, True])
def test_fitting_brings_the_equity_to_that_of_the_labels(per_checker: bool) -> None:
    rules = replace(variant("hypergammon"), scoring=Scoring(per_checker=per_checker))
    positions, targets = labels_of_games(games=60, seed=4)
    if per_checker:  # the same chances, three points a game won and two a game lost
        win = targets[:, :, :1]
        targets = np.concatenate([win, 3 * win, 2 * (1 - win)], axis=2)

    def miss(net: core.Net) -> float:
        def equity(figures: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
            if per_checker:
                return figures[:, 1] - figures[:, 2]
            return 2 * figures[:, 0] - 1 + figures[:, 1] + figures[:, 2] - figures[:, 3] - figures[:, 4]

        found = core.Searcher(core_rules(rules), net).evaluate(positions, 0)[:, 0]
        return float(np.sqrt(np.mean((equity(found) - equity(targets[:, 0])) ** 2)))

    fresh = core.Net(hidden=32, hidden2=16, per_checker=per_checker, seed=3)
    fitted = core.start_fitting(fresh, positions, targets, epochs=25, batch=16, first_rate=1e-2, last_rate=3e-4, seed=1)
    assert miss(finished(fitted).net()) < 0.4 * miss(fresh)


@pytest.mark.parametrize(("hidden", "hidden2", "phases"), [(32, 0, 1), (144, 16, 1), (256, 32, 8)])
def test_two_threads_fit_what_one_does(hidden: int, hidden2: int, phases: int) -> None:
    positions, targets = labels_of_games(games=30, seed=5)
    fitted = [
        finished(
            core.start_fitting(
                net_for("hypergammon", hidden=hidden, hidden2=hidden2, phases=phases),
                positions,
                targets,
                epochs=1,
                batch=50,
                first_rate=1e-3,
                last_rate=1e-3,
                seed=1,
                threads=threads,
            )
        ).net()
        for threads in (1, 2)
    ]
    rules = core_rules(variant("hypergammon"))
    one, two = (core.Searcher(rules, net.dequantized()).evaluate(positions[:500], 0) for net in fitted)
    assert np.abs(one - two).max() < 2e-3


@pytest.mark.parametrize("threads", [1, 2])
def test_siblings_bring_the_differences_between_plays_to_those_of_the_labels(threads: int) -> None:
    recipe = replace(Recipe.small("hypergammon"), siblings=4, lambda_=0.0)
    fresh = net_for("hypergammon", hidden=32, hidden2=16, phases=8)
    labels = label(fresh, recipe, 60, seed=4)
    rolls = labels.rolls
    assert rolls is not None
    several = rolls >= 0

    def equity(figures: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        found: npt.NDArray[np.float32] = figures @ np.array([2, 1, 1, -1, -1], np.float32)
        return found

    def missed(net: core.Net) -> float:
        """The root mean square error beside the mean of the roll."""
        found = core.Searcher(core_rules(recipe.rules), net).evaluate(labels.positions, 0)[:, 0]
        error = (equity(found) - equity(labels.targets[:, 0]))[several]
        _, number, count = np.unique(rolls[several], return_inverse=True, return_counts=True)
        return float(np.sqrt(np.mean((error - (np.bincount(number, error) / count)[number]) ** 2)))

    fitted = [
        fit(fresh, labels, epochs=6, batch=32, first_rate=3e-3, sibling_weight=weight, threads=threads)
        for weight in (0.0, 400.0)
    ]
    assert missed(fitted[1]) < 0.9 * missed(fitted[0])


@pytest.mark.parametrize("fixed", [0, 1, 2])
def test_fixed_layers_stay_as_they_are_and_so_do_phases_without_labels(fixed: int) -> None:
    positions, targets = labels_of_games(games=30, seed=5)
    begun = core.Net.parse(net_for("hypergammon", hidden=32, hidden2=16, phases=8).bytes())
    races = begun.phases_of(positions) == 0
    fitted = fit(begun, TrainingLabels(positions[races], targets[races]), epochs=2, fixed_layers=fixed)
    changed = [
        not np.array_equal(*pair) for pair in zip(begun.weights()[::2], fitted.weights()[::2], strict=True)
    ]  # of the first, the second and the output layer
    assert changed == [number >= fixed for number in range(3)]
    rules = core_rules(variant("hypergammon"))
    before, after = (
        core.Searcher(rules, core.Net.parse(net.bytes())).evaluate(positions[~races], 0) for net in (begun, fitted)
    )
    assert np.array_equal(before, after) == (fixed > 0)


def test_rolls_of_another_number_are_refused() -> None:
    positions, targets = labels_of_games(games=1, seed=5)
    with pytest.raises(ValueError, match="rolls are"):
        core.start_fitting(
            net_for("hypergammon"),
            positions,
            targets,
            epochs=1,
            batch=8,
            first_rate=1e-3,
            last_rate=1e-3,
            seed=1,
            rolls=np.zeros(len(positions) - 1, np.int64),
        )


def test_steps_however_large_leave_weights_that_sixteen_bits_hold() -> None:
    positions, targets = labels_of_games(games=30, seed=5)
    fresh = net_for("hypergammon", hidden=32, hidden2=16)
    job = core.start_fitting(fresh, positions, targets, epochs=2, batch=8, first_rate=2.0, last_rate=2.0, seed=1)
    weights = np.frombuffer(finished(job).net().bytes()[28:-8], np.float16)  # past the header, without the checksum
    rest = 32 + 16 * 32 + 16 + 5 * 16 + 5
    first, hidden2 = weights[:-rest], weights[32 - rest :][: 16 * 32]
    assert np.abs(first).max() == 8
    assert np.abs(hidden2).max() == 4


def test_targets_of_another_shape_are_refused() -> None:
    net = net_for("roll-over")
    with pytest.raises(ValueError, match="positions, token states, probabilities"):
        core.start_fitting(
            net,
            np.zeros((2, 64), np.uint8),
            np.zeros((2, 1, 5), np.float32),
            epochs=1,
            batch=8,
            first_rate=1e-3,
            last_rate=1e-3,
            seed=1,
        )


def test_work_can_be_stopped_and_polled() -> None:
    job = core.start_playing(
        net_for("backgammon"),
        seed=1,
        games=10_000_000,
        first_rate=1e-3,
        last_rate=1e-3,
        threads=2,
        **settings("backgammon"),
    )
    assert not job.wait(0.05)
    with pytest.raises(ValueError, match="still going on"):
        job.net()
    job.stop()
    while not job.wait(1.0):
        pass
    assert job.done < 10_000_000


def test_the_training_of_another_recipe_needs_a_folder_of_its_own(tmp_path: Path) -> None:
    run = TrainingRun(TINY, tmp_path, 0.01)
    run.train()
    with pytest.raises(NetError, match=r"holds a training of .*, not of plakoto \(hidden=16, hidden2=0, phases=1\);"):
        TrainingRun(Recipe.small("plakoto", hidden=16), tmp_path, 0.01)
    assert TrainingRun(replace(TINY, rounds=2), tmp_path, 0.02).spent == pytest.approx(run.spent, abs=0.05)


@pytest.mark.usefixtures("few_labels")
def test_a_training_goes_on_where_it_was_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    TrainingRun(TINY, tmp_path / "whole", 0.01, 1, 1).train()
    run = TrainingRun(TINY, tmp_path / "parts", 0.01, 1, 1)
    run.play_first()
    with monkeypatch.context() as patch:
        patch.setattr(TrainingRun, "fit_round", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            TrainingRun(TINY, tmp_path / "parts", 0.01, 1, 1).train()
    TrainingRun(TINY, tmp_path / "parts", 0.01, 1, 1).train()
    stages = [json.loads(line)["stage"] for line in (tmp_path / "parts" / "log.jsonl").read_text().splitlines()]
    assert stages.count("first") == 1
    assert len(stages) == len(set(stages))
    assert (tmp_path / "parts" / "first.net").read_bytes() == (tmp_path / "whole" / "first.net").read_bytes()
    core.Net.parse((tmp_path / "parts" / "final.net").read_bytes())
    assert list((tmp_path / "parts").glob("progress.*"))


@pytest.mark.parametrize(
    "name", ["hypergammon", "roll-over+hypergammon", pytest.param("cancelgammon+hypergammon", marks=pytest.mark.deep)]
)
def test_a_head_to_head_match_says_the_same_luck_adjusted_and_more_exactly(name: str) -> None:
    rules = core_rules(variant(name))
    entry = find_net(variant(name))
    own, other = load(entry), load(find_net(variant("backgammon")))
    if own.states == 4:
        other = other.for_money().widened()
    with_luck, without = (
        np.array(
            finished(
                core.start_head_to_head(
                    rules,
                    rules,
                    own,
                    rules,
                    other,
                    first_reluctance=0.0,
                    second_reluctance=0.0,
                    seed=5,
                    pairs=400,
                    longest=1000,
                    judge=judge,
                    judge_pruning_net=pruning_net,
                )
            ).points()
        )
        for judge, pruning_net in ((None, None), (own, load_pruning_net(entry)))
    )
    assert without.std() < 0.5 * with_luck.std()
    assert abs((without - with_luck).mean()) < 4 * (without - with_luck).std() / 20


def test_a_net_of_the_plain_game_is_refined_for_tokens_and_phases(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("barpoint.train.run.CHUNK_GAMES", 250)
    recipe = refined(replace(TINY, starts=(("roll-over+hypergammon", 1.0),), hidden2=16, phases=8))
    plain = net_for("hypergammon", hidden2=16)
    run = TrainingRun(recipe, tmp_path, 0.001, 1, 1, refine=True, begin=plain)
    further = read_net(run.train())
    assert (further.hidden, further.states, further.phases) == (16, 4, 8)
    assert [entry["stage"] for entry in run.log()] == ["labels-1-0000", "fit-1"]
    labels = run.labels()
    positions, targets = labels.positions, labels.targets

    def miss(net: core.Net) -> float:
        found = core.Searcher(core_rules(run.recipe.rules), net).evaluate(positions, 0)
        return float(np.sqrt(np.mean((found - targets) ** 2)))

    assert miss(further) < 0.9 * miss(plain.widened())


@pytest.mark.usefixtures("few_labels")
def test_refining_keeps_what_a_net_knows_of_gammons_and_a_net_with_tokens_begins_with_money(tmp_path: Path) -> None:
    begin = net_for("hypergammon", hidden2=16).by_gammon_state()
    plain = TrainingRun(refined(replace(TINY, hidden2=16)), tmp_path / "plain", 0.01, 1, 1, refine=True, begin=begin)
    assert read_net(plain.train()).by_gammons
    assert plain.labels().targets.shape[1:] == (4, 5)
    tokens = refined(replace(TINY, starts=(("roll-over+hypergammon", 1.0),), hidden2=16))
    further = read_net(TrainingRun(tokens, tmp_path / "tokens", 0.01, 1, 1, refine=True, begin=begin).train())
    assert (further.by_gammons, further.states) == (False, 4)


def test_a_net_that_does_not_fit_the_rules_of_a_start_is_refused() -> None:
    with pytest.raises(ValueError, match="token states"):
        core.start_playing(
            net_for("backgammon"), seed=1, games=1, first_rate=1e-3, last_rate=1e-3, threads=1, **settings("roll-over")
        )


def test_a_head_without_a_target_learns_nothing() -> None:
    rng = np.random.default_rng(1)
    net = net_for("roll-over")
    positions = np.frombuffer(pack(variant("backgammon").start) * 8, np.uint8).reshape(8, 64)
    targets = np.full((8, 4, 5), np.nan, np.float32)
    targets[:, 0] = rng.uniform(0, 0.2, (8, 1))
    job = core.start_fitting(net, positions, targets, epochs=200, batch=4, first_rate=1e-2, last_rate=1e-2, seed=1)
    searcher = core.Searcher(core_rules(variant("roll-over")), finished(job).net())
    known, *unknown = searcher.evaluate(positions[:1], 0)[0, :, 0]
    assert known == pytest.approx(targets[:, 0, 0].mean(), abs=0.05)
    assert min(unknown) > 0.3


@pytest.mark.usefixtures("few_labels")
def test_labels_of_the_game_without_tokens_teach_the_state_without_tokens(tmp_path: Path) -> None:
    plain = TrainingRun(TINY, tmp_path / "plain", 0.01, 1, 1)
    plain.train()
    recipe = replace(TINY, starts=(("roll-over+hypergammon", 1.0),))
    run = TrainingRun(recipe, tmp_path / "marked", 0.01, 1, 1, plain=tmp_path / "plain")
    run.train()
    labels = run.labels()
    positions, targets = labels.positions, labels.targets
    extra = np.isnan(targets[:, 1:]).all(axis=(1, 2))
    assert extra.sum() == len(plain.labels())
    assert not np.isnan(targets[:, 0]).any()
    assert len(positions) == len(targets) > extra.sum()


def test_a_small_net_is_distilled_from_a_big_one() -> None:
    net = net_for("hypergammon", hidden=32)
    small = distil(net, TINY, hidden=16, epochs=1)
    assert (small.inputs, small.hidden, small.states) == (core.PLAIN_INPUTS, 16, 1)
    assert small.bytes() == distil(net, TINY, hidden=16, epochs=1).bytes()
    assert distil(net, TINY, epochs=1).hidden == 32
    assert distil(net_for("hypergammon", hidden=512), replace(TINY, pruning_games=1), epochs=1).hidden == 96


def test_replies_to_one_roll_are_siblings_with_values_of_the_net() -> None:
    net = net_for("hypergammon", hidden=32)
    own = own_values(net, TINY)
    assert own.rolls is not None
    assert (np.diff(own.rolls) >= 0).all(), "they stand together"
    assert np.bincount(own.rolls).max() > 4
    said = core.Searcher(core_rules(variant("hypergammon")), net, tables=True).evaluate(own.positions, 0)
    assert np.array_equal(said, own.targets)


def test_games_for_a_pruning_net_may_begin_in_rare_positions() -> None:
    net, rules = net_for("backgammon"), variant("backgammon")
    rare = {position.tobytes() for position in rare_positions(RARE, 3)}

    def begun(share: float) -> int:
        return len(rare & {position.tobytes() for position in positions_of(net, rules, 6, 3, share)})

    assert begun(0.0) == 0
    assert begun(1.0) > 1


def test_units_that_change_together_become_neighbours() -> None:
    always, never = np.ones(60, np.bool_), np.zeros(60, np.bool_)
    sometimes = np.arange(60) % 2 == 0
    order = neighbours(np.stack([always, sometimes, never, sometimes, never, always], 1))
    assert sorted(map(sorted, zip(order[::2], order[1::2], strict=True))) == [[0, 5], [1, 3], [2, 4]]


def test_an_arranged_net_says_the_same_and_fewer_pairs_of_its_units_change() -> None:
    rules = variant("hypergammon")
    net = core.Net.parse(net_for("hypergammon", hidden=64, hidden2=16, phases=8).bytes())
    other = core.Net.parse(arranged(net, rules).bytes())
    assert net.bytes() != other.bytes()
    positions = np.frombuffer(pack(rules.start), np.uint8).reshape(1, 64)
    assert sorted(net.activations(positions)[0]) == sorted(other.activations(positions)[0])
    before, after = (core.Searcher(core_rules(rules), each).rolls(pack(rules.start), 0) for each in (net, other))
    assert np.abs(np.array(before[0]) - np.array(after[0])).max() < 1e-6
    changed, changed_before = (
        (one[:, ::2] | one[:, 1::2]).mean() for one in (changes(other, rules), changes(net, rules))
    )
    assert changed < changed_before


def test_a_net_between_two_says_something_between_and_ends_at_both() -> None:
    one, other = (core.Net(hidden=16, hidden2=16, phases=8, seed=seed) for seed in (1, 2))
    assert one.towards(other, 0).bytes() == one.bytes()
    assert one.towards(other, 1).bytes() == other.bytes()
    near, far = (np.frombuffer(one.towards(other, share).bytes()[32:-8], np.float16) for share in (0.25, 0.75))
    ends = [np.frombuffer(net.bytes()[32:-8], np.float16) for net in (one, other)]
    assert np.abs(near + far - ends[0] - ends[1]).max() < 2e-3
    assert np.abs(near - ends[0]).sum() < np.abs(near - ends[1]).sum()
    for net, share in ((core.Net(hidden=16), 0.5), (other, 1.5)):
        with pytest.raises(ValueError, match=r"nets of one shape|0 to 1"):
            one.towards(net, share)


def test_a_net_fitted_to_its_own_values_comes_nearer_to_them_and_another_one_much_nearer() -> None:
    recipe = Recipe.small("backgammon", hidden=16, pruning_games=4)
    net, other = (core.Net.parse(recipe.fresh_net(seed).bytes()) for seed in (1, 2))
    own = own_values(net, recipe)
    held = fit(net, own, epochs=1, first_rate=1e-4)
    assert equity_error(held, recipe, own) <= equity_error(net, recipe, own), "tables know some of them better"
    assert equity_error(fit(other, own, epochs=1), recipe, own) < 0.5 * equity_error(other, recipe, own)


def test_an_order_names_each_unit_once_and_only_whole_numbers_tell_what_units_give() -> None:
    net = net_for("hypergammon", hidden=16, hidden2=16)
    for order in ([0] * 16, list(range(15)), list(range(17))):
        with pytest.raises(ValueError, match="an order names"):
            net.arranged(np.array(order, np.int64))
    with pytest.raises(ValueError, match="only a quantized net"):
        net.activations(np.zeros((1, 64), np.uint8))


def test_a_first_stage_that_uses_the_budget_up_is_stopped_and_begun_again_with_more(tmp_path: Path) -> None:
    long = replace(TINY, first_games=10_000_000)
    run = TrainingRun(long, tmp_path, 0.001)
    with pytest.raises(NetError, match=r"budget of 0\.001 processor minutes is used up after \d+ of 10000000 games"):
        run.train()
    assert not (tmp_path / "first.net").exists()
    assert (run.spent, run.log()) == (0, [])
    assert TrainingRun(TINY, tmp_path, 0.01).train().exists()


def test_a_budget_used_up_before_the_first_labels_is_said_and_more_minutes_go_on(tmp_path: Path) -> None:
    TrainingRun(TINY, tmp_path, 0.01).play_first()
    kept = (tmp_path / "first.net").read_bytes()
    for _ in range(2):
        with pytest.raises(
            NetError, match="is used up before the first labels; with more minutes the same command goes"
        ):
            TrainingRun(TINY, tmp_path, 0.000001).train()
    assert TrainingRun(TINY, tmp_path, 0.02).train().exists()
    assert (tmp_path / "first.net").read_bytes() == kept


def test_a_folder_without_labels_is_named(tmp_path: Path) -> None:
    with pytest.raises(NetError, match=f"no labels in {tmp_path}"):
        labels_in(tmp_path)
