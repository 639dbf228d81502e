"""Dutch backgammon: entering from the hand, and the right to hit (rulings 4.5)."""

import pytest

from barpoint.board import Position, Side
from barpoint.moves import Turn, outcome
from barpoint.variants import variant
from tests.support.positions import place, texts

DUTCH = variant("dutch")


def test_without_a_checker_at_home_a_lone_enemy_checker_closes_its_point() -> None:
    position = place("13 hand(14)", "11(1) 20(14)", DUTCH)
    assert not [text for text in texts(DUTCH, position, 6, 2) if "*" in text or "13/11" in text]


def test_with_a_checker_at_home_it_is_hit() -> None:
    assert "13/11* 13/7" in texts(DUTCH, place("13(2) 6 hand(12)", "11(1) 20(14)", DUTCH), 6, 2)


def test_a_checker_that_is_borne_off_is_home_for_good() -> None:
    assert any("*" in text for text in texts(DUTCH, place("13(2)", "11(1) 20(14)", DUTCH), 6, 2))


def test_the_first_checker_home_gives_the_right_to_the_next_number_of_the_roll() -> None:
    position = place("8 12 hand(13)", "11(1) 20(14)", DUTCH)
    assert "12/11* 8/6" in texts(DUTCH, position, 2, 1)
    turn = Turn(DUTCH, position, (2, 1))
    assert (12, 11, 1) not in turn.next_moves()
    assert (12, 11, 1) in turn.move(8, 6).next_moves()


def test_a_hit_that_needs_the_other_number_first_keeps_it_from_being_undone() -> None:
    turn = Turn(DUTCH, place("8 12 hand(13)", "11(1) 20(14)", DUTCH), (2, 1)).move(8, 6).move(12, 11)
    assert set(turn.undo_sources()) == {(12, 11, 1)}


def test_the_bar_does_not_enter_on_a_lone_checker_either() -> None:
    position = place("bar 13(4) hand(10)", "22(1) 4(14)", DUTCH)
    assert all("bar/20" in text or "bar/17" in text for text in texts(DUTCH, position, 5, 3))


def test_once_all_at_home_are_hit_the_right_is_gone() -> None:
    position = place("bar 8 hand(13)", "3(1) 22(1) 20(13)", DUTCH)
    assert not [text for text in texts(DUTCH, position, 3, 4) if "*" in text]


def test_a_checker_may_move_on_while_others_wait_in_the_hand() -> None:
    assert texts(DUTCH, DUTCH.start, 6, 5) == ["hand/14", "hand/20 hand/19"]


@pytest.mark.parametrize(("left", "points"), [({24: 1, 10: 14}, 3), ({10: 15}, 2), ({10: 14, 0: 1}, 1)])
def test_a_game_pays_as_in_backgammon(left: dict[int, int], points: int) -> None:
    found = outcome(DUTCH, Position(Side.of({0: 15}), Side.of(left)))
    assert found is not None
    assert found.points == points


def test_a_checker_still_in_the_hand_counts_as_one_on_the_bar() -> None:
    found = outcome(DUTCH, Position(Side.of({0: 15}), Side.of({10: 14}, hand=1)))
    assert found is not None
    assert found.points == 3
