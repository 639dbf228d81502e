"""Players with the cube: what they value, the games they play, and the luck in them."""

import random
from collections.abc import Sequence

import pytest

from barpoint.board import Position, Side
from barpoint.engine import CubeState, Engine, Score
from barpoint.engine.cube_info import CubeInfo
from benchmarks.peer.cube_player import OPENING_ROWS, RULES, WEIGHTS, OwnCube, Roll, may_gain, one_game
from benchmarks.peer.gnubg import cube_words
from benchmarks.peer.player import CubeWorth

SCORE = Score(4, 2)
CONTACT = Position(Side.of({24: 1, 13: 3, 8: 4, 6: 5, 5: 2}), Side.of({25: 1, 21: 1, 13: 5, 8: 3, 6: 5}))


class Decided:
    """Values the cube as it is told to, plays any play, and notes what it was asked."""

    name = "decided"

    def __init__(self, worth: CubeWorth) -> None:
        self.worth = worth
        self.asked: list[CubeInfo] = []
        self._player = OwnCube(learned=False)

    def cube(self, position: Position, info: CubeInfo) -> CubeWorth:
        self.asked.append(info)
        return self.worth

    def play_with_cube(self, position: Position, faces: Sequence[int], info: CubeInfo) -> Position:
        return self._player.play_with_cube(position, faces, info)


@pytest.mark.parametrize("plies", [0, 1])
@pytest.mark.parametrize("info", [CubeInfo(CubeState()), CubeInfo(CubeState(2, "us"), Score(5, 5))])
def test_our_player_with_the_cube_net_values_a_cube_as_the_engine_does(plies: int, info: CubeInfo) -> None:
    seen = Engine("backgammon", plies=plies).cube(CONTACT, cube=info.cube, score=info.score)
    own = OwnCube(learned=True, plies=plies).cube(CONTACT, info)
    assert own == pytest.approx((seen.no_double, seen.double_take, seen.double_pass), abs=1e-6)


def test_without_the_cube_net_it_values_a_cube_otherwise() -> None:
    info = CubeInfo(CubeState(), SCORE)
    assert OwnCube(learned=True).cube(CONTACT, info) != OwnCube(learned=False).cube(CONTACT, info)


def test_a_cube_gains_nothing_for_who_needs_no_more_than_it_is_at() -> None:
    assert may_gain(CubeInfo(CubeState(), Score(2, 4)))
    assert not may_gain(CubeInfo(CubeState(2, "us"), Score(2, 4)))
    assert not may_gain(CubeInfo(CubeState(2, "them"), Score(4, 2)))
    assert not may_gain(CubeInfo(CubeState(), Score(4, 1, crawford=True)))
    assert may_gain(CubeInfo(CubeState(64, "us")))


def test_a_double_is_passed_by_who_loses_more_by_taking() -> None:
    doubler, answerer = Decided((0.5, 0.9, 1.0)), Decided((0.5, 1.1, 1.0))
    points, rolls = one_game((answerer, doubler), random.Random(1), SCORE)
    assert points == -1
    assert [roll.player for roll in rolls] == [0], "nobody doubles before the first roll"
    assert doubler.asked == answerer.asked == [CubeInfo(CubeState(), Score(2, 4))], "both see it as the doubler does"


def test_a_double_that_is_taken_gives_the_other_side_a_cube_at_two() -> None:
    doubler, taker = Decided((0.5, 0.9, 1.0)), Decided((0.5, 0.4, 1.0))
    points, rolls = one_game((doubler, taker), random.Random(1), SCORE)
    assert abs(points) in (2, 4, 6)
    first, second, third, fourth = rolls[:4]
    assert [roll.info.cube for roll in (first, third)] == [CubeState(), CubeState(2, "them")]
    assert [roll.info.cube for roll in (second, fourth)] == [CubeState(), CubeState(2, "us")]
    assert not any(roll.info.may_double for roll in rolls)


def test_a_crawford_game_has_no_cube_decision() -> None:
    eager = Decided((0.0, 1.0, 1.0))
    points, _ = one_game((eager, eager), random.Random(1), Score(1, 3, crawford=True))
    assert eager.asked == []
    assert abs(points) in (1, 2, 3)


def test_the_luck_of_all_rolls_is_nothing_in_the_mean() -> None:
    judge, info = OwnCube(learned=True), CubeInfo(CubeState(), SCORE, may_double=False)
    lucky = [judge.luck(Roll(0, CONTACT, info, row)) for row in range(len(WEIGHTS))]
    assert WEIGHTS @ lucky == pytest.approx(0, abs=1e-9)
    assert max(lucky) > 0.02 > 0 > min(lucky)


def test_the_luck_of_all_openings_is_nothing_in_the_mean() -> None:
    judge, ours = OwnCube(learned=True), CubeInfo(CubeState(), SCORE, may_double=False)
    theirs = CubeInfo(CubeState(), Score(2, 4), may_double=False)
    first = [judge.luck(Roll(0, RULES.start, ours, row, opening=True)) for row in OPENING_ROWS]
    second = [judge.luck(Roll(1, RULES.start, theirs, row, opening=True)) for row in OPENING_ROWS]
    assert sum(first) == pytest.approx(sum(second), abs=1e-6), "luck of either side is the other's bad luck"
    assert sum(first) > 0, "it is better to begin"


def test_an_opening_is_played_by_who_begins() -> None:
    player = OwnCube(learned=True)
    _, rolls = one_game((player, player), random.Random(1), SCORE, (1, OPENING_ROWS[0]))
    assert (rolls[0].player, rolls[0].row, rolls[0].opening) == (1, OPENING_ROWS[0], True)
    assert rolls[0].info.score == Score(2, 4)
    assert not any(roll.opening for roll in rolls[1:])


def test_gnubg_is_told_the_score_as_points_of_a_match() -> None:
    assert cube_words(CubeInfo(CubeState())) == [1, -1, 1, 0, (0, 0), 0, 0]
    assert cube_words(CubeInfo(CubeState(2, "us"), Score(2, 5))) == [2, 1, 1, 5, (0, 3), 0, 0]
    assert cube_words(CubeInfo(CubeState(1), Score(4, 1, crawford=True))) == [1, -1, 1, 4, (3, 0), 1, 0]
