"""A turn in progress: what may follow, committing, and taking moves back (S4-12, S4-13)."""

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from barpoint.board import Side
from barpoint.error import IllegalMove, PositionError, RollError
from barpoint.moves import Turn, find_play, legal_plays
from barpoint.variants import variant
from tests.support.deep import DEEP
from tests.support.positions import place
from tests.support.strategies import rows_of, strange_positions

BACKGAMMON = variant()
GAMES = [variant(name) for name in ("backgammon", "hypergammon", "duodecagammon", "acey-deucey", "plakoto", "fevga")]
in_each_game = pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.name)


def start(*faces: int) -> Turn:
    return Turn(BACKGAMMON, BACKGAMMON.start, faces)


def walk(rules, position, faces, random) -> Turn:
    """A turn played to an end by chance."""
    turn = Turn(rules, position, faces)
    while moves := turn.next_moves():
        if turn.may_commit and random.random() < 0.2:
            break
        turn = turn.move(*random.choice(moves))
    return turn


@in_each_game
@settings(max_examples=60 if DEEP else 30)
@given(data=st.data())
def test_every_way_to_a_commit_is_a_legal_play(rules, data):
    position, row = data.draw(strange_positions(rules)), data.draw(rows_of(rules))
    turn = walk(rules, position, row.faces, Random(data.draw(st.integers(0, 999))))
    play = turn.play()
    assert play in [
        type(play)(play.moves, other.result, other.next, other.again)
        for other in legal_plays(rules, position, row.faces)
    ]


@in_each_game
@settings(max_examples=60 if DEEP else 30)
@given(data=st.data())
def test_every_legal_play_is_a_way_to_a_commit(rules, data):
    position, row = data.draw(strange_positions(rules)), data.draw(rows_of(rules))
    plays = legal_plays(rules, position, row.faces)
    play = plays[data.draw(st.integers(0, len(plays) - 1))]
    assert find_play(rules, position, row.faces, play.moves) == play


@in_each_game
@settings(max_examples=60 if DEEP else 30)
@given(data=st.data())
def test_taking_the_last_move_back_is_as_if_it_had_not_been_made(rules, data):
    position, row = data.draw(strange_positions(rules)), data.draw(rows_of(rules))
    turn = Turn(rules, position, row.faces)
    random = Random(data.draw(st.integers(0, 999)))
    for _ in range(3):
        if not turn.next_moves():
            break
        move = random.choice(turn.next_moves())
        after = turn.move(*move)
        assert move in after.undo_sources()
        back = after.undo(move)
        assert (back.position, back.next_moves(), back.may_commit) == (
            turn.position,
            turn.next_moves(),
            turn.may_commit,
        )
        turn = after


@in_each_game
@settings(max_examples=60 if DEEP else 30)
@given(data=st.data())
def test_a_move_may_be_taken_back_exactly_when_the_others_begin_a_legal_play(rules, data):
    position, row = data.draw(strange_positions(rules)), data.draw(rows_of(rules))
    turn = walk(rules, position, row.faces, Random(data.draw(st.integers(0, 999))))
    allowed = set()
    for index, move in enumerate(turn.made):
        try:
            Turn(rules, position, row.faces, turn.made[:index] + turn.made[index + 1 :])
        except IllegalMove:
            continue
        allowed.add(move)
    assert set(turn.undo_sources()) == allowed


def test_a_turn_offers_moves_that_lead_to_a_legal_play_only():
    turn = Turn(BACKGAMMON, place("bar 8", "18 6"), (5, 2))
    assert turn.next_moves() == ((25, 23, 2),)
    assert not turn.may_commit
    assert turn.why_not == "a 2 can still be played"
    assert turn.move(25, 23).next_moves() == ((8, 3, 5),)


def test_a_play_of_the_whole_roll_may_be_committed():
    turn = start(3, 1).move(8, 5).move(6, 5)
    assert (turn.may_commit, turn.why_not, str(turn.play())) == (True, "", "8/5 6/5")


def test_where_nothing_can_be_played_the_empty_turn_may_be_committed():
    turn = Turn(BACKGAMMON, place("24", "19 18"), (6, 5))
    assert (turn.may_commit, turn.next_moves(), str(turn.play())) == (True, (), "(no play)")


def test_one_checker_may_take_several_numbers_in_one_go():
    assert start(6, 5).move(24, 13).made == ((24, 18, 6), (18, 13, 5))
    assert start(2, 2).move(13, 5).made == ((13, 11, 2), (11, 9, 2), (9, 7, 2), (7, 5, 2))


def test_one_checker_s_ways_that_end_differently_must_be_made_one_by_one():
    turn = Turn(BACKGAMMON, place("13 6", "11(1) 24"), (3, 2))
    with pytest.raises(IllegalMove, match="one by one"):
        turn.move(13, 8)


def test_the_number_must_be_said_only_where_two_fit():
    turn = Turn(BACKGAMMON, place("3 2", "24"), (6, 3))
    with pytest.raises(IllegalMove, match="6 or 3; say which"):
        turn.move(3, 0)
    left_with_the_three = turn.move(3, 0, 3)
    assert [move[2] for move in left_with_the_three.next_moves()] == [6]


def test_a_hit_is_worked_out_afresh_when_an_earlier_move_is_taken_back():
    turn = Turn(BACKGAMMON, place("10 9 6", "5(1) 24"), (5, 4))
    turn = turn.move(10, 5).move(9, 5)
    assert turn.position.them == Side.of({25: 1, 0: 12, 1: 2})
    back = turn.undo((10, 5, 5))
    assert (back.made, back.position.them) == (((9, 5, 4),), Side.of({25: 1, 0: 12, 1: 2}))
    assert turn.undo_sources() == ((10, 5, 5), (9, 5, 4))


def test_a_move_that_carries_a_later_one_may_not_be_taken_back():
    turn = start(6, 5).move(24, 18).move(18, 13)
    assert turn.undo_sources() == ((18, 13, 5),)
    with pytest.raises(IllegalMove, match="these can: 18/13 with a 5"):
        turn.undo(24)


def test_an_entered_checker_that_a_later_move_needs_may_not_be_taken_back():
    turn = Turn(BACKGAMMON, place("bar 13 6", "24"), (6, 2)).move(25, 19).move(13, 11)
    assert turn.undo_sources() == ((13, 11, 2),)


def test_a_checker_may_be_taken_back_from_the_bar_and_the_off_tray():
    entered = Turn(BACKGAMMON, place("bar 13", "24"), (6, 2)).move(25, 19)
    assert entered.undo(25).position == entered.start
    borne_off = Turn(BACKGAMMON, place("6 5", "24"), (6, 5)).move(6, 0)
    assert borne_off.undo(6).position == borne_off.start


def test_two_checkers_from_one_source_are_taken_back_one_at_a_time():
    turn = start(1, 1).move(8, 7).move(8, 7)
    assert turn.undo(8).made == ((8, 7, 1),)


@pytest.mark.parametrize("move", [(24, 20), (13, 12), (25, 22), (26, 22), (6, 0), (1, 5), (99, -3)])
def test_a_move_that_may_not_be_made_is_refused_and_the_allowed_ones_are_named(move):
    with pytest.raises(IllegalMove, match="allowed: 24/21 with a 3, 13/10 with a 3"):
        start(3, 3).move(*move, 3)


def test_a_play_may_not_be_committed_unfinished():
    with pytest.raises(IllegalMove, match="not finished: a 1 can still be played"):
        start(3, 1).move(8, 5).play()


@pytest.mark.parametrize("moves", [[(8, 5, 3), (6, 5, 1), (6, 5, 1)], [(8, 4, 4)], [(8, 5, 1)], [(300, -7, 10**9)]])
def test_moves_that_are_no_play_are_refused(moves):
    with pytest.raises(IllegalMove):
        find_play(BACKGAMMON, BACKGAMMON.start, (3, 1), moves)


def test_turns_of_one_roll_are_equal_in_whichever_order_the_faces_are_given():
    turn = start(3, 1)
    assert start(1, 3) == turn == Turn(BACKGAMMON, BACKGAMMON.start, np.array([1, 3]))
    assert hash(start(1, 3)) == hash(turn)
    assert start(1, 3).move(8, 5) == turn.move(8, 5) != turn
    assert start(1, 3).faces == (3, 1)


def test_a_turn_refuses_positions_and_faces_as_legal_plays_does():
    with pytest.raises(RollError):
        start(7, 7)
    with pytest.raises(PositionError):
        Turn(BACKGAMMON, place("6(16)", "24"), (3, 1))


def test_the_graph_of_the_worst_rolls_is_small_enough_to_send():
    spread = place("24 23 22 21 20 19 18 17 16 15 14 13 12 11 10", "1(15)")
    for number in (1, 4, 6):
        assert len(Turn(BACKGAMMON, spread, (number, number)).graph.nodes) < 5000


def test_a_turn_is_printed_as_the_board_after_its_moves():
    turn = Turn(BACKGAMMON, BACKGAMMON.start, (3, 1)).move(8, 5)
    first, second, *_, last = str(turn).splitlines()
    assert (first.endswith("roll 3-1"), second.endswith("played 8/5")) == (True, True)
    assert last.startswith(" +-12")
    assert str(Turn(BACKGAMMON, BACKGAMMON.start, (3, 1))).splitlines()[1].endswith("played –")
