"""The board of notebooks, told by its script what a person does: matches by hand and against a bot."""

from __future__ import annotations

import json
from typing import Any

import pytest

import barpoint as bp
from barpoint.match.situation import match_at
from barpoint.notebook import Board

XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:1:0:7:10"


def shown(board: Board) -> dict[str, Any]:
    """What the cells show."""
    view: dict[str, Any] = json.loads(board.view)
    return view


def say(board: Board, **message: Any) -> None:
    """A message of the script, as the kernel hands it over."""
    board._handle_custom_msg(message, [])


def kinds(board: Board) -> set[str]:
    """What the person may do."""
    return {item["kind"] for item in shown(board)["allowed"]}


def test_both_sides_are_played_by_hand_without_an_opponent() -> None:
    board = Board(bp.parse_id(XGID))
    assert (shown(board)["to_act"], shown(board)["labels"]) == ("near", {"near": "Player 2", "far": "Player 1"})
    say(board, tried=[[8, 5, 3]])
    assert shown(board)["turn"]["made"] == [[8, 5, 3]]
    say(board, done={"kind": "play", "moves": [[8, 5, 3], [6, 5, 1]]})
    assert shown(board)["last"]["text"].endswith("8/5 6/5")
    assert (shown(board)["to_act"], kinds(board)) == ("far", {"roll", "double", "resign"})
    say(board, done={"kind": "roll"})
    assert shown(board)["dice"]["of"] == "far"


def test_a_bot_answers_until_it_is_the_persons_turn_again() -> None:
    board = Board(opponent=bp.Bot(), dice=bp.dice.seeded(1))
    played = bp.legal_plays(board.match.game.rules, board.match.game.position, board.match.game.faces)[0]
    states: list[bp.Match] = []
    board.observe(lambda change: states.append(change.new), "match")
    say(board, done={"kind": "play", "moves": played.moves})
    assert [type(state.events[-1]).__name__ for state in states] == ["PlayMade", "Roll", "PlayMade"]
    assert (board.match.game.actor, shown(board)["labels"]) == (0, {"near": "You", "far": "Bot"})


def test_a_bot_that_begins_has_played_when_the_board_is_first_shown() -> None:
    boards = [Board(opponent=bp.Bot(), dice=bp.dice.seeded(seed)) for seed in range(8)]
    assert {board.match.game.actor for board in boards} == {0}
    began = {type(board.match.events[-1]).__name__ == "PlayMade" for board in boards}
    assert began == {True, False}


def test_a_match_against_a_bot_goes_on_to_its_end_and_its_next_game_begins_on_request() -> None:
    board = Board(bp.Match.start(length=2, rules="hypergammon"), bp.Bot("hypergammon"), dice=bp.dice.seeded(3))
    asked = 0
    while not board.match.over:
        may = kinds(board)
        if "next" in may:
            assert board.match.game.over
            asked += 1
            say(board, done={"kind": "next"})
        elif "play" in may:
            game = board.match.game
            say(board, done={"kind": "play", "moves": bp.legal_plays(game.rules, game.position, game.faces)[0].moves})
        else:
            say(board, done={"kind": "take" if "take" in may else "roll"})
    assert asked == len(board.match.finished) - 1 or asked == len(board.match.finished)
    assert shown(board)["result"]["how"]


@pytest.mark.parametrize(
    "message",
    [
        {"done": {"kind": "play", "moves": [[8, 1, 6]]}},
        {"done": {"kind": "take"}},
        {"done": {"kind": "fly"}},
        {"done": None},
        {"tried": [[8, 1, 6]]},
        {"tried": "8/5"},
        {},
    ],
    ids=str,
)
def test_what_the_rules_do_not_allow_changes_nothing(message: dict[str, Any]) -> None:
    board = Board(bp.parse_id(XGID))
    before = board.match, board.view
    say(board, **message)
    assert (board.match, board.view) == before


def test_an_opponent_that_fails_is_heard_of(caplog: pytest.LogCaptureFixture) -> None:
    class Failing:
        def event(self, match: bp.Match, player: int) -> bp.Event | None:
            if match.game.actor == player:
                raise bp.UnsupportedRules("no net")
            return None

    board = Board(bp.parse_id(XGID), Failing())
    play = bp.legal_plays("backgammon", board.match.game.position, board.match.game.faces)[0]
    say(board, done={"kind": "play", "moves": play.moves})  # which shows what is raised, in a notebook in the cell
    assert "UnsupportedRules: no net" in caplog.text


def test_a_position_begins_a_game_for_money_with_the_side_to_act_at_the_bottom() -> None:
    position = bp.variant("backgammon").start.copy_with(us={24: 1, 22: 1})
    board = Board(position)
    assert (board.match.game.position, board.match.length) == (position, 0)
    assert shown(board)["to_act"] == "near"
    with pytest.raises(bp.PositionError):
        Board(bp.variant("acey-deucey").start)


def test_a_match_assigned_to_the_board_is_shown() -> None:
    board = Board("nackgammon")
    board.match = match_at(bp.parse_id(XGID))
    assert shown(board)["score"] == {"near": 1, "far": 2, "length": 7, "crawford": False}


def test_what_cannot_be_shown_is_refused_with_what_can() -> None:
    with pytest.raises(bp.ArgumentError, match="allowed: Match, Situation, Position"):
        Board(3)  # type: ignore[arg-type]
    with pytest.raises(bp.ArgumentError, match="a player has a method event"):
        Board(opponent="strong")  # type: ignore[arg-type]
    with pytest.raises(bp.ArgumentError, match="allowed: 0, 1"):
        Board(near=2)
