"""Rolls and plays in turn (S2-9 to S2-19, S2-24, S3-2, S4-2 to S4-4), and how games end on the board (S2-23, D-1)."""

from __future__ import annotations

import pytest

from barpoint.board import Position, Side
from barpoint.error import IllegalEvent, OptionError, PositionError, RollError, StakesError
from barpoint.game import Cube, Game, Phase, PlayMade, Roll, Stakes
from barpoint.game.event import counts_of
from barpoint.moves import legal_plays
from barpoint.variants import variant
from tests.support.games import begun, kinds, place, play, roll

BACKGAMMON = variant("backgammon")


def after_31() -> Game:
    return play(begun(BACKGAMMON, (3, 1)), "8/5 6/5")


def test_the_players_take_turns():
    """S4-2, S2-24."""
    game = after_31()
    assert (game.player, game.actor, game.phase, game.turn_number, game.faces) == (1, 1, Phase.TO_ROLL, 2, ())
    game = play(roll(game, 6, 2))
    assert (game.player, game.turn_number) == (0, 3)


def test_the_position_is_turned_to_the_player_to_act():
    game = after_31()
    assert game.position == Position(BACKGAMMON.start.us, game.side(0))
    assert game.side(0).points[5] == 2
    assert game.seen_by(0) == game.position.flip()


def test_doubles_are_four_moves_and_give_no_further_roll():
    """S2-13, S3-2."""
    game = roll(after_31(), 6, 6)
    for found in legal_plays(game.rules, game.position, game.faces):
        assert len(found.moves) == 4
    assert play(game).player == 0


def test_faces_are_kept_highest_first():
    assert roll(after_31(), 2, 6).faces == (6, 2)


@pytest.mark.parametrize("faces", [(7, 1), (3,), (0, 0), (1, 2, 3), ()])
def test_a_roll_that_these_dice_cannot_show_is_refused(faces: tuple[int, ...]):
    with pytest.raises(IllegalEvent, match="roll by player 1"):
        after_31().apply(Roll(1, faces))


@pytest.mark.parametrize("player", [0, 2, -1])
def test_nobody_but_the_player_to_act_rolls(player: int):
    with pytest.raises(IllegalEvent, match="not this player's roll"):
        after_31().apply(Roll(player, (6, 2)))


def test_a_roll_is_played_before_the_next():
    """S2-26 is impossible by construction (D-6)."""
    game = roll(after_31(), 6, 2)
    for player in (0, 1):
        with pytest.raises(IllegalEvent):
            game.apply(Roll(player, (6, 2)))


@pytest.mark.parametrize(
    "moves",
    [
        ((24, 18, 6),),
        ((24, 22, 2), (24, 18, 6), (13, 11, 2)),
        ((24, 21, 3), (24, 18, 6)),
        ((6, 4, 2), (6, 0, 6)),
        (),
        ((25, 19, 6), (13, 11, 2)),
        ((0, 6, 6), (8, 6, 2)),
    ],
    ids=["incomplete", "too many", "other numbers", "bears off too early", "passes", "from an empty bar", "backwards"],
)
def test_a_play_that_is_not_legal_is_refused_and_changes_nothing(moves: tuple[tuple[int, int, int], ...]):
    """S2-14, S3-15: no passing, no playing of one number to avoid the other."""
    game = roll(after_31(), 6, 2)
    with pytest.raises(IllegalEvent, match="play by player 1"):
        game.apply(PlayMade(1, moves))
    assert game == roll(after_31(), 6, 2)


def test_only_the_roller_plays():
    game = roll(after_31(), 6, 2)
    found = legal_plays(game.rules, game.position, game.faces)[0]
    with pytest.raises(IllegalEvent):
        game.apply(PlayMade(0, found.moves))


def test_where_nothing_can_be_played_the_empty_play_is_made():
    """S2-15, S2-18."""
    shut = place({25: 1, 6: 14}, {1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 7: 3})
    game = Game.at(BACKGAMMON, shut, faces=(6, 5))
    assert kinds(game, 0) == {"play", "resign"}
    assert game.apply(PlayMade(0, ())).position == shut.flip()


def test_a_recorded_play_keeps_its_position():
    game = after_31()
    assert isinstance(game.last, PlayMade)
    assert game.last.position == counts_of(game.seen_by(0))


def test_replay_takes_a_record_at_its_word_and_apply_does_not():
    game = begun(BACKGAMMON, (3, 1))
    other_ruling = PlayMade(0, ((6, 5, 1),), counts_of(BACKGAMMON.start))
    assert game.replay(other_ruling).seen_by(0) == BACKGAMMON.start
    with pytest.raises(IllegalEvent):
        game.apply(other_ruling)


def test_a_record_that_disagrees_with_the_rules_fails_the_audit():
    game = begun(BACKGAMMON, (3, 1))
    with pytest.raises(IllegalEvent, match="disagrees"):
        game.apply(PlayMade(0, ((8, 5, 3), (6, 5, 1)), counts_of(BACKGAMMON.start)))


# ---------------------------------------------------------------- ends on the board


def ended(name: str, ours: Position, faces: tuple[int, ...], text: str = "", **more: object) -> tuple[object, ...]:
    game = play(Game.at(variant(name), ours, 1, faces=faces, **more), text)  # type: ignore[arg-type]
    assert game.result is not None
    return game.result.winner, game.result.points, game.result.level, game.result.how


LAST = {1: 1}


@pytest.mark.parametrize(
    ("theirs", "points", "level"),
    [
        ({6: 14}, 1, 1),
        ({6: 15}, 2, 2),
        ({7: 15}, 2, 2),
        ({18: 15}, 2, 2),
        ({19: 1, 6: 14}, 3, 3),
        ({25: 1, 6: 14}, 3, 3),
        ({25: 1, 6: 13}, 1, 1),
    ],
    ids=[
        "one off",
        "own home",
        "outer",
        "not in the winner's home",
        "in the winner's home",
        "on the bar",
        "off and bar",
    ],
)
def test_a_game_pays_single_gammon_or_backgammon(theirs: dict[int, int], points: int, level: int):
    """S2-23, S3-8, D-1."""
    assert ended("backgammon", place(LAST, theirs), (2, 1)) == (1, points, level, "play")


def test_the_cube_multiplies():
    """S2-23, S4-16."""
    assert ended("backgammon", place(LAST, {6: 15}), (2, 1), cube=Cube(4, 0, turned=True)) == (1, 8, 2, "play")


def test_the_rest_of_a_roll_is_moot_when_the_last_checker_is_off():
    """Rulings 6.2, T11."""
    assert ended("backgammon", place({3: 1}, {1: 2}), (6, 5), "3/off") == (1, 1, 1, "play")


@pytest.mark.parametrize(("turned", "points"), [(False, 1), (True, 2)])
def test_under_jacoby_gammons_count_once_a_double_was_offered(turned: bool, points: int):
    """S3-11, D-11."""
    cube = Cube(turned=turned)
    assert ended("backgammon", place(LAST, {6: 15}), (2, 1), cube=cube, stakes=Stakes(jacoby=True))[1] == points


def test_automatic_doubles_do_not_activate_gammons_under_jacoby():
    """D-11."""
    found = ended("backgammon", place(LAST, {6: 15}), (2, 1), cube=Cube(2, ties=1), stakes=Stakes(jacoby=True))
    assert found[1] == 2


def test_jacoby_means_nothing_in_a_game_without_a_cube():
    assert ended("plakoto", place(LAST, {6: 15}), (2, 1), stakes=Stakes(jacoby=True))[1] == 2


def test_acey_deucey_pays_for_every_checker_left():
    """Rulings 4.2."""
    assert ended("acey-deucey", place(LAST, {6: 3, 23: 4}), (5, 3)) == (1, 7, 7, "play")


def test_plakoto_pays_no_triple():
    """Rulings 4.7."""
    assert ended("plakoto", place(LAST, {23: 15}), (5, 3))[:3] == (1, 2, 2)


def test_in_plakoto_a_pin_on_the_last_starting_checker_wins_a_gammon_at_once():
    position = place({6: 14, 3: 1}, {24: 1, 5: 14})
    assert ended("plakoto", position, (2, 1), "3/1 6/5")[:3] == (1, 2, 2)


def test_in_plakoto_two_such_pins_are_a_draw():
    us = Side.of({24: 1, 6: 13, 3: 1}, pinned=1 << 24)
    them = Side.of({24: 1, 5: 13, 1: 1})
    assert ended("plakoto", Position(us, them), (2, 1), "3/1 6/5") == (None, 0, 0, "play")


# ---------------------------------------------------------------- games in the middle


def test_a_game_may_begin_in_any_position_the_rules_allow():
    game = Game.at(BACKGAMMON, place({6: 2}, {1: 2}), 1, cube=Cube(2, 1))
    assert (game.actor, game.side(1).points[6], kinds(game, 1)) == (1, 2, {"roll", "double", "resign"})


def test_a_game_cannot_begin_where_the_rules_do_not_allow_it():
    with pytest.raises(PositionError):
        Game.at(BACKGAMMON, place({6: 2}, {19: 2}))
    with pytest.raises((RollError, IllegalEvent)):
        Game.at(BACKGAMMON, BACKGAMMON.start, faces=(9,))
    with pytest.raises(StakesError, match="tokens 1-0; a side has 0 to 0 under backgammon"):
        Game.at(BACKGAMMON, BACKGAMMON.start, tokens=(1, 0))
    with pytest.raises(OptionError, match=r"player is 2 \(int\); allowed: 0 or 1"):
        Game.at(BACKGAMMON, BACKGAMMON.start, 2)


def test_a_turn_in_progress_needs_a_roll():
    with pytest.raises(IllegalEvent, match="no roll to play"):
        after_31().turn()
    assert roll(after_31(), 6, 2).turn().next_moves()


@pytest.mark.parametrize("stakes", [Stakes(), Stakes(manual=True)])
@pytest.mark.parametrize(
    "moves", ["8/5 6/5", ((8, 5), (6, 5)), legal_plays(BACKGAMMON, BACKGAMMON.start, (3, 1))[0], 3]
)
def test_what_are_no_moves_is_refused_with_how_they_are_written(moves, stakes: Stakes):
    with pytest.raises(
        IllegalEvent, match=r"allowed: \(from, to, number\) of each move; those of a Play are `play.moves`"
    ):
        begun(BACKGAMMON, (3, 1), stakes).apply(PlayMade(0, moves))
