"""Nets whose outputs say what happens where gammons of neither side, of one or of both count (core/rules/payout.hpp)."""

from typing import Final

import numpy as np
import numpy.typing as npt
import pytest

from barpoint.engine import Engine
from barpoint.engine.cube_info import CubeInfo, CubeState, Score
from barpoint.engine.net import find_net, load
from barpoint.native import core, core_rules
from barpoint.train import TrainingLabels, fit
from barpoint.variants import variant
from tests.core.test_net import array, played_positions

RULES: Final = variant("backgammon")
CORE: Final = core_rules(RULES)
POSITIONS: Final = array(played_positions("backgammon", 300))
EFFICIENCY: Final = (0.68, 0.6, 0.7)
CERTAIN: Final = np.array([[0.6, 0, 0, 0, 0], [0.3, 0, 0, 0, 0], [0.4, 0, 0, 0, 0], [0.8, 0, 0, 0, 0]], np.float32)
"""What each state says of every position: the chance to win where no gammons count, our own, theirs, both."""


def one_state() -> core.Net:
    return core.Net.parse(core.Net(hidden=32, hidden2=16, seed=3).bytes())


@pytest.fixture(scope="module")
def decided() -> core.Net:
    """A net that has learned CERTAIN."""
    labels = TrainingLabels(POSITIONS, np.broadcast_to(CERTAIN, (len(POSITIONS), 4, 5)).copy())
    net = fit(
        one_state().by_gammon_state(), labels, epochs=150, batch=32, first_rate=3e-2, last_rate=1e-3, fixed_layers=2
    )
    return core.Net.parse(net.bytes())


def chances(net: core.Net, info: CubeInfo, plies: int = 0) -> npt.NDArray[np.float32]:
    found: npt.NDArray[np.float32] = core.Searcher(CORE, net).evaluate(POSITIONS[:40], plies, info.core())[:, 0, 0]
    return found


def test_a_net_given_gammon_states_says_what_it_said_before_for_money_and_at_every_score() -> None:
    net = one_state()
    wide = core.Net.parse(net.by_gammon_state().bytes())
    assert (wide.states, wide.by_gammons, net.by_gammons) == (4, True, False)
    scores = (Score(3, 5), Score(5, 5), Score(9, 11))
    for info in (
        CubeInfo(),
        CubeInfo(CubeState(2, "us"), Score(4, 3)),
        *(CubeInfo(CubeState(), each) for each in scores),
    ):
        for plies in (0, 1):
            one, two = (core.Searcher(CORE, each).evaluate(POSITIONS[:40], plies, info.core()) for each in (net, wide))
            assert one == pytest.approx(two, abs=1e-6)
        for plies in (0, 1, 2):
            (one, windows), (two, others) = (
                ((cubes), windows)
                for (_, cubes), windows in (
                    core.Searcher(CORE, each).cube_window(POSITIONS[7].tobytes(), plies, info.core(), EFFICIENCY)
                    for each in (net, wide)
                )
            )
            assert one == pytest.approx(two, abs=1e-5)
            assert windows == pytest.approx(others, abs=2e-4)


def test_for_money_both_sides_gammons_count(decided: core.Net) -> None:
    assert chances(decided, CubeInfo()) == pytest.approx(0.8, abs=0.01)
    assert decided.for_money().states == 1
    alone = core.Searcher(CORE, decided.for_money()).evaluate(POSITIONS, 0)
    assert np.array_equal(alone, core.Searcher(CORE, decided).evaluate(POSITIONS, 0))


@pytest.mark.parametrize(
    ("score", "cube", "chance"),
    [
        (Score(1, 1), CubeState(), 0.6),  # double match point
        (Score(2, 2), CubeState(2), 0.6),
        (Score(4, 1, crawford=True), CubeState(2), 0.3),  # gammon-go
        (Score(1, 4, crawford=True), CubeState(2), 0.4),  # gammon-save
        (Score(3, 1, crawford=True), CubeState(), 0.3),  # a backgammon wins the match
        (Score(1, 3, crawford=True), CubeState(), 0.4),
    ],
)
def test_at_a_score_those_gammons_count_that_change_the_match(
    score: Score, cube: CubeState, chance: float, decided: core.Net
) -> None:
    assert chances(decided, CubeInfo(cube, score)) == pytest.approx(chance, abs=0.01)


@pytest.mark.parametrize(
    ("score", "chance"),
    [
        (Score(1, 1), 0.4),
        (Score(4, 1, crawford=True), 0.6),  # after the roll the other side plays gammon-save
        (Score(1, 4, crawford=True), 0.7),
        (None, 0.2),
    ],
)
def test_a_roll_ahead_the_other_side_is_asked_for_its_own_stakes(
    score: Score | None, chance: float, decided: core.Net
) -> None:
    """One ply deep the values are those that the other side has, seen by us."""
    found = chances(decided, CubeInfo(CubeState(2) if score else None, score), plies=1)
    assert np.median(found) == pytest.approx(chance, abs=0.02)


def test_gammons_that_are_worth_a_part_lie_between(decided: core.Net) -> None:
    """At 5-away 5-away a gammon adds nearly as much to a win as for money."""
    found = chances(decided, CubeInfo(None, Score(5, 5)))
    assert ((found > 0.7) & (found < 0.8)).all()


@pytest.mark.parametrize(
    ("score", "rolled_out"), [(Score(3, 1, crawford=True), 0.134), (Score(1, 3, crawford=True), 0.086)]
)
def test_backgammons_are_saved_where_only_they_cost_the_match(score: Score, rolled_out: float) -> None:
    """An opening 3-1 in the Crawford game; rolled out 2,592 times +- 0.002."""
    best = Engine("backgammon").rank(RULES.start, (3, 1), score=score, limit=1)[0]
    assert best.equity == pytest.approx(rolled_out, abs=0.01)


def test_money_is_not_touched_by_what_is_learned_of_other_games() -> None:
    net = load(find_net(RULES)).for_money()
    wide = net.by_gammon_state()
    labels = TrainingLabels(POSITIONS, np.full((len(POSITIONS), 4, 5), np.nan, np.float32))
    labels.targets[:, 0] = [0.5, 0, 0, 0, 0]
    even = core.Net.parse(
        fit(wide, labels, epochs=40, batch=32, first_rate=3e-2, last_rate=1e-3, fixed_layers=2).bytes()
    )
    searcher = core.Searcher(CORE, even)
    for plies in (0, 1):
        found = searcher.evaluate(POSITIONS[:20], plies, CubeInfo(None, Score(1, 1)).core())[:, 0, 0]
        assert np.abs(found - 0.5).max() < 0.15
        plain, money = (core.Searcher(CORE, each).evaluate(POSITIONS[:20], plies) for each in (net, even))
        assert plain == pytest.approx(money, abs=1e-6)


def test_gammon_states_are_refused_where_they_say_nothing() -> None:
    rules = core_rules(variant("acey-deucey"))
    with pytest.raises(ValueError, match="its states say other things than these would"):
        core.Net(per_checker=True).by_gammon_state()
    with pytest.raises(ValueError, match="plays no rolls that are followed by another"):
        core.Searcher(rules, one_state().by_gammon_state())
    with pytest.raises(ValueError, match="a pruning net has no gammon states"):
        core.Searcher(CORE, one_state(), pruning_net=one_state().by_gammon_state())


def test_a_net_with_one_state_cannot_be_asked_for_a_mix_twice() -> None:
    with pytest.raises(ValueError, match="only a net with one state can get more"):
        one_state().by_gammon_state().by_gammon_state()


def test_the_output_layer_learns_alone() -> None:
    labels = TrainingLabels(POSITIONS, np.full((len(POSITIONS), 4, 5), np.nan, np.float32))
    labels.targets[:, 0] = [0.2, 0, 0, 0, 0]
    net = one_state().by_gammon_state()
    further = fit(net, labels, epochs=5, fixed_layers=2)
    assert np.array_equal(further.for_money().bytes(), net.for_money().bytes()), (
        "states without targets stay as they are"
    )
    assert further.bytes() != net.bytes()


def test_each_rung_of_the_cube_has_probabilities_of_its_own(decided: core.Net) -> None:
    """At 2-away 4-away the side doubled to 2 redoubles to 4 at once, where no gammon counts: what is left is the chance to win there."""
    stakes = CubeInfo(CubeState(), Score(2, 4)).core()
    found, values = core.Searcher(CORE, decided).cube(POSITIONS[3].tobytes(), 0, stakes, EFFICIENCY)
    assert values[0, 1] == pytest.approx(0.6, abs=0.01)
    assert found[0, 0] != pytest.approx(0.6, abs=0.05), "with the cube at 1 gammons count"
