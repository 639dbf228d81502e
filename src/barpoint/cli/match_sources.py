"""The matches that a command is given: files, folders and zips, or standard input."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from barpoint.cli.position import STANDARD_INPUT
from barpoint.error import FormatError
from barpoint.language import N_
from barpoint.record import SUFFIXES, Book, match_files
from barpoint.record.collection import MAX_MEMBER_BYTES, ZIP, MatchFile

MatchPaths = Annotated[
    list[Path],
    typer.Argument(
        metavar=N_("FILE..."),
        help=N_("Matches: .mat, .txt, .sgf, .xg, .json; folders and zips of them; - reads standard input."),
    ),
]
"""The argument of commands that read matches."""


def given_files(paths: Iterable[Path]) -> list[MatchFile]:
    """The match files of the paths, "-" for standard input; FormatError where there is none."""
    found: list[MatchFile] = []
    given = list(paths)
    for path in given:
        if str(path) == STANDARD_INPUT:
            data = sys.stdin.buffer.read(MAX_MEMBER_BYTES + 1)
            if not data.strip():
                raise FormatError("standard input is empty; a match is read from it")
            found.append(MatchFile(STANDARD_INPUT, data))
        else:
            found += match_files([path])
    if not found:
        raise FormatError(
            "no match in %(paths)s; known: %(allowed)s",
            paths=", ".join(map(str, given)),
            allowed=", ".join((*SUFFIXES, ZIP)),
        )
    return found


def name_in_errors(file: MatchFile) -> str:
    """The name of a file, "" for standard input, which errors call content."""
    return "" if file.name == STANDARD_INPUT else file.name


def printable_name(file: MatchFile) -> str:
    """The name of a file as text of Unicode, also where the disk has one that is none."""
    return file.name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def show_oddities(name: str, book: Book) -> None:
    """Lists on standard error what was odd about a file."""
    for oddity in book.oddities:
        typer.echo(f"{name}: {oddity.translated()}", err=True)
