"""Chouettes: every ruling of 4.13 has one test or more (rulings 4.13)."""

from __future__ import annotations

import pytest

from barpoint.chouette import (
    BOX,
    MAX_PLAYERS,
    MIN_PLAYERS,
    TEAM,
    Act,
    Ask,
    Chouette,
    ChouetteTerms,
    Join,
    Order,
    Waive,
    may,
)
from barpoint.chouette.allowed import for_box
from barpoint.error import IllegalEvent, StakesError
from barpoint.game import (
    Next,
    Phase,
    Roll,
    Rollover,
)
from tests.support.chouettes import (
    begun,
    box_wins,
    double,
    drop,
    seated,
    take,
    team_wins,
    turn,
)


def kinds(chouette: Chouette, player: int) -> set[str]:
    return {item.what.kind for item in may(chouette, player)} - {"ask", "leave", "resign"}


def next_game(chouette: Chouette) -> Chouette:
    return chouette.apply(Act(Next()))


# ---------------------------------------------------------------- order, box and captain


def test_the_highest_roll_is_the_box_the_next_the_captain_and_so_on() -> None:  # order by initial dice
    chouette = Chouette.start()
    for player in range(4):
        chouette = chouette.apply(Join(player))
    chouette = chouette.apply(Order(((2,), (6, 3), (4,), (6, 5))))
    assert chouette.line == (3, 1, 2, 0)
    assert (chouette.box, chouette.captain) == (3, 1)


@pytest.mark.parametrize(
    "rolls", [((3,), (3,), (4,)), ((3,), (5, 2), (4,)), ((3, 2), (3,), (4,)), ((3,), (7,), (4,)), ((3,), (4,))]
)
def test_an_order_is_rolled_for_until_nobody_ties_and_not_longer(rolls: tuple[tuple[int, ...], ...]) -> None:
    chouette = Chouette.start()
    for player in range(3):
        chouette = chouette.apply(Join(player))
    with pytest.raises(IllegalEvent, match="do not decide"):
        chouette.apply(Order(rolls))


def test_two_players_are_too_few_for_a_first_game_and_nine_too_many_for_a_table() -> None:
    chouette = Chouette.start()
    for player in range(MIN_PLAYERS - 1):
        chouette = chouette.apply(Join(player))
    with pytest.raises(IllegalEvent, match="three players or more"):
        chouette.apply(Order(((6,), (5,))))
    for player in range(MIN_PLAYERS - 1, MAX_PLAYERS):
        chouette = chouette.apply(Join(player))
    with pytest.raises(IllegalEvent, match="full"):
        chouette.apply(Join(MAX_PLAYERS))


def test_the_box_plays_alone_against_all_others_on_one_board() -> None:
    chouette = seated(4)
    assert [pair.player for pair in chouette.running] == [1, 2, 3]
    chouette = turn(begun(4), 4, 2)
    assert len({pair.game.position for pair in chouette.pairs}) == 1


def test_the_captain_rolls_and_moves_for_the_team_and_nobody_else_does() -> None:
    chouette = begun(4)
    assert kinds(chouette, 1) == {"roll", "double"}
    assert kinds(chouette, 2) == {"double"}
    assert kinds(chouette, 0) == set()
    for player in (0, 2, 3):
        with pytest.raises(IllegalEvent, match="nobody else"):
            chouette.apply(Act(Roll(TEAM, (2, 1)), player))
    assert chouette.apply(Act(Roll(TEAM, (2, 1)), 1)).board.faces == (2, 1)


def test_the_box_that_wins_stays_and_the_captain_goes_to_the_end_of_the_line() -> None:
    chouette = box_wins(begun(4))
    assert chouette.line == (0, 2, 3, 1)
    assert not chouette.playing
    assert next_game(chouette).captain == 2


def test_the_captain_who_beats_the_box_becomes_it_and_the_old_box_goes_to_the_end() -> None:
    chouette = team_wins(begun(4))
    assert chouette.line == (1, 2, 3, 0)
    assert (next_game(chouette).box, next_game(chouette).captain) == (1, 2)


def test_each_result_against_the_box_is_scored_by_itself_and_the_ledger_sums_to_zero() -> None:
    chouette = take(double(begun(4), 2), 0, to=(2,))
    chouette = team_wins(chouette)
    assert chouette.ledger == (-4, 1, 2, 1)
    assert [result.points for _, result in chouette.finished[0].results] == [1, 2, 1]


# ---------------------------------------------------------------- a cube each


def test_everybody_has_their_own_cube_and_doubles_separately() -> None:  # modern: individual doubles and takes
    chouette = double(begun(4), 2, 3)
    assert chouette.must_answer == (0,)
    chouette = take(chouette, 0, to=(3,))
    chouette = drop(chouette, 0, to=(2,))
    assert [pair.player for pair in chouette.running] == [1, 3]
    assert chouette.ledger == (-1, 0, 1, 0)
    three = chouette.pair(3)
    assert three is not None
    assert (three.game.cube.value, three.game.cube.owner) == (2, BOX)


def test_the_box_doubles_whom_it_likes_and_each_answers_for_themselves() -> None:
    chouette = double(turn(begun(4)), 0, to=(1, 3))
    assert chouette.must_answer == (1, 3)
    chouette = drop(take(chouette, 1), 3)
    assert chouette.ledger == (1, 0, 0, -1)
    assert [pair.player for pair in chouette.running] == [1, 2]


def test_what_the_box_pays_in_several_games_is_their_sum_and_a_value_stands_only_where_all_cubes_have_it() -> None:
    chouette = turn(take(double(turn(begun(4)), 0, to=(1,)), 1))
    resign = next(item.what for item in may(chouette, 0) if item.what.kind == "resign")
    assert resign.points == (2 + 1 + 1, 4 + 1 + 1, 6 + 1 + 1)  # Jacoby: two cubes have not been turned
    doubled = double(chouette, 1, 2, 3)
    offers = next(item for item in may(doubled, 0) if item.what.kind == "take")
    assert (offers.to, offers.what.value) == ((1, 2, 3), 0)
    assert [alone.value for player in (1, 2, 3) if (alone := for_box(doubled, player, "take"))] == [4, 2, 2]
    one_cube = double(begun(4, one_cube=True), 1)
    given_up = next(item.what for item in may(one_cube, 0) if item.what.kind == "pass")
    assert given_up.points == (3,)


def test_the_box_that_names_nobody_doubles_everybody_it_can() -> None:
    assert double(turn(begun(4)), 0).must_answer == (1, 2, 3)


def test_a_double_nobody_could_answer_is_refused() -> None:
    chouette = take(double(turn(begun(4)), 0, to=(1,)), 1)
    with pytest.raises(IllegalEvent, match="can be meant for players 2, 3"):
        double(chouette, 0, to=(1,))  # the cube is theirs
    with pytest.raises(IllegalEvent, match="it can be meant for"):
        double(chouette, 0, to=(7,))


def test_nobody_rolls_while_a_double_waits_for_its_answer() -> None:
    chouette = double(begun(4), 2)
    with pytest.raises(IllegalEvent, match="players 0 must answer first"):
        chouette.apply(Act(Roll(TEAM, (2, 1)), 1))
    assert "roll" not in kinds(chouette, 1)


def test_who_passes_is_out_of_this_game_and_back_in_the_next() -> None:
    chouette = drop(double(turn(begun(4)), 0, to=(2,)), 2)
    assert not chouette.still_in(2)
    assert kinds(chouette, 2) == set()
    assert next_game(team_wins(take_turn(chouette))).still_in(2)


def take_turn(chouette: Chouette) -> Chouette:
    return turn(chouette, 2, 1)


def test_a_double_of_one_player_ends_the_right_of_their_side_to_reroll_the_roll_before() -> None:  # RC-14
    chouette = begun(4, "roll-over")
    assert "rollover" in kinds(chouette, 1)
    chouette = take(double(chouette, 2), 0)
    assert "rollover" not in kinds(chouette, 1)


def test_a_reroll_happens_in_every_game() -> None:
    chouette = begun(4, "roll-over")
    chouette = chouette.apply(Act(Rollover(TEAM, chouette.board.roll_id), 1))
    assert {pair.game.phase for pair in chouette.pairs} == {Phase.MUST_REROLL}
    assert {pair.game.tokens for pair in chouette.pairs} == {(1, 0)}
    with pytest.raises(IllegalEvent, match="nobody else"):
        begun(4, "roll-over").apply(Act(Rollover(TEAM, 1), 2))


# ---------------------------------------------------------------- being asked


def test_the_captain_waits_until_everybody_who_may_double_has_said_that_he_does_not() -> None:
    chouette = begun(4, asks=True)
    assert chouette.waits_for == (2, 3)
    assert "roll" not in kinds(chouette, 1)
    with pytest.raises(IllegalEvent, match="players 2, 3 have not said"):
        chouette.apply(Act(Roll(TEAM, (2, 1)), 1))
    chouette = take(double(chouette.apply(Waive(2)), 3), 0)
    assert chouette.waits_for == (1,)


def test_who_does_not_want_to_be_asked_is_not_waited_for_and_may_double_all_the_same() -> None:
    chouette = begun(4, asks=True).apply(Ask(2, on=False)).apply(Ask(3, on=False))
    assert chouette.waits_for == (1,)
    assert "double" in kinds(chouette, 2)


def test_a_waiver_holds_for_one_turn() -> None:
    chouette = begun(4, asks=True).apply(Waive(2)).apply(Waive(3))
    chouette = turn(turn(chouette))
    assert chouette.waits_for == (2, 3)
    with pytest.raises(IllegalEvent, match="is not asked"):
        chouette.apply(Waive(1))


# ---------------------------------------------------------------- the captain passes


def test_the_highest_ranking_player_who_is_still_in_plays_on_when_the_captain_passes() -> None:
    chouette = double(turn(begun(5)), 0)
    chouette = take(drop(drop(take(chouette, 4), 1), 2), 3)
    assert chouette.captain == 3
    assert chouette.playing
    assert chouette.board.cube.owner == TEAM


def test_the_captaincy_waits_until_everybody_has_answered() -> None:
    chouette = drop(double(turn(begun(4)), 0), 1)
    assert chouette.captain == 1
    assert chouette.must_answer == (2, 3)
    assert take(drop(chouette, 2), 3).captain == 3


def test_the_second_captain_becomes_the_box_by_beating_it_and_the_first_has_had_their_turn() -> None:
    chouette = take(take(drop(double(turn(begun(5)), 0), 1), 2), 3)
    chouette = team_wins(take_turn(drop(chouette, 4)))
    assert chouette.line == (2, 3, 4, 1, 0)


def test_both_captains_go_to_the_end_when_the_box_beats_them() -> None:
    chouette = take(take(take(drop(double(turn(begun(5)), 0), 1), 2), 3), 4)
    assert box_wins(take_turn(chouette)).line == (0, 3, 4, 1, 2)


def test_a_captain_whose_double_is_passed_has_beaten_the_box_though_others_play_on() -> None:
    chouette = double(begun(4), 1, 2)
    chouette = drop(take(chouette, 0, to=(2,)), 0, to=(1,))
    assert chouette.captain == 2
    assert chouette.heir == 1
    chouette = box_wins(chouette)
    assert chouette.line == (1, 2, 3, 0)  # who played on for the rest keeps their place: the box was not theirs to win


def test_when_all_pass_the_box_has_won_and_only_the_captain_goes_to_the_end() -> None:
    chouette = drop(double(turn(begun(4)), 0), 1, 2, 3)
    assert chouette.line == (0, 2, 3, 1)
    assert chouette.ledger == (3, -1, -1, -1)


# ---------------------------------------------------------------- one cube for the team


def test_one_cube_is_turned_by_the_captain_alone_and_for_everybody() -> None:  # classic
    chouette = begun(4, one_cube=True)
    assert "double" not in kinds(chouette, 2)
    with pytest.raises(IllegalEvent, match="player 2 may not double"):
        double(chouette, 2)
    chouette = take(double(chouette, 1), 0)
    assert {pair.game.cube.value for pair in chouette.running} == {2}


def test_one_cube_is_taken_by_each_separately() -> None:  # classic: individual takes
    chouette = double(turn(begun(4, one_cube=True)), 0)
    chouette = take(drop(take(chouette, 2), 1), 3)
    assert [pair.player for pair in chouette.running] == [2, 3]
    assert chouette.captain == 2


@pytest.mark.parametrize("to", [(1,), (2, 3)])
def test_one_cube_is_not_offered_to_some_alone(to: tuple[int, ...]) -> None:
    with pytest.raises(IllegalEvent, match="one cube for the whole team"):
        double(turn(begun(4, one_cube=True)), 0, to=to)


def test_one_cube_goes_without_what_needs_a_cube_each() -> None:
    with pytest.raises(StakesError, match="a cube for each player"):
        ChouetteTerms(one_cube=True, beavers=1)
    with pytest.raises(StakesError, match="half of the cubes"):
        ChouetteTerms(one_cube=True, half_taken=True)
    with pytest.raises(StakesError, match="needs a cube"):
        ChouetteTerms(one_cube=True, cube=False, jacoby=False)
