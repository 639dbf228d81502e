"""Comments and what other programs found: read from .sgf and .xg, and written to .sgf again."""

from __future__ import annotations

import struct
import zlib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from barpoint.game import Double, PlayMade
from barpoint.record import Book, format_sgf, parse_mat, parse_sgf, parse_xg
from barpoint.record.annotation import Annotation, EvaluatedCube, EvaluatedPlay, numbered_as
from barpoint.record.file import format_book, parse_book
from barpoint.record.xg_annotations import comments_of
from barpoint.record.xg_archive import HEADER, HEADER_BYTES, HEADER_MAGIC
from tests.record.test_mat import MATCH
from tests.support.xg_file import xg_records

GNU = (
    "(;FF[4]GM[6]CA[UTF-8]AP[GNU Backgammon:1.08.003]MI[length:3][game:0][ws:0][bs:0]PW[Anna]PB[Ben]RU[Crawford]"
    "GC[Final]RE[W+1]\n"
    ";W[31hefe]A[0][fehe E ver 3 0.521150 0.158037 0.008311 0.138285 0.006815 0.088224 2C 0 1 0.000000 1]"
    "[xwmj E ver 3 0.464564 0.123623 0.005591 0.161621 0.008983 -0.154389 0C 0 1 0.000000 1]C[The only play \\] here.]\n"
    ";B[64aggk]DA[E ver 3 2C 1 0.000000 1 0.503635 0.135264 0.005951 0.140890 0.006297 0.001137 0.500296 "
    "0.503635 0.135264 0.005951 0.140890 0.006297 0.001137 0.478995]\n"
    ";W[double]C[Too early?]\n;B[drop])"
)
BOOK = parse_mat(MATCH)


def number_of(book: Book, kind: type) -> int:
    return next(number for number, event in enumerate(book.match.events, start=1) if isinstance(event, kind))


def test_what_gnubg_found_stands_at_the_plays_and_doubles() -> None:
    book = parse_sgf(GNU, strict=True)
    first, second = [number for number, one in enumerate(book.match.events, start=1) if isinstance(one, PlayMade)]
    assert book.program == "GNU Backgammon 1.08.003"
    assert book.annotations[1].comment == "Final"
    best, other = book.annotations[first].plays
    assert best == EvaluatedPlay(
        ((6, 5), (8, 5)), 0.088224, (0.521150, 0.158037, 0.008311, 0.138285, 0.006815), "2-ply"
    )
    assert (other.text, other.equity, other.level) == ("24/23 13/10", -0.154389, "0-ply")
    assert book.annotations[first].comment == "The only play ] here."
    assert book.annotations[second].cube == EvaluatedCube(
        0.500296, 0.478995, None, True, (0.503635, 0.135264, 0.005951, 0.140890, 0.006297), "2-ply"
    )
    assert book.annotations[number_of(book, Double)].comment == "Too early?"


def test_sgf_keeps_all_of_it() -> None:
    book = parse_sgf(GNU, strict=True)
    again = parse_sgf(format_sgf(book), strict=True)
    assert {number: one for number, one in again.annotations.items() if number > 1} | {
        1: book.annotations[1]
    } == book.annotations | {2: replace(book.annotations[2], comment="The only play ] here.\nFinal")}
    assert again.program == book.program
    assert parse_sgf(format_sgf(again), strict=True).annotations == again.annotations


def test_sgf_keeps_how_deep_a_cube_of_equities_was_looked_at() -> None:
    number = number_of(BOOK, Double)
    cube = EvaluatedCube(0.1, 0.2, 1.0, level="4-ply")
    kept = parse_sgf(format_sgf(replace(BOOK, annotations={number: Annotation(cube=cube)})))
    assert kept.annotations[number].cube == cube


def evaluated(record: bytes, plays: list[tuple[tuple[int, ...], int, tuple[float, ...]]], said: int = -1) -> bytes:
    """A record of a move with evaluations: moves counted from 0, level, seven numbers; and the line of its comment."""
    found = bytearray(record)
    struct.pack_into("<i", found, 188, len(plays))
    for index, (moves, level, numbers) in enumerate(plays):
        struct.pack_into("<8b", found, 1024 + 8 * index, *(*moves, *([-1] * 8))[:8])
        struct.pack_into("<h", found, 1280 + 4 * index, level)
        struct.pack_into("<7f", found, 1408 + 28 * index, *numbers)
    struct.pack_into("<i", found, 2524, said)
    return bytes(found)


def doubled(record: bytes, equities: tuple[float, float, float], said: int) -> bytes:
    found = bytearray(record)
    struct.pack_into("<i", found, 92, 1001)
    struct.pack_into("<10f", found, 124, 0.01, 0.1, 0.3, 0.7, 0.25, 0.02, 0.65, *equities)
    struct.pack_into("<i", found, 232, 3)
    struct.pack_into("<i", found, 292, said)
    return bytes(found)


RTF = (
    b"{\\rtf1\\ansi{\\fonttbl{\\f0 Arial;}}\x01\x02{\\*\\generator Wine;}\\pard\\fs20 difficile \\'e0 trouver\\par\x01\x02}\r\n"
    b"{\\rtf1\\ansi \\u8364?5 \\{a\\}\\line second}\r\n"
)


def xg_with_analysis() -> bytes:
    records = []
    plays = doubles = 0
    for record in xg_records(BOOK):
        if record[8] == 3 and not plays:
            numbers = (0.006, 0.138, 0.479, 0.521, 0.158, 0.008, 0.09)
            worse = (0.009, 0.161, 0.535, 0.465, 0.124, 0.006, -0.15)
            record = evaluated(record, [((7, 4, 5, 4), 1002, numbers), ((23, 22, 12, 9), 2, worse)], said=0)
            plays += 1
        elif record[8] == 2 and not doubles:
            record = doubled(record, (0.6, 0.5, 1.0), said=1)
            doubles += 1
        records.append(record)
    files = (b"".join(records), records[0] + records[-1], RTF)
    head = HEADER.pack(HEADER_MAGIC, 1, HEADER_BYTES, 0, 0).ljust(HEADER_BYTES, b"\0")
    return head + b"".join(map(zlib.compress, files))


def test_what_xg_found_is_read_and_written_to_sgf() -> None:
    book = parse_xg(xg_with_analysis(), strict=True)
    assert book.program == "eXtreme Gammon"
    play = book.annotations[number_of(book, PlayMade)]
    assert play.comment == "difficile à trouver"
    assert [(one.text, one.level) for one in play.plays] == [("8/5 6/5", "XG Roller++"), ("24/23 13/10", "3-ply")]
    assert play.plays[0].chances == pytest.approx((0.521, 0.158, 0.008, 0.138, 0.006))
    double = book.annotations[number_of(book, Double)]
    assert double.comment == "€5 {a}\nsecond"
    assert double.cube is not None
    assert (double.cube.no_double, double.cube.take, double.cube.drop) == pytest.approx((0.6, 0.5, 1.0))
    assert (double.cube.level, double.cube.mwc) == ("XG Roller+", False)
    again = parse_book(format_book(book, ".sgf"), ".sgf", strict=True)
    assert again.program == "eXtreme Gammon"
    assert again.annotations.keys() == book.annotations.keys()
    for number, one in book.annotations.items():
        other = again.annotations[number]
        assert other.comment == one.comment
        assert [(play.text, play.level) for play in other.plays] == [(play.text, play.level) for play in one.plays]
        assert [play.equity for play in other.plays] == pytest.approx([play.equity for play in one.plays], abs=1e-5)
        assert (other.cube is None) == (one.cube is None)
        if other.cube and one.cube:
            assert other.cube.level == one.cube.level
            assert other.cube.take == pytest.approx(one.cube.take, abs=1e-5)


@pytest.mark.parametrize(
    "written",
    [
        b"{\\rtf1\\ansi\\ansicpg1251\\deff0{\\fonttbl{\\f0\\fnil Tahoma;}}\\f0 \\'d5\\'ee\\'e4\\par}\r\n",
        b"{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0\\fnil\\fcharset0 Arial;}{\\f1\\fnil\\fcharset204{\\*\\fname Arial;}Arial CYR;}}"
        b"\\f1\\fs20 \\'d5\\'ee\\'e4\\f0\\par}\r\n",
        b"{\\rtf1\\ansi\\ansicpg1251 \\u1061?\\u1086\\'ee\\'e4}\r\n",
    ],
    ids=["the code page", "the font", "escaped letters with what older programs show instead"],
)
def test_comments_of_xg_are_in_the_letters_of_their_language(written: bytes) -> None:
    assert comments_of([written]) == ["Ход"]


def test_letters_of_two_bytes_in_comments_of_xg_are_read() -> None:
    written = (
        b"{\\rtf1\\ansi\\ansicpg932{\\fonttbl{\\f0\\fcharset128 MS Gothic;}}\\f0 \\'8e\\'e8{\\f3 \\'90\\'94}\\par}\r\n"
    )
    assert comments_of([written]) == ["手数"]


def test_a_damaged_comment_is_left_out_and_the_match_is_read() -> None:
    whole = xg_with_analysis()
    for cut in (1, 30, 60):
        assert parse_xg(whole[:-cut]).match.events == BOOK.match.events


def test_annotations_follow_their_events_into_a_longer_log() -> None:
    events = BOOK.match.events
    shorter = [event for event in events if not isinstance(event, Double)]
    found = numbered_as(
        {number: Annotation(str(event)) for number, event in enumerate(shorter, start=1)}, shorter, BOOK.match
    )
    assert [found[number].comment for number in sorted(found)] == [str(event) for event in shorter]
    assert all(str(events[number - 1]) == one.comment for number, one in found.items())


@given(st.text(max_size=60), st.text("abc E ver312.e-C0x", max_size=60), st.text("E ver 3C0.1e-9 ", max_size=80))
def test_any_analysis_in_sgf_is_read_or_left_out(comment: str, play: str, cube: str) -> None:
    def value(text: str) -> str:
        return text.replace("\\", "\\\\").replace("]", "\\]")

    text = GNU.replace("C[The", f"C[{value(comment)}]A[{value(play)}]XN[{value(play)}]XD[{value(cube)}]C[The")
    book = parse_sgf(text.replace("DA[", f"DA[{value(cube)}]DA["))
    assert book.match == parse_sgf(GNU).match
