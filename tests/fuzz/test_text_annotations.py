"""Analyses in texts: whatever stands below a position, it is read, and what is read can be shown; or the position is refused as without it."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from barpoint.analysis.other_verdicts import lines_on
from barpoint.error import FormatError, PositionError
from barpoint.record.text_annotations import format_annotated, parse_annotated
from barpoint.record.xgp_reader import annotated_position
from barpoint.variants import variant
from tests.record.test_text_annotations import CUBE, GNU_CUBE, GNU_PLAYS, LANGUAGES, PLAYS, ROLLED, TO_DOUBLE

BACKGAMMON = variant("backgammon")
XGIDS = st.sampled_from(
    (
        ROLLED,
        TO_DOUBLE,
        TO_DOUBLE.replace(":00:", ":D:"),
        TO_DOUBLE.replace(":00:4:0:0:7", ":00:6:0:1:7"),
        ROLLED.replace(":31:0:0:0:0", ":31:6:6:0:7"),
    )
)
LINES = tuple(
    line
    for text in (
        PLAYS.format(xgid="", **LANGUAGES[1]),
        CUBE.format(xgid="", names="abc"),
        GNU_PLAYS.format(best="51.2%", second="-9.99"),
        GNU_CUBE.format(rows="1. No double 0.5\n2. Double, pass 1.0\n3. Double, take 0.7"),
    )
    for line in text.splitlines()
    if "ID" not in line
)
PIECES = st.sampled_from(
    (
        "eq:",
        "+999.9",
        "%",
        "(G:",
        "13/8",
        "bar/",
        "(9)",
        " 1.",
        "0.5",
        "-",
        "¹",
        "/",
        "*",
        ":",
        "٣",
        "\x00",
        "XG Roller++",
    )
)


@st.composite
def damaged(draw: st.DrawFn) -> str:
    lines = [draw(XGIDS), *draw(st.lists(st.sampled_from(LINES), max_size=12))]
    text = "\n".join(lines)
    for at, piece in draw(
        st.lists(st.tuples(st.integers(20, 900), st.one_of(PIECES, st.text(max_size=4))), max_size=6)
    ):
        cut = draw(st.integers(0, 6))
        text = text[:at] + piece + text[at + cut :]
    return text


@given(damaged())
def test_any_analysis_is_read_and_shown_or_left_out(text: str) -> None:
    with contextlib.suppress(FormatError, PositionError):
        found = parse_annotated(text)
        lines_on(found, BACKGAMMON, 5)
        assert parse_annotated(format_annotated(found)).situation == found.situation


@given(st.one_of(st.binary(max_size=80), damaged().map(str.encode), st.binary(max_size=60).map(b"RGMH".__add__)))
def test_any_content_of_a_file_is_a_position_or_is_refused(data: bytes) -> None:
    with contextlib.suppress(FormatError, PositionError):
        annotated_position(data)


@pytest.mark.parametrize(
    "line",
    [
        "1. " + "a" * 90_000 + " eq:",
        "1." + " 8/5" * 20_000,
        ":" * 90_000,
        " 1. x" * 18_000,
        "0.5 " * 20_000,
        "(G:" * 30_000,
    ],
)
def test_a_long_line_takes_no_longer_than_a_short_one(line: str) -> None:
    assert not parse_annotated(f"{ROLLED}\n{line}\n").annotation
