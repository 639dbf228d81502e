"""The board with turn graphs from the rules: every game's turns as a server sends them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from barpoint.board import Position, Side
from barpoint.dice import DiceRow, row_index
from barpoint.moves import Move, Turn, legal_plays
from barpoint.variants import variant
from tests.browser.hand import Hand
from tests.browser.views import view

STATE = "const { destinations, lights, walk } = await import('/static/board/state.js');"


def shown(side: Side) -> dict[str, Any]:
    return {
        "points": list(side.points), "hand": side.hand, "pinned": [p for p in range(1, 25) if side.pinned >> p & 1],
    }  # fmt: skip


def alternatives(row: DiceRow, made: Sequence[Move]) -> list[list[int]]:
    """The ways to use a roll in the stage that follows the moves made."""
    stage = 1 if len(row.stages) > 1 and len(made) >= len(row.stages[0][0]) else 0
    return [list(numbers) for numbers in row.stages[stage]]


def turn_view(name: str, faces: tuple[int, ...], start: Position | None = None, made: Any = ()) -> dict[str, Any]:
    """The view of near, who is to play these faces from a position, by default the start of the game."""
    rules = variant(name)
    position = start or rules.start
    turn = Turn(rules, position, faces, tuple(made))
    return view(
        near={}, far={}, checkers=0, allowed=[{"kind": "play"}],
    ) | {
        "near": shown(position.us), "far": shown(position.them),
        "meets": [0, *(rules.movement.meeting.other(point) for point in range(1, 25))],
        "dice": {
            "kind": "1d12" if len(faces) == 1 else "2d6", "faces": list(faces), "of": "near",
            "alternatives": alternatives(rules.dice.rows[row_index(rules.dice.rows, faces)], made),
        },
        "turn": {
            "nodes": [[int(commit), [list(edge) for edge in edges]] for commit, edges in turn.graph.nodes],
            "made": [list(move) for move in made],
        },
    }  # fmt: skip


GAMES = [
    ("backgammon", (3, 1)), ("backgammon", (6, 6)), ("nackgammon", (5, 5)), ("longgammon", (4, 3)), ("hypergammon", (2, 1)),
    ("duodecagammon", (9,)), ("duodecagammon", (12,)), ("acey-deucey", (4, 3)), ("plakoto", (6, 5)), ("fevga", (5, 2)),
]  # fmt: skip


@pytest.mark.parametrize(("name", "faces"), GAMES)
def test_what_the_board_shows_after_a_play_is_what_the_rules_say(hand: Hand, name: str, faces: tuple[int, ...]) -> None:
    """For every play of the start: walking its moves on the board's copy of the graph reaches the position of the
    rules.
    """
    plays = legal_plays(variant(name), variant(name).start, faces)
    results = hand.page.evaluate(
        f"async ([view, plays]) => {{ {STATE} return plays.map(moves => walk(view, moves)); }}",
        [turn_view(name, faces), [[list(move) for move in play.moves] for play in plays]],
    )
    assert [result["legal"] for result in results] == [True] * len(plays)
    for result, play in zip(results, plays, strict=True):
        assert result["position"] == {"near": shown(play.result.us), "far": shown(play.result.them)}


@pytest.mark.parametrize(("name", "faces"), GAMES)
def test_lights_are_those_of_the_turn(hand: Hand, name: str, faces: tuple[int, ...]) -> None:
    """For every play of the start and every checker moved: the board highlights the sources that the turn names."""
    rules = variant(name)
    plays = legal_plays(rules, rules.start, faces)
    asked = [(play.moves, place) for play in plays for place in sorted({move[1] for move in play.moves})]
    seen = hand.page.evaluate(
        f"""async ([view, asked]) => {{ {STATE}
            return asked.map(([made, place]) => lights(view, made, place).filter(light => light.moves.length === 1)
                .map(light => light.source).sort((a, b) => a - b)); }}""",
        [turn_view(name, faces), [[[list(move) for move in made], place] for made, place in asked]],
    )
    for (made, place), sources in zip(asked, seen, strict=True):
        turn = Turn(rules, rules.start, faces, made)
        assert sources == sorted({move[0] for move in turn.undo_sources() if move[1] == place}), (made, place)


def test_a_checker_is_pinned_and_freed(hand: Hand) -> None:
    us, them = [0] * 26, [0] * 26
    us[24], us[10] = 14, 1
    them[24], them[20] = 14, 1  # their 20 point is our 5 point
    hand.show(turn_view("plakoto", (5, 2), Position(Side(tuple(us)), Side(tuple(them)))))
    hand.drag("p10", "p5")
    assert hand.on_board("p5").startswith("5 point, one checker, yours; one checker, Barpoint’s, pinned")
    hand.drag("p5", "p10")
    assert hand.on_board("p5") == "5 point, one checker, Barpoint’s"


def test_two_one_of_acey_deucey_goes_on_with_a_double_of_choice(hand: Hand) -> None:
    """The board sends each draft and waits where the graph ends; the answer has the draft and a deeper graph."""

    def answer() -> None:
        hand.show(turn_view("acey-deucey", (2, 1), made=[tuple(move) for move in hand.draft]))

    hand.show(turn_view("acey-deucey", (2, 1)))
    hand.drag("hand-near", "p23")
    hand.drag("hand-near", "p24")
    assert len(hand.draft) == 2
    answer()
    assert hand.page.locator("[data-split]").all_text_contents() == ["1-1", "2-2", "3-3", "4-4", "5-5", "6-6"]
    hand.page.get_by_role("button", name="split 6-6", exact=True).click()
    for _ in range(4):
        hand.double_tap("hand-near")
        answer()
    assert [move[2] for move in hand.draft[2:]] == [6, 6, 6, 6]
    hand.button("play").click()
    assert hand.events == [{"kind": "play", "moves": hand.draft}]
