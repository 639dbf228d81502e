"""Take points and gammon values of match scores."""

from __future__ import annotations

from typing import Any

import pytest

from barpoint.error import ArgumentError, StakesError
from barpoint.match.met import Met
from barpoint.match.take_points import gammon_value, take_point

MET = Met.load()


@pytest.mark.parametrize("score", [(5, 5), (3, 7), (7, 3), (25, 2)])
@pytest.mark.parametrize("cube", [1, 2])
def test_at_the_take_point_of_a_dead_cube_taking_wins_as_often_as_passing(score: tuple[int, int], cube: int) -> None:
    us, them = score
    chance = take_point(MET, us, them, cube)
    taken = chance * MET.win(us - 2 * cube, them) + (1 - chance) * MET.win(us, them - 2 * cube)
    assert taken == pytest.approx(MET.win(us, them - cube))


def test_far_from_the_end_they_are_those_of_money_play() -> None:
    assert take_point(MET, 25, 25) == pytest.approx(0.25, abs=0.01)
    assert take_point(MET, 25, 25, live=True) == pytest.approx(0.20, abs=0.01)
    assert gammon_value(MET, 25, 25) == pytest.approx(0.5, abs=0.01)


def test_who_redoubles_at_once_for_the_match_takes_with_the_chance_of_passing() -> None:
    assert take_point(MET, 4, 2, live=True) == pytest.approx(MET.win(4, 1), abs=1e-3)
    assert take_point(MET, 4, 2) > 0.35


def test_a_cube_that_wins_its_owner_nothing_more_is_dead() -> None:
    assert take_point(MET, 2, 4, live=True) == take_point(MET, 2, 4)


def test_after_the_crawford_game_the_leader_takes_by_the_chances_of_that_time() -> None:
    assert take_point(MET, 1, 2) == pytest.approx(0.5)
    passed, lost = (MET.win(1, them, after_crawford=True) for them in (3, 2))
    assert take_point(MET, 1, 4) == pytest.approx((passed - lost) / (1 - lost))


def test_a_gammon_that_is_not_needed_has_no_value_and_one_that_wins_the_match_much() -> None:
    assert gammon_value(MET, 1, 5) == 0
    assert gammon_value(MET, 2, 1) == pytest.approx(1 / MET.win(1, 1) - 1)


@pytest.mark.parametrize("asked", [take_point, gammon_value])
@pytest.mark.parametrize(
    ("us", "them", "cube", "error", "said"),
    [
        (0, 3, 1, StakesError, "away 0 and 3; both sides need at least 1 point"),
        (3, -1, 1, StakesError, "away 3 and -1; both sides need at least 1 point"),
        (5, 5, 3, StakesError, "a cube of 3; it is a power of two"),
        (5, 5, 0, StakesError, "a cube of 0; it is a power of two"),
        (2000, 2, 1, StakesError, "nothing depends on the game"),
        (2.5, 3, 1, ArgumentError, r"us is 2.5 \(float\); allowed: int"),
        (3, 3, "2", ArgumentError, r"cube is '2' \(str\); allowed: int"),
    ],
)
def test_scores_and_cubes_that_there_are_none_of_are_refused(
    asked: Any, us: Any, them: int, cube: Any, error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        asked(MET, us, them, cube)
