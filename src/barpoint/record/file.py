"""Match files, by suffix: .json (our log), .mat and .txt (match text), .sgf and .xg; .ogxm and .bgf, which are read only."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Final

from barpoint.error import FormatError, check_kind
from barpoint.language import Said, Word
from barpoint.match import Match
from barpoint.record.annotation import numbered_as
from barpoint.record.bgf_reader import parse_bgf
from barpoint.record.book import Book
from barpoint.record.kept_log import kept_match, same_match, text_with_log, tree_texts, tree_with_log
from barpoint.record.log_notes import book_log, parse_book_log
from barpoint.record.mat_reader import MAX_FILE_LENGTH, mat_texts, parse_mat, parse_mat_matches
from barpoint.record.mat_writer import format_mat
from barpoint.record.oddity import Oddity
from barpoint.record.ogxm_reader import parse_ogxm
from barpoint.record.sgf_reader import parse_sgf, parse_sgf_matches
from barpoint.record.sgf_writer import format_sgf
from barpoint.record.xg_reader import parse_xg
from barpoint.record.xg_writer import format_xg

MATCH_TEXT: Final = (".mat", ".txt")
LOG: Final = (".json",)
TREES: Final = (".sgf",)
ARCHIVES: Final = (".xg",)
WRITTEN: Final = (*LOG, *MATCH_TEXT, *TREES, *ARCHIVES)
OGXM: Final = (".ogxm",)
BGF: Final = (".bgf",)
SUFFIXES: Final = (*WRITTEN, *OGXM, *BGF)
"""Suffixes that can be read: all that can be written, .ogxm and .bgf."""


def read_match(source: str | os.PathLike[str] | bytes, *, strict: bool = False, suffix: str = "") -> Book:
    """Reads the match in a file, with its players, other facts, and what is odd about it.

    source: a path, or the content of a file with this suffix. strict: refuse whatever is odd. FormatError says where
    it is wrong, OSError why it cannot be read.
    """
    if isinstance(source, bytes):
        return parse_book(source, suffix, strict=strict)
    check_kind("source", source, str, os.PathLike, bytes)
    path = Path(source)
    _check_suffix(path, SUFFIXES)
    return parse_book(path.read_bytes(), path.suffix, strict=strict)


def read_matches(source: str | os.PathLike[str] | bytes, *, strict: bool = False, suffix: str = "") -> tuple[Book, ...]:
    """Reads all matches in a file, each as `read_match`; match text and SGF can hold several."""
    if isinstance(source, bytes):
        return parse_books(source, suffix, strict=strict)
    check_kind("source", source, str, os.PathLike, bytes)
    path = Path(source)
    _check_suffix(path, SUFFIXES)
    return parse_books(path.read_bytes(), path.suffix, strict=strict)


def parse_book(data: bytes, suffix: str, *, strict: bool = False, audit: bool = False) -> Book:
    """Parses the first match of a file with this suffix; FormatError says where it is wrong.

    strict: refuse whatever is odd. audit: check the plays of our own log against today's rules too; those of other formats are always checked.
    """
    first, *others = parse_books(data, suffix, strict=strict, audit=audit)
    if not others:
        return first
    more = Oddity(
        Said("another match begins")
        if len(others) == 1
        else Said("%(count)s more matches follow", {"count": len(others)}),
        Said("only the first one is read here"),
    )
    if strict:
        raise FormatError(more.found)
    return replace(first, oddities=(*first.oddities, more))


def parse_books(data: bytes, suffix: str, *, strict: bool = False, audit: bool = False) -> tuple[Book, ...]:
    """Parses all matches of a file with this suffix, each as `parse_book`."""
    _check_suffix(Path(f"file{suffix}"), SUFFIXES)
    if len(data) > 4 * MAX_FILE_LENGTH:
        raise FormatError(
            "a file of %(count)s bytes; at most %(value)s are read", count=len(data), value=4 * MAX_FILE_LENGTH
        )
    if suffix.lower() in LOG:
        return (parse_book_log(data, audit=audit),)
    if suffix.lower() in ARCHIVES:
        return (parse_xg(data, strict=strict),)
    if suffix.lower() in OGXM:
        return (parse_ogxm(data, strict=strict),)
    if suffix.lower() in BGF:
        return (parse_bgf(data, strict=strict),)
    text = _decoded(data)
    tree = suffix.lower() in TREES
    parse = parse_sgf_matches if tree else parse_mat_matches
    kept = [kept_match(part) for part in (tree_texts(text) if tree else mat_texts(text))]
    books = parse(text, strict=strict and not any(match or stale for match, stale in kept))
    if len(books) != len(kept):  # a tree that begins a match in the middle of another
        return books
    return tuple(_with_log(book, *found, strict) for book, found in zip(books, kept, strict=True))


def _with_log(book: Book, match: Match | None, stale: bool, strict: bool) -> Book:
    """The match of the log beside a text, where there is one; what was odd in the text then does not count."""
    if match is not None:
        annotations = numbered_as(book.annotations, book.match.events, match)
        return replace(book, match=match, oddities=(), annotations=annotations)
    oddities = book.oddities
    if stale:
        changed = Oddity(
            Said("the log in this file belongs to another text"), Said("left out; the text is read as it is")
        )
        oddities = (changed, *oddities)
    if strict and oddities:
        raise FormatError(oddities[0].found, oddities[0].place.line, oddities[0].place.column)
    return replace(book, oddities=oddities)


def write_match(
    match: Match | Book, path: str | os.PathLike[str], players: tuple[str, str] = ("Player 1", "Player 2")
) -> None:
    """Writes a match atomically: the file is complete or unchanged. FormatError for a suffix that cannot be written."""
    check_kind("match", match, Match, Book)
    path = Path(path)
    _check_suffix(path, WRITTEN)
    book = match if isinstance(match, Book) else Book(match, players)
    data = format_book(book, path.suffix.lower())
    beside = path.with_name(f".{path.name}.new")
    beside.write_bytes(data)
    beside.replace(path)


def format_book(book: Book, suffix: str) -> bytes:
    """The content of a file with this suffix (lower case, with its dot).

    Text that does not read back as the same match carries its log too. FormatError for rules without a name, and for
    what .xg cannot hold.
    """
    if suffix in LOG:
        return book_log(book)
    if suffix in ARCHIVES:
        return format_xg(book)
    tree = suffix in TREES
    text = format_sgf(book) if tree else format_mat(book)
    try:
        back = (parse_sgf if tree else parse_mat)(text, strict=True).match
    except FormatError:
        back = None
    if back is None or not same_match(back, book.match):
        text = (tree_with_log if tree else text_with_log)(text, book.match)
    return text.encode("utf-8")


def _check_suffix(path: Path, known: tuple[str, ...]) -> None:
    if path.suffix.lower() not in known:
        raise FormatError(
            "%(name)r ends with %(value)r; known: %(allowed)s",
            name=path.name,
            value=path.suffix or Word("no suffix"),
            allowed=", ".join(known),
        )


def _decoded(data: bytes) -> str:
    """Decodes UTF-8, UTF-16, or what older programs wrote on Western European machines."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", errors="replace")
    if len(data) > 3 and not (data[1] or data[3]):
        return data.decode("utf-16-le", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")
