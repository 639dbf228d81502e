"""The reader of SGF: any text is a match or is refused with its line; nothing else happens."""

from hypothesis import given, settings
from hypothesis import strategies as st

from barpoint.error import FormatError
from barpoint.record import Book, format_book, parse_book, parse_sgf
from barpoint.record.annotation import Annotation
from barpoint.record.kept_log import same_match
from tests.support.deep import DEEP

MATCH = """\
(;FF[4]GM[6]CA[UTF-8]MI[length:3][game:0][ws:0][bs:0]PW[Anna]PB[Ben]RU[Crawford]RE[W+1]
;W[31hefe]
;B[64anpt]
;W[double]
;B[drop])
(;GM[6]MI[length:3][game:1][ws:1][bs:0]
;B[62aglr]
;PL[W]DI[53])
"""

PARTS = st.one_of(
    st.sampled_from(MATCH.split("\n")),
    st.sampled_from(
        (
            "(;GM[6]MI[length:0]RU[Jacoby:NoCube]XB[2]XA[1]CV[2]XO[3-3]",
            "(;GM[6]XV[roll-over]MI[length:3]",
            "(;GM[6]XV[duodecagammon]MI[length:3]",
            ";XR[W:own:31]",
            ";XR[B:opp:64]",
            ";XT[B]",
            ";W[09moji]",
            ";W[take]",
            ";B[double]",
            ";C[a comment \\] with brackets]",
            "(;W[31xufe])(;W[31hefe])",
            "RE[B+3R]",
            ")",
        )
    ),
    st.text(max_size=20),
)


def check(text: str) -> None:
    try:
        book = parse_sgf(text)
    except FormatError:
        return
    notes = {number: Annotation(f"on {number}") for number in range(1, len(book.match.events) + 1)}
    again = parse_book(format_book(Book(book.match, annotations=notes), ".sgf"), ".sgf", strict=True)
    assert same_match(again.match, book.match)
    assert again.match.score == book.match.score


@given(st.lists(PARTS, max_size=12).map("\n".join))
def test_any_parts_are_a_match_or_are_refused(text: str) -> None:
    check(text)


@given(st.integers(0, len(MATCH) - 1), st.text(max_size=3), st.integers(0, 6))
@settings(max_examples=200 if DEEP else 100)
def test_a_damaged_match_is_read_or_refused(place: int, put: str, cut: int) -> None:
    check(MATCH[:place] + put + MATCH[place + cut :])
