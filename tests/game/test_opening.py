"""The opening roll (S2-8, S4-1, D-8, DG-1, DG-2, rulings 4.2)."""

from __future__ import annotations

import pytest

from barpoint.error import ArgumentError, IllegalEvent, UnknownVariant
from barpoint.game import Abort, Cube, Double, Game, Opening, Phase, Resign, Roll, Stakes
from barpoint.variants import variant
from tests.support.games import begun, kinds, play, roll

BACKGAMMON = variant("backgammon")


@pytest.mark.parametrize(("dice", "starter"), [((3, 1), 0), ((1, 3), 1), ((6, 5), 0), ((5, 6), 1)])
def test_the_higher_die_starts_and_plays_both_numbers(dice: tuple[int, int], starter: int):
    """S2-8."""
    game = begun(BACKGAMMON, dice)
    assert (game.player, game.faces, game.phase) == (starter, tuple(sorted(dice, reverse=True)), Phase.TO_PLAY)
    assert (game.roll_id, game.opening_dice) == (1, dice)


def test_equal_dice_are_rolled_again():
    """S4-1."""
    game = Game.start(BACKGAMMON).apply(Opening((4, 4)))
    assert (game.phase, game.opening_dice, game.cube) == (Phase.OPENING, (4, 4), Cube())
    assert game.apply(Opening((2, 6))).player == 1


def test_automatic_doubles_turn_the_centred_cube_up_to_their_limit():
    """S3-9, D-8."""
    game = Game.start(BACKGAMMON, Stakes(automatic_doubles=2))
    values = []
    for face in (4, 1, 6):
        game = game.apply(Opening((face, face)))
        values.append(game.cube.value)
    assert values == [2, 4, 4]
    assert game.cube.owner is None
    assert not game.cube.turned


def test_automatic_doubles_need_a_cube():
    game = Game.start(BACKGAMMON, Stakes(automatic_doubles=2, cube=False)).apply(Opening((4, 4)))
    assert game.cube.value == 1


def test_automatic_doubles_stop_at_the_cube_limit():
    game = Game.start(BACKGAMMON, Stakes(automatic_doubles=9, cube_limit=2))
    for _ in range(3):
        game = game.apply(Opening((4, 4)))
    assert game.cube.value == 2


@pytest.mark.parametrize("name", ["duodecagammon", "acey-deucey", "plakoto", "fevga"])
def test_where_the_starter_rolls_again_the_opening_roll_is_not_played(name: str):
    """DG-1; rulings 4.2 and 4.7."""
    game = begun(name, (2, 5))
    assert (game.phase, game.player, game.roll_id, game.faces) == (Phase.TO_ROLL, 1, 0, ())


def test_the_starter_may_play_the_number_he_won_with():
    """DG-1, option."""
    game = begun(variant("duodecagammon", opening_uses_winning_number=True), (4, 11))
    assert (game.phase, game.player, game.faces) == (Phase.TO_PLAY, 1, (11,))


def test_before_their_first_roll_the_starter_has_no_cube_and_the_second_player_has():
    """DG-2."""
    game = begun("duodecagammon", (2, 5))
    assert "double" not in kinds(game, 1)
    with pytest.raises(IllegalEvent, match="the first turn"):
        game.apply(Double(1))
    assert "double" in kinds(play(roll(game, 9)), 0)


def test_the_second_player_may_double_at_once():
    assert "double" in kinds(play(begun(BACKGAMMON, (3, 1))), 1)


@pytest.mark.parametrize("dice", [(0, 3), (7, 1), (3, -1), (12, 12)])
def test_dice_that_these_are_not_are_refused(dice: tuple[int, int]):
    with pytest.raises(IllegalEvent, match="each shows 1 to 6"):
        Game.start(BACKGAMMON).apply(Opening(dice))


def test_an_opening_roll_with_a_twelve_sided_die_has_twelve_sides():
    assert begun("duodecagammon", (12, 1)).player == 0


@pytest.mark.parametrize("event", [Roll(0, (3, 1)), Double(0), Resign(0, 1)])
def test_before_the_start_only_the_dice_for_it_are_rolled(event: Roll):
    with pytest.raises(IllegalEvent, match="allowed now: opening, abort"):
        Game.start(BACKGAMMON).apply(event)


def test_a_game_can_be_aborted_before_the_first_dice_only():
    game = Game.start(BACKGAMMON)
    aborted = game.apply(Abort())
    assert aborted.over
    assert aborted.result is not None
    assert (aborted.result.winner, aborted.result.points, aborted.result.how) == (None, 0, "abort")
    for state in (game.apply(Opening((2, 2))), begun(BACKGAMMON, (3, 1))):
        with pytest.raises(IllegalEvent, match="already rolled"):
            state.apply(Abort())


def test_a_game_begins_by_rules_or_by_their_name():
    assert Game.start("backgammon") == Game.start(BACKGAMMON)
    assert Game.at("nackgammon", BACKGAMMON.start, 1) == Game.at(variant("nackgammon"), BACKGAMMON.start, 1)
    with pytest.raises(UnknownVariant, match="nackgamon"):
        Game.start("nackgamon")
    with pytest.raises(ArgumentError, match="rules"):
        Game.start(None)  # type: ignore[arg-type]
