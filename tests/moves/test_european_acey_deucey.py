"""European Acey-Deucey: a double, its complement and another roll; exact numbers in bearing off (rulings 4.3)."""

from dataclasses import replace

import pytest

from barpoint.board import Position, Side
from barpoint.dice import DiceRow
from barpoint.error import PositionError, UnknownVariant, VariantsClash
from barpoint.game import Game, Phase, PlayMade, Roll, Rollover
from barpoint.moves import check_position, find_play, legal_plays
from barpoint.rules import FollowUps, Variant
from barpoint.variants import register, variant
from tests.support.compositions import BEYOND
from tests.support.positions import place

RULES = variant("european-acey-deucey")
RUNNING = Position(Side.of({20: 5, 13: 5, 8: 5}), Side.of({}, hand=15))
"""Nothing stands in the way of any double and its complement."""


def owed(position: Position) -> tuple[int, ...]:
    return RULES.owed_by(position.us)


def owes(position: Position, number: int) -> Position:
    """The position in which the side to act plays this complement next."""
    row = next(at for at, row in enumerate(RULES.dice.rows) if row.faces == (number, number))
    return Position(replace(position.us, owed=1 + row), position.them)


@pytest.mark.parametrize("number", range(1, 7))
def test_a_double_is_followed_by_the_one_that_makes_seven_with_it(number: int) -> None:
    for play in legal_plays(RULES, RUNNING, (number, number)):
        assert (play.again, owed(play.next)) == (True, (7 - number, 7 - number))


@pytest.mark.parametrize("number", range(1, 7))
def test_a_complement_is_followed_by_another_roll(number: int) -> None:
    for play in legal_plays(RULES, owes(RUNNING, number), (number, number)):
        assert (play.again, owed(play.next), play.next.us) == (True, (), play.result.us)


def test_what_is_no_double_ends_the_turn() -> None:
    assert not any(play.again for play in legal_plays(RULES, RUNNING, (6, 5)))


def test_a_double_named_after_a_two_and_one_is_followed_by_its_own_complement() -> None:
    plays = legal_plays(RULES, RUNNING, (2, 1))
    assert {play.moves[-1][2] for play in plays} == {1, 2, 3, 4, 5, 6}
    for play in plays:
        assert (len(play.moves), play.again, owed(play.next)) == (6, True, (7 - play.moves[-1][2],) * 2)
        assert find_play(RULES, RUNNING, (2, 1), play.moves) == play


def test_a_two_and_one_that_cannot_be_played_whole_earns_nothing() -> None:
    (play,) = legal_plays(RULES, place("bar(2)", "24", RULES), (2, 1))  # the 2 enters, the 1 does not
    assert (str(play), play.again, owed(play.result)) == ("bar/23", False, ())


def test_where_a_double_cannot_be_played_completely_the_rest_is_lost() -> None:
    position = place("10 9", "hand(1) 4 3 2 1", RULES)
    plays = legal_plays(RULES, position, (5, 5))
    assert all((play.again, owed(play.result)) == (False, ()) for play in plays)


def test_where_a_complement_cannot_be_played_completely_there_is_no_other_roll() -> None:
    position = owes(place("21 20(14)", "15 14", RULES), 6)  # every six is closed
    (nothing,) = legal_plays(RULES, position, (6, 6))
    assert (nothing.moves, nothing.again, owed(nothing.result)) == ((), False, ())


def test_the_turn_goes_from_double_to_complement_to_another_roll() -> None:
    game = Game.at(RULES, RUNNING).apply(Roll(0, (5, 5)))
    rolls = game.roll_id
    game = game.apply(PlayMade(0, legal_plays(RULES, game.position, game.faces)[0].moves))
    assert (game.phase, game.player, game.faces, game.roll_id) == (Phase.TO_PLAY, 0, (2, 2), rolls)
    game = game.apply(PlayMade(0, legal_plays(RULES, game.position, game.faces)[0].moves))
    assert (game.phase, game.player, game.further) == (Phase.TO_ROLL, 0, True)
    assert game.apply(Roll(0, (6, 5))).faces == (6, 5)


def test_checkers_are_borne_off_by_the_exact_number_alone() -> None:
    position = Position(Side.of({0: 10, 5: 1, 3: 2, 2: 2}), Side.of({}, hand=15))
    assert {str(play) for play in legal_plays(RULES, position, (6, 3))} == {"3/off", "5/2"}
    (nothing,) = legal_plays(RULES, Position(Side.of({0: 13, 2: 2}), position.them), (6, 5))
    assert nothing.moves == ()


def test_the_end_of_the_game_ends_a_double() -> None:
    position = Position(Side.of({0: 14, 3: 1}), Side.of({}, hand=15))
    (play,) = legal_plays(RULES, position, (3, 3))
    assert (str(play), play.again, owed(play.result)) == ("3/off", False, ())


def test_a_complement_is_owed_by_the_side_to_act_alone_and_every_double_is_one() -> None:
    for number in range(1, 7):
        check_position(RULES, owes(RUNNING, number))
    with pytest.raises(PositionError, match="a roll is owed that these rules do not let the side to act owe"):
        check_position(RULES, owes(RUNNING, 4).flip())


def test_a_token_takes_back_a_double_with_its_complement() -> None:
    rules = variant("roll-over+european-acey-deucey")
    game = Game.at(rules, RUNNING).apply(Roll(0, (5, 5)))
    game = game.apply(PlayMade(0, legal_plays(rules, game.position, game.faces)[0].moves))
    assert ("rollover", 0) not in {(item.kind, item.player) for item in game.legal_events()}
    again = game.apply(Rollover(1, game.roll_id))
    assert (again.phase, again.player, again.position) == (Phase.MUST_REROLL, 0, RUNNING)


@pytest.mark.parametrize("number", range(1, 7))
def test_five_checkers_reach_what_they_reach_where_the_complement_is_a_stage_of_the_roll(number: int) -> None:
    stages = BEYOND["european acey-deucey of five"]
    rules = replace(RULES, name="", setup=stages.setup)
    for position in (stages.start, Position(Side.of({6: 2, 4: 1, 1: 1}, hand=1), Side.of({18: 2, 9: 2}, hand=1))):
        wanted = {(play.result, play.again) for play in legal_plays(stages, position, (number, number))}
        found = set()
        for double in legal_plays(rules, position, (number, number)):
            after = legal_plays(rules, double.next, (7 - number, 7 - number)) if double.again else [double]
            found |= {(play.result, play.again) for play in after}
        assert found == wanted


def test_dice_no_roll_of_which_ends_with_the_numbers_are_refused() -> None:
    never = Variant("never", "Never", "", "", {"follow_ups": FollowUps((((5, 5, 5), (6, 6)),))})
    with pytest.raises(VariantsClash, match="never needs the roll 5-5-5, which the dice of backgammon do not show"):
        register(never)


def test_a_roll_without_a_stage_is_refused() -> None:
    rows = (*RULES.dice.rows, DiceRow((9, 9), 1, ()))
    with pytest.raises(UnknownVariant, match="a roll has 1 to 8 stages"):
        legal_plays(replace(RULES, name="stageless", dice=replace(RULES.dice, rows=rows)), RULES.start, (6, 5))
