"""Ratings: the published vectors, and properties of every pair of players (rulings 8)."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from barpoint.server.domain.ratings import (
    Glicko,
    Rating,
    after_match,
    glicko_after,
    glicko_after_match,
    upset_chance,
    win_chance,
)

RATINGS = st.builds(Rating, st.floats(500, 2500), st.integers(0, 5000))
GLICKOS = st.builds(Glicko, st.floats(500, 2500), st.floats(30, 350), st.floats(0.03, 0.1))
LENGTHS = st.integers(1, 25)


def test_the_golden_vector_of_fibs() -> None:
    """Rulings 8: D = 155.634835, n = 3, experience 2761 and 187 after adding n, the favourite wins."""
    favourite, underdog = Rating(1700 + 155.634835, 2758), Rating(1700, 184)
    winner, loser = after_match(favourite, underdog, 3)
    assert (winner.experience, loser.experience) == (2761, 187)
    assert winner.value - favourite.value == pytest.approx(2.930831, abs=5e-7)
    assert loser.value - underdog.value == pytest.approx(-9.173502, abs=5e-7)


def test_equal_newcomers_play_for_half_of_four_k_root_n() -> None:
    """K is 5 - 4/100 after a match to 4 points, and both players are equally likely to win."""
    winner, loser = after_match(Rating(), Rating(), 4)
    assert (winner.value, loser.value) == pytest.approx((1500 + 4 * 4.96 * 2 * 0.5, 1500 - 4 * 4.96 * 2 * 0.5))


def test_an_upset_moves_more_than_a_result_that_was_expected() -> None:
    strong, weak = Rating(1800, 1000), Rating(1500, 1000)
    expected, _ = after_match(strong, weak, 5)
    upset, _ = after_match(weak, strong, 5)
    assert upset.value - weak.value == pytest.approx(4 * math.sqrt(5) * (1 - upset_chance(300, 5)))
    assert expected.value - strong.value == pytest.approx(4 * math.sqrt(5) * upset_chance(300, 5))


@pytest.mark.parametrize("length", [0, -1])
def test_a_session_without_length_is_not_rated(length: int) -> None:
    with pytest.raises(ValueError, match="not rated"):
        after_match(Rating(), Rating(), length)


@given(RATINGS, RATINGS, LENGTHS)
def test_the_chances_of_both_add_up_to_one(one: Rating, other: Rating, length: int) -> None:
    assert win_chance(one, other, length) + win_chance(other, one, length) == pytest.approx(1)


@given(RATINGS, RATINGS, LENGTHS)
def test_the_winner_gains_the_loser_loses_and_experience_grows(winner: Rating, loser: Rating, length: int) -> None:
    after_winner, after_loser = after_match(winner, loser, length)
    assert after_winner.value >= winner.value
    assert after_loser.value <= loser.value
    assert after_winner.value - winner.value <= 20 * math.sqrt(length)
    assert after_winner.experience == winner.experience + length
    assert after_loser.experience == loser.experience + length


@given(st.floats(500, 2500), st.floats(500, 2500), st.integers(400, 9000), LENGTHS)
def test_nothing_is_made_or_lost_between_experienced_players(
    one: float, other: float, experience: int, length: int
) -> None:
    winner, loser = after_match(Rating(one, experience), Rating(other, experience), length)
    assert winner.value + loser.value == pytest.approx(one + other)


def test_the_published_example_of_glicko_2() -> None:
    """Glickman, "Example of the Glicko-2 system" (2013): 1464.06, 151.52, 0.05999."""
    results = [(Glicko(1400, 30), 1.0), (Glicko(1550, 100), 0.0), (Glicko(1700, 300), 0.0)]
    player = glicko_after(Glicko(1500, 200, 0.06), results, tau=0.5)
    assert player.rating == pytest.approx(1464.06, abs=0.01)
    assert player.deviation == pytest.approx(151.52, abs=0.005)
    assert int(player.volatility * 1e5) == 5999, "the paper cuts 0.0599960 off after five places"


def test_a_period_without_a_match_makes_a_rating_less_certain() -> None:
    """Step 6 of the paper: only the deviation grows."""
    idle = glicko_after(Glicko(1600, 50, 0.06), [])
    assert (idle.rating, idle.volatility) == (1600, 0.06)
    assert idle.deviation == pytest.approx(173.7178 * math.hypot(50 / 173.7178, 0.06))


def test_a_player_is_provisional_until_enough_is_known() -> None:
    player, matches = Glicko(), 0
    while player.provisional:
        player = glicko_after(player, [(Glicko(1500, 60), float(matches % 2))])
        matches += 1
    assert 4 <= matches <= 20
    assert not Glicko(1500, 110).provisional


@given(GLICKOS, GLICKOS)
def test_winning_raises_and_losing_lowers(winner: Glicko, loser: Glicko) -> None:
    after_winner, after_loser = glicko_after_match(winner, loser)
    assert after_winner.rating > winner.rating
    assert after_loser.rating < loser.rating
    assert after_winner.deviation < math.hypot(winner.deviation, 173.7178 * after_winner.volatility)


def test_a_result_that_nobody_expected_makes_a_player_more_volatile() -> None:
    """The branch of step 5 in which the squared surprise exceeds both variances together."""
    weak = Glicko(1200, 30, 0.06)
    surprised = glicko_after(weak, [(Glicko(2200, 30), 1.0)] * 3)
    assert surprised.volatility > weak.volatility
    assert surprised.rating > weak.rating
