"""Cube and score of a question: scores so far apart that rounding hides what a game is worth."""

import pytest

import barpoint as bp
from barpoint.engine import CubeState, Engine, Score
from barpoint.engine.cube_info import CubeInfo
from barpoint.error import StakesError
from barpoint.match import Met

FAR_APART = [(200, 3), (3, 200), (500, 3), (32767, 1), (1, 32767), (32767, 2)]
START = bp.variant().start


def scores(most: int) -> list[Score]:
    return [Score(us, them) for us in range(1, most + 1) for them in range(1, most + 1)]


def test_scores_of_usual_matches_count_as_they_are() -> None:
    assert all(CubeInfo(CubeState(), score).score is score for score in scores(64))


@pytest.mark.parametrize("away", [(100, 3), (200, 120), (300, 200), (32767, 32767)])
def test_a_long_score_at_which_a_game_changes_the_match_counts_as_it_is(away: tuple[int, int]) -> None:
    assert CubeInfo(CubeState(), Score(*away)).score == Score(*away)


@pytest.mark.parametrize("away", FAR_APART)
def test_far_apart_scores_give_figures_like_the_nearest_at_which_a_game_changes_the_match(
    away: tuple[int, int],
) -> None:
    engine, score = Engine(plies=0), Score(*away)
    near = Score(*(min(points, 66 + points % 2) for points in away))
    found, expected = engine.cube(START, score=score), engine.cube(START, score=near)
    assert (found.no_double, found.double_take) == pytest.approx((expected.no_double, expected.double_take), abs=0.1)
    assert found.action == expected.action
    assert engine.rank(START, (3, 1), score=score)[0].play == engine.rank(START, (3, 1), score=near)[0].play
    rolled = engine.rollout(START, score=score, cube=CubeState(), trials=36, truncate=2, threads=1)
    assert rolled.equity.mean == pytest.approx(found.no_double, abs=0.2)


@pytest.mark.parametrize("away", FAR_APART)
def test_equities_of_far_apart_scores_come_back_from_their_values(away: tuple[int, int]) -> None:
    info = CubeInfo(CubeState(2), Score(*away))
    assert info.to_equity(info.to_value(0.25)) == pytest.approx(0.25, abs=1e-5)
    assert info.flip().flip() == info
    assert info.flip().to_value(-0.25) == pytest.approx(1 - info.to_value(0.25))


@pytest.mark.parametrize("away", [(200, 1), (201, 1), (32766, 1), (32767, 1)])
def test_after_the_crawford_game_an_even_need_stays_even(away: tuple[int, int]) -> None:
    score = CubeInfo(CubeState(), Score(*away)).score
    assert score is not None
    assert (score.us % 2, score.them) == (away[0] % 2, 1)


def test_a_cube_that_decides_the_match_leaves_the_score_as_it_is() -> None:
    info = CubeInfo(CubeState(256), Score(200, 3))
    assert (info.score, info.of_points(256), info.of_points(-256)) == (Score(200, 3), 1, 0)


def test_a_table_by_which_a_game_changes_nothing_has_no_equity_there() -> None:
    flat = Met("flat", ((0.5,) * 5,) * 5, (0.5,) * 5)
    with pytest.raises(StakesError, match="nothing depends on the game"):
        CubeInfo(CubeState(), Score(4, 3, met=flat)).to_equity(0.5)


def test_where_a_game_hardly_changes_the_match_the_cube_is_still_decided_by_what_is_gained() -> None:
    found = Engine("backgammon").cube(START, score=Score(500, 3))
    assert found.double_take > found.no_double + 0.01
    assert found.action == "double/take"
