"""Playing for gnubg: board lines in, moves out, and whole matches against the real program."""

from __future__ import annotations

import re
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from barpoint.cli.external import Opponent, listen, match_of, serve_external
from barpoint.error import BarpointError, FormatError
from barpoint.game import Phase
from barpoint.record.fibs_board import FibsBoard, format_board, parse_board
from barpoint.variants import variant
from tests.support.games import place
from tests.support.machine import PATIENCE_S

ROOT = Path(__file__).parents[2]
START = variant("backgammon").start
BOARD = FibsBoard(("barpoint", "gnubg"), 7, (0, 0), START)


def said(board: FibsBoard, opponent: Opponent | None = None) -> str:
    return (opponent or Opponent("strong")).reply(format_board(board))


def test_a_roll_is_answered_with_a_play() -> None:
    assert said(replace(BOARD, dice=(3, 1))) == "8/5 6/5"


def test_the_side_to_act_is_the_one_whose_colour_the_turn_has() -> None:
    """gnubg 1.07 sends its own checkers as O, and -1 as the turn, where we are to play."""
    board = replace(BOARD, position=place({6: 5, 8: 3}, {24: 2, 13: 5, 8: 3, 6: 5}), yours=False)
    assert match_of(board).game.position == board.position.flip()


def test_before_the_roll_it_is_rolled_or_doubled() -> None:
    assert said(BOARD) == "roll"
    winning = place({6: 1, 5: 1, 1: 2}, {6: 2, 5: 2})
    assert said(replace(BOARD, position=winning)) == "double"


def test_a_cube_that_the_other_side_owns_is_not_turned() -> None:
    winning = place({6: 1, 5: 1, 1: 2}, {6: 2, 5: 2})
    assert said(replace(BOARD, position=winning, cube=2, may_double=(False, True))) == "roll"


@pytest.mark.parametrize(("mine", "answer"), [({6: 5, 5: 5, 4: 5}, "reject"), ({1: 2}, "accept")])
def test_a_double_is_answered(mine: dict[int, int], answer: str) -> None:
    asked = replace(BOARD, names=("gnubg", "barpoint"), position=place({6: 2, 5: 2}, mine), doubled=True)
    opponent = Opponent("strong")
    said(replace(BOARD, dice=(3, 1)), opponent)
    assert said(asked, opponent) == answer


def test_a_resignation_is_taken_where_nothing_more_is_to_be_had() -> None:
    opponent = Opponent("strong")
    said(replace(BOARD, dice=(3, 1)), opponent)
    lost = replace(BOARD, names=("gnubg", "barpoint"), position=place({6: 3}, {1: 1}))
    assert said(lost, opponent) == "accept"


def test_the_crawford_game_has_no_cube() -> None:
    match = match_of(replace(BOARD, score=(6, 3)))
    assert match.crawford
    assert (match.game.phase, match.game.cube_in_play) == (Phase.TO_ROLL, False)


@given(
    st.lists(st.integers(-3, 6), min_size=50, max_size=50).map(lambda n: "board:a:b:" + ":".join(map(str, n)))
    | st.text(max_size=80)
)
@settings(max_examples=60, deadline=None)
def test_any_line_is_answered_or_refused(line: str) -> None:
    with suppress(BarpointError):
        match_of(parse_board(line))


@pytest.mark.parametrize("address", ["127.0.0.1:x", "127.0.0.1:70000", ""])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(FormatError):
        listen(address)


# ---------------------------------------------------------------- sockets


@pytest.fixture
def served(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[socket.socket]:
    with listen(str(tmp_path / "external") if getattr(request, "param", "") == "unix" else "127.0.0.1:0") as listener:
        threading.Thread(target=serve_external, args=(listener, "strong"), daemon=True).start()
        yield listener
        with suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize("served", ["tcp", "unix"], indirect=True)
def test_lines_are_answered_on_a_socket_with_or_without_the_zero_of_gnubg(served: socket.socket) -> None:
    line = format_board(replace(BOARD, dice=(3, 1))).encode()
    with socket.socket(served.family, socket.SOCK_STREAM) as client:
        client.settimeout(PATIENCE_S)
        client.connect(served.getsockname())
        reader = client.makefile("rb")
        with reader:
            for sent, expected in (
                (line + b"\n\0", b"8/5 6/5\n"),
                (b"board:\n", b"Error"),
                (line + b"\n", b"8/5 6/5\n"),
            ):
                client.sendall(sent)
                assert reader.readline().startswith(expected)


def test_the_path_of_a_socket_serves_again_unless_somebody_serves_it(tmp_path: Path) -> None:
    path = str(tmp_path / "external")
    listen(path).close()
    with listen(path), pytest.raises(OSError, match="in use"):
        listen(path)


def gnubg() -> str:
    """The gnubg to play against; BARPOINT_GNUBG names another one than the one on the path."""
    asked = subprocess.run([ROOT / "tools" / "find_program", "gnubg"], capture_output=True, text=True, check=False)
    assert asked.returncode == 0, asked.stderr
    return asked.stdout.strip()


def test_gnubg_plays_a_whole_match_against_it(served: socket.socket) -> None:
    port = served.getsockname()[1]
    commands = f"""
set automatic game on
set automatic roll on
set player 1 gnubg
set player 1 chequer evaluation plies 0
set player 1 cube evaluation plies 0
set player 0 external 127.0.0.1:{port}
new match 3
"""
    done = subprocess.run(
        [gnubg(), "-t", "-q", "-r"], input=commands, capture_output=True, text=True, timeout=PATIENCE_S * 4, check=False
    )
    assert re.search(r"has won the match|and the match", done.stdout), done.stdout[-2000:]
    assert "Error" not in done.stdout
