"""FIBS board lines (rulings 7.6)."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from barpoint.board import Position, Side
from barpoint.error import FormatError
from barpoint.record.fibs_board import FibsBoard, format_board, parse_board
from barpoint.variants import variant

START = variant("backgammon").start
SAMPLE = (
    "board:You:someplayer:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:6:2:0:0:1:1:1:0:1:-1:0:25"
    ":0:0:0:0:2:0:0:0"
)
GNUBG = (
    "board:gnubg:root:1:0:0:0:-2:0:0:0:0:5:0:3:0:0:1:-5:4:0:0:0:-3:0:-5:0:0:0:1:1:0:-1:5:1:5:1:1:1:1:0:1:-1:0:25"
    ":0:0:0:0:0:0:1:1\n\0"
)


def test_the_opening_position_is_read() -> None:
    board = parse_board(SAMPLE)
    assert board == FibsBoard(("You", "someplayer"), 3, (0, 0), START, True, (6, 2), can_move=2)


def test_what_is_read_is_written_again() -> None:
    assert format_board(parse_board(SAMPLE)) == SAMPLE


def test_a_line_of_gnubg_is_read() -> None:
    board = parse_board(GNUBG)
    assert (board.names, board.length, board.dice) == (("gnubg", "root"), 1, (5, 1))
    assert board.position.us.points[13] == 4
    assert board.position.us.points[11] == 1


def side() -> st.SearchStrategy[Side]:
    spots = st.lists(st.integers(1, 25), max_size=15)
    return spots.map(lambda places: Side.of({p: places.count(p) for p in places} | {0: 15 - len(places)}))


@given(
    us=side(),
    them=side(),
    colour=st.sampled_from([1, -1]),
    yours=st.sampled_from([True, False, None]),
    after=st.booleans(),
)
def test_every_board_comes_back(us: Side, them: Side, colour: int, yours: bool | None, after: bool) -> None:
    clear = Side((them.points[0], *(0 if us.points[25 - p] else them.points[p] for p in range(1, 25)), them.points[25]))
    clear = replace(clear, points=(15 - sum(clear.points[1:]), *clear.points[1:]))
    board = FibsBoard(
        ("a", "b"), 7, (6, 2), Position(us, clear), yours, (6, 1), 2, (False, True), True, colour, 4, after
    )
    assert parse_board(format_board(board)) == board


def test_the_crawford_game_is_the_first_in_which_a_side_needs_one_point() -> None:
    board = FibsBoard(("a", "b"), 3, (2, 0), START)
    assert board.crawford
    assert not replace(board, after_crawford=True).crawford
    assert not replace(board, score=(1, 0)).crawford
    assert not replace(board, length=0).crawford


@pytest.mark.parametrize(
    "line",
    ["", "board:", SAMPLE.replace("board", "bored"), SAMPLE + ":1", SAMPLE.replace(":6:2:", ":7:2:"), SAMPLE.replace(":5:0:3:", ":x:0:3:"),
     SAMPLE.replace(":5:0:3:", ":15:0:3:"), "board:" + "9" * 700],
)  # fmt: skip
def test_what_is_no_board_is_refused(line: str) -> None:
    with pytest.raises(FormatError):
        parse_board(line)


@given(
    st.text(max_size=300)
    | st.lists(st.integers(-20, 40), min_size=50, max_size=50).map(lambda n: "board:a:b:" + ":".join(map(str, n)))
)
def test_any_text_is_a_board_or_is_refused(line: str) -> None:
    with suppress(FormatError):
        parse_board(line)
