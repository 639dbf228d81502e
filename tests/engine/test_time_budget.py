"""A budget of time: deeper searches are begun as long as they are estimated to end in it."""

import pickle
from collections.abc import Callable

import pytest

import barpoint as bp
from barpoint.engine import Bot, CubeState, Engine, Score
from barpoint.engine.limits import MAX_PLIES, MAX_TIME_MS
from barpoint.engine.time_budget import GROWTH, deepest
from barpoint.error import ArgumentError, OptionError

START = bp.variant("backgammon").start


class Watch:
    """A clock that goes on while something is searched. seconds: of each depth."""

    def __init__(self, *seconds: float) -> None:
        self.now, self.seconds, self.depths = 0.0, seconds, list[int]()

    def __call__(self) -> float:
        return self.now

    def search(self, plies: int) -> int:
        self.now += self.seconds[plies]
        self.depths.append(plies)
        return plies


@pytest.mark.parametrize(
    ("time_ms", "depth"),
    [(None, 0), (1, 0), (13.1, 1), (131.5, 2), (133, 2), (1400, 3), (20_000, MAX_PLIES), (MAX_TIME_MS, MAX_PLIES)],
)
def test_a_depth_is_begun_if_it_would_end_in_time(time_ms: float | None, depth: int) -> None:
    watch = Watch(0.001, 0.01, 0.1, 1.0, 10.0)
    assert deepest(watch.search, 0, time_ms, watch) == depth
    assert watch.depths == list(range(depth + 1))


def test_a_search_that_took_longer_than_the_budget_is_the_last_one() -> None:
    watch = Watch(0.001, 5.0, 1.0, 1.0, 1.0)
    assert deepest(watch.search, 0, 1000 * 0.001 * (1 + GROWTH) + 1e-6, watch) == 1


def test_the_plies_that_are_asked_for_are_searched_in_any_case() -> None:
    watch = Watch(0.001, 0.01, 0.1, 1.0, 10.0)
    assert deepest(watch.search, 2, 1, watch) == 2
    assert watch.depths == [2]


def test_a_millisecond_finds_a_play_as_good_as_the_net_alone_does() -> None:
    net, judge = Engine(), {item.play.result: item.equity for item in Engine(plies=2).rank(START, (4, 3))}
    best = Engine(time_ms=1).rank(START, (4, 3))[0]
    assert best.play in {play.play for play in net.rank(START, (4, 3))}
    assert judge[best.play.result] >= judge[net.rank(START, (4, 3))[0].play.result]


@pytest.mark.parametrize("ask", [lambda engine: engine.rank(START, (6, 2)), lambda engine: engine.cube(START)])
def test_an_answer_says_how_deep_it_is_and_equals_that_of_these_plies(ask: Callable[[Engine], object]) -> None:
    found = ask(Engine(time_ms=30))
    plies = (found[0] if isinstance(found, tuple) else found).plies  # type: ignore[attr-defined]
    assert found == ask(Engine(plies=plies))
    asked = ask(Engine(plies=1))
    assert (asked[0] if isinstance(asked, tuple) else asked).plies == 1  # type: ignore[attr-defined]


def test_an_equity_has_the_value_of_one_of_the_depths() -> None:
    given = {"cube": CubeState(2, "us"), "score": Score(3, 5)}
    found = Engine(time_ms=5).equity(START, **given)  # type: ignore[arg-type]
    depths = [Engine(plies=plies).equity(START, **given) for plies in range(4)]  # type: ignore[arg-type]
    assert found in depths


def test_a_reroll_is_decided_at_the_plies_alone() -> None:
    rules = bp.variant("roll-over")
    asked = [Engine(rules, **given).reroll(rules.start, (2, 1), tokens=(1, 1)) for given in ({}, {"time_ms": 50})]  # type: ignore[arg-type]
    assert asked[0] == asked[1]


@pytest.mark.parametrize("time_ms", [0, -1, float("nan"), float("inf"), MAX_TIME_MS + 1])
def test_an_impossible_budget_is_refused(time_ms: float) -> None:
    with pytest.raises(OptionError, match=r"milliseconds; more than 0 and at most 3600000 are offered"):
        Engine(time_ms=time_ms)


def test_a_budget_that_is_no_number_is_refused() -> None:
    with pytest.raises(ArgumentError):
        Engine(time_ms="5")  # type: ignore[arg-type]


def test_a_budget_travels_with_a_pickled_engine() -> None:
    assert pickle.loads(pickle.dumps(Engine(time_ms=7, plies=1))).time_ms == 7


def test_a_bot_s_budget_is_that_of_its_engine_which_then_rolls_nothing_out() -> None:
    for name, plies in (("strong", 0), ("strongest", 2)):
        engine = Bot("hypergammon", name, time_ms=5).engine
        assert isinstance(engine, Engine)
        assert (engine.plies, engine.time_ms, engine.rollout_settings) == (plies, 5, None)
    with pytest.raises(OptionError, match="milliseconds"):
        Bot("hypergammon", time_ms=0)
