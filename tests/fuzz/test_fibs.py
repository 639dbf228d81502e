"""What FIBS clients send: any bytes become lines, any line a command or a refusal, any play is legal or refused."""

from __future__ import annotations

from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from barpoint.error import FormatError
from barpoint.game import Game
from barpoint.moves import legal_plays
from barpoint.rules import Rules
from barpoint.server.fibs.commands import COMMANDS, LEAVING, resolve
from barpoint.server.fibs.lines import MAX_LINE, Lines
from barpoint.server.fibs.listener import parse_address
from barpoint.server.fibs.notation import MoveRefused, typed_play

TELNET = st.sampled_from([b"\xff\xfb\x01", b"\xff\xfd\x03", b"\xff\xff", b"\xff\xfa\x18\x00vt100\xff\xf0", b"\xff\xf4"])
PIECES = st.lists(st.binary(max_size=40) | TELNET | st.sampled_from([b"\r\n", b"\n\r", b"\0", b"roll"]), max_size=20)
WORDS = st.sampled_from(
    ["bar", "b", "off", "o", "home", "h", "-", "/", ",", ":", " ", "25", "0", "24", "18", "13", "6"]
)


@given(PIECES)
def test_any_bytes_become_printable_lines_of_bounded_length_however_they_are_cut(pieces: list[bytes]) -> None:
    data = b"".join(pieces)
    lines, whole = Lines(), Lines().feed(data)
    assert [line for piece in pieces for line in lines.feed(piece)] == whole
    assert len(whole) == data.count(b"\n")
    for line in whole:
        assert line is None or (line.isprintable() and len(line.encode()) <= 3 * MAX_LINE)


@given(st.text(max_size=20))
def test_any_word_is_a_command_or_none(word: str) -> None:
    found = resolve(word)
    assert found is None or found in COMMANDS


@given(st.sampled_from(COMMANDS), st.integers(1, 12))
def test_a_beginning_of_a_command_is_a_command(name: str, length: int) -> None:
    found = resolve(name[:length])
    assert found is not None or name in LEAVING
    assert found not in LEAVING or length >= 3
    assert resolve(name) == name


@given(
    st.lists(WORDS, max_size=16).map("".join) | st.text(max_size=40),
    st.integers(0, 1),
    st.integers(1, 6),
    st.integers(1, 6),
)
def test_any_play_typed_is_legal_or_refused(text: str, seat: int, first: int, second: int) -> None:
    rules = Rules()
    game = Game.at(rules, rules.start, seat, faces=(first, second))
    with suppress(MoveRefused):
        play = typed_play(game, seat, text)
        assert play.result in {one.result for one in legal_plays(rules, game.position, game.faces)}


@given(st.text(max_size=30))
def test_any_address_is_one_or_is_refused(text: str) -> None:
    with suppress(FormatError):
        host, port = parse_address(text)
        assert host
        assert 0 <= port < 65536
