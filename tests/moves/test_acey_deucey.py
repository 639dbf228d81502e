"""Acey-Deucey: entering from the hand, and the 2-1 with its double and its further roll (rulings 4.2)."""

from barpoint.board import HAND, Position, Side
from barpoint.moves import Turn, find_play, legal_plays
from barpoint.variants import variant
from tests.support.positions import place, texts

RULES = variant("acey-deucey")


def test_checkers_enter_on_the_point_of_their_number():
    assert texts(RULES, RULES.start, 6, 3) == ["hand/16", "hand/22 hand/19"]


def test_a_checker_may_wait_in_the_hand_while_others_move():
    position = place("hand(13) 20 18", "hand(15)", RULES)
    assert "20/17 18/12" in texts(RULES, position, 6, 3)
    assert "hand/22 hand/19" in texts(RULES, position, 6, 3)


def test_a_checker_on_the_bar_enters_before_one_in_the_hand():
    position = place("bar hand(13) 20", "hand(15)", RULES)
    turn = Turn(RULES, position, (6, 3))
    assert {source for source, _, _ in turn.next_moves()} == {25}
    assert HAND in {source for source, _, _ in turn.move(25, 22).next_moves()}


def test_nobody_bears_off_while_a_checker_is_in_the_hand():
    position = place("hand 3(2)", "hand(15)", RULES)
    assert all(play.result.us.points[0] == 12 for play in legal_plays(RULES, position, (6, 5)))


def test_a_two_and_one_is_followed_by_any_double_and_another_roll():
    position = place("24(15)", "hand(15)", RULES)
    plays = legal_plays(RULES, position, (2, 1))
    complete = [play for play in plays if play.again]
    assert {play.moves[-1][2] for play in complete} == {1, 2, 3, 4, 5, 6}
    assert all(len(play.moves) == 6 and play.next == play.result for play in complete)
    assert all(play.next == play.result.flip() for play in plays if not play.again)


def test_a_two_and_one_that_cannot_be_played_whole_earns_nothing():
    position = place("bar(2)", "24", RULES)  # the 2 enters, the 1 does not
    (play,) = legal_plays(RULES, position, (2, 1))
    assert (str(play), play.again) == ("bar/23", False)


def test_a_double_that_cannot_be_played_whole_earns_no_roll():
    position = place("10 9", "hand(1) 4 3 2 1", RULES)
    plays = legal_plays(RULES, position, (2, 1))
    assert {(len(play.moves), play.again) for play in plays} >= {(2, False)}
    assert all(len(play.moves) == 6 for play in plays if play.again)


def test_a_double_that_cannot_be_played_at_all_may_be_chosen():
    position = place("24 20(14)", "15 14", RULES)
    turn = Turn(RULES, position, (2, 1)).move(24, 22).move(22, 21)
    assert turn.may_commit  # 6-6: every six is closed
    assert (str(turn.play()), turn.play().again) == ("24/21", False)


def test_the_last_checker_off_ends_the_roll():
    position = place("2 1", "hand(15)", RULES)
    (play,) = legal_plays(RULES, position, (2, 1))
    assert (play.result.us, play.again, play.next) == (Side.of({0: 15}), False, play.result.flip())


def test_the_graph_of_a_turn_ends_at_the_stage_and_goes_on_with_the_moves_made():
    turn = Turn(RULES, RULES.start, (2, 1))
    first = turn.move(26, 23)
    assert {edge[4] for edge in first.graph.nodes[first.graph.edge(0, (26, 23, 2))[4]][1]} == {-1}
    second = first.move(26, 24)
    assert {number for _, _, number in second.next_moves()} == {1, 2, 3, 4, 5, 6}
    assert {number for _, _, number in second.move(26, 19).next_moves()} == {6}


def test_the_graph_holds_no_double_that_was_not_begun():
    turn = Turn(RULES, RULES.start, (2, 1)).move(26, 23).move(26, 24)
    assert {edge[4] for edge in turn.graph.nodes[turn.graph.edge(0, (26, 23, 2))[4]][1]} != {-1}
    assert len(turn.graph.nodes) < 10
    assert {edge[2] for _, edges in turn.move(26, 19).graph.nodes for edge in edges if edge[4] != -1} == {2, 1, 6}


def test_a_move_of_the_first_stage_is_not_taken_back_from_under_the_second():
    turn = Turn(RULES, RULES.start, (2, 1)).move(26, 23).move(26, 24).move(26, 19)
    assert turn.undo_sources() == ((26, 19, 6),)
    assert turn.undo(26).undo_sources() == ((26, 23, 2), (26, 24, 1))


def test_a_move_of_the_first_stage_is_taken_back_where_the_double_can_stand_in_for_it():
    turn = Turn(RULES, RULES.start, (2, 1)).move(26, 23).move(26, 24).move(26, 24)
    assert (26, 24, 1) in turn.undo_sources()
    assert turn.undo((26, 24, 1)).made == ((26, 23, 2), (26, 24, 1))


def test_every_play_of_a_two_and_one_is_found_again_by_its_moves():
    position = place("hand(2) 24 13(3) 6(9)", "20 5 hand(11)", RULES)
    for play in legal_plays(RULES, position, (2, 1))[::25]:
        assert find_play(RULES, position, (2, 1), play.moves) == play


def test_a_position_keeps_its_hands_when_it_is_flipped():
    position = Position(Side.of({6: 2}, hand=13), Side.of({}, hand=15))
    assert position.flip().us.hand == 15
