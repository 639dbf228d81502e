"""Match files, by suffix: .json (our log), .mat and .txt (match text), .sgf, and .xg, which is read only."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Final

from barpoint.error import FormatError
from barpoint.match import Match, read_log, write_log
from barpoint.record.book import Book
from barpoint.record.kept_log import kept_match, same_match, text_with_log, tree_with_log
from barpoint.record.mat_reader import MAX_FILE_LENGTH, parse_mat
from barpoint.record.mat_writer import format_mat
from barpoint.record.oddity import Oddity
from barpoint.record.sgf_reader import parse_sgf
from barpoint.record.sgf_writer import format_sgf
from barpoint.record.xg_reader import parse_xg

MATCH_TEXT: Final = (".mat", ".txt")
LOG: Final = (".json",)
TREES: Final = (".sgf",)
ARCHIVES: Final = (".xg",)
WRITTEN: Final = (*LOG, *MATCH_TEXT, *TREES)
SUFFIXES: Final = (*WRITTEN, *ARCHIVES)
"""Suffixes that can be read: the ones that can be written, and .xg."""


def read_match(source: str | os.PathLike[str] | bytes, *, strict: bool = False, suffix: str = "") -> Book:
    """Reads the match in a file, with its players, other facts, and what is odd about it.

    source: a path, or the content of a file with this suffix. strict: refuse whatever is odd. FormatError says where
    it is wrong, OSError why it cannot be read.
    """
    if isinstance(source, bytes):
        return parse_book(source, suffix, strict=strict)
    path = Path(source)
    _check_suffix(path, SUFFIXES)
    return parse_book(path.read_bytes(), path.suffix, strict=strict)


def parse_book(data: bytes, suffix: str, *, strict: bool = False, audit: bool = False) -> Book:
    """Parses the content of a file with this suffix; FormatError says where it is wrong.

    strict: refuse whatever is odd. audit: check the plays of our own log against today's rules too; those of other formats are always checked.
    """
    _check_suffix(Path(f"file{suffix}"), SUFFIXES)
    if len(data) > 4 * MAX_FILE_LENGTH:
        raise FormatError(f"a file of {len(data)} bytes; at most {4 * MAX_FILE_LENGTH} are read")
    if suffix.lower() in LOG:
        return Book(read_log(data, audit=audit))
    if suffix.lower() in ARCHIVES:
        return parse_xg(data, strict=strict)
    text = _decoded(data)
    parse = parse_sgf if suffix.lower() in TREES else parse_mat
    match, stale = kept_match(text)
    if match is not None:
        return replace(parse(text), match=match, oddities=())
    book = parse(text, strict=strict)
    if not stale:
        return book
    changed = Oddity("the log in this file belongs to another text", "left out; the text is read as it is")
    if strict:
        raise FormatError(changed.found)
    return replace(book, oddities=(*book.oddities, changed))


def write_match(
    match: Match | Book, path: str | os.PathLike[str], players: tuple[str, str] = ("Player 1", "Player 2")
) -> None:
    """Writes a match atomically: the file is complete or unchanged. FormatError for a suffix that cannot be written."""
    path = Path(path)
    _check_suffix(path, WRITTEN)
    book = match if isinstance(match, Book) else Book(match, players)
    data = format_book(book, path.suffix.lower())
    beside = path.with_name(f".{path.name}.new")
    beside.write_bytes(data)
    beside.replace(path)


def format_book(book: Book, suffix: str) -> bytes:
    """The content of a file with this suffix (lower case, with its dot).

    Text that does not read back as the same match carries its log too. FormatError for rules without a name.
    """
    if suffix in LOG:
        return write_log(book.match)
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
        raise FormatError(f"{path.name!r} ends with {path.suffix or 'no suffix'!r}; known: {', '.join(known)}")


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
