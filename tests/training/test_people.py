"""Fitting the levels that err as people do: a known model is found again from what it chooses, and set by its rating."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from barpoint.analysis.findings import PR_FACTOR
from barpoint.engine import Bot, levels
from barpoint.engine.people import AVERAGE_PR, BLURS, LIKINGS, people_model
from training.people import (
    PRIOR_DECISIONS,
    Choices,
    CubeChoices,
    Seen,
    cube_likelihood,
    expected_rating,
    fitted,
    play_likelihood,
    probabilities,
    skill_of,
    skills,
    written,
)
from training.seen_decisions import JudgedLoss, SeenMatch, bot_decisions, bot_match

PLAYS = 5


def choices(positions: int, seed: int = 1) -> Choices:
    """Positions with plays that lose something by chance; the best one was always chosen."""
    numbers = np.random.default_rng(seed)
    losses = numbers.exponential(0.1, (positions, PLAYS))
    losses -= losses.min(axis=1, keepdims=True)
    blurs = np.zeros((positions * PLAYS, len(BLURS)))
    blurs[:, 0] = 1
    starts = np.arange(positions) * PLAYS
    zeros = np.zeros(positions * PLAYS)
    return Choices(
        starts, starts + losses.argmin(axis=1), losses.ravel(), blurs, np.zeros((len(zeros), len(LIKINGS))), zeros
    )


def cubes(gains: list[float], done: list[float]) -> CubeChoices:
    """Chances to double or to take in contact."""
    zeros = np.zeros(len(gains))
    return CubeChoices(np.array(gains), zeros, zeros + 1, np.array(done), zeros, np.array(gains) == 0)


def test_the_largest_likelihood_is_found() -> None:
    heads = np.arange(100) < 30
    found, mean = fitted(lambda at: -np.logaddexp(0, np.where(heads, -at[0], at[0])), [1.0])
    assert found[0] == pytest.approx(log(0.3 / 0.7), abs=0.01)
    assert mean == pytest.approx(0.3 * log(0.3) + 0.7 * log(0.7), abs=1e-4)


def test_the_likelihood_of_plays_is_that_of_what_was_chosen() -> None:
    seen = choices(50)
    numbers = np.array([1.0, -0.5, 0.0, -3.0, *[0.0] * (len(BLURS) - 1 + len(LIKINGS))])
    best = play_likelihood(seen, numbers)
    assert best.shape == (50,)
    assert (best < 0).all()
    worst = Choices(seen.starts, seen.starts + (seen.chosen - seen.starts + 1) % PLAYS, *_columns(seen))
    assert play_likelihood(worst, numbers).sum() < best.sum()


def _columns(seen: Choices) -> tuple[np.ndarray, ...]:
    return seen.losses, seen.blurs, seen.features, seen.skills


def test_an_action_of_the_cube_on_which_nothing_depends_has_no_likelihood() -> None:
    found = cube_likelihood(cubes([0.1, 0.1, 0.0], [1, 0, 1]), np.array([2.0, 2.0, 2.0]))
    assert found.tolist() == pytest.approx([-np.log1p(np.exp(-2)), -np.log1p(np.exp(2)), 0])


def test_the_probabilities_of_the_plays_of_a_position_sum_to_one_and_the_best_is_likeliest() -> None:
    seen = choices(30)
    found = probabilities(people_model("pr-8").parameters, seen, 0.0).reshape(30, PLAYS)
    assert found.sum(axis=1).tolist() == pytest.approx([1.0] * 30)
    assert found.argmax(axis=1).tolist() == (seen.chosen - seen.starts).tolist()


def test_few_decisions_draw_a_skill_towards_the_mean() -> None:
    many = tuple(JudgedLoss(0, "play", 0.04) for _ in range(1000))
    few = tuple(JudgedLoss(1, "play", 0.0) for _ in range(PRIOR_DECISIONS))
    found = skills([SeenMatch(("Anna", "Ben"), (*many, *few))])
    mean = 40 / 1040
    assert found["ben"] == pytest.approx(log(PR_FACTOR * mean / 2 / AVERAGE_PR))
    assert found["anna"] == pytest.approx(log(PR_FACTOR * 0.04 / AVERAGE_PR), abs=0.01)


def test_worse_players_are_expected_to_lose_more_and_a_skill_is_found_by_its_rating() -> None:
    seen = Seen(choices(200), cubes([0.1, -0.3, -0.05, 0.0], [1, 0, 0, 0]), cubes([0.2, -0.2], [1, 0]))
    parameters = people_model("pr-8").parameters
    rated = [expected_rating(parameters, seen, skill) for skill in (-1.0, 0.0, 1.0)]
    assert rated == sorted(rated)
    assert expected_rating(parameters, seen, skill_of(rated[1], parameters, seen)) == pytest.approx(rated[1], abs=0.01)


def test_what_is_written_is_read_again() -> None:
    model = people_model("pr-8")
    text = written(model.parameters, {"pr-8": model.skill})
    assert f'"pr-8" = {model.skill:.4f}' in text
    assert all(f"{name} = " in text for name in (*BLURS, *LIKINGS, "cash", "steepness"))


def test_a_match_of_bots_is_judged_and_the_same_again() -> None:
    each = next(level for level in levels() if level.name == "pr-20")
    found = [bot_match((Bot(level=each), Bot(level=each)), 3, plies=0) for _ in range(2)]
    assert found[0] == found[1]
    assert len(found[0].losses) > 20
    assert sum(one.loss for one in found[0].losses) > 0


def test_what_bots_had_to_decide_becomes_arrays() -> None:
    each = next(level for level in levels() if level.name == "pr-20")
    match = bot_decisions((Bot(level=each), Bot(level=each)), 3)
    seen = Seen.of([match], {"pr-20": 0.5})
    assert len(seen.plays.starts) == len(match.plays) > 20
    assert (seen.plays.losses[seen.plays.chosen] >= 0).all()
    assert seen.plays.losses.min() == 0
    assert len(seen.double.gains) + len(seen.take.gains) == len(match.cubes)
    assert set(seen.plays.skills.tolist()) == {0.5}
