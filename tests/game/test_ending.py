"""Endings away from the board: resignations, settlements, time (rulings 5.1)."""

from __future__ import annotations

import math

import pytest

from barpoint.error import IllegalEvent
from barpoint.game import (
    Accept,
    Claim,
    Cube,
    Double,
    Game,
    Keep,
    Next,
    Phase,
    PlayMade,
    Reject,
    Resign,
    Roll,
    Settle,
    Stakes,
    Timeout,
)
from barpoint.game.event import Event
from barpoint.variants import variant
from tests.support.games import begun, kinds, place, play, reroll, roll

BACKGAMMON = variant("backgammon")
CONTACT = BACKGAMMON.start
RACE = place({6: 3}, {5: 3})


def at(position: object = CONTACT, name: str = "backgammon", **more: object) -> Game:
    return Game.at(variant(name), position, 1, **more)  # type: ignore[arg-type]


def points(game: Game) -> tuple[int | None, float]:
    assert game.result is not None
    return game.result.winner, game.result.points


def levels(game: Game, player: int) -> tuple[int, ...]:
    return next((item.levels for item in game.legal_events() if item.kind == "resign" and item.player == player), ())


@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("player", [0, 1])
def test_either_player_may_resign_any_level_before_the_roll_and_pays_it_times_the_cube(level: int, player: int):
    game = at(cube=Cube(2, 1)).apply(Resign(player, level))
    assert (game.phase, game.actor) == (Phase.RESIGNED, 1 - player)
    assert points(game.apply(Accept(1 - player))) == (1 - player, 2 * level)


def test_until_it_is_answered_nothing_else_may_happen():
    """RC-13."""
    game = at().apply(Resign(1, 1))
    assert (kinds(game, 0), kinds(game, 1)) == ({"accept", "reject"}, set())
    for event in (Roll(1, (2, 1)), Double(1), Resign(0, 1), Resign(1, 2), Accept(1), Reject(1), Next()):
        with pytest.raises(IllegalEvent):
            game.apply(event)


def test_a_rejection_leads_back_to_the_same_dice():
    game = roll(at(), 4, 2)
    back = game.apply(Resign(1, 1)).apply(Reject(0))
    assert (back.phase, back.faces, back.roll_id, back.position) == (game.phase, (4, 2), game.roll_id, game.position)
    assert play(back) == play(game.apply(Resign(1, 1)).apply(Reject(0)))


def test_a_rejected_level_may_not_be_repeated_until_the_position_changes():
    game = at().apply(Resign(1, 1)).apply(Reject(0))
    assert levels(game, 1) == (2, 3)
    assert levels(game, 0) == (1, 2, 3)
    with pytest.raises(IllegalEvent, match="not again"):
        game.apply(Resign(1, 1))
    rolled = roll(game, 4, 2)
    assert levels(rolled, 1) == (2, 3)
    assert levels(play(rolled), 1) == (1, 2, 3)


def test_a_play_without_moves_does_not_change_the_position():
    shut = place({25: 1, 6: 14}, {1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 7: 3})
    game = Game.at(BACKGAMMON, shut).apply(Resign(0, 1)).apply(Reject(1))
    assert levels(roll(game, 6, 5).apply(PlayMade(0, ())), 0) == (2, 3)


def test_a_rerolled_play_brings_the_position_back_but_not_the_rejections():
    game = play(begun("roll-over", (3, 1)), "8/5 6/5").apply(Resign(1, 1)).apply(Reject(0))
    again = play(roll(reroll(game, 1), 2, 1))
    assert levels(again, 1) == (1, 2, 3)


def test_all_levels_can_be_rejected():
    game = at()
    for level in (1, 2, 3):
        game = game.apply(Resign(1, level)).apply(Reject(0))
    assert "resign" not in kinds(game, 1)


@pytest.mark.parametrize("level", [0, 4, -1])
def test_there_are_no_other_levels(level: int):
    with pytest.raises(IllegalEvent):
        at().apply(Resign(1, level))


def test_under_jacoby_every_resignation_counts_one_until_a_double_was_offered():
    """Rulings 5.1."""
    flat = at(stakes=Stakes(jacoby=True)).apply(Resign(1, 3)).apply(Accept(0))
    assert points(flat) == (0, 1)
    live = at(stakes=Stakes(jacoby=True), cube=Cube(2, 0, turned=True)).apply(Resign(1, 3)).apply(Accept(0))
    assert points(live) == (0, 6)


def test_where_nothing_triples_there_is_no_third_level():
    assert levels(at(variant("plakoto").start, "plakoto"), 1) == (1, 2)


def test_where_checkers_are_paid_a_resignation_pays_those_left():
    game = at(place({6: 3, 3: 2}, {5: 3}), "acey-deucey")
    assert levels(game, 1) == (1,)
    assert points(game.apply(Resign(1, 1)).apply(Accept(0))) == (0, 5)


@pytest.mark.parametrize("event", [Accept(0), Reject(0), Keep(0)])
def test_without_an_offer_there_is_nothing_to_answer(event: Event):
    with pytest.raises(IllegalEvent):
        at().apply(event)


def test_nobody_resigns_while_a_double_is_pending():
    game = at().apply(Double(1))
    for player in (0, 1):
        with pytest.raises(IllegalEvent):
            game.apply(Resign(player, 1))


# ---------------------------------------------------------------- settlements


@pytest.mark.parametrize(("agreed", "found"), [(2, (0, 2)), (-1.5, (1, 1.5)), (0, (None, 0))])
def test_a_money_game_may_be_settled_for_any_points(agreed: float, found: tuple[int | None, float]):
    for game in (at(), roll(at(), 2, 1), at().apply(Double(1)), at().apply(Resign(1, 1))):
        assert points(game.apply(Settle(agreed))) == found


@pytest.mark.parametrize("agreed", [math.nan, math.inf])
def test_points_are_a_number(agreed: float):
    with pytest.raises(IllegalEvent):
        at().apply(Settle(agreed))


def test_a_game_of_a_match_cannot_be_settled():
    game = at(stakes=Stakes(money=False))
    assert "settle" not in {item.kind for item in game.legal_events()}
    with pytest.raises(IllegalEvent, match="only a money game"):
        game.apply(Settle(1))


def test_a_game_that_has_not_begun_or_is_over_cannot_be_settled():
    for game in (Game.start(BACKGAMMON), at().apply(Settle(1))):
        with pytest.raises(IllegalEvent):
            game.apply(Settle(1))


# ---------------------------------------------------------------- time and absence


@pytest.mark.parametrize(("position", "paid"), [(CONTACT, 4), (RACE, 2)])
def test_out_of_time_loses_what_the_position_still_allows(position: object, paid: int):
    """A gammon where nothing is borne off."""
    game = at(position, cube=Cube(2, 1))
    assert points(game.apply(Timeout(1))) == (0, paid)
    assert points(game.apply(Claim(0))) == (0, paid)


def test_out_of_time_under_jacoby_is_single():
    assert points(at(stakes=Stakes(jacoby=True)).apply(Timeout(1))) == (0, 1)


def test_only_the_clock_of_the_player_to_act_runs():
    game = at()
    with pytest.raises(IllegalEvent, match="their clock runs"):
        game.apply(Timeout(0))
    assert game.apply(Double(1)).apply(Timeout(0)).over
    assert game.apply(Resign(1, 1)).apply(Timeout(0)).over


def test_a_player_who_has_left_loses_whoever_is_to_act():
    game = at()
    assert points(game.apply(Claim(1)))[0] == 1
    assert points(game.apply(Claim(0)))[0] == 0


def test_in_the_wait_after_the_last_checker_a_claim_means_that_the_roll_stands():
    """Rulings 2.3, state E."""
    game = play(Game.at(variant("roll-over"), place({1: 1}, {6: 15}), faces=(2, 1)))
    assert game.apply(Claim(0)).result == game.apply(Keep(1)).result
    with pytest.raises(IllegalEvent, match="waits for this very player"):
        game.apply(Claim(1))


def test_where_checkers_are_paid_time_costs_all_that_are_left():
    assert points(at(place({6: 3}, {5: 3}), "acey-deucey").apply(Timeout(1))) == (0, 3)


@pytest.mark.parametrize("event", [Timeout(0), Claim(0), Roll(0, (2, 1)), Resign(0, 1), Keep(0), Settle(1), Next()])
def test_after_the_end_nothing_may_happen(event: Event):
    over = at().apply(Settle(1))
    assert over.legal_events() == ()
    with pytest.raises(IllegalEvent, match="allowed now: nothing"):
        over.apply(event)
