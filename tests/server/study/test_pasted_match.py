"""A match pasted on the analysis board: it opens at its last decision, or the error says what else is needed."""

from __future__ import annotations

import httpx
import msgspec
import pytest

from barpoint.error import FormatError
from barpoint.match import write_log
from barpoint.record import format_sgf, parse_mat
from barpoint.record.file import parse_book
from barpoint.server.study.pasted_match import MAX_MATCH_TEXT, last_decision, match_in
from tests.record.test_mat import MATCH
from tests.support.machine import PATIENCE_S
from tests.support.serving import Served

BOOK = parse_mat(MATCH)


def cut(after: str) -> str:
    """The match down to the line that ends with this."""
    return MATCH[: MATCH.index(after) + len(after)]


@pytest.mark.parametrize(
    ("text", "address", "said"),
    [
        (MATCH, {"roll": "62", "length": 3, "score": "0-1"}, "62: 24/18 13/11 was played here"),
        (cut("64: 24/14"), {"roll": "64", "length": 3}, "64: 24/14 was played here"),
        (cut("  1) 31: 8/5 6/5"), {"roll": "31", "length": 3}, "31: 8/5 6/5 was played here"),
        (cut("Doubles => 2"), {"length": 3}, "a double was offered here"),
        (cut("Drops"), {"length": 3, "turn": "far"}, "the double was passed here"),
        (cut("  1) 31: 8/5 6/5") + "     64:", {"roll": "64", "length": 3}, ""),
        (cut("64: 24/14").partition(" Game 1")[2].partition("\n")[2], {"roll": "64"}, "64: 24/14 was played here"),
        (" 1) 31: 8/5 6/5    42: 8/4 6/4", {"roll": "42"}, "42: 8/4 6/4 was played here"),
        (format_sgf(BOOK), {"roll": "62", "length": 3, "score": "0-1"}, "62: 24/18 13/11 was played here"),
        (
            write_log(BOOK.match).decode(),
            {"roll": "62", "length": 3, "score": "0-1"},
            "62: 24/18 13/11 was played here",
        ),
    ],
    ids=["whole", "line", "half a line", "double", "pass", "roll", "rows", "one row", "sgf", "log"],
)
def test_it_opens_at_its_last_decision_seen_by_whoever_had_to_make_it(
    text: str, address: dict[str, object], said: str
) -> None:
    file = match_in(text)
    assert file is not None
    setup, told = last_decision(parse_book(*file))
    shown = msgspec.to_builtins(setup.address)
    assert {name: shown[name] for name in ("roll", "length", "score", "turn") if name in shown} == address
    assert told == said


def test_the_server_reads_it_and_says_what_is_odd_in_it(served: Served) -> None:
    odd = MATCH.replace("8/5 6/5", "8/5 8/6")
    answer = httpx.post(f"{served.address}/api/analysis/read", json={"text": odd}, timeout=PATIENCE_S).json()
    assert answer["address"]["roll"] == "62"
    assert answer["said"].startswith("62: 24/18 13/11 was played here (")
    assert "8/6" in answer["said"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (" 5) 31: 8/5 6/5    42: 8/4 6/4", "from its first line down to this one"),
        ("31: 8/5 6/5", "from its first line down to this one"),
        (" Game 2\n Anna : 1     Ben : 0\n  1) 31: 8/5 6/5", "7 point match"),
    ],
    ids=["a row", "a play", "a later game"],
)
def test_lines_without_what_came_before_are_refused_with_what_else_is_needed(
    served: Served, text: str, said: str
) -> None:
    with pytest.raises(FormatError, match=said):
        match_in(text)
    answer = httpx.post(f"{served.address}/api/analysis/read", json={"text": text}, timeout=PATIENCE_S)
    assert (answer.status_code, said in answer.text) == (400, True), answer.text


def test_positions_are_no_matches() -> None:
    for text in ("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:4:0:7:10", "4HPwATDgc/ABMA", "anything else"):
        assert match_in(text) is None


@pytest.mark.parametrize("gap", ["\n", "\r\n", " ", "\t\n", "1\n", "1 point\n", "money \n", "\N{LINE SEPARATOR}"])
def test_the_longest_text_of_next_to_nothing_is_looked_through_once(gap: str) -> None:
    text = "x" + gap * (MAX_MATCH_TEXT // len(gap)) + "x"  # a search that began again at each line would take minutes
    assert match_in(text) is None
