"""The reference alone: properties of every legal play (rulings 6.2, I1 to I6), and the variants' own rules."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from barpoint.board import BAR, HAND, OFF, Position, Side
from barpoint.dice import DiceRow
from barpoint.rules import Rules
from barpoint.variants import variant
from tests.reference import Move, reference_outcome, reference_plays, reference_prefixes, reference_step, reference_turn
from tests.reference.notation import place
from tests.reference.play import Roll, branches, row_of
from tests.reference.step import sources
from tests.reference.turn import reference_undos
from tests.support.strategies import random_row, random_strange_position, rows_of, strange_positions

BACKGAMMON = variant()
ACEY = variant("acey-deucey")
PLAKOTO = variant("plakoto")
FEVGA = variant("fevga")
VARIANTS = [variant(name) for name in ("backgammon", "duodecagammon", "hypergammon", "plakoto", "fevga")]


def results(rules: Rules, position: Position, faces: tuple[int, ...]) -> set[Position]:
    return {after for after, _ in reference_plays(rules, position, faces)}


@pytest.mark.parametrize("rules", VARIANTS, ids=lambda rules: rules.name)
@given(data=st.data())
def test_every_play_keeps_checkers_and_explains_every_pip(rules: Rules, data: st.DataObject) -> None:
    """I2 to I4."""
    start, row = data.draw(strange_positions(rules)), data.draw(rows_of(rules))
    other = rules.movement.meeting.other
    after = start
    made: tuple[Move, ...] = ()
    while moves := sorted(reference_turn(rules, start, row.faces, made).next_moves):
        before, move = after, data.draw(st.sampled_from(moves))
        source, target, number = move
        stepped = reference_step(rules, before, source, number)
        assert stepped is not None
        after, made = stepped, (*made, move)
        was_hit = after.them.points[BAR] > before.them.points[BAR]
        assert (after.us.total, after.them.total) == (start.us.total, start.them.total)
        assert before.us.pips - after.us.pips == source - target
        assert after.them.pips - before.them.pips == (BAR - other(target) if was_hit else 0)
        for point in range(1, 25):
            both = after.us.points[point] and after.them.points[other(point)]
            assert (after.us.pinned >> point & 1) + (after.them.pinned >> other(point) & 1) == bool(both)
    assert after in results(rules, start, row.faces)


@given(position=strange_positions(BACKGAMMON), number=st.integers(1, 6))
def test_all_legal_plays_of_a_double_have_the_same_length(position: Position, number: int) -> None:
    """I1."""
    (branch,) = branches(
        BACKGAMMON, position, row_of(BACKGAMMON, (number, number)).stages[0], Roll(position, (number, number))
    )
    lengths = {len(end.left) for end, moves in branch.tree.items() if not moves}
    assert len(lengths) == 1 or any(reference_outcome(BACKGAMMON, end.position) for end in branch.ends)


@given(position=strange_positions(BACKGAMMON), row=rows_of(BACKGAMMON))
def test_the_order_of_the_dice_does_not_matter(position: Position, row: DiceRow) -> None:
    """I6."""
    assert reference_plays(BACKGAMMON, position, row.faces) == reference_plays(BACKGAMMON, position, row.faces[::-1])


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("hypergammon", 38_017),
        ("longgammon", 3_484),
        pytest.param("backgammon", 202_782, marks=pytest.mark.deep),
    ],
)
def test_from_the_start_two_rolls_lead_to_as_many_positions_as_9_2_says(name: str, count: int) -> None:
    rules = variant(name)
    firsts = [after for row in rules.dice.rows for after in results(rules, rules.start, row.faces)]
    assert sum(len(results(rules, first.flip(), row.faces)) for first in firsts for row in rules.dice.rows) == count


# ---------------------------------------------------------------- a turn in progress


def test_either_of_two_moves_may_be_taken_back_unless_the_other_needs_it() -> None:
    """S4-12."""
    start = BACKGAMMON.start
    assert reference_undos(BACKGAMMON, start, (3, 1), ((8, 5, 3), (6, 5, 1))) == {(8, 5, 3), (6, 5, 1)}
    assert reference_undos(BACKGAMMON, start, (3, 1), ((8, 5, 3), (5, 4, 1))) == {(5, 4, 1)}
    entered = place("bar 13(5) 8(3) 6(5)", "12 19")
    assert reference_undos(BACKGAMMON, entered, (3, 1), ((25, 22, 3), (6, 5, 1))) == {(6, 5, 1)}


def test_a_move_that_would_waste_the_other_number_is_not_offered() -> None:
    """T02: 21/16 would leave no 3."""
    standing = reference_turn(BACKGAMMON, place("21 10", "13 7 2"), (5, 3))
    assert standing.next_moves == {(21, 18, 3), (10, 5, 5)}
    assert not standing.may_commit


def test_a_point_from_which_either_number_bears_off_gives_two_moves() -> None:
    moves = reference_turn(BACKGAMMON, place("3(2)", "24"), (6, 3)).next_moves
    assert moves == {(3, 0, 3), (3, 0, 6)}


def test_per_option_lets_a_turn_end_where_another_option_would_go_on() -> None:
    """DC12: choosing 6+6, of which nothing can be played, or 4+4+4."""
    position = place("20 13", "14 7 5")
    assert reference_turn(variant("duodecagammon(per_option)"), position, (12,)).may_commit
    assert not reference_turn(variant("duodecagammon"), position, (12,)).may_commit


@pytest.mark.parametrize("name", ["hypergammon", "hypergammon+duodecagammon(per_option)"])
@given(data=st.data())
def test_beginnings_that_may_be_committed_end_where_the_plays_end(name: str, data: st.DataObject) -> None:
    rules = variant(name)
    position, row = data.draw(strange_positions(rules)), data.draw(rows_of(rules))
    ends = set()
    for moves, may_commit in reference_prefixes(rules, position, row.faces).items():
        if may_commit:
            after: Position | None = position
            for source, _, number in moves:
                assert after is not None
                after = reference_step(rules, after, source, number)
            ends.add(after)
    assert ends == results(rules, position, row.faces)


# ---------------------------------------------------------------- Acey-Deucey (4.2)


def acey(ours: dict[int, int], hand: int = 0, theirs: dict[int, int] | None = None) -> Position:
    theirs = theirs or {24: 2}
    us = Side.of(ours | {OFF: 15 - sum(ours.values()) - hand}, hand)
    return Position(us, Side.of(theirs | {OFF: 15 - sum(theirs.values())}))


def test_a_checker_enters_from_the_hand_by_its_number_and_may_wait() -> None:
    moves = reference_turn(ACEY, acey({13: 1}, hand=14), (6, 5)).next_moves
    assert moves == {(HAND, 19, 6), (HAND, 20, 5), (13, 7, 6), (13, 8, 5)}


def test_a_checker_on_the_bar_enters_before_those_in_the_hand() -> None:
    assert reference_turn(ACEY, acey({25: 1}, hand=14), (6, 5)).next_moves == {(BAR, 19, 6), (BAR, 20, 5)}


def test_nothing_is_borne_off_while_a_checker_is_in_the_hand() -> None:
    assert (6, OFF, 6) not in reference_turn(ACEY, acey({6: 14}, hand=1), (6, 6)).next_moves


def test_after_one_two_any_double_is_named_and_a_complete_one_gives_another_roll() -> None:
    plays = reference_plays(ACEY, acey({6: 1, 3: 4}), (2, 1))
    assert {again for _, again in plays} == {True, False}
    assert all(again or reference_outcome(ACEY, after) or after.us.points[OFF] < 15 for after, again in plays)


def test_a_double_that_cannot_be_played_completely_gives_no_other_roll() -> None:
    position = acey({24: 1}, theirs={25 - 18: 2, 25 - 20: 2, 25 - 17: 2, 25 - 19: 2, 25 - 16: 2, 25 - 15: 2})
    plays = reference_plays(ACEY, position, (2, 1))
    after_one_two = acey({21: 1}, theirs={7: 2, 5: 2, 8: 2, 6: 2, 9: 2, 10: 2})
    assert plays == {(after_one_two, False)}


def test_where_one_and_two_are_not_both_playable_no_double_is_named() -> None:
    position = acey({24: 1, 25: 1}, theirs={25 - 23: 2, 1: 2})
    assert reference_plays(ACEY, position, (2, 1)) == {(position, False)}


def test_a_game_won_in_the_middle_of_one_two_gives_no_other_roll() -> None:
    ((after, again),) = reference_plays(ACEY, acey({1: 1}), (2, 1))
    assert reference_outcome(ACEY, after) == ("us", 2)
    assert not again


# ---------------------------------------------------------------- Plakoto (4.7)


def plakoto(ours: dict[int, int], theirs: dict[int, int], our_pins: int = 0, their_pins: int = 0) -> Position:
    us = Side.of(ours | {OFF: 15 - sum(ours.values())}, pinned=our_pins)
    return Position(us, Side.of(theirs | {OFF: 15 - sum(theirs.values())}, pinned=their_pins))


def test_a_single_checker_is_pinned_and_its_point_is_closed_to_its_side() -> None:
    position = plakoto({10: 1, 24: 1}, {25 - 5: 1, 25 - 1: 2})
    pinned = reference_step(PLAKOTO, position, 10, 5)
    assert pinned == plakoto({5: 1, 24: 1}, {20: 1, 24: 2}, their_pins=1 << 20)
    assert list(sources(pinned.flip().us)) == [24]
    assert reference_step(PLAKOTO, pinned.flip(), 24, 4) is None


def test_the_last_captor_to_leave_frees_the_pinned_checker() -> None:
    position = plakoto({5: 2, 24: 1}, {20: 1, 24: 2}, their_pins=1 << 20)
    one_left = reference_step(PLAKOTO, position, 5, 1)
    assert one_left is not None
    assert one_left.them.pinned == 1 << 20
    none_left = reference_step(PLAKOTO, one_left, 5, 1)
    assert none_left is not None
    assert none_left.them.pinned == 0


def test_a_pinned_checker_of_ones_own_home_stays_while_the_others_are_borne_off() -> None:
    position = plakoto({5: 1, 4: 2}, {20: 1, 24: 1}, our_pins=1 << 5)
    assert reference_turn(PLAKOTO, position, (4, 4)).next_moves == {(4, 0, 4)}
    assert reference_step(PLAKOTO, position, 4, 6) is None


def test_pinning_the_last_checker_on_the_start_wins_two_points_at_once() -> None:
    position = plakoto({4: 1, 13: 1}, {24: 1, 10: 3})
    after = reference_step(PLAKOTO, position, 4, 3)
    assert after is not None
    assert reference_outcome(PLAKOTO, after) == ("us", 2)
    ((ended, _),) = {play for play in reference_plays(PLAKOTO, position, (3, 2)) if play[0].us.points[13]} - {
        play for play in reference_plays(PLAKOTO, position, (3, 2)) if not play[0].them.pinned
    }
    assert ended == after


def test_the_pin_on_the_start_waits_while_the_captor_has_a_checker_on_its_own() -> None:
    waiting = plakoto({1: 1, 24: 1}, {24: 1, 10: 3}, their_pins=1 << 24)
    assert reference_outcome(PLAKOTO, waiting) is None
    left = reference_step(PLAKOTO, waiting, 24, 2)
    assert left is not None
    assert reference_outcome(PLAKOTO, left) == ("us", 2)


def test_pinning_both_last_checkers_on_the_start_is_a_draw() -> None:
    both = plakoto({1: 1, 24: 1}, {24: 1, 1: 1, 10: 3}, our_pins=1 << 24, their_pins=1 << 24)
    assert reference_outcome(PLAKOTO, both) == (None, 0)


# ---------------------------------------------------------------- Fevga (4.7)


def fevga(ours: dict[int, int], theirs: dict[int, int]) -> Position:
    return Position(Side.of(ours), Side.of(theirs))


def test_an_opening_six_six_plays_exactly_one_six() -> None:
    assert results(FEVGA, FEVGA.start, (6, 6)) == {fevga({24: 14, 18: 1}, {24: 15})}


def test_the_first_checker_passes_the_other_start_before_a_second_leaves() -> None:
    waiting = fevga({24: 14, 15: 1}, {24: 15})
    assert {source for source, _, _ in reference_turn(FEVGA, waiting, (2, 1)).next_moves} == {15}
    arrived = fevga({24: 14, 11: 1}, {24: 15})
    assert {source for source, _, _ in reference_turn(FEVGA, arrived, (2, 1)).next_moves} == {24, 11}


def test_no_checker_lands_on_a_single_enemy() -> None:
    assert reference_step(FEVGA, fevga({24: 14, 11: 1}, {24: 14, 22: 1}), 11, 1) is None


def test_the_last_of_the_six_starting_points_may_not_be_taken() -> None:
    five_held = fevga({24: 9, 23: 1, 22: 1, 21: 1, 20: 2, 10: 1}, {24: 15})
    assert reference_step(FEVGA, five_held, 24, 5) is None
    assert reference_step(FEVGA, five_held, 20, 1) is None
    assert reference_step(FEVGA, five_held, 24, 4) is not None


def test_six_points_may_not_be_held_directly_before_all_enemy_checkers() -> None:
    six_but_one = fevga({11: 1, 10: 1, 9: 1, 8: 2, 6: 1, 24: 9}, {24: 15})
    assert reference_step(FEVGA, six_but_one, 8, 1) is None
    assert reference_step(FEVGA, fevga({11: 1, 10: 1, 9: 1, 8: 2, 6: 1, 24: 9}, {24: 14, 1: 1}), 8, 1) is not None


def test_a_prime_behind_which_all_enemies_have_gathered_must_be_opened() -> None:
    position = fevga({11: 1, 10: 1, 9: 1, 8: 1, 7: 1, 6: 2, 24: 8}, {24: 15})
    assert reference_turn(FEVGA, position, (1, 1)).next_moves == {(point, point - 1, 1) for point in (11, 10, 9, 8, 7)}
    assert reference_step(FEVGA, position, 24, 1) is None


# ---------------------------------------------------------------- what a finished game pays


@pytest.mark.parametrize(
    ("rules", "loser", "points"),
    [
        (BACKGAMMON, Side.of({OFF: 1, BAR: 14}), 1),
        (BACKGAMMON, Side.of({6: 15}), 2),  # D-1: one's own home does not count for a backgammon
        (BACKGAMMON, Side.of({19: 1, 6: 14}), 3),
        (BACKGAMMON, Side.of({18: 1, 6: 14}), 2),
        (BACKGAMMON, Side.of({BAR: 1, 6: 14}), 3),
        (ACEY, Side.of({OFF: 4, 6: 5}, hand=6), 11),
        (PLAKOTO, Side.of({24: 15}), 2),
        (FEVGA, Side.of({13: 15}), 2),
    ],
)
def test_a_won_game_pays_by_what_the_loser_has_left(rules: Rules, loser: Side, points: int) -> None:
    winner = Side.of({OFF: 15})
    assert reference_outcome(rules, Position(winner, loser)) == ("us", points)
    assert reference_outcome(rules, Position(loser, winner)) == ("them", points)


@pytest.mark.parametrize("rules", VARIANTS, ids=lambda rules: rules.name)
def test_a_play_that_ends_the_game_pays_what_can_be_paid(rules: Rules) -> None:
    random, ends = Random(5), set()
    for _ in range(1000):
        position, row = random_strange_position(rules, random), random_row(rules, random)
        ends |= {reference_outcome(rules, after) for after in results(rules, position, row.faces)}
    assert ends - {(None, 0)} == {None} | {("us", points) for points in range(1, max(2, rules.scoring.backgammon) + 1)}


def test_an_option_that_ends_the_game_is_complete_and_beats_no_other() -> None:
    """DG-15: 4+4+4 is moot after the first 4; 6+6 bears the same checker off."""
    rules = variant("duodecagammon")
    position = place("4", "24")
    found = branches(rules, position, row_of(rules, (12,)).stages[0], Roll(position, (12,)))
    assert all(branch.ends for branch in found)
    assert len(results(rules, position, (12,))) == 1
