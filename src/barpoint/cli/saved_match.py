"""The file in which `barpoint play --save` keeps a match: what it holds, and whether that was asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from barpoint.error import FormatError, StoreError
from barpoint.match import Match
from barpoint.record import WRITTEN, Book, read_matches, write_match
from barpoint.record.file import ARCHIVES
from barpoint.rules import Rules

KEPT: Final = tuple(suffix for suffix in WRITTEN if suffix not in ARCHIVES)
"""Suffixes of formats that hold every moment of a match; .xg has no place for a double that waits for its answer."""


def check_kept(save: Path) -> None:
    """FormatError for a file in which a match cannot be kept while it is played."""
    if save.suffix.lower() not in KEPT:
        raise FormatError(
            "%(name)r cannot keep a match while it is played; allowed: %(allowed)s",
            name=save.name,
            allowed=", ".join(KEPT),
        )


def saved_book(save: Path) -> Book:
    """The match in a file, in whatever format; FormatError, also for several matches."""
    first, *others = read_matches(save)
    if others:
        raise FormatError(
            "%(file)s holds %(count)s matches; only a single one can go on", file=save, count=1 + len(others)
        )
    return first


def check_asked(
    save: Path, match: Match, rules: Rules | None, length: int | None, jacoby: bool, beavers: int | None, manual: bool
) -> None:
    """FormatError for options that contradict the match in the file; None and False were not given."""
    terms = match.terms
    given = (
        (f"--variant {rules.name if rules else ''}", rules is not None and rules != match.rules),
        (f"--length {length}", length is not None and length != terms.length),
        ("--jacoby", jacoby and not terms.jacoby),
        (f"--beavers {beavers}", beavers is not None and beavers != terms.beavers),
        ("--manual", manual and not terms.manual),
    )
    wrong = [option for option, contradicts in given if contradicts]
    if wrong:
        held = [f"--variant {match.rules.name}", f"--length {terms.length}", *("--jacoby",) * terms.jacoby]
        held += [f"--beavers {terms.beavers}"] * bool(terms.beavers) + ["--manual"] * terms.manual
        raise FormatError(
            "%(given)s: the match in %(file)s has %(held)s; leave it out, or save in another file",
            given=" ".join(wrong),
            file=save,
            held=" ".join(held),
        )


def keep(book: Book, save: Path) -> None:
    """Writes the match in the format of the suffix; a crash leaves the old file or the new one."""
    try:
        write_match(book, save)
    except OSError as error:
        raise StoreError(
            "the match cannot be saved in %(save)s: %(strerror)s", save=save, strerror=error.strerror
        ) from None
