"""The flags of rulings 2.6, further rolls of 2.1, possible sequences of 2.4 and the exact values of 2.7."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest
from msgspec.structs import replace

from barpoint.board import Position
from barpoint.error import IllegalEvent
from barpoint.game import Double, Game, Keep, Opening, Phase, PlayMade, Roll, Rollover, Stakes, Take
from barpoint.moves import legal_plays
from barpoint.rules import Rules
from barpoint.variants import variant
from tests.support.games import begun, kinds, place, play, reroll, roll


def rolled(rules: Rules | str) -> Game:
    """Player 1 has rolled 6-2 in their first turn; player 0 played 3-1 before."""
    return roll(play(begun(rules, (3, 1)), "8/5 6/5"), 6, 2)


def test_cancelgammon_lets_nobody_reroll_their_own_roll():
    game = rolled("cancelgammon")
    assert "rollover" not in kinds(game, 1)
    with pytest.raises(IllegalEvent):
        reroll(game, 1)
    assert reroll(game, 0).tokens == (0, 1)


def test_backgammon_has_no_rerolls():
    with pytest.raises(IllegalEvent, match="no rerolls"):
        reroll(rolled("backgammon"), 0)


@pytest.mark.parametrize("variant_name", ["roll-over", "cancelgammon"])
def test_without_early_call_the_other_waits_until_the_play_is_finished(variant_name: str):
    game = rolled(variant(variant_name, early_call=False))
    assert "rollover" not in kinds(game, 0)
    with pytest.raises(IllegalEvent):
        reroll(game, 0)
    assert reroll(play(game), 0).player == 1


def test_with_early_call_the_other_need_not_wait():
    assert reroll(rolled("roll-over"), 0).phase is Phase.MUST_REROLL


@pytest.mark.parametrize(("name", "cancellable"), [("roll-over", True), ("cancelgammon", False)])
def test_the_opening_is_cancellable_or_not_as_the_flag_says(name: str, cancellable: bool):
    for flag in (True, False):
        rules = variant(name, opening_cancellable=flag)
        assert ("rollover" in kinds(begun(rules, (3, 1)), 1)) is flag
    assert variant(name).rerolls.opening_cancellable is cancellable


def test_an_opening_that_cannot_be_rerolled_cannot_be_rerolled_by_its_roller_either():
    game = begun(variant("roll-over", opening_cancellable=False), (3, 1))
    assert "rollover" not in kinds(game, 0)


@pytest.mark.parametrize("name", ["cancelgammon+duodecagammon", "roll-over(opening_cancellable=false)+acey-deucey"])
def test_where_the_starter_rolls_again_their_first_roll_is_an_ordinary_one(name: str):
    game = begun(name, (3, 1))
    faces = (9,) if game.rules.dice.sides == 12 else (4, 3)
    assert "rollover" in kinds(roll(game, *faces), 1)


def test_the_number_won_with_is_an_opening_too():
    game = begun("cancelgammon+duodecagammon(opening_uses_winning_number)", (9, 4))
    assert (game.faces, game.roll_id) == ((9,), 1)
    assert "rollover" not in kinds(game, 1)


def test_without_final_roll_cancellable_a_game_ends_with_its_last_checker():
    rules = variant("roll-over", final_roll_cancellable=False)
    assert play(Game.at(rules, place({1: 1}, {1: 1}), faces=(2, 1))).over


def test_with_final_roll_cancellable_the_loser_is_asked():
    assert play(Game.at(variant("roll-over"), place({1: 1}, {1: 1}), faces=(2, 1))).phase is Phase.PROVISIONAL_END


def test_double_after_cancel_needs_a_call_by_the_other():
    rules = variant("roll-over", double_after_cancel=True)
    assert "double" in kinds(reroll(rolled(rules), 0), 1)
    assert "double" not in kinds(reroll(rolled(rules), 1), 1)


def test_double_after_cancel_does_not_give_a_cube_to_the_first_turn():
    game = begun(variant("cancelgammon", opening_cancellable=True), (3, 1))
    assert "double" not in kinds(reroll(game, 1), 0)


def test_a_double_after_cancel_is_answered_before_the_roll_is_made_again():
    game = reroll(rolled("cancelgammon"), 0).apply(Double(1))
    assert kinds(game, 0) == {"take", "pass"}
    again = roll(game.apply(Take(0)), 4, 3)
    assert (again.phase, again.roll_count, again.cube.value) == (Phase.TO_PLAY, 2, 2)


@pytest.mark.parametrize("tokens", [2, 3])
def test_with_more_tokens_a_turn_can_have_more_rolls(tokens: int):
    game = rolled(variant("roll-over", tokens=tokens))
    for number in range(2 * tokens):
        assert "rollover" in kinds(game, number % 2)
        game = roll(reroll(game, number % 2), 6, 1 + number % 2)
    assert (game.roll_count, game.tokens) == (1 + 2 * tokens, (0, 0))
    assert not {"rollover"} & (kinds(game, 0) | kinds(game, 1))


def test_one_player_may_spend_two_tokens_in_one_turn():
    game = rolled(variant("roll-over", tokens=2))
    game = roll(reroll(game, 0), 6, 6)
    game = play(game)
    assert reroll(game, 0).tokens == (0, 2)


# ---------------------------------------------------------------- sequences of 2.4


def sequences(game: Game, so_far: str = "R") -> set[str]:
    """Every sequence of rolls and rerolls (S by the roller, O by the other) that one turn can have."""
    found = {so_far}
    for spender in (0, 1):
        for late in (False, True):
            state = play(game) if late else game
            if "rollover" in kinds(state, spender):
                letter = "S" if spender == game.player else "O"
                found |= sequences(roll(reroll(state, spender), 2, 1), f"{so_far}-{letter}-R")
    return found


def test_the_sequences_of_one_turn_are_those_of_2_4():
    assert sequences(rolled("roll-over")) == {"R", "R-S-R", "R-O-R", "R-S-R-O-R", "R-O-R-S-R"}


# ---------------------------------------------------------------- further rolls (Acey-Deucey)

ACEY = variant("roll-over+acey-deucey")
ENTERED = Position(*[place({6: 10, 5: 5}, {}).us] * 2)


def after_one_two() -> Game:
    """Player 0 has played 2-1 and a double completely and is to roll again; nobody has spent a token."""
    game = Game.at(ACEY, ENTERED, faces=(2, 1))
    best = next(found for found in legal_plays(game.rules, game.position, game.faces) if found.again)
    return game.apply(PlayMade(0, best.moves))


def test_after_one_two_the_other_may_reroll_it_before_the_extra_roll():
    game = after_one_two()
    assert (game.phase, game.player, game.further) == (Phase.TO_ROLL, 0, True)
    rerolled = reroll(game, 1)
    assert (rerolled.position, rerolled.further, rerolled.roll_count) == (ENTERED, False, 1)


def test_a_further_roll_has_its_own_snapshot_count_and_window():
    before = after_one_two()
    game = roll(before, 6, 5)
    assert (game.roll_count, game.rerollable_id) == (1, game.roll_id)
    with pytest.raises(IllegalEvent, match="stale"):
        game.apply(Rollover(1, before.roll_id))
    for state in (game, play(game)):
        rerolled = reroll(state, 1)
        assert (rerolled.player, rerolled.position, rerolled.further) == (0, before.position, True)
        assert roll(rerolled, 4, 3).roll_count == 2


def test_the_roller_may_reroll_their_extra_roll_and_keeps_what_the_first_gave():
    before = after_one_two()
    rerolled = reroll(roll(before, 6, 5), 0)
    assert (rerolled.position, rerolled.tokens) == (before.position, (0, 1))
    assert not play(roll(rerolled, 6, 5)).further


def test_a_further_roll_has_no_cube():
    assert "double" not in kinds(after_one_two(), 0)


# ---------------------------------------------------------------- exact values (2.7)


@cache
def win_chance(game: Game) -> Fraction:
    """The chance of player 0 when both use their tokens best."""
    if game.result is not None:
        return Fraction(game.result.winner == 0)
    if game.phase in (Phase.TO_ROLL, Phase.MUST_REROLL):
        rows = game.rules.dice.rows
        total = sum(row.weight for row in rows)
        rolled = [(row.weight, win_chance(bare(game.apply(Roll(game.player, row.faces))))) for row in rows]
        value = sum((weight * chance for weight, chance in rolled), Fraction()) / total
        return best_call(game, value)
    if game.phase is Phase.PROVISIONAL_END:
        return best_call(game, win_chance(bare(game.apply(Keep(1 - game.player)))))
    plays = legal_plays(game.rules, game.position, game.faces)
    values = [win_chance(bare(game.apply(PlayMade(game.player, found.moves)))) for found in plays]
    return best_call(game, max(values) if game.player == 0 else min(values))


def best_call(game: Game, value: Fraction) -> Fraction:
    """What a reroll in time makes of this value; a player waits with a reroll of the other's roll until it is played."""
    for player, better in ((0, max), (1, min)):
        waits = game.phase is Phase.TO_PLAY and player != game.player
        if not waits and "rollover" in kinds(game, player):
            value = better(value, win_chance(bare(reroll(game, player))))
    return value


def bare(game: Game) -> Game:
    """The game without what does not touch its value, so that equal games are found again."""
    return replace(game, last=None, opening_dice=())


@pytest.mark.parametrize(
    ("ours", "tokens", "expected"),
    [
        ({6: 1}, (0, 0), Fraction(27, 36)),
        ({6: 1}, (1, 0), Fraction(15, 16)),
        ({6: 1}, (0, 1), Fraction(9, 16)),
        ({6: 1}, (1, 1), Fraction(27, 32)),
        ({4: 1}, (0, 0), Fraction(17, 18)),
        ({4: 1}, (1, 0), Fraction(323, 324)),
        ({4: 1}, (0, 1), Fraction(289, 324)),
        ({4: 1}, (1, 1), Fraction(1445, 1458)),
        ({6: 1, 5: 1}, (0, 0), Fraction(1, 6)),
        ({6: 1, 5: 1}, (1, 0), Fraction(11, 36)),
        ({6: 1, 5: 1}, (0, 1), Fraction(1, 36)),
        ({6: 1, 5: 1}, (1, 1), Fraction(2, 27)),
    ],
)
def test_a_last_chance_has_the_exact_value_of_2_7(ours: dict[int, int], tokens: tuple[int, int], expected: Fraction):
    game = Game.at(variant("roll-over"), place(ours, {1: 1}), stakes=Stakes(cube=False), tokens=tokens)
    assert win_chance(bare(game)) == expected


def test_the_starter_of_a_rerolled_opening_keeps_their_turn_number():
    game = Game.start(variant("roll-over")).apply(Opening((2, 5)))
    assert reroll(game, 0).turn_number == game.turn_number == 1
