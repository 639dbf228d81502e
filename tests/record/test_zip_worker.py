"""Many matches in one zip: what the format cannot hold is named in it."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace

import msgspec

from barpoint.game import Opening
from barpoint.language import in_language
from barpoint.match import Match
from barpoint.record import Book, parse_books, parse_mat
from barpoint.record.annotation import Annotation
from barpoint.record.log_notes import book_log
from barpoint.record.zip_worker import LEFT_OUT, NamedMatch, zipped
from tests.record.test_mat import MATCH
from tests.record.test_xg import played

MAT = parse_mat(MATCH)
NOT_IN_XG = played(Match.start(5, holland=True), 3)


def lines(**books: Book) -> bytes:
    return b"\n".join(
        msgspec.json.encode(NamedMatch(name, book.players, msgspec.Raw(book_log(book)))) for name, book in books.items()
    )


def content(packed: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(packed)) as pack:
        return {name: pack.read(name) for name in pack.namelist()}


def test_every_match_is_a_file_that_reads_back() -> None:
    found = content(zipped(lines(one=MAT, two=MAT), ".mat"))
    assert [*found] == ["one.mat", "two.mat"]
    for data in found.values():
        (book,) = parse_books(data, ".mat")
        assert (book.players, book.match.events) == (MAT.players, MAT.match.events)


def test_a_match_without_a_place_in_the_format_is_named_with_the_reason() -> None:
    found = content(zipped(lines(fits=MAT, other=Book(NOT_IN_XG)), ".xg"))
    assert [*found] == ["fits.xg", LEFT_OUT]
    assert found[LEFT_OUT].decode().startswith("other.xg is not in this file: ")


def test_what_a_file_leaves_out_is_named() -> None:
    match = Match.start(1).apply(Opening((4, 4)))
    found = content(zipped(lines(tied=Book(played(match, 4))), ".xg"))
    assert found[LEFT_OUT].decode() == "tied.xg: Left out there: ties of opening rolls.\n"


def test_what_is_said_of_a_match_is_in_its_file_or_named_as_left_out() -> None:
    noted = replace(MAT, facts={"Event": "Club night", "EventDate": "2026.05.03"}, annotations={2: Annotation("Bold")})
    (book,) = parse_books(content(zipped(lines(one=noted), ".sgf"))["one.sgf"], ".sgf")
    assert (book.facts, book.annotations) == (noted.facts, noted.annotations)
    (book,) = parse_books(content(zipped(lines(one=noted), ".mat"))["one.mat"], ".mat")
    assert book.facts.items() >= noted.facts.items()
    assert "comments" in content(zipped(lines(one=noted), ".xg"))[LEFT_OUT].decode()


def test_a_file_has_the_names_by_which_its_match_is_sent() -> None:
    line = msgspec.json.encode(NamedMatch("one", ("Kim", "Lou"), msgspec.Raw(book_log(MAT))))
    (book,) = parse_books(content(zipped(line, ".sgf"))["one.sgf"], ".sgf")
    assert book.players == ("Kim", "Lou")


def test_matches_beyond_the_limit_are_counted_in_the_language_of_the_reader() -> None:
    with in_language("de"):
        said = content(zipped(lines(one=MAT), ".mat", more=12))[LEFT_OUT].decode()
    assert said.startswith("12 weitere Matches")
