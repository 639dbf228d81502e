"""Matches in files, by the suffix of the name: .json (our log), .mat and .txt (match text)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from barpoint.error import FormatError
from barpoint.match import Match, read_log, write_log
from barpoint.record.book import Book
from barpoint.record.mat_reader import LONGEST, parse_mat
from barpoint.record.mat_writer import format_mat

MATCH_TEXT: Final = (".mat", ".txt")
LOG: Final = (".json",)


def read_match(path: str | os.PathLike[str]) -> Match:
    """The match in a file; FormatError says where it goes wrong, OSError why it cannot be read."""
    return read_book(path).match


def read_book(path: str | os.PathLike[str]) -> Book:
    """The match in a file with its players and what else the file says; errors as `read_match`."""
    path = Path(path)
    _check_suffix(path)
    data = path.read_bytes()
    if len(data) > 4 * LONGEST:
        raise FormatError(f"a file of {len(data)} bytes; at most {4 * LONGEST} are read")
    if path.suffix.lower() in LOG:
        return Book(read_log(data))
    return parse_mat(_decoded(data))


def write_match(
    match: Match | Book, path: str | os.PathLike[str], players: tuple[str, str] = ("Player 1", "Player 2")
) -> None:
    """Write a match; the file is complete or as it was before. FormatError for a suffix that is not written."""
    path = Path(path)
    _check_suffix(path)
    book = match if isinstance(match, Book) else Book(match, players)
    data = write_log(book.match) if path.suffix.lower() in LOG else format_mat(book).encode("utf-8")
    beside = path.with_name(f".{path.name}.new")
    beside.write_bytes(data)
    beside.replace(path)


def _check_suffix(path: Path) -> None:
    if path.suffix.lower() not in (*LOG, *MATCH_TEXT):
        known = ", ".join((*LOG, *MATCH_TEXT))
        raise FormatError(f"{path.name!r} ends with {path.suffix or 'no suffix'!r}; known: {known}")


def _decoded(data: bytes) -> str:
    """UTF-8, or what older programs wrote on Western European machines."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")
