"""Roll-Over: every ruling RC-1 to RC-22 by its number (rulings 2.5)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from barpoint import dice
from barpoint.driver import next_event
from barpoint.error import IllegalEvent
from barpoint.game import (
    Accept,
    Cube,
    Double,
    Game,
    Keep,
    Next,
    Object,
    Opening,
    Pass,
    Phase,
    PlayMade,
    Reject,
    Resign,
    Roll,
    Rollover,
    Stakes,
    Take,
    Timeout,
    Void,
)
from barpoint.match import Match
from barpoint.variants import variant
from tests.support.games import begun, kinds, place, play, reroll, roll

ROLL_OVER = variant("roll-over")
LAST_CHECKER = place({6: 1}, {1: 1})
"""Player 0 bears off from the six point with 27 rolls of 36; player 1 would win with any roll."""
CLOSED_OUT = place({25: 1, 6: 14}, {1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 7: 3})


def at_start_of_turn(tokens: tuple[int, int] = (1, 1)) -> Game:
    """Player 1's turn begins; player 0 has played 3-1."""
    game = play(begun(ROLL_OVER, (3, 1)), "8/5 6/5")
    return replace(game, tokens=tokens)


def final_roll(tokens: tuple[int, int] = (1, 1)) -> Game:
    """Player 0 has borne off their last checker with 6-5."""
    return play(Game.at(ROLL_OVER, LAST_CHECKER, faces=(6, 5), tokens=tokens), "6/off")


def test_rc1_a_roll_forced_by_the_other_may_be_rerolled_by_its_roller():
    game = roll(reroll(roll(at_start_of_turn(), 6, 2), 0), 2, 1)
    game = roll(reroll(game, 1), 6, 6)
    assert (game.roll_count, game.tokens, game.phase) == (3, (0, 0), Phase.TO_PLAY)


def test_rc1_a_roll_made_again_by_choice_may_be_rerolled_by_the_other():
    game = roll(reroll(roll(at_start_of_turn(), 6, 2), 1), 6, 6)
    game = roll(reroll(game, 0), 2, 1)
    assert (game.player, game.roll_count, game.tokens) == (1, 3, (0, 0))


def test_rc2_after_three_rolls_both_tokens_are_gone():
    game = roll(reroll(roll(reroll(roll(at_start_of_turn(), 6, 2), 1), 6, 6), 0), 2, 1)
    for player in (0, 1):
        assert "rollover" not in kinds(game, player)
        with pytest.raises(IllegalEvent, match="no token left"):
            reroll(game, player)


@pytest.mark.parametrize("spender", [0, 1])
def test_rc3_no_double_between_a_rerolled_roll_and_the_next_whoever_spent_the_token(spender: int):
    game = reroll(roll(at_start_of_turn(), 6, 2), spender)
    for player in (0, 1):
        assert "double" not in kinds(game, player)
        with pytest.raises(IllegalEvent, match="before the roll"):
            game.apply(Double(player))


def test_rc3_the_other_may_double_at_their_own_next_turn():
    game = play(roll(reroll(roll(at_start_of_turn(), 6, 2), 0), 2, 1))
    assert game.apply(Double(0)).phase is Phase.DOUBLED


def test_rc4_roll_over_gives_no_double_after_a_rerolled_roll_and_cancelgammon_does():
    cancel = play(begun("cancelgammon", (3, 1)))
    cancel = reroll(roll(cancel, 6, 2), 0)
    assert "double" in kinds(cancel, 1)
    taken = cancel.apply(Double(1)).apply(Take(0))
    assert (taken.phase, taken.player, taken.cube.owner) == (Phase.MUST_REROLL, 1, 0)
    assert roll(taken, 6, 1).roll_count == 2
    assert "double" not in kinds(reroll(roll(at_start_of_turn(), 6, 2), 0), 1)


@pytest.mark.parametrize("spender", [0, 1])
def test_rc5_the_opening_may_be_rerolled_and_its_starter_rolls_both_dice(spender: int):
    game = reroll(begun(ROLL_OVER, (3, 1)), spender)
    assert (game.phase, game.player, game.actor) == (Phase.MUST_REROLL, 0, 0)
    assert roll(game, 4, 4).faces == (4, 4)
    with pytest.raises(IllegalEvent, match="opening roll was already made"):
        game.apply(Opening((2, 1)))


def test_rc5_the_opening_may_also_be_rerolled_after_it_was_played():
    game = reroll(at_start_of_turn(), 1)
    assert (game.phase, game.player, game.position) == (Phase.MUST_REROLL, 0, ROLL_OVER.start)


def test_rc5_cancelgammon_excludes_the_opening():
    game = begun("cancelgammon", (3, 1))
    for state in (game, play(game)):
        assert not {"rollover"} & (kinds(state, 0) | kinds(state, 1))
        with pytest.raises(IllegalEvent):
            reroll(state, 1)


def test_rc6_equal_opening_dice_are_no_roll_and_cannot_be_rerolled():
    game = Game.start(ROLL_OVER).apply(Opening((4, 4)))
    assert (game.phase, game.roll_id, game.rerollable_id) == (Phase.OPENING, 0, 0)
    for player in (0, 1):
        with pytest.raises(IllegalEvent, match="no roll can be rerolled"):
            reroll(game, player)


def test_rc6_an_automatic_double_stays_when_the_opening_is_rerolled():
    game = Game.start(ROLL_OVER, Stakes(automatic_doubles=1)).apply(Opening((4, 4))).apply(Opening((3, 1)))
    assert reroll(game, 1).cube == Cube(value=2, ties=1)


def test_rc7_a_roll_without_a_legal_move_waits_for_the_roller_who_may_pass_or_call():
    game = Game.at(ROLL_OVER, CLOSED_OUT, faces=(6, 5))
    assert {"play", "rollover"} <= kinds(game, 0)
    assert reroll(game, 0).phase is Phase.MUST_REROLL
    assert game.apply(PlayMade(0, ())).player == 1


def test_rc7_the_other_may_pointlessly_reroll_it_too():
    game = Game.at(ROLL_OVER, CLOSED_OUT, faces=(6, 5)).apply(PlayMade(0, ()))
    assert reroll(game, 1).player == 0


class Recorder:
    """A player who notes what they were asked and plays on."""

    def __init__(self) -> None:
        self.asked: list[Phase] = []

    def event(self, match: Match, player: int) -> Roll | PlayMade:
        self.asked.append(match.game.phase)
        return PlayMade(player, ()) if match.game.faces else Roll(player)


def test_rc8_nothing_is_played_or_rolled_without_asking_the_player():
    game = Game.at(ROLL_OVER, CLOSED_OUT)
    match = replace(Match.start(3, ROLL_OVER), game=game)
    players = Recorder(), Recorder()
    numbers = iter([35, 35])
    match = match.apply(next_event(match, players, numbers))
    match = match.apply(next_event(match, players, numbers))
    next_event(match, players, numbers)
    assert players[0].asked == [Phase.TO_ROLL, Phase.TO_PLAY]
    assert players[1].asked == [Phase.TO_ROLL]


def test_rc9_a_closed_out_player_has_made_no_roll_until_they_roll():
    game = Game.at(ROLL_OVER, CLOSED_OUT)
    assert not {"rollover"} & (kinds(game, 0) | kinds(game, 1))
    assert "rollover" in kinds(roll(game, 6, 5), 1)


def test_rc10_the_loser_may_reroll_the_roll_that_bears_off_the_last_checker():
    game = final_roll()
    assert (game.phase, game.actor, game.result) == (Phase.PROVISIONAL_END, 1, None)
    assert kinds(game, 1) == {"keep", "rollover"}
    assert kinds(game, 0) == set()
    rerolled = reroll(game, 1)
    assert (rerolled.phase, rerolled.player, rerolled.position) == (Phase.MUST_REROLL, 0, LAST_CHECKER)


def test_rc10_the_result_is_official_when_the_loser_lets_it_stand():
    game = final_roll().apply(Keep(1))
    assert game.over
    assert game.result is not None
    assert (game.result.winner, game.result.points) == (0, 1)


def test_rc10_out_of_time_the_roll_stands():
    assert final_roll().apply(Timeout(1)).result == final_roll().apply(Keep(1)).result


def test_rc10_without_a_token_the_game_is_over_at_once():
    assert final_roll(tokens=(1, 0)).over


@pytest.mark.parametrize("event", [Roll(0, (1, 2)), Roll(1, (1, 2)), Resign(1, 1), Double(1), Keep(0), Timeout(0)])
def test_rc10_nothing_else_may_happen_meanwhile(event: Roll):
    with pytest.raises(IllegalEvent):
        final_roll().apply(event)


def test_rc11_a_roll_that_wins_a_gammon_may_be_rerolled():
    gammon = place({1: 1}, {6: 15})
    game = play(Game.at(ROLL_OVER, gammon, faces=(2, 1)), "1/off")
    kept = game.apply(Keep(1)).result
    assert kept is not None
    assert (kept.points, kept.level) == (2, 2)
    assert reroll(game, 1).phase is Phase.MUST_REROLL


def test_rc11_a_play_that_only_saves_the_gammon_may_be_rerolled():
    saving = place({1: 15}, {1: 1})
    game = play(Game.at(ROLL_OVER, saving, faces=(2, 1)))
    assert game.side(0).points[0] == 2
    assert reroll(game, 1).side(0).points[0] == 0


def test_rc12_the_roll_after_that_may_be_rerolled_by_its_roller():
    game = roll(reroll(final_roll(), 1), 2, 1)
    game = reroll(game, 0)
    assert (game.phase, game.tokens) == (Phase.MUST_REROLL, (0, 0))
    assert play(roll(game, 6, 5), "6/off").over


def test_rc13_an_accepted_resignation_ends_the_game_without_a_call():
    game = at_start_of_turn().apply(Resign(1, 1)).apply(Accept(0))
    assert game.over
    with pytest.raises(IllegalEvent, match="no roll can be rerolled"):
        reroll(game, 1)


def test_rc13_a_pass_ends_the_game_without_a_call():
    game = at_start_of_turn().apply(Double(1)).apply(Pass(0))
    assert game.over
    assert kinds(game, 0) == kinds(game, 1) == set()


def test_rc13_a_rejected_resignation_leaves_the_window_open():
    game = at_start_of_turn()
    rejected = game.apply(Resign(1, 1)).apply(Reject(0))
    assert rejected.rerollable_id == game.rerollable_id > 0
    assert reroll(rejected, 1).player == 0


def test_rc13_while_a_resignation_is_pending_only_its_answer_is_possible():
    game = roll(at_start_of_turn(), 6, 2).apply(Resign(1, 2))
    assert kinds(game, 0) == {"accept", "reject"}
    assert kinds(game, 1) == set()
    for player in (0, 1):
        with pytest.raises(IllegalEvent):
            reroll(game, player)


def test_rc13_after_a_rejection_the_same_dice_are_played_and_may_be_rerolled():
    game = roll(at_start_of_turn(), 6, 2)
    rejected = game.apply(Resign(1, 2)).apply(Reject(0))
    assert (rejected.faces, rejected.roll_id, rejected.tokens) == (game.faces, game.roll_id, game.tokens)
    assert {"rollover"} <= kinds(rejected, 0) & kinds(rejected, 1)


def test_rc14_doubling_ends_the_doublers_right_to_reroll_the_roll_before():
    game = at_start_of_turn().apply(Double(1)).apply(Take(0))
    assert game.rerollable_id == 0
    assert kinds(game, 1) == {"roll", "resign"}
    with pytest.raises(IllegalEvent):
        reroll(game, 1)


def test_rc14_the_doubled_player_may_still_reroll_the_roll_that_follows():
    game = roll(at_start_of_turn().apply(Double(1)).apply(Take(0)), 6, 2)
    assert reroll(play(game), 0).tokens == (0, 1)


def test_rc15_a_void_roll_needs_no_token_and_spends_none():
    game = roll(play(begun(ROLL_OVER, (3, 1), Stakes(manual=True))), 6, 2)
    voided = game.apply(Void(0, game.roll_id))
    assert voided.tokens == (1, 1)
    assert voided.rerollable_id == game.roll_id - 1
    assert "double" in kinds(voided, 1)


def illegal_play() -> Game:
    """Player 0 has moved two checkers by numbers that they did not roll."""
    return begun(ROLL_OVER, (3, 1), Stakes(manual=True)).apply(PlayMade(0, ((8, 6, 2), (8, 4, 4))))


def test_rc16_a_call_ends_any_dispute_about_the_play():
    game = illegal_play()
    assert {"object", "rollover"} <= kinds(game, 1)
    rerolled = reroll(game, 1)
    assert (rerolled.disputed, rerolled.phase) == (False, Phase.MUST_REROLL)
    with pytest.raises(IllegalEvent):
        rerolled.apply(Object(1))


def test_rc16_a_legal_play_may_be_demanded_instead():
    game = illegal_play().apply(Object(1))
    assert (game.phase, game.tokens) == (Phase.TO_CORRECT, (1, 1))


def test_rc17_everything_goes_back_as_it_was():
    before = place({25: 1, 6: 4, 2: 2}, {5: 1, 24: 1, 6: 5})
    hitting = play(Game.at(ROLL_OVER, before, faces=(5, 1)), "bar/20* 6/5")
    assert hitting.side(1).points[25] == 1
    assert reroll(hitting, 1).position == before


def test_rc17_borne_off_checkers_come_back_too():
    before = place({6: 2, 5: 2}, {1: 5})
    off = play(Game.at(ROLL_OVER, before, faces=(6, 5)), "6/off 5/off")
    rerolled = reroll(off, 1)
    assert rerolled.side(0) == before.us
    assert rerolled.side(0).pips == 22


def test_rc17_the_rerolled_roll_stays_in_the_record():
    match = Match.start(3, ROLL_OVER).apply(Opening((3, 1)))
    rerolled = match.apply(Rollover(1, 1))
    assert [type(event) for event in rerolled.events] == [Opening, Rollover]


def test_rc18_after_a_call_at_the_start_of_ones_turn_the_other_is_to_act():
    game = at_start_of_turn()
    assert game.actor == 1
    assert reroll(game, 1).actor == 0


def test_rc19_tokens_are_back_in_every_game_and_the_score_is_kept_as_ever():
    match = Match.start(3, ROLL_OVER).apply(Opening((3, 1))).apply(Rollover(0, 1)).apply(Roll(0, (2, 1)))
    assert match.game.tokens == (0, 1)
    match = match.apply(Resign(0, 2)).apply(Accept(1)).apply(Next())
    assert match.game.tokens == (1, 1)
    assert (match.score, match.crawford) == ((0, 2), True)


def test_rc20_the_next_roll_takes_the_next_numbers():
    numbers = dice.seeded(5)
    game = begun(ROLL_OVER, (3, 1))
    game = play(game)
    stream = [next(numbers) for _ in range(2)]
    first = game.next_roll(iter(stream))
    game = game.apply(first)  # type: ignore[arg-type]
    again = reroll(game, 1).next_roll(iter(stream[1:]))
    assert again == Roll(1, dice.roll(ROLL_OVER.dice.rows, stream[1:]))


def test_rc21_taking_moves_back_spends_no_token():
    game = roll(at_start_of_turn(), 6, 2)
    turn = game.turn().move(24, 18)
    assert turn.undo(turn.made[0]) == game.turn()
    assert game.tokens == (1, 1)


def test_rc22_the_record_says_who_called_on_which_roll_with_what_left():
    game = roll(at_start_of_turn(), 6, 2)
    rerolled = reroll(game, 0)
    assert rerolled.last == Rollover(0, game.roll_id)
    assert rerolled.last_roll is not None
    assert (rerolled.last_roll.id, rerolled.last_roll.player, rerolled.last_roll.faces) == (game.roll_id, 1, (6, 2))
    assert (rerolled.rerolled_by, rerolled.tokens) == (0, (0, 1))
    assert roll(rerolled, 2, 1).roll_id == game.roll_id + 1


def test_of_two_calls_at_once_the_first_wins_and_the_stale_one_spends_nothing():
    game = roll(at_start_of_turn(), 6, 2)
    first = roll(reroll(game, 1), 5, 4)
    with pytest.raises(IllegalEvent, match="stale"):
        first.apply(Rollover(0, game.roll_id))
    assert first.tokens == (1, 0)


def test_a_window_closes_with_ones_own_roll():
    game = roll(at_start_of_turn(), 6, 2)
    with pytest.raises(IllegalEvent, match="stale"):
        game.apply(Rollover(1, game.roll_id - 1))


def test_ones_own_roll_is_final_once_it_was_played():
    with pytest.raises(IllegalEvent, match="no longer"):
        reroll(at_start_of_turn(), 0)


def test_while_a_double_is_pending_no_roll_can_be_rerolled():
    game = at_start_of_turn().apply(Double(1))
    for player in (0, 1):
        with pytest.raises(IllegalEvent, match="no roll can be rerolled"):
            reroll(game, player)


def test_after_a_rerolled_roll_only_a_roll_is_possible():
    game = reroll(roll(at_start_of_turn(), 6, 2), 1)
    assert kinds(game, 1) == {"roll"}
    assert kinds(game, 0) == set()
