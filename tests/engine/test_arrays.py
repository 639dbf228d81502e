"""Evaluations and rankings of many positions as arrays: the same as one by one."""

import pickle
from dataclasses import astuple
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import barpoint as bp
from barpoint.chances import Chances
from barpoint.driver import random_policy
from barpoint.engine import CubeState, Engine, Score
from barpoint.error import ArgumentError, PositionError, RollError, StakesError
from barpoint.moves import decode, encode
from tests.support.strategies import strange_positions

NAMES = ("backgammon", "roll-over", "duodecagammon", "acey-deucey")
ENGINES: dict[str, Engine[Any]] = {name: Engine(name) for name in NAMES}


def numbers(outcome: Any) -> list[float]:
    """The probabilities of Chances, or the fields of Margins."""
    return list(outcome.probabilities if isinstance(outcome, Chances) else astuple(outcome))


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=15)
@given(data=st.data())
def test_an_array_is_evaluated_as_its_positions(name: str, data: st.DataObject) -> None:
    engine = ENGINES[name]
    positions = [data.draw(strange_positions(engine.rules)) for _ in range(2)]
    most = engine.rules.rerolls.tokens
    tokens = [(data.draw(st.integers(0, most)), data.draw(st.integers(0, most))) for _ in positions]
    found = engine.evaluate_array(encode(positions), np.array(tokens))
    assert found.dtype == np.float32
    expected = [numbers(engine.evaluate(each, tokens=held)) for each, held in zip(positions, tokens, strict=True)]
    np.testing.assert_allclose(found, expected, atol=2e-6)
    assert np.array_equal(engine.evaluate_array(encode(positions[:1]), tokens[0]), found[:1])


@pytest.mark.parametrize("name", ["backgammon", "roll-over", "duodecagammon"])
@pytest.mark.parametrize("score", [None, Score(3, 5)])
def test_many_rolls_are_ranked_as_each_roll(name: str, score: Score | None) -> None:
    engine = ENGINES[name]
    rows = engine.rules.dice.rows
    array = np.repeat(encode([engine.rules.start]), len(rows), axis=0)
    found = engine.rank_batch(array, np.arange(len(rows)), cube=CubeState(), score=score)
    for i, row in enumerate(rows):
        span = slice(found.offsets[i], found.offsets[i + 1])
        ranked = engine.rank(engine.rules.start, row.faces, cube=CubeState(), score=score)
        assert decode(found.results[span]) == [item.play.result for item in ranked]
        assert found.equities[span].tolist() == [item.equity for item in ranked]
        assert found.losses[span].tolist() == [item.loss for item in ranked]
        assert found.probabilities[span].tolist() == [numbers(item.chances) for item in ranked]


def test_no_positions_have_answers_of_the_right_shape() -> None:
    engine = ENGINES["acey-deucey"]
    assert engine.evaluate_array(encode([])).shape == (0, 3)
    found = engine.rank_batch(encode([]), [])
    assert (found.results.shape, found.offsets.tolist(), found.probabilities.shape) == ((0, 2, 32), [0], (0, 3))


def test_what_does_not_fit_is_refused() -> None:
    engine, start = ENGINES["roll-over"], encode([bp.variant("roll-over").start])
    with pytest.raises(PositionError, match="they are int8"):
        engine.evaluate_array(start.astype(np.int64))  # type: ignore[arg-type]
    with pytest.raises(PositionError, match="position 0: our checkers add up to 0"):
        engine.evaluate_array(np.zeros((1, 2, 32), np.int8))
    with pytest.raises(StakesError, match=r"a side has 0 to 1 under roll-over"):
        engine.evaluate_array(start, (2, 0))
    with pytest.raises(StakesError, match=r"integers, \[2\] or \[1, 2\]"):
        engine.evaluate_array(start, np.zeros((3, 2), np.int64))
    with pytest.raises(RollError, match="2 rolls for 1 positions"):
        engine.rank_batch(start, [(3, 1), (2, 1)])


def test_every_roll_may_have_a_cube_and_a_score_of_its_own() -> None:
    engine = ENGINES["backgammon"]
    array = np.repeat(encode([engine.rules.start]), 3, axis=0)
    cubes, scores = [CubeState(), None, CubeState(2, "us")], [Score(3, 5), Score(1, 2, crawford=True), None]
    found = engine.rank_batch(array, [(6, 4)] * 3, cube=cubes, score=scores)
    for i, (cube, score) in enumerate(zip(cubes, scores, strict=True)):
        ranked = engine.rank(engine.rules.start, (6, 4), cube=cube, score=score)
        assert found.equities[found.offsets[i] : found.offsets[i + 1]].tolist() == [item.equity for item in ranked]


@pytest.mark.parametrize("name", ["backgammon", "roll-over"])
def test_the_cube_decisions_of_an_array_are_those_of_its_positions(name: str) -> None:
    engine = ENGINES[name]
    rules, rng = engine.rules, np.random.default_rng(1)
    seen: list[Any] = []

    def policy(turns: bp.BatchTurns) -> Any:
        seen.append(turns.positions[:3])
        return rng.integers(turns.counts)

    bp.play_batch(rules, 3, policy, max_rolls=20)
    array = np.concatenate(seen)
    scores = [None if i % 2 else Score(2 + i % 5, 3) for i in range(len(array))]
    found = engine.cube_batch(array, score=scores)
    equities = []
    for i, (position, score) in enumerate(zip(decode(array), scores, strict=True)):
        one = engine.cube(position, score=score)
        assert (found.no_double[i], found.double_take[i], found.double_pass[i]) == (
            one.no_double,
            one.double_take,
            one.double_pass,
        )
        assert found.actions[i] == one.action
        assert found.probabilities[i].tolist() == numbers(one.chances)
        equities.append(engine.equity(position, cube=CubeState(), score=score))
    assert found.equities == pytest.approx(equities, abs=1e-6)
    assert engine.cube_batch(array[:0]).equities.shape == (0,)


def test_stakes_of_many_that_do_not_fit_are_refused() -> None:
    engine, start = ENGINES["backgammon"], encode([bp.variant("backgammon").start] * 2)
    rolls = [(3, 1), (2, 1)]
    with pytest.raises(ArgumentError, match="no option is called 'score'; tokens is one; rank_batch and cube_batch"):
        engine.evaluate_array(start, score=Score(3, 5))
    with pytest.raises(StakesError, match="1 values of score for 2 positions; allowed: one for all, or one for each"):
        engine.rank_batch(start, rolls, score=[Score(3, 5)])
    with pytest.raises(ArgumentError, match=r"each score is \(3, 5\) \(tuple\); allowed: Score"):
        engine.rank_batch(start, rolls, score=[(3, 5), (3, 5)])  # type: ignore[list-item]
    with pytest.raises(ArgumentError, match=r"cube is 2 \(int\); allowed: CubeState"):
        engine.rank_batch(start, rolls, cube=2)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="stakes is 'money'"):
        engine.rank_batch(start, rolls, stakes="money")  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="no option is called 'scores'; did you mean score"):
        engine.rank_batch(start, rolls, scores=[])
    with pytest.raises(StakesError, match="plakoto without a cube"):
        Engine("plakoto").cube_batch(start)
    with pytest.raises(StakesError, match="backgammon without a cube"):
        engine.cube_batch(start, stakes=bp.Stakes(cube=False))


@pytest.mark.parametrize("name", ["backgammon", "roll-over", "acey-deucey"])
def test_the_policy_of_an_engine_plays_what_it_ranks_first(name: str) -> None:
    engine = ENGINES[name]
    checked = 0

    def policy(turns: bp.BatchTurns) -> Any:
        nonlocal checked
        choices = engine.policy(turns)
        chosen = decode(turns.chosen(choices))
        for i, position in enumerate(decode(turns.positions)):
            if turns.counts[i] > 400:
                continue
            tokens = (int(turns.tokens[i, 0]), int(turns.tokens[i, 1])) if engine.rules.rerolls.tokens else None
            ranked = engine.rank(position, engine.rules.dice.rows[turns.rows[i]].faces, tokens=tokens)
            loss = next(item.loss for item in ranked if item.play.result == chosen[i])
            assert loss == pytest.approx(0.0, abs=1e-5)
            checked += 1
        return choices

    bp.play_batch(engine.rules, 2, policy, max_rolls=12)
    assert checked > 10


def test_the_net_beats_random_plays() -> None:
    engine = ENGINES["backgammon"]
    found = bp.play_batch(engine.rules, 40, (engine.policy, random_policy(np.random.default_rng(1))))
    assert found.scores.sum() > 40


def test_an_engine_survives_pickling() -> None:
    engine = Engine("roll-over", plies=1)
    again = pickle.loads(pickle.dumps(engine))
    assert (again.rules, again.plies) == (engine.rules, 1)
    assert again.evaluate(engine.rules.start) == engine.evaluate(engine.rules.start)


def test_ranked_batches_are_compared_by_identity() -> None:
    engine = Engine()
    one, other = (engine.rank_batch(encode([engine.rules.start]), [(3, 1)]) for _ in range(2))
    assert one == one
    assert one != other
