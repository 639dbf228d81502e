"""Match files: .json (our log), .mat and .txt (match text), .sgf and .xg; .ogxm and .bgf, which are read only.

They are written by suffix, and read by what their first bytes show, else by suffix.
"""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Final

from barpoint.atomic_file import replacing
from barpoint.error import ArgumentError, FormatError, check_kind
from barpoint.language import Said
from barpoint.match import Match
from barpoint.record.annotation import numbered_as
from barpoint.record.bgf_reader import parse_bgf
from barpoint.record.book import DEFAULT_NAMES, Book
from barpoint.record.kept_log import kept_match, same_match, text_with_log, tree_texts, tree_with_log
from barpoint.record.log_notes import book_log, parse_book_log
from barpoint.record.mat_reader import LENGTH, MAX_FILE_LENGTH, mat_texts, parse_mat, parse_mat_matches
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

_SHOWN_BYTES: Final = 4000
"""Bytes in which a file shows its format: the facts in front of a match text fill some of them."""

_CHARSET: Final = re.compile(
    rb"\(;[^(]{0,400}?CA\[(iso-?8859-(?:1[013-6]|[1-9])|windows-125[0-8]|koi8-[ru]|shift_jis|euc-(?:jp|kr)|gb(?:k|2312|18030)|big5)\]",
    re.IGNORECASE,
)
"""The encoding that SGF says it is in."""

_BGF = re.compile(rb"(?:\xef\xbb\xbf)?\{[^\n]*\}\r?\n(?:\x1f\x8b|\x78[\x01\x5e\x9c\xda]|:\)\n)")
"""A line of JSON, then what is packed by gzip or zlib, or Smile."""


def read_match(source: str | os.PathLike[str] | bytes, *, strict: bool = False, suffix: str = "") -> Book:
    """Reads the match in a file, with its players, other facts, and what is odd about it.

    source: a path, or the content of a file, as bytes, with this suffix. The format that the content shows counts before the
    suffix, of the path too. strict: refuse whatever is odd. ArgumentError for a suffix besides a path, FormatError says
    where it is wrong, OSError why it cannot be read.
    """
    if isinstance(source, bytes):
        return parse_book(source, suffix, strict=strict)
    path = _path(source, suffix)
    return parse_book(path.read_bytes(), path.suffix, strict=strict, name=path.name)


def read_matches(
    source: str | os.PathLike[str] | bytes, *, strict: bool = False, suffix: str = "", name: str = ""
) -> tuple[Book, ...]:
    """Reads all matches in a file, each as `read_match`; match text and SGF can hold several.

    name: of the file that the content is of, for errors.
    """
    if isinstance(source, bytes):
        return parse_books(source, suffix, strict=strict, name=name)
    path = _path(source, suffix)
    return parse_books(path.read_bytes(), path.suffix, strict=strict, name=path.name)


def _path(source: str | os.PathLike[str], suffix: str) -> Path:
    """The path of a file; ArgumentError for another kind of source, for the text of a match, and for a suffix besides a path."""
    check_kind("source", source, str, os.PathLike, bytes)
    if isinstance(source, str) and "\n" in source and not os.path.exists(source):
        raise ArgumentError(
            "source is a text of %(count)s lines; a path is a str, the content of a file is given as bytes: text.encode()",
            count=len(source.splitlines()),
        )
    if suffix:
        raise ArgumentError(
            "suffix %(suffix)r besides a path; it says of what format a content is, which is given as bytes",
            suffix=suffix,
        )
    return Path(source)


def parse_book(data: bytes, suffix: str, *, strict: bool = False, audit: bool = False, name: str = "") -> Book:
    """Parses the first match of a file with this suffix; FormatError says where it is wrong.

    strict: refuse whatever is odd. audit: check the plays of our own log against today's rules too; those of other formats are always checked.
    name: of the file, for errors.
    """
    first, *others = parse_books(data, suffix, strict=strict, audit=audit, name=name)
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


def parse_books(
    data: bytes, suffix: str, *, strict: bool = False, audit: bool = False, name: str = ""
) -> tuple[Book, ...]:
    """Parses all matches of a file with this suffix, each as `parse_book`. name: of the file, for errors."""
    suffix = shown_format(data) or suffix
    _check_suffix(suffix, SUFFIXES, name)
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


def shown_format(data: bytes) -> str:
    """The suffix of the format that a content is unmistakably of; "" for what shows none."""
    if data.startswith(b"RGMH"):
        return ARCHIVES[0]
    if data.startswith(b"OGXM"):
        return OGXM[0]
    if _BGF.match(data):
        return BGF[0]
    begun = _decoded(data[:_SHOWN_BYTES]).lstrip("\ufeff \t\r\n")
    if begun.startswith("(;"):
        return TREES[0]
    if begun.startswith("{"):
        return LOG[0] if b'"barpoint-match"' in data else ""
    return MATCH_TEXT[0] if LENGTH.search(begun.partition("(;")[0]) else ""


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


def write_match(match: Match | Book, path: str | os.PathLike[str], players: tuple[str, str] = DEFAULT_NAMES) -> None:
    """Writes a match atomically: the file is complete or unchanged.

    FormatError for a suffix that cannot be written, ArgumentError for other than two names, OSError why the file cannot be.
    """
    check_kind("match", match, Match, Book)
    check_kind("path", path, str, os.PathLike)
    path = Path(path)
    _check_suffix(path.suffix, WRITTEN, path.name)
    book = match if isinstance(match, Book) else Book(match, players)
    write_whole(path, format_book(book, path.suffix.lower()))


def write_whole(path: Path, data: bytes) -> None:
    """Writes a file that is complete or unchanged; OSError with its name says why it cannot be."""
    with replacing(path) as out:
        out.write(data)


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


def _check_suffix(suffix: str, known: tuple[str, ...], name: str) -> None:
    """FormatError for a suffix that is not known. name: of the file; "" for the content of one."""
    if suffix.lower() in known:
        return
    allowed = ", ".join(known)
    if name and suffix:
        raise FormatError("%(name)r ends with %(value)r; known: %(allowed)s", name=name, value=suffix, allowed=allowed)
    if name:
        raise FormatError("%(name)r has no suffix; known: %(allowed)s", name=name, allowed=allowed)
    if suffix:
        raise FormatError("content with the suffix %(value)r; known: %(allowed)s", value=suffix, allowed=allowed)
    raise FormatError("content without a suffix to say its format; known: %(allowed)s", allowed=allowed)


def _decoded(data: bytes) -> str:
    """The text of a file, without the marks with which files begin, also those that were put together to this one."""
    return _characters(data).replace("\ufeff", "")


def _characters(data: bytes) -> str:
    """Decodes UTF-8, UTF-16, what SGF says it is in, or what older programs wrote on Western European machines."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", errors="replace")
    if len(data) > 3 and not (data[1] or data[3]):
        return data.decode("utf-16-le", errors="replace")
    if len(data) > 3 and not (data[0] or data[2]):
        return data.decode("utf-16-be", errors="replace")
    try:
        return data.decode()
    except UnicodeDecodeError:
        said = _CHARSET.match(data.lstrip()[:_SHOWN_BYTES])
        return data.decode(said[1].decode() if said else "cp1252", errors="replace")
