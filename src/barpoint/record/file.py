"""Matches in files, by the suffix of the name: .json (our log), .mat and .txt (match text), .sgf, and .xg, which is only read."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from barpoint.error import FormatError
from barpoint.match import Match, read_log, write_log
from barpoint.record.book import Book
from barpoint.record.mat_reader import LONGEST, parse_mat
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
"""Ends of the names of files that are read; those above are written, too."""


def read_match(path: str | os.PathLike[str]) -> Match:
    """The match in a file; FormatError says where it goes wrong, OSError why it cannot be read."""
    return read_book(path).match


def read_book(path: str | os.PathLike[str]) -> Book:
    """The match in a file with its players and what else the file says; errors as `read_match`."""
    path = Path(path)
    _check_suffix(path, SUFFIXES)
    return parse_book(path.read_bytes(), path.suffix)


def parse_book(data: bytes, suffix: str, *, audit: bool = False) -> Book:
    """The match that the content of a file with this suffix keeps; FormatError says where it goes wrong.

    audit: plays that our log has recorded are checked against today's rules, as those of other formats always are.
    """
    _check_suffix(Path(f"file{suffix}"), SUFFIXES)
    if len(data) > 4 * LONGEST:
        raise FormatError(f"a file of {len(data)} bytes; at most {4 * LONGEST} are read")
    if suffix.lower() in LOG:
        return Book(read_log(data, audit=audit))
    if suffix.lower() in TREES:
        return parse_sgf(_decoded(data))
    if suffix.lower() in ARCHIVES:
        return parse_xg(data)
    return parse_mat(_decoded(data))


def write_match(
    match: Match | Book, path: str | os.PathLike[str], players: tuple[str, str] = ("Player 1", "Player 2")
) -> None:
    """Write a match; the file is complete or as it was before. FormatError for a suffix that is not written."""
    path = Path(path)
    _check_suffix(path, WRITTEN)
    book = match if isinstance(match, Book) else Book(match, players)
    data = format_book(book, path.suffix.lower())
    beside = path.with_name(f".{path.name}.new")
    beside.write_bytes(data)
    beside.replace(path)


def format_book(book: Book, suffix: str) -> bytes:
    """The content of a file with this suffix, in lower case with its dot."""
    if suffix in LOG:
        return write_log(book.match)
    return (format_sgf(book) if suffix in TREES else format_mat(book)).encode("utf-8")


def _check_suffix(path: Path, known: tuple[str, ...]) -> None:
    if path.suffix.lower() not in known:
        raise FormatError(f"{path.name!r} ends with {path.suffix or 'no suffix'!r}; known: {', '.join(known)}")


def _decoded(data: bytes) -> str:
    """UTF-8, or what older programs wrote on Western European machines."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")
