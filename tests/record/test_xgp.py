"""Single positions of eXtreme Gammon, written here by the published layout: no real file was at hand."""

from __future__ import annotations

import contextlib
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from barpoint.board import Position
from barpoint.error import BarpointError, FormatError
from barpoint.match import Match
from barpoint.match.situation import Offer
from barpoint.record import format_xgid, parse_mat, parse_xgid, parse_xgp, read_position
from barpoint.record.annotation import Annotation, EvaluatedCube
from barpoint.record.text_annotations import format_annotated
from barpoint.record.xgp_reader import annotated_position, parse_annotated_xgp, read_annotated_position
from tests.record.test_mat import MATCH
from tests.support.xg_file import counts, cube_record, game_record, match_record, move_record, xg_file

BOOK = parse_mat(MATCH)
XGID = "XGID=-b----E-C---eE---c-e----B-:1:-1:1:52:0:1:0:3:10"
LATER = parse_xgid(XGID).position


def of(*records: bytes, crawford: bool = False, comments: bytes = b"") -> bytes:
    game = bytearray(game_record(Match.start(3)))
    struct.pack_into("<2i", game, 12, 0, 1)  # player 1 has none, player 2 one
    game[20] = crawford
    return xg_file(BOOK, [match_record(BOOK), bytes(game), *records], comments=comments)


def to_play(position: Position, dice: tuple[int, int], cube: int) -> bytes:
    found = bytearray(move_record(0, dice, position))
    struct.pack_into("<26b", found, 9, *counts(position))
    struct.pack_into("<i", found, 108, cube)
    return bytes(found)


def to_double(position: Position, cube: int, double: int, player: int = 0) -> bytes:
    found = bytearray(cube_record(player, -1, double=double))
    struct.pack_into("<26b", found, 36, *counts(position))
    struct.pack_into("<i", found, 32, cube)
    return bytes(found)


def test_a_roll_to_play_is_read_with_its_score_and_cube(tmp_path: Path) -> None:
    data = of(to_double(LATER, -1, 0), to_play(LATER, (2, 5), -1))
    found = parse_xgp(data)
    assert format_xgid(found) == XGID
    assert found.position == LATER
    file = tmp_path / "position.xgp"
    file.write_bytes(data)
    assert read_position(file) == found
    file.with_suffix(".txt").write_text(f"Position\n{XGID}\n")
    assert read_position(file.with_suffix(".txt")).position == LATER
    file.with_suffix(".txt").write_text(XGID, encoding="utf-16")
    assert read_position(file.with_suffix(".txt")).position == LATER
    with pytest.raises(FormatError, match=r"known: \.xgp, \.txt"):
        read_position(tmp_path / "match.mat")


def test_a_cube_to_turn_and_one_to_answer_are_read() -> None:
    before = parse_xgp(of(to_double(LATER, 2, 0), crawford=True))
    assert (before.offer, before.dice, before.cube, before.owner, before.crawford) == (Offer.NONE, (), 4, 1, True)
    theirs = parse_xgp(of(to_double(LATER, 2, 0, player=1)))
    assert (theirs.player, theirs.cube, theirs.owner, theirs.position) == (0, 4, 1, LATER.flip())
    offered = parse_xgp(of(to_double(LATER, 0, 1, player=1)))
    assert (offered.offer, offered.player, offered.actor, offered.owner) == (Offer.DOUBLE, 0, 1, None)
    assert offered.score == (1, 0)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"RGM", "begins with something else"),
        (xg_file(BOOK, [match_record(BOOK)]), "no position"),
        (of(), "no position"),
        (of(to_play(LATER, (7, 1), 0)), "a roll of 7-1"),
        (of(to_play(LATER, (2, 1), 99)), "at most"),
    ],
)
def test_what_is_no_position_is_refused_with_the_reason(data: bytes, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        parse_xgp(data)


@given(st.sampled_from((8, 9, 12, 16, 20, 34, 36, 61, 64, 100, 108)), st.binary(min_size=1, max_size=4), st.booleans())
def test_records_with_anything_in_them_are_read_or_refused(place: int, put: bytes, rolled: bool) -> None:
    record = bytearray(to_play(LATER, (2, 5), 0) if rolled else to_double(LATER, 0, 0))
    record[place : place + len(put)] = put
    with contextlib.suppress(BarpointError):
        parse_xgp(of(bytes(record)))


def analysed(record: bytes) -> bytes:
    """The record of a roll with two plays that were evaluated, and the first comment."""
    found = bytearray(record)
    struct.pack_into("<i", found, 188, 2)
    struct.pack_into("<i", found, 2524, 0)
    for index, (moves, equity) in enumerate((((12, 7, 5, 3), 0.1), ((12, 10, 12, 7), -0.2))):
        struct.pack_into("<8b", found, 1024 + 8 * index, *moves, -1, -1, -1, -1)
        struct.pack_into("<h", found, 1280 + 4 * index, 3)
        struct.pack_into("<7f", found, 1408 + 28 * index, 0.0, 0.125, 0.5, 0.5, 0.25, 0.0, equity)
    return bytes(found)


def test_the_analysis_of_a_roll_is_read_with_its_position(tmp_path: Path) -> None:
    data = of(to_double(LATER, -1, 0), analysed(to_play(LATER, (2, 5), -1)))
    found = parse_annotated_xgp(data)
    assert found.situation == parse_xgp(data)
    assert found.program == "eXtreme Gammon"
    first, second = found.annotation.plays
    assert (first.text, first.level, first.chances) == ("13/8 6/4", "4-ply", (0.5, 0.25, 0.0, 0.125, 0.0))
    assert (round(first.equity, 5), round(second.equity, 5)) == (0.1, -0.2)
    file = tmp_path / "position.xgp"
    file.write_bytes(data)
    assert read_annotated_position(file) == found
    again = annotated_position(format_annotated(found).encode())
    assert [one.steps for one in again.annotation.plays] == [first.steps, second.steps]


def test_the_comment_of_a_position_is_read_and_written_with_it() -> None:
    comments = b"{\\rtf1\\ansi Why not 1. 8/5 eq: +0.5?\\par XGID=1 \\u-10179?\\u-8704?}\r\n"
    found = parse_annotated_xgp(of(analysed(to_play(LATER, (2, 5), -1)), comments=comments))
    assert found.annotation.comment.startswith("Why not 1. 8/5 eq: +0.5?\nXGID=1")
    again = annotated_position(format_annotated(found).encode())
    assert again.annotation.comment == found.annotation.comment
    assert len(again.annotation.plays) == 2


def test_the_analysis_of_a_cube_is_read_with_its_position() -> None:
    record = bytearray(to_double(LATER, 0, 0))
    struct.pack_into("<10f", record, 124, 0.0, 0.125, 0.5, 0.5, 0.25, 0.0, 0.0, 0.5, 0.75, 1.0)
    struct.pack_into("<i", record, 92, 1002)
    cube = parse_annotated_xgp(of(bytes(record))).annotation.cube
    assert cube == EvaluatedCube(0.5, 0.75, 1.0, False, (0.5, 0.25, 0.0, 0.125, 0.0), "XG Roller++")
    assert parse_annotated_xgp(of(to_double(LATER, 0, 0))).annotation == Annotation()


@given(st.integers(8, 2559), st.binary(min_size=1, max_size=8))
def test_analyses_with_anything_in_them_are_read_or_left_out(place: int, put: bytes) -> None:
    record = bytearray(analysed(to_play(LATER, (2, 5), 0)))
    record[place : place + len(put)] = put
    with contextlib.suppress(BarpointError):
        format_annotated(parse_annotated_xgp(of(bytes(record[:2560]))))
