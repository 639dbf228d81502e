"""The reader of match text: any text is a match or is refused with its line; nothing else happens."""

from hypothesis import given, settings
from hypothesis import strategies as st

from barpoint.error import FormatError
from barpoint.record import Book, format_book, parse_book, parse_mat
from barpoint.record.kept_log import same_match
from tests.record.test_mat import MATCH
from tests.support.deep import DEEP

LINES = st.one_of(
    st.sampled_from(MATCH.splitlines()),
    st.sampled_from(
        (
            " 0 point match",
            '; [Variation "roll-over"]',
            '; [Variation "duodecagammon"]',
            '; [Jacoby "On"]',
            "; 1 left: RollOver(own 31)",
            "; 1 right: RollOver(opp 64)",
            "; Opening 3-3",
            "; Left runs out of time",
            "  2)  Takes                      61: Cannot Move",
            "  2) 12=6+6: 13/7 8/2            5: 13/8",
            "      Wins 3 points and the match",
            " 31) 53: ????",
            " Game 2",
        )
    ),
    st.text(max_size=40),
)


def check(text: str) -> None:
    try:
        book = parse_mat(text)
    except FormatError:
        return
    again = parse_book(format_book(Book(book.match), ".mat"), ".mat", strict=True)
    assert same_match(again.match, book.match)
    assert again.match.score == book.match.score


@given(st.lists(LINES, max_size=12).map("\n".join))
def test_any_lines_are_a_match_or_are_refused(text: str) -> None:
    check(text)


@given(st.integers(0, len(MATCH) - 1), st.text(max_size=3), st.integers(0, 6))
@settings(max_examples=200 if DEEP else 100)
def test_a_damaged_match_is_read_or_refused(place: int, put: str, cut: int) -> None:
    check(MATCH[:place] + put + MATCH[place + cut :])
