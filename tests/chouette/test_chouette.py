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
    Consulting,
    Join,
    Leave,
    Order,
    Propose,
    Waive,
    may,
)
from barpoint.error import IllegalEvent, StakesError
from barpoint.game import (
    Abort,
    Beaver,
    Double,
    Next,
    Opening,
    Phase,
    Raccoon,
    Resign,
    Roll,
    Rollover,
    Settle,
    Timeout,
    Void,
)
from tests.support.chouettes import (
    answer,
    begun,
    box_wins,
    double,
    drop,
    play,
    seated,
    take,
    team_wins,
    turn,
)


def kinds(table: Chouette, player: int) -> set[str]:
    return {item.what.kind for item in may(table, player)} - {"ask", "leave", "resign"}


def next_game(table: Chouette) -> Chouette:
    return table.apply(Act(Next()))


# ---------------------------------------------------------------- order, box and captain


def test_the_highest_roll_is_the_box_the_next_the_captain_and_so_on() -> None:  # order by initial dice
    table = Chouette.start()
    for player in range(4):
        table = table.apply(Join(player))
    table = table.apply(Order(((2,), (6, 3), (4,), (6, 5))))
    assert table.line == (3, 1, 2, 0)
    assert (table.box, table.captain) == (3, 1)


@pytest.mark.parametrize(
    "rolls", [((3,), (3,), (4,)), ((3,), (5, 2), (4,)), ((3, 2), (3,), (4,)), ((3,), (7,), (4,)), ((3,), (4,))]
)
def test_an_order_is_rolled_for_until_nobody_ties_and_not_longer(rolls: tuple[tuple[int, ...], ...]) -> None:
    table = Chouette.start()
    for player in range(3):
        table = table.apply(Join(player))
    with pytest.raises(IllegalEvent, match="do not decide"):
        table.apply(Order(rolls))


def test_two_players_are_too_few_for_a_first_game_and_nine_too_many_for_a_table() -> None:
    table = Chouette.start()
    for player in range(MIN_PLAYERS - 1):
        table = table.apply(Join(player))
    with pytest.raises(IllegalEvent, match="three players or more"):
        table.apply(Order(((6,), (5,))))
    for player in range(MIN_PLAYERS - 1, MAX_PLAYERS):
        table = table.apply(Join(player))
    with pytest.raises(IllegalEvent, match="full"):
        table.apply(Join(MAX_PLAYERS))


def test_the_box_plays_alone_against_all_others_on_one_board() -> None:
    table = seated(4)
    assert [pair.player for pair in table.running] == [1, 2, 3]
    table = turn(begun(4), 4, 2)
    assert len({pair.game.position for pair in table.pairs}) == 1


def test_the_captain_rolls_and_moves_for_the_team_and_nobody_else_does() -> None:
    table = begun(4)
    assert kinds(table, 1) == {"roll", "double"}
    assert kinds(table, 2) == {"double"}
    assert kinds(table, 0) == set()
    for player in (0, 2, 3):
        with pytest.raises(IllegalEvent, match="nobody else"):
            table.apply(Act(Roll(TEAM, (2, 1)), player))
    assert table.apply(Act(Roll(TEAM, (2, 1)), 1)).board.faces == (2, 1)


def test_the_box_that_wins_stays_and_the_captain_goes_to_the_end_of_the_line() -> None:
    table = box_wins(begun(4))
    assert table.line == (0, 2, 3, 1)
    assert not table.playing
    assert next_game(table).captain == 2


def test_the_captain_who_beats_the_box_becomes_it_and_the_old_box_goes_to_the_end() -> None:
    table = team_wins(begun(4))
    assert table.line == (1, 2, 3, 0)
    assert (next_game(table).box, next_game(table).captain) == (1, 2)


def test_each_result_against_the_box_is_scored_by_itself_and_the_ledger_sums_to_zero() -> None:
    table = take(double(begun(4), 2), 0, to=(2,))
    table = team_wins(table)
    assert table.ledger == (-4, 1, 2, 1)
    assert [result.points for _, result in table.finished[0].results] == [1, 2, 1]


# ---------------------------------------------------------------- a cube each


def test_everybody_has_his_own_cube_and_doubles_by_himself() -> None:  # modern: individual doubles and takes
    table = double(begun(4), 2, 3)
    assert table.must_answer == (0,)
    table = take(table, 0, to=(3,))
    table = drop(table, 0, to=(2,))
    assert [pair.player for pair in table.running] == [1, 3]
    assert table.ledger == (-1, 0, 1, 0)
    three = table.pair(3)
    assert three is not None
    assert (three.game.cube.value, three.game.cube.owner) == (2, BOX)


def test_the_box_doubles_whom_it_likes_and_each_answers_for_himself() -> None:
    table = double(turn(begun(4)), 0, to=(1, 3))
    assert table.must_answer == (1, 3)
    table = drop(take(table, 1), 3)
    assert table.ledger == (1, 0, 0, -1)
    assert [pair.player for pair in table.running] == [1, 2]


def test_the_box_that_names_nobody_doubles_everybody_it_can() -> None:
    assert double(turn(begun(4)), 0).must_answer == (1, 2, 3)


def test_a_double_nobody_could_answer_is_refused() -> None:
    table = take(double(turn(begun(4)), 0, to=(1,)), 1)
    with pytest.raises(IllegalEvent, match="can be meant for players 2, 3"):
        double(table, 0, to=(1,))  # the cube is theirs
    with pytest.raises(IllegalEvent, match="it can be meant for"):
        double(table, 0, to=(7,))


def test_nobody_rolls_while_a_double_waits_for_its_answer() -> None:
    table = double(begun(4), 2)
    with pytest.raises(IllegalEvent, match="players 0 must answer first"):
        table.apply(Act(Roll(TEAM, (2, 1)), 1))
    assert "roll" not in kinds(table, 1)


def test_who_passes_is_out_of_this_game_and_back_in_the_next() -> None:
    table = drop(double(turn(begun(4)), 0, to=(2,)), 2)
    assert not table.still_in(2)
    assert kinds(table, 2) == set()
    assert next_game(team_wins(take_turn(table))).still_in(2)


def take_turn(table: Chouette) -> Chouette:
    return turn(table, 2, 1)


def test_a_double_of_one_player_ends_the_right_of_their_side_to_reroll_the_roll_before() -> None:  # RC-14
    table = begun(4, "roll-over")
    assert "rollover" in kinds(table, 1)
    table = take(double(table, 2), 0)
    assert "rollover" not in kinds(table, 1)


def test_a_reroll_happens_in_every_game() -> None:
    table = begun(4, "roll-over")
    table = table.apply(Act(Rollover(TEAM, table.board.roll_id), 1))
    assert {pair.game.phase for pair in table.pairs} == {Phase.MUST_REROLL}
    assert {pair.game.tokens for pair in table.pairs} == {(1, 0)}
    with pytest.raises(IllegalEvent, match="nobody else"):
        begun(4, "roll-over").apply(Act(Rollover(TEAM, 1), 2))


# ---------------------------------------------------------------- being asked


def test_the_captain_waits_until_everybody_who_may_double_has_said_that_he_does_not() -> None:
    table = begun(4, asks=True)
    assert table.waits_for == (2, 3)
    assert "roll" not in kinds(table, 1)
    with pytest.raises(IllegalEvent, match="players 2, 3 have not said"):
        table.apply(Act(Roll(TEAM, (2, 1)), 1))
    table = take(double(table.apply(Waive(2)), 3), 0)
    assert table.waits_for == (1,)


def test_who_does_not_want_to_be_asked_is_not_waited_for_and_may_double_all_the_same() -> None:
    table = begun(4, asks=True).apply(Ask(2, on=False)).apply(Ask(3, on=False))
    assert table.waits_for == (1,)
    assert "double" in kinds(table, 2)


def test_a_waiver_holds_for_one_turn() -> None:
    table = begun(4, asks=True).apply(Waive(2)).apply(Waive(3))
    table = turn(turn(table))
    assert table.waits_for == (2, 3)
    with pytest.raises(IllegalEvent, match="is not asked"):
        table.apply(Waive(1))


# ---------------------------------------------------------------- the captain passes


def test_the_highest_ranking_player_who_is_still_in_plays_on_when_the_captain_passes() -> None:
    table = double(turn(begun(5)), 0)
    table = take(drop(drop(take(table, 4), 1), 2), 3)
    assert table.captain == 3
    assert table.playing
    assert table.board.cube.owner == TEAM


def test_the_captaincy_waits_until_everybody_has_answered() -> None:
    table = drop(double(turn(begun(4)), 0), 1)
    assert table.captain == 1
    assert table.must_answer == (2, 3)
    assert take(drop(table, 2), 3).captain == 3


def test_the_second_captain_becomes_the_box_by_beating_it_and_the_first_has_had_his_turn() -> None:
    table = take(take(drop(double(turn(begun(5)), 0), 1), 2), 3)
    table = team_wins(take_turn(drop(table, 4)))
    assert table.line == (2, 3, 4, 1, 0)


def test_both_captains_go_to_the_end_when_the_box_beats_them() -> None:
    table = take(take(take(drop(double(turn(begun(5)), 0), 1), 2), 3), 4)
    assert box_wins(take_turn(table)).line == (0, 3, 4, 1, 2)


def test_a_captain_whose_double_is_passed_has_beaten_the_box_though_others_play_on() -> None:
    table = double(begun(4), 1, 2)
    table = drop(take(table, 0, to=(2,)), 0, to=(1,))
    assert table.captain == 2
    assert table.heir == 1
    table = box_wins(table)
    assert table.line == (1, 2, 3, 0)  # who played on for the rest keeps their place: the box was not theirs to win


def test_when_all_pass_the_box_has_won_and_only_the_captain_goes_to_the_end() -> None:
    table = drop(double(turn(begun(4)), 0), 1, 2, 3)
    assert table.line == (0, 2, 3, 1)
    assert table.ledger == (3, -1, -1, -1)


# ---------------------------------------------------------------- one cube for the team


def test_one_cube_is_turned_by_the_captain_alone_and_for_everybody() -> None:  # classic
    table = begun(4, one_cube=True)
    assert "double" not in kinds(table, 2)
    with pytest.raises(IllegalEvent, match="player 2 may not double"):
        double(table, 2)
    table = take(double(table, 1), 0)
    assert {pair.game.cube.value for pair in table.running} == {2}


def test_one_cube_is_taken_by_each_for_himself() -> None:  # classic: individual takes
    table = double(turn(begun(4, one_cube=True)), 0)
    table = take(drop(take(table, 2), 1), 3)
    assert [pair.player for pair in table.running] == [2, 3]
    assert table.captain == 2


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


# ---------------------------------------------------------------- house rules


def test_the_jacoby_rule_is_on_and_holds_in_each_game_by_itself() -> None:
    assert ChouetteTerms().jacoby
    table = take(double(begun(4), 2), 0)
    table = answer(table.apply(Act(Resign(BOX, 2), 0)), "accept")
    assert table.ledger == (-6, 1, 4, 1)


def test_beavers_and_raccoons_are_everybodys_own_where_they_are_allowed() -> None:
    table = double(turn(begun(4, beavers=2)), 0, to=(2, 3))
    table = table.apply(Act(Beaver(TEAM), 2)).apply(Act(Raccoon(BOX), 0, (2,)))
    table = take(take(table, 2), 3)
    assert [pair.game.cube.value for pair in table.running] == [1, 8, 2]
    with pytest.raises(IllegalEvent, match="at most 0"):
        double(turn(begun(4)), 0).apply(Act(Beaver(TEAM), 2))


def test_the_first_automatic_double_comes_by_right_and_turns_every_cube() -> None:
    table = seated(4, automatic_doubles=1)
    for _ in range(2):
        table = table.apply(Act(Opening((4, 4))))
    assert [pair.game.cube.value for pair in table.pairs] == [2, 2, 2]


def test_a_box_that_takes_half_of_the_cubes_keeps_its_place_though_it_passes_the_captains() -> None:
    table = double(begun(4, half_taken=True), 1, 2)
    table = drop(take(table, 0, to=(2,)), 0, to=(1,))
    assert table.heir is None
    assert table.captain == 2
    assert box_wins(table).line == (0, 3, 1, 2)


def test_a_box_that_takes_less_than_half_leaves_the_box() -> None:
    table = double(begun(5, half_taken=True), 1, 2, 3)
    table = drop(take(table, 0, to=(2,)), 0)
    assert table.heir == 1
    table = begun(5, half_taken=True)
    table = turn(drop(double(table, 2, 3), 0))  # the captain did not double, and still the box is theirs
    assert table.heir == 1
    assert table.captain == 1
    assert box_wins(table).line == (1, 2, 3, 4, 0)


def test_a_box_that_accepts_the_captains_cube_keeps_its_place() -> None:
    table = double(begun(5, half_taken=True), 2, 3, 1)
    table = turn(drop(take(table, 0, to=(1,)), 0))
    assert table.heir is None


@pytest.mark.parametrize(
    ("consulting", "free", "turned"),
    [(Consulting.FREE, True, True), (Consulting.IN_GAME, False, True), (Consulting.NONE, False, False)],
)
def test_consulting_on_plays_is_for_all_for_those_whose_cube_is_in_the_game_or_for_nobody(
    consulting: Consulting, free: bool, turned: bool
) -> None:
    table = take(double(begun(4, consulting=consulting), 2), 0)
    assert all(table.may_consult(player) for player in range(4))  # no roll on the table: nothing to consult about
    table = table.apply(Act(Roll(TEAM, (2, 1)), 1))
    assert (table.may_consult(3), table.may_consult(2)) == (free, turned)
    assert table.may_consult(1)
    assert table.may_consult(0)


def test_two_settle_their_game_at_an_agreed_value_at_any_time() -> None:
    table = begun(4).apply(Propose(2, 2, -0.75))
    with pytest.raises(IllegalEvent, match="an offer of the other side"):
        table.apply(Act(Settle(-0.75), 2, (2,)))
    with pytest.raises(IllegalEvent, match="of as many points"):
        table.apply(Act(Settle(-0.5), 0, (2,)))
    table = table.apply(Act(Settle(-0.75), 0, (2,)))
    assert table.ledger == (-0.75, 0, 0.75, 0)
    assert not table.still_in(2)
    assert table.playing


@pytest.mark.parametrize(("player", "member", "points"), [(1, 2, 1), (2, 2, 0.3), (0, 0, 1), (3, 7, 1)])
def test_an_offer_to_settle_is_between_two_and_in_quarters(player: int, member: int, points: float) -> None:
    with pytest.raises(IllegalEvent):
        begun(4).apply(Propose(player, member, points))


def test_a_captain_who_settles_hands_on_and_the_last_to_settle_decides_the_box_by_its_sign() -> None:
    table = begun(3).apply(Propose(0, 1, -1)).apply(Act(Settle(-1), 1, (1,)))
    assert table.captain == 2
    assert table.heir is None
    table = table.apply(Propose(2, 2, -1)).apply(Act(Settle(-1), 0, (2,)))
    assert table.line == (2, 1, 0)


# ---------------------------------------------------------------- coming, going, time


def test_who_joins_during_a_game_plays_from_the_next_on_at_the_end_of_the_line() -> None:
    table = begun(3).apply(Join(3))
    assert table.line == (0, 1, 2)
    assert not table.still_in(3)
    assert team_wins(table).line == (1, 2, 0, 3)


def test_who_leaves_during_a_game_plays_it_to_its_end_is_not_asked_and_then_is_gone() -> None:
    table = begun(4, asks=True).apply(Leave(2))
    assert table.undecided == (3,)
    assert table.still_in(2)
    table = team_wins(table)
    assert table.line == (1, 3, 0)
    assert sum(table.ledger) == 0
    assert len(table.ledger) == 4


def test_the_box_that_leaves_between_games_leaves_it_to_the_captain() -> None:
    table = box_wins(begun(4)).apply(Leave(0))
    assert table.line == (2, 3, 1)
    assert next_game(table).captain == 3


def test_who_comes_back_finds_his_points_again() -> None:
    table = team_wins(begun(4)).apply(Leave(0)).apply(Join(0))
    assert table.line == (1, 2, 3, 0)
    assert table.ledger == (-3, 1, 1, 1)
    with pytest.raises(IllegalEvent, match="no newcomer"):
        table.apply(Join(0))
    with pytest.raises(IllegalEvent, match="the next one is player 4"):
        table.apply(Join(9))


def test_two_can_go_on_one_waits_and_an_empty_table_is_closed() -> None:
    table = team_wins(begun(3)).apply(Leave(2))
    assert next_game(table).line == (1, 0)
    table = table.apply(Leave(0))
    with pytest.raises(IllegalEvent, match="no game can begin"):
        next_game(table)
    table = table.apply(Leave(1))
    assert table.over
    with pytest.raises(IllegalEvent, match="closed"):
        table.apply(Join(0))


def test_who_is_out_of_time_loses_the_games_that_wait_for_him_and_no_other() -> None:
    table = begun(4)
    captain_gone = table.apply(Act(Timeout(TEAM), 1))
    assert captain_gone.captain == 2
    assert captain_gone.ledger == (1, -1, 0, 0)  # nothing is borne off, but by Jacoby no gammon counts yet
    assert begun(4, jacoby=False).apply(Act(Timeout(TEAM), 1)).ledger == (2, -2, 0, 0)
    with pytest.raises(IllegalEvent, match="does not wait"):
        table.apply(Act(Timeout(TEAM), 2))
    answering = double(table, 2).apply(Act(Timeout(BOX), 0))
    assert [pair.player for pair in answering.running] == [1, 3]
    assert not turn(table).apply(Act(Timeout(BOX), 0)).playing


def test_what_belongs_to_other_tables_is_refused() -> None:
    table = begun(4)
    for event in (Act(Void(BOX, 1), 0), Act(Abort()), Act(Double(BOX), 2), Act(Double(TEAM), None), Act(Next())):
        with pytest.raises(IllegalEvent):
            table.apply(event)
    assert table.apply(Act(Abort(voided=True))).over


@pytest.mark.parametrize("rules", ["acey-deucey", "plakoto", "fevga"])
def test_games_without_a_cube_are_played_without_cubes(rules: str) -> None:
    table = begun(4, rules)
    assert all("double" not in kinds(table, player) for player in range(4))
    assert play(table.apply(Act(Roll(TEAM, table.rules.dice.rows[3].faces), 1)))
