"""A folder that matches are written into, one file each: what stands there already is not written over. The first match makes the folder."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from barpoint.error import BarpointError
from barpoint.record import Book, format_book, match_digest, read_matches
from barpoint.record.file import write_whole


@dataclass(frozen=True, slots=True)
class AddedMatch:
    """The file of a match. is_new: it was written now, else it stood there before. taken: the first name that another file had, or ""."""

    name: str
    is_new: bool
    taken: str = ""


class MatchFolder:
    """A folder and the suffix of what is written there. Names that differ in capital letters only count as the same."""

    def __init__(self, folder: Path, suffix: str) -> None:
        self._folder, self._suffix = folder, suffix
        self._written: set[str] = set()
        self._found: set[str] = set()
        self._there: dict[str, tuple[str, ...]] = {}

    def add(self, stem: str, book: Book) -> AddedMatch:
        """Writes a match under this name, with the next free number where it is taken, unless a file so called holds the same one.

        FormatError where the format cannot hold it.
        """
        data = format_book(book, self._suffix)
        same: set[str] = set()
        taken = ""
        for number in count(1):
            name = f"{stem}{self._suffix}" if number == 1 else f"{stem}-{number}{self._suffix}"
            if name.lower() in self._written:
                continue
            if not os.path.lexists(self._folder / name):
                if name.lower() in self._found:
                    continue
                break
            same = same or digests_of(book, data, self._suffix)
            there = self._digests_of(name)
            if len(there) == 1 and there[0] in same:
                self._found.add(name.lower())
                return AddedMatch(name, is_new=False)
            taken = taken or name
        self._folder.mkdir(parents=True, exist_ok=True)
        write_whole(self._folder / name, data)
        self._written.add(name.lower())
        return AddedMatch(name, is_new=True, taken=taken)

    def _digests_of(self, name: str) -> tuple[str, ...]:
        """The digests of the matches in a file that stood there before; () for what is no file of matches."""
        if name not in self._there:
            self._there[name] = digests_in(self._folder / name)
        return self._there[name]


def digests_of(book: Book, data: bytes, suffix: str) -> set[str]:
    """The digests of a match, and of what is read back of it from a format, which may leave something out. data: the match in that format."""
    return {*_digests([book]), *_digests(read_matches(data, suffix=suffix))}


def digests_in(path: Path) -> tuple[str, ...]:
    """The digests of the matches in a file; () for what is no file of matches."""
    try:
        return _digests(read_matches(path)) if path.is_file() else ()
    except (BarpointError, OSError):
        return ()


def _digests(books: Iterable[Book]) -> tuple[str, ...]:
    return tuple(match_digest(book.match, book.players) for book in books)
