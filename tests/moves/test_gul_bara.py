"""Gul bara and Gioul: doubles that go on, from each side's fourth roll on (rulings 4.10)."""

from dataclasses import replace

import numpy as np
import pytest

from barpoint.board import Position, Side
from barpoint.driver.batch import play_batch, random_policy
from barpoint.error import PositionError, RollError, VariantsClash
from barpoint.game import Game, Phase, PlayMade, Roll, Rollover
from barpoint.moves import BatchTurns, check_position, encode, legal_plays, legal_plays_batch
from barpoint.moves.batch import or_owed
from barpoint.native import pack
from barpoint.record.position_id import format_position, parse_position
from barpoint.variants import variant
from tests.support.compositions import BEYOND

GUL_BARA = variant("gul-bara")
GIOUL = variant("gioul")
LATE = Position(Side.of({24: 15}), Side.of({24: 15}))
"""The start as a side stands in it that has rolled three times."""


def owes(position: Position, number: int) -> Position:
    """The position in which the side to act plays this double next."""
    row = next(at for at, row in enumerate(GUL_BARA.dice.rows) if row.faces == (number, number))
    return Position(replace(position.us, owed=1 + row), position.them)


def rolled(game: Game, *faces: int) -> Game:
    return game.apply(Roll(game.player, faces))


def played(game: Game, number: int = 0) -> Game:
    return game.apply(PlayMade(game.player, legal_plays(game.rules, game.position, game.faces)[number].moves))


@pytest.mark.parametrize("rules", [GUL_BARA, GIOUL], ids=lambda rules: rules.name)
def test_the_first_three_rolls_of_each_side_are_plain(rules):
    game = Game.start(rules, starter=0)
    for turn in range(6):
        assert game.position.us.plain_rolls == 3 - turn // 2
        game = played(rolled(game, 1, 1))
        assert game.phase is Phase.TO_ROLL
        assert game.player == (turn + 1) % 2
    game = played(rolled(game, 1, 1))
    assert (game.phase, game.player, game.faces) == (Phase.TO_PLAY, 0, (2, 2))


def test_a_double_goes_on_up_to_6_6_without_another_roll():
    game = rolled(Game.at(GUL_BARA, LATE), 4, 4)
    rolls = game.roll_id
    for number in (4, 5):
        assert game.faces == (number, number)
        game = played(game)
    assert game.faces == (6, 6)
    game = played(game)
    assert (game.phase, game.player, game.roll_id) == (Phase.TO_ROLL, 1, rolls)


def test_what_is_no_double_goes_on_to_nothing():
    assert not any(play.again for play in legal_plays(GUL_BARA, LATE, (6, 5)))
    assert not any(play.again for play in legal_plays(GUL_BARA, LATE, (6, 6)))


def test_where_a_double_cannot_be_played_completely_the_rest_is_lost():
    blocked = Position(Side.of({24: 15}), Side.of({4: 1, 24: 14}))  # their 4 is our 16, two fours ahead
    plays = legal_plays(GUL_BARA, blocked, (4, 4))
    assert {str(play) for play in plays} == {"24/20(4)"}
    walled = Position(Side.of({24: 15}), Side.of({8: 1, 24: 14}))  # their 8 is our 20
    (nothing,) = legal_plays(GUL_BARA, walled, (4, 4))
    assert (nothing.moves, nothing.again) == ((), False)


def test_a_side_plays_what_it_can_of_a_double_that_followed():
    position = owes(Position(Side.of({19: 13, 18: 1, 14: 1}), Side.of({24: 14, 1: 1})), 6)  # on our 12 and 13
    (play,) = legal_plays(GUL_BARA, position, (6, 6))
    assert (str(play), play.again) == ("14/2", False)


def test_the_end_of_the_game_ends_a_double():
    position = Position(Side.of({0: 14, 3: 1}), Side.of({20: 15}))
    (play,) = legal_plays(GUL_BARA, position, (3, 3))
    assert (str(play), play.again, play.result.us.owed) == ("3/off", False, 0)


def test_no_other_roll_may_be_asked_for_where_one_is_owed():
    with pytest.raises(RollError, match="5-5 was asked for; the side to act plays 4-4 next, without rolling it"):
        legal_plays(GUL_BARA, owes(LATE, 4), (5, 5))
    with pytest.raises(RollError, match="another roll is owed"):
        legal_plays_batch(GUL_BARA, encode([owes(LATE, 4)]), np.array([0]))


def test_only_what_can_follow_is_owed_and_only_by_the_side_to_act():
    for position in (owes(LATE, 1), owes(LATE, 4).flip(), Position(replace(LATE.us, plain_rolls=1, owed=3), LATE.them)):
        with pytest.raises(PositionError, match="a roll is owed that these rules do not let the side to act owe"):
            check_position(GUL_BARA, position)
    with pytest.raises(PositionError, match="our plain rolls are 1; these rules begin with 0"):
        check_position(variant("narde"), Position(replace(LATE.us, plain_rolls=1), LATE.them))


def test_a_position_id_keeps_what_the_dice_have_to_do():
    for position in (GUL_BARA.start, owes(LATE, 4), Position(replace(LATE.us, plain_rolls=2), LATE.them)):
        assert parse_position(format_position(position)) == position
    assert not format_position(LATE).startswith("~")


def test_a_token_takes_back_the_roll_with_all_that_followed():
    rules = variant("roll-over+gul-bara")
    game = rolled(Game.at(rules, LATE), 5, 5)
    after = played(game)
    assert after.faces == (6, 6)
    assert ("rollover", 0) not in {(item.kind, item.player) for item in after.legal_events()}
    again = after.apply(Rollover(1, after.roll_id))
    assert (again.phase, again.player, again.position) == (Phase.MUST_REROLL, 0, LATE)


def test_where_somebody_is_to_roll_nothing_is_owed():
    assert owes(LATE, 4).to_roll() == owes(LATE, 4).flip().to_roll() == LATE
    assert LATE.to_roll() is LATE


def test_a_game_can_begin_in_the_middle_of_a_double():
    game = Game.at(GUL_BARA, owes(LATE, 6))
    assert (game.phase, game.faces) == (Phase.TO_PLAY, (6, 6))
    assert played(game).player == 1


def test_three_checkers_reach_what_they_reach_where_the_higher_doubles_are_stages_of_one_roll():
    stages = BEYOND["gul bara of three"]
    position = Position(Side.of({24: 3}), Side.of({24: 3}))
    rules = replace(GUL_BARA, name="", setup=stages.setup)
    for number in range(1, 7):
        wanted = {play.result for play in legal_plays(stages, position, (number, number))}
        found, waiting = set(), [position]
        while waiting:
            now = waiting.pop()
            faces = rules.dice.rows[now.us.owed - 1].faces if now.us.owed else (number, number)
            for play in legal_plays(rules, now, faces):
                (waiting.append if play.again else found.add)(play.result)
        assert found == wanted


def test_dice_without_doubles_do_not_go_with_it():
    with pytest.raises(VariantsClash, match="gul-bara needs the roll 2-2, which the dice of duodecagammon do not show"):
        variant("duodecagammon+gul-bara")


def test_rows_drawn_for_many_positions_give_way_to_what_is_owed():
    packed = np.frombuffer(b"".join(map(pack, (LATE, owes(LATE, 4), owes(LATE, 6)))), np.uint8).reshape(-1, 64)
    assert or_owed(packed, np.array([7, 7, 7])).tolist() == [7, 9, 20]


def test_games_in_step_play_what_is_owed_and_count_no_roll_for_it():
    rolled, owed, choose = 0, 0, random_policy(np.random.default_rng(4))

    def policy(turns: BatchTurns) -> np.ndarray:
        nonlocal rolled, owed
        next_row = turns.positions[:, 0, 27].astype(int) >> 2
        assert (turns.rows[next_row > 0] == next_row[next_row > 0] - 1).all()
        rolled += int((next_row == 0).sum())
        owed += int((next_row > 0).sum())
        return choose(turns)

    games = play_batch(GUL_BARA, 40, policy)
    assert games.finished.all()
    assert games.rolls.sum() == rolled
    assert owed > 40
