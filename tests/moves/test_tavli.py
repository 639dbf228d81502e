"""Portes, Plakoto, Tapa, Fevga, Narde and Moultezim: hits at home, pins, closed points, the start checker, standstills, the runner,
quarters and primes (rulings 4.7 to 4.11)."""

from barpoint.board import Position, Side
from barpoint.moves import Turn, legal_plays, outcome
from barpoint.variants import variant
from tests.support.positions import place, texts

BACKGAMMON = variant()
PORTES = variant("portes")
PLAKOTO = variant("plakoto")
TAPA = variant("tapa")
FEVGA = variant("fevga")
MOULTEZIM = variant("moultezim")
NARDE = variant("narde")


def numbers_playable(rules, position, faces):
    return {number for _, _, number in Turn(rules, position, faces).next_moves()}


def test_portes_a_checker_that_hits_at_home_moves_no_further():
    position = place("11 13(14)", "5(1) 19(14)", PORTES)
    hit = Turn(PORTES, position, (6, 2)).move(11, 5)
    assert 5 not in {source for source, _, _ in hit.next_moves()}
    assert "11/5*/3" in texts(BACKGAMMON, position, 6, 2)
    assert "11/5*/3" not in texts(PORTES, position, 6, 2)


def test_portes_a_checker_that_hits_at_home_is_not_borne_off():
    position = place("6 5", "4(1) 19(5)", PORTES)
    assert "6/4*/off" in texts(BACKGAMMON, position, 4, 2)
    assert texts(PORTES, position, 4, 2) == ["6/4* 5/1", "6/2 5/3", "6/off"] or "6/4*/off" not in texts(
        PORTES, position, 4, 2
    )


def test_portes_a_number_that_only_the_hitter_could_play_is_lost():
    position = place("11", "5(1) 9(2)", PORTES)
    assert texts(PORTES, position, 6, 2) == ["11/5*"]
    assert texts(BACKGAMMON, position, 6, 2) == ["11/5*/3"]


def test_portes_one_of_two_checkers_on_the_point_of_the_hit_may_go_on():
    position = place("6 7 13(13)", "5(1) 19(14)", PORTES)
    doubled = Turn(PORTES, position, (1, 1)).move(6, 5)
    assert 5 not in {source for source, _, _ in doubled.next_moves()}
    joined = doubled.move(7, 6).move(6, 5)
    assert 5 in {source for source, _, _ in joined.next_moves()}


def test_portes_hit_and_run_is_free_outside_home_and_from_the_bar():
    position = place("13 6(2)", "9(1) 19(5)", PORTES)
    assert "13/9*/6" in texts(PORTES, position, 4, 3)
    entering = place("bar 6(2)", "22(1) 2(2)", PORTES)
    assert "bar/22*/18" in texts(PORTES, entering, 4, 3)


def test_tapa_a_pin_on_the_last_start_checker_decides_nothing():
    position = place("6 5", "1(1) 12", TAPA)
    pinning = [play for play in legal_plays(TAPA, position, (5, 3)) if play.result.them.pinned]
    assert pinning
    assert all(len(play.moves) == 2 for play in pinning)  # in Plakoto the 3 would be moot
    assert {outcome(TAPA, play.next) for play in pinning} == {None}


def test_tapa_is_drawn_where_neither_side_can_ever_move():
    locked = place("24 1(14)", "24(14) 1(1)", TAPA, pins_us=(24,), pins_them=(1,))
    ended = outcome(TAPA, locked)
    assert (ended.winner, ended.level, ended.points) == (0, 0, 0)


def test_tapa_goes_on_while_one_side_can_still_move():
    position = place("24 7 1(13)", "24(14) 1(1)", TAPA, pins_us=(24,), pins_them=(1,))
    assert outcome(TAPA, position) is None
    (play,) = legal_plays(TAPA, position, (6, 1))
    assert str(play) == "7/1"
    assert outcome(TAPA, play.next).winner == 0


def test_landing_on_a_single_checker_pins_it():
    position = place("10 24(14)", "5(1) 1(14)", PLAKOTO)
    turn = Turn(PLAKOTO, position, (5, 1)).move(10, 5)
    assert turn.position.them.pinned == 1 << 20
    assert turn.position.them.points[20] == 1


def test_a_pinned_checker_may_not_move():
    free = place("20 24(14)", "10 1(13)", PLAKOTO)
    pinned = place("20 24(14)", "20(1) 10 1(12)", PLAKOTO, pins_us=(20,))
    assert 20 in {source for source, _, _ in Turn(PLAKOTO, free, (2, 1)).next_moves()}
    assert 20 not in {source for source, _, _ in Turn(PLAKOTO, pinned, (2, 1)).next_moves()}


def test_one_captor_closes_its_point_to_the_side_it_pins():
    position = place("20 24(3)", "20(1) 1(10)", PLAKOTO, pins_us=(20,))
    assert numbers_playable(PLAKOTO, position, (4, 3)) == {3}


def test_more_checkers_may_join_a_captor():
    position = place("5 10 24(12)", "5(1) 1(14)", PLAKOTO, pins_them=(5,))
    assert "10/5" in texts(PLAKOTO, position, 3, 2)


def test_the_pin_ends_when_the_last_captor_leaves_and_not_before():
    position = place("5(2) 24(12)", "5(1) 1(14)", PLAKOTO, pins_them=(5,))
    turn = Turn(PLAKOTO, position, (1, 1)).move(5, 4)
    assert turn.position.them.pinned == 1 << 20
    assert turn.move(5, 4).position.them.pinned == 0


def test_a_point_passed_over_on_the_way_is_not_left_pinned():
    position = place("10 24(14)", "7(1) 1(14)", PLAKOTO)
    (play,) = [play for play in legal_plays(PLAKOTO, position, (3, 2)) if play.result.us.points[5]]
    assert play.result.them.pinned == 0


def test_nothing_is_hit_and_a_bar_is_no_place_for_a_checker():
    for play in legal_plays(PLAKOTO, place("10 24(14)", "5(1) 1(14)", PLAKOTO), (5, 4)):
        assert play.result.them.points[25] == 0


def test_a_pinned_checker_at_home_is_no_hindrance_to_the_others_but_stays():
    position = place("6 3(2)", "6(1) 24(1)", PLAKOTO, pins_us=(6,))
    assert texts(PLAKOTO, position, 3, 2) == ["3/1 3/off"]


def test_a_larger_number_bears_off_nothing_below_a_pinned_checker():
    position = place("6 3(2)", "6(1) 24(1)", PLAKOTO, pins_us=(6,))
    assert texts(PLAKOTO, position, 5, 4) == ["(no play)"]


def test_pinning_the_last_start_checker_wins_two_points_at_once():
    position = place("6 5", "1(1) 12", PLAKOTO)
    play = next(play for play in legal_plays(PLAKOTO, position, (5, 3)) if play.result.them.pinned)
    assert play.moves == ((6, 1, 5),)  # the 3 is moot
    ended = outcome(PLAKOTO, play.next)
    assert (ended.winner, ended.level, ended.points) == (-1, 2, 2)


def test_the_game_goes_on_while_the_captor_has_a_free_start_checker():
    position = place("6 24", "1(1) 12", PLAKOTO)
    play = next(play for play in legal_plays(PLAKOTO, position, (5, 3)) if play.result.them.pinned)
    assert len(play.moves) == 2
    waiting = [
        play for play in legal_plays(PLAKOTO, position, (5, 3)) if play.result.us.points[24] and play.result.them.pinned
    ]
    assert [outcome(PLAKOTO, play.next) for play in waiting] == [None] * len(waiting)


def test_two_pinned_start_checkers_are_a_draw():
    position = place("6 24", "1(1) 24(1) 12", PLAKOTO, pins_us=(24,))
    play = next(play for play in legal_plays(PLAKOTO, position, (5, 3)) if play.result.them.pinned)
    ended = outcome(PLAKOTO, play.next)
    assert (ended.winner, ended.points) == (0, 0)


def test_fevga_opening_six_six_is_one_six():
    assert texts(FEVGA, FEVGA.start, 6, 6) == ["24/18"]


def test_fevga_no_second_checker_leaves_before_the_first_has_passed_the_other_start():
    position = Position(Side.of({24: 14, 14: 1}), FEVGA.start.us)
    assert {source for source, _, _ in Turn(FEVGA, position, (3, 1)).next_moves()} == {14}
    turn = Turn(FEVGA, position, (3, 1)).move(14, 11)
    assert 24 in {source for source, _, _ in turn.next_moves()}


def test_fevga_one_checker_closes_a_point():
    position = Position(Side.of({10: 1, 24: 14}), Side.of({19: 1, 24: 14}))  # their 19 is our 7
    assert not any(target == 7 for _, target, _ in Turn(FEVGA, position, (3, 1)).next_moves())


def test_fevga_the_start_quarter_may_not_be_held_whole_even_in_passing():
    us = Side.of({24: 9, 23: 1, 22: 1, 21: 1, 20: 1, 11: 2})
    position = Position(us, Side.of({24: 15}))
    turn = Turn(FEVGA, position, (5, 1))
    assert (24, 19, 5) not in turn.next_moves()
    assert (24, 19, 5) not in turn.move(11, 10).next_moves()
    held = [sum(count > 0 for count in play.result.us.points[19:25]) for play in legal_plays(FEVGA, position, (5, 1))]
    assert max(held) == 5


def test_fevga_no_prime_directly_before_all_enemies():
    others = Side.of({24: 15})  # on our 12
    position = Position(Side.of({11: 2, 10: 2, 9: 2, 8: 2, 7: 2, 13: 1, 24: 4}), others)
    assert (13, 6, 1) not in [(s, t, n) for s, t, n in Turn(FEVGA, position, (6, 1)).next_moves()]
    assert not any(
        all(play.result.us.points[point] for point in range(6, 12)) for play in legal_plays(FEVGA, position, (6, 1))
    )


def test_fevga_the_same_prime_may_stand_when_one_enemy_has_left():
    position = Position(Side.of({11: 2, 10: 2, 9: 2, 8: 2, 7: 3, 24: 4}), Side.of({24: 14, 1: 1}))
    assert any(
        all(play.result.us.points[point] for point in range(6, 12)) for play in legal_plays(FEVGA, position, (1, 1))
    )


def test_moultezim_holds_at_most_four_points_where_the_other_side_starts():
    four = {24: 6, 13: 1, 11: 2, 10: 2, 9: 2, 8: 2}
    position = Position(Side.of(four), MOULTEZIM.start.us)
    assert (13, 7, 6) not in Turn(MOULTEZIM, position, (6, 1)).next_moves()
    three = Position(Side.of({24: 8, 13: 1, 11: 2, 10: 2, 9: 2}), MOULTEZIM.start.us)
    assert (13, 7, 6) in Turn(MOULTEZIM, three, (6, 1)).next_moves()


def test_moultezim_may_wall_in_all_checkers_where_fevga_may_not():
    ours = {24: 4, 22: 2, 21: 2, 20: 2, 19: 2, 18: 2, 5: 1}
    behind = Position(Side.of(ours), Side.of({11: 15}))  # on our 23 point, directly behind 22 to 17
    assert (22, 17, 5) in Turn(MOULTEZIM, behind, (5, 2)).next_moves()
    assert (22, 17, 5) not in Turn(FEVGA, behind, (5, 2)).next_moves()


def test_moultezim_with_its_own_quarter_limited_leaves_the_other_one_free():
    rules = variant("moultezim(own_quarter)")
    four = Position(Side.of({24: 6, 13: 1, 11: 2, 10: 2, 9: 2, 8: 2}), rules.start.us)
    assert numbers_playable(rules, four, (6, 1)) == numbers_playable(MOULTEZIM, four, (6, 1)) == {6, 1}
    assert (13, 7, 6) in Turn(rules, four, (6, 1)).next_moves()
    five = Position(Side.of({24: 6, 23: 2, 22: 2, 21: 2, 20: 2, 8: 1}), rules.start.us)
    assert (24, 19, 5) not in Turn(rules, five, (5, 2)).next_moves()
    assert (24, 19, 5) in Turn(MOULTEZIM, five, (5, 2)).next_moves()


def test_narde_one_checker_leaves_the_head_with_a_roll():
    position = Position(Side.of({24: 14, 20: 1}), NARDE.start.us)
    turn = Turn(NARDE, position, (5, 2)).move(24, 19)
    assert {source for source, _, _ in turn.next_moves()} == {20, 19}
    assert all(play.result.us.points[24] >= 13 for play in legal_plays(NARDE, position, (2, 2)))


def test_narde_two_leave_it_with_three_doubles_of_the_first_roll():
    assert texts(NARDE, NARDE.start, 6, 6) == ["24/18(2)"]
    assert texts(NARDE, NARDE.start, 4, 4) == ["24/16(2)"]
    assert texts(NARDE, NARDE.start, 3, 3) == ["24/18(2)", "24/21 24/15"]
    assert texts(NARDE, NARDE.start, 5, 5) == ["24/4"]
    later = Position(Side.of({24: 14, 3: 1}), NARDE.start.us)
    assert texts(NARDE, later, 6, 6) == ["24/18"]


def test_narde_six_in_a_row_need_an_enemy_ahead():
    ours = {11: 2, 10: 2, 9: 2, 8: 2, 7: 2, 13: 1, 24: 4}
    for theirs, allowed in (
        ({24: 15}, False),
        ({24: 14, 17: 1}, True),
        ({24: 14, 2: 1}, True),
        ({24: 14, 0: 1}, True),
    ):
        position = Position(Side.of(ours), Side.of(theirs))
        moves = Turn(NARDE, position, (5, 1)).next_moves()
        assert ((11, 6, 5) in moves) is allowed, theirs


def test_narde_six_that_are_no_row_on_the_others_way_are_free():
    ours = {15: 2, 14: 2, 13: 2, 11: 2, 10: 2, 16: 1, 24: 4}  # 13 and 12 are the other side's last and first point
    position = Position(Side.of(ours), Side.of({20: 15}))
    assert (13, 12, 1) in Turn(NARDE, position, (6, 1)).next_moves()
