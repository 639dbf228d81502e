"""Manual mode: irregularities at a real board (S2-25, S2-26, S3-12 to S3-14; D-4 to D-7; RC-15, RC-16)."""

from __future__ import annotations

import pytest

from barpoint.board import Position, Side
from barpoint.error import IllegalEvent, IllegalMove, PositionError
from barpoint.game import Correct, Double, Game, Keep, Object, Opening, Phase, PlayMade, Roll, Stakes, Take, Void
from barpoint.game.event import MoveMade
from barpoint.game.manual import carry
from barpoint.match import Match
from barpoint.variants import variant
from tests.support.games import begun, kinds, place, play, reroll, roll

BACKGAMMON = variant("backgammon")
MANUAL = Stakes(manual=True)
WRONG = ((8, 6, 2), (8, 4, 4))
"""Not what a 3-1 can play."""
RIGHT = ((8, 5, 3), (6, 5, 1))


def opening(name: str = "backgammon", stakes: Stakes = MANUAL) -> Game:
    return begun(name, (3, 1), stakes)


def wrongly_played(name: str = "backgammon") -> Game:
    return opening(name).apply(PlayMade(0, WRONG))


# ---------------------------------------------------------------- illegal plays


def test_an_illegal_play_stands_on_the_board_and_waits_for_the_other():
    """S2-25, S3-13, D-7."""
    game = wrongly_played()
    assert (game.phase, game.player, game.disputed) == (Phase.TO_ROLL, 1, True)
    assert game.side(0).points[8] == 1
    assert "object" in kinds(game, 1)
    assert isinstance(game.last, PlayMade)
    assert game.last.illegal


def test_off_by_default_an_illegal_play_is_refused():
    with pytest.raises(IllegalEvent, match="play by player 0"):
        opening(stakes=Stakes()).apply(PlayMade(0, WRONG))


def test_hands_count_no_numbers_so_a_play_is_judged_by_where_it_leads():
    """S2-19: from the 3 point a 6 bears off, and a hand knows only that the checker is off."""
    game = Game.at(BACKGAMMON, place({3: 1, 2: 1}, {6: 3}), stakes=MANUAL, faces=(6, 5))
    done = game.apply(PlayMade(0, ((3, 0, 3), (2, 0, 2))))
    assert done.over
    assert isinstance(done.last, PlayMade)
    assert (done.last.moves, done.last.illegal) == (((3, 0, 6), (2, 0, 5)), False)


def test_an_incomplete_play_is_an_illegal_one():
    game = opening().apply(PlayMade(0, ((8, 5, 3),)))
    assert game.disputed


def test_a_legal_play_cannot_be_objected_to():
    game = opening().apply(PlayMade(0, RIGHT))
    assert not game.disputed
    assert "object" not in kinds(game, 1)
    with pytest.raises(IllegalEvent, match="no illegal play"):
        game.apply(Object(1))


def test_who_objects_gets_a_legal_play_with_the_same_dice():
    """S2-25."""
    game = wrongly_played().apply(Object(1))
    assert (game.phase, game.actor, game.faces, game.position) == (Phase.TO_CORRECT, 0, (3, 1), BACKGAMMON.start)
    assert (kinds(game, 0), kinds(game, 1)) == ({"correct"}, set())
    corrected = game.apply(Correct(0, RIGHT))
    assert (corrected.phase, corrected.player, corrected.disputed) == (Phase.TO_ROLL, 1, False)
    assert corrected.position == opening().apply(PlayMade(0, RIGHT)).position


def test_the_correction_must_be_legal():
    game = wrongly_played().apply(Object(1))
    for event in (Correct(0, WRONG), Correct(1, RIGHT), PlayMade(0, RIGHT)):
        with pytest.raises(IllegalEvent):
            game.apply(event)


def test_without_an_objection_nothing_is_corrected():
    with pytest.raises(IllegalEvent, match="no play to correct"):
        wrongly_played().apply(Correct(0, RIGHT))


def test_it_is_accepted_when_the_other_rolls():
    """S3-13."""
    game = roll(wrongly_played(), 6, 2)
    assert not game.disputed
    with pytest.raises(IllegalEvent):
        game.apply(Object(1))


def test_it_is_accepted_when_the_other_doubles():
    """S3-13."""
    game = wrongly_played().apply(Double(1)).apply(Take(0))
    assert not game.disputed
    with pytest.raises(IllegalEvent):
        game.apply(Object(1))


def test_the_mover_cannot_object():
    with pytest.raises(IllegalEvent):
        wrongly_played().apply(Object(0))


def test_an_illegal_play_may_hit():
    game = Game.at(BACKGAMMON, place({6: 3}, {23: 1, 6: 3}), stakes=MANUAL, faces=(3, 1))
    hit = game.apply(PlayMade(0, ((6, 2, 4),)))
    assert hit.side(1).points[25] == 1


def test_an_illegal_play_that_ends_the_game_waits_for_the_other_too():
    game = Game.at(BACKGAMMON, place({6: 1}, {6: 3}), stakes=MANUAL, faces=(3, 1)).apply(PlayMade(0, ((6, 0, 6),)))
    assert (game.phase, kinds(game, 1)) == (Phase.PROVISIONAL_END, {"keep", "object"})
    assert game.apply(Keep(1)).over
    corrected = game.apply(Object(1))
    assert corrected.apply(Correct(0, ((6, 3, 3), (3, 2, 1)))).actor == 1


@pytest.mark.parametrize(
    "moves",
    [((8, 1, 7),), ((25, 20, 5),), ((26, 20, 5),), ((0, 5, 5),), ((8, 25, 1),), ((8, 26, 1),), ((12, 10, 2),)],
    ids=["held point", "empty bar", "no hand", "from off", "onto the bar", "into the hand", "empty point"],
)
def test_what_hands_cannot_do_is_refused_all_the_same(moves: tuple[MoveMade, ...]):
    with pytest.raises(IllegalEvent, match="play by player 0"):
        opening().apply(PlayMade(0, moves))


# ---------------------------------------------------------------- rolls that are none


def to_play() -> Game:
    """Player 1 has rolled 6-2 after a legal play."""
    return roll(play(opening()), 6, 2)


@pytest.mark.parametrize("player", [0, 1])
def test_a_cocked_roll_is_made_again_with_both_dice(player: int):
    """S2-10, S3-12, D-5."""
    before = play(opening())
    game = roll(before, 6, 2)
    assert "void" in kinds(game, player)
    voided = game.apply(Void(player, game.roll_id))
    assert (voided.phase, voided.player, voided.faces) == (Phase.TO_ROLL, 1, ())
    assert voided.position == before.position
    again = roll(voided, 5, 5)
    assert (again.roll_id, again.roll_count) == (game.roll_id + 1, 1)


def test_after_a_void_roll_the_player_may_still_double():
    game = to_play()
    assert "double" in kinds(game.apply(Void(0, game.roll_id)), 1)


def test_a_cocked_roll_for_the_start_is_made_again():
    game = opening()
    voided = game.apply(Void(1, game.roll_id))
    assert (voided.phase, voided.opening_dice) == (Phase.OPENING, ())


def test_a_roll_that_was_made_too_early_is_void_when_the_other_says_so():
    """S2-26, S3-14, D-6."""
    game = to_play()
    assert game.apply(Void(0, game.roll_id, "premature")).phase is Phase.TO_ROLL
    with pytest.raises(IllegalEvent, match="only the other player"):
        game.apply(Void(1, game.roll_id, "premature"))


def test_it_may_also_be_let_stand():
    """S3-14: waived when the play was forced or contact is over."""
    assert play(to_play()).player == 0


def test_a_die_on_a_checker_is_cocked_unless_the_stakes_say_that_it_counts():
    """D-4."""
    game = to_play()
    assert game.apply(Void(0, game.roll_id, "on_checker")).phase is Phase.TO_ROLL
    counting = roll(play(opening(stakes=Stakes(manual=True, dice_on_checkers_count=True))), 6, 2)
    with pytest.raises(IllegalEvent, match="counts here"):
        counting.apply(Void(0, counting.roll_id, "on_checker"))


def test_a_roll_that_was_played_is_no_longer_void():
    game = play(to_play())
    with pytest.raises(IllegalEvent, match="no roll can be void now"):
        game.apply(Void(0, game.roll_id))


def test_a_stale_roll_is_not_void():
    game = to_play()
    with pytest.raises(IllegalEvent, match="stale"):
        game.apply(Void(0, game.roll_id - 1))


def test_off_by_default_no_roll_is_void():
    game = roll(play(opening(stakes=Stakes())), 6, 2)
    assert "void" not in kinds(game, 0)
    with pytest.raises(IllegalEvent, match="only in manual mode"):
        game.apply(Void(0, game.roll_id))


def test_a_void_roll_leaves_an_illegal_play_before_it_open_to_objection():
    game = roll(wrongly_played(), 6, 2)
    assert "object" in kinds(game.apply(Void(0, game.roll_id)), 1)


# ---------------------------------------------------------------- with tokens


def test_a_void_roll_is_no_roll_and_leaves_the_window_on_the_one_before():
    """RC-15."""
    game = roll(play(opening("roll-over")), 6, 2)
    voided = game.apply(Void(0, game.roll_id))
    assert voided.tokens == (1, 1)
    assert "rollover" in kinds(voided, 1)


def test_a_void_roll_after_a_rerolled_one_must_still_be_made():
    game = roll(reroll(roll(play(opening("roll-over")), 6, 2), 0), 5, 5)
    voided = game.apply(Void(0, game.roll_id))
    assert (voided.phase, voided.roll_count, voided.tokens) == (Phase.MUST_REROLL, 1, (0, 1))


def test_a_token_or_an_objection_may_answer_an_illegal_play():
    """RC-16."""
    game = wrongly_played("roll-over")
    assert {"object", "rollover"} <= kinds(game, 1)
    assert reroll(game, 1).tokens == (1, 0)


def test_after_the_correction_the_roll_may_still_be_rerolled():
    game = wrongly_played("roll-over").apply(Object(1)).apply(Correct(0, RIGHT))
    assert reroll(game, 1).position == BACKGAMMON.start


def test_a_manual_match_replays_from_its_log():
    match = Match.start(3, "roll-over", manual=True)
    events = (
        Opening((3, 1)),
        PlayMade(0, WRONG),
        Object(1),
        Correct(0, RIGHT),
        Roll(1, (6, 2)),
        Void(0, 2),
        Roll(1, (5, 5)),
    )
    for event in events:
        match = match.apply(event)
    for audit in (False, True):
        assert Match.fold(match.rules, match.terms, match.events, audit=audit) == match


# ---------------------------------------------------------------- carrying checkers


def test_hands_pin_where_the_rules_pin_and_free_where_they_leave():
    plakoto = variant("plakoto")
    pinning = carry(plakoto, place({10: 1, 24: 14}, {20: 1, 24: 14}), ((10, 5, 5),))
    assert pinning.them.pinned == 1 << 20
    assert carry(plakoto, pinning, ((5, 3, 2),)).them.pinned == 0


def test_a_pinned_checker_cannot_be_lifted():
    held = Position(Side.of({5: 1, 24: 14}, pinned=1 << 5), Side.of({20: 1, 24: 14}))
    with pytest.raises(IllegalMove, match="could be lifted"):
        carry(variant("plakoto"), held, ((5, 4, 1),))


def test_a_checker_comes_from_the_hand_where_there_is_one():
    acey = variant("acey-deucey")
    assert carry(acey, acey.start, ((26, 20, 5),)).us.hand == 14


def test_a_single_checker_that_closes_its_point_cannot_be_landed_on():
    fevga = variant("fevga")
    other = fevga.movement.meeting.other
    with pytest.raises((IllegalMove, PositionError)):
        carry(fevga, place({24: 15}, {other(20): 1, 24: 14}), ((24, 20, 4),))
