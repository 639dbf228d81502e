"""The deepest level: what a search finds close is rolled out."""

import pickle
from dataclasses import asdict, replace

import pytest

import barpoint as bp
from barpoint.board import Position, Side
from barpoint.engine import Bot, CubeState, Engine, RolloutSettings, Score
from barpoint.engine.deepest import CLOSE, DEEPEST, MAX_CANDIDATES
from barpoint.engine.level import level
from barpoint.error import ArgumentError, OptionError
from barpoint.game import Opening, PlayMade
from barpoint.match import Match

RULES = bp.variant("backgammon")
QUICK = replace(DEEPEST, trials=144, truncate=2)
ENGINE, SEARCH = Engine(rollout=QUICK), Engine(plies=2)
CLOSE_DOUBLE = bp.parse_id("37eAABDPbgMAAA").position


def test_close_plays_are_rolled_out_and_the_others_come_after_them() -> None:
    searched, found = SEARCH.rank(RULES.start, (2, 1)), ENGINE.rank(RULES.start, (2, 1))
    close = [item.play for item in searched[:MAX_CANDIDATES] if item.loss <= CLOSE]
    assert len(close) >= 2
    assert {item.play for item in found if item.error is not None} == set(close)
    assert all(item.error is not None and item.error < 0.02 for item in found[: len(close)])
    assert [item.equity for item in found] == sorted((item.equity for item in found), reverse=True)
    assert {item.play for item in found} == {item.play for item in searched}
    assert found[0].loss == 0
    assert found[0].plies == 2


def test_plays_that_are_not_rolled_out_change_as_the_others_do() -> None:
    searched = {item.play: item.equity for item in SEARCH.rank(RULES.start, (2, 1))}
    found = ENGINE.rank(RULES.start, (2, 1))
    changes = [item.equity - searched[item.play] for item in found if item.error is not None]
    last = found[-1]
    assert last.error is None
    assert last.equity - searched[last.play] == pytest.approx(sum(changes) / len(changes))
    assert last.loss == pytest.approx(found[0].equity - last.equity)


def test_a_rollout_of_plays_has_the_equity_of_rollout_plays() -> None:
    found = [item for item in ENGINE.rank(RULES.start, (2, 1)) if item.error is not None]
    rolled = SEARCH.rollout_plays(RULES.start, (2, 1), [item.play for item in found], **asdict(QUICK))
    assert {item.play: item.equity for item in found} == {item.play: item.rollout.equity.mean for item in rolled}


def test_with_one_close_play_nothing_is_rolled_out() -> None:
    assert ENGINE.rank(RULES.start, (3, 1)) == SEARCH.rank(RULES.start, (3, 1))


def test_a_forced_play_is_not_rolled_out() -> None:
    closed = Position(Side.of({25: 1, 1: 14}), Side.of({6: 3, 5: 3, 4: 3, 3: 2, 2: 2, 1: 2}))
    (only,) = ENGINE.rank(closed, (6, 5))
    assert only.play.moves == ()
    assert only.error is None


def test_one_play_can_be_asked_for() -> None:
    assert ENGINE.rank(RULES.start, (2, 1), limit=1) == ENGINE.rank(RULES.start, (2, 1))[:1]


def test_a_play_that_wins_the_game_needs_no_rollout() -> None:
    ending = Position(Side.of({0: 13, 1: 2}), Side.of({0: 1, 6: 14}))
    best = ENGINE.rank(ending, (2, 1))[0]
    assert best.equity == pytest.approx(1)
    assert best.error is None


def test_answers_do_not_depend_on_threads_and_repeat_with_the_seed() -> None:
    threads = Engine(rollout=QUICK, threads=3)
    assert threads.rank(RULES.start, (2, 1)) == ENGINE.rank(RULES.start, (2, 1))
    other = Engine(rollout=replace(QUICK, seed=2)).rank(RULES.start, (2, 1))
    assert other[0].equity != ENGINE.rank(RULES.start, (2, 1))[0].equity


@pytest.mark.parametrize("score", [None, Score(5, 5), Score(2, 4), Score(4, 2), Score(7, 3)])
def test_close_cube_decisions_are_rolled_out_for_money_and_at_scores(score: Score | None) -> None:
    found = ENGINE.cube(CLOSE_DOUBLE, score=score)
    rolled = SEARCH.rollout_cube(CLOSE_DOUBLE, score=score, cube=CubeState(), **asdict(QUICK))
    assert found.errors == (rolled.no_double.equity.error, rolled.double_take.equity.error)
    assert (found.no_double, found.double_take) == (rolled.no_double.equity.mean, rolled.double_take.equity.mean)
    assert found.action == rolled.action
    assert found.double_pass == pytest.approx(1)
    assert (found.mwc is None) == (score is None)
    if found.mwc is not None and rolled.no_double.mwc is not None:
        assert found.mwc[0] == pytest.approx(rolled.no_double.mwc.mean)


def test_a_clear_cube_decision_is_not_rolled_out() -> None:
    assert ENGINE.cube(RULES.start) == SEARCH.cube(RULES.start)


def test_who_may_not_double_has_nothing_rolled_out() -> None:
    theirs = CubeState(2, "them")
    assert ENGINE.cube(CLOSE_DOUBLE, cube=theirs) == SEARCH.cube(CLOSE_DOUBLE, cube=theirs)


def test_an_exact_race_is_not_rolled_out() -> None:
    race = Position(Side.of({0: 11, 5: 2, 6: 2}), Side.of({0: 11, 5: 2, 6: 2}))
    assert ENGINE.cube(race) == SEARCH.cube(race)


def test_rollouts_follow_the_tokens_of_other_rules() -> None:
    rules = bp.variant("roll-over")
    found = Engine(rules, rollout=QUICK).rank(rules.start, (2, 1), tokens=(1, 0))
    assert [item.equity for item in found] == sorted((item.equity for item in found), reverse=True)
    rolled = [item.play for item in found if item.error is not None]
    again = Engine(rules, plies=2).rollout_plays(rules.start, (2, 1), rolled, tokens=(1, 0), **asdict(QUICK))
    assert again[0].rollout.equity.mean == found[0].equity


def test_a_budget_of_time_and_a_rollout_exclude_each_other() -> None:
    with pytest.raises(OptionError, match="both time_ms and rollout given; one of them is allowed"):
        Engine(time_ms=100, rollout=True)


def test_rollouts_search_at_least_two_plies() -> None:
    assert [Engine(plies=plies, rollout=True).plies for plies in range(4)] == [2, 2, 2, 3]


def test_its_settings_travel_with_a_pickled_engine() -> None:
    assert pickle.loads(pickle.dumps(ENGINE)).rank(RULES.start, (2, 1)) == ENGINE.rank(RULES.start, (2, 1))


def test_the_strongest_bot_plays_what_is_best_by_rollout() -> None:
    assert level("strongest").rollout
    engine = Bot(level="strongest").engine
    assert isinstance(engine, Engine)
    assert engine.rollout_settings == DEEPEST
    settled = Match.start(3).apply(Opening((2, 1)))
    bot = Bot(level="strongest", evaluator=ENGINE)
    assert bot.event(settled, settled.game.player) == PlayMade(settled.game.player, ENGINE.rank(settled)[0].play.moves)


def test_what_rolls_out_is_checked() -> None:
    with pytest.raises(ArgumentError):
        Engine(rollout=1296)  # type: ignore[arg-type]
    assert Engine(rollout=RolloutSettings()).rollout_settings == RolloutSettings()
