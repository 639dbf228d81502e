"""Match files, by suffix: .json (our log), .mat and .txt (match text), .sgf, and .xg, which is read only."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from barpoint.error import FormatError
from barpoint.match import Match, read_log, write_log
from barpoint.record.book import Book
from barpoint.record.mat_reader import MAX_FILE_LENGTH, parse_mat
from barpoint.record.mat_writer import format_mat
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
    if suffix.lower() in TREES:
        return parse_sgf(_decoded(data), strict=strict)
    if suffix.lower() in ARCHIVES:
        return parse_xg(data, strict=strict)
    return parse_mat(_decoded(data), strict=strict)


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
    """The content of a file with this suffix (lower case, with its dot)."""
    if suffix in LOG:
        return write_log(book.match)
    return (format_sgf(book) if suffix in TREES else format_mat(book)).encode("utf-8")


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
