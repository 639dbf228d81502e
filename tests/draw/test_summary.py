"""What `print` shows of a position, a situation, a game and a match."""

from __future__ import annotations

import barpoint as bp
from barpoint.game import Opening


def test_a_match_shows_its_board_with_turn_roll_cube_and_score() -> None:
    shown = str(bp.Match.start(3).apply(Opening((3, 6))))
    assert shown.count("\n") == 12
    for fact in ("player 1 is X", "roll 6-3", "cube 1, in the middle", "to play", "0 : 0 of 3"):
        assert fact in shown


def test_a_game_has_no_score_and_without_a_cube_none() -> None:
    shown = str(bp.Match.start(1).game)
    assert "cube" not in shown
    assert " : " not in shown
    assert "roll –" in shown


def test_a_situation_is_shown_as_an_id_says_it() -> None:
    shown = str(bp.parse_id("XGID=-b----E-C---eE---c-e----B-:1:1:1:31:2:4:0:7:10"))
    assert "cube 2, of player 1" in shown
    assert "4 : 2 of 7" in shown or "2 : 4 of 7" in shown


def test_a_position_of_a_game_in_one_direction_says_that_it_is_not_drawn_right() -> None:
    position = bp.Position(bp.Side.of({24: 14, 13: 1}), bp.Side.of({24: 14, 12: 1}))
    note = "both sides on 13: this is a game in one direction, drawn as backgammon"
    assert str(position).splitlines()[-1].strip() == str(bp.Situation(position)).splitlines()[-1].strip() == note
    assert "both sides" not in str(bp.variant().start)
