"""Hands at a real board: which moves are possible, and which can be undone."""

from __future__ import annotations

from barpoint.board import Position, Side
from barpoint.game.manual import hand_moves
from barpoint.server.domain.real_board import free_moves, hand_path
from barpoint.variants import variant
from tests.support.games import place

BACKGAMMON = variant("backgammon")


def test_a_hand_puts_a_checker_anywhere_but_on_a_point_the_other_side_holds():
    """S2-12, S2-25."""
    free = {edge[:2] for edge in free_moves(BACKGAMMON, BACKGAMMON.start, ())}
    assert {(8, 1 + n) for n in (1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 13, 14, 15)} < free
    assert (8, 0) in free
    assert (13, 20) in free
    assert not {(8, 1), (8, 12), (8, 17), (8, 19)} & free
    assert not any(source == 25 for source, _ in free)


def test_a_hand_may_hit():
    position = place({6: 3}, {23: 1, 6: 3})
    effects = {(source, target): effect for source, target, effect in hand_moves(BACKGAMMON, position)}
    assert (effects[6, 2], effects[6, 3]) == (1, 0)


def test_a_hand_may_pin_where_the_game_pins():
    """Rulings 4.7."""
    rules = variant("plakoto")
    position = Position(Side.of({24: 15}), Side.of({24: 14, 5: 1}))
    effects = {target: effect for source, target, effect in hand_moves(rules, position) if source == 24}
    assert (effects[20], effects[19]) == (2, 0)


def test_moves_made_by_hand_can_be_taken_back_in_any_order():
    made = ((8, 2, 6), (6, 3, 3), (2, 1, 1))
    nodes = hand_path(BACKGAMMON, place({8: 2, 6: 3}, {6: 3}), made)
    follow = {move[:3]: move[4] for move in nodes[0][1]}
    assert set(follow) == {(8, 2, 6), (6, 3, 3)}
    node = follow[8, 2, 6]
    assert {edge[:3] for edge in nodes[node][1]} == {(6, 3, 3), (2, 1, 1)}


def test_a_path_of_hands_is_never_a_legal_play():
    assert not any(commit for commit, _ in hand_path(BACKGAMMON, BACKGAMMON.start, ((8, 2, 6), (8, 3, 5))))
