"""What the file of an imported match says about its events, in sentences for its replay."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

from msgspec import Struct

from barpoint.analysis.other_verdicts import equities_text, other_findings, verdict_text
from barpoint.language import _
from barpoint.record import Book

SHOWN = 3
"""Plays of a decision that are shown, besides the one that was made."""


class FileNote(Struct, frozen=True):
    """What the file says about an event. seq: its number, from 1. lines: in the reader's language."""

    seq: int
    lines: tuple[str, ...]


class FileVerdict(Struct, frozen=True):
    """What the program that wrote the file says of a decision. event, kind: as in reports. best: its best choice, named as there.

    lines: the verdict and the equities, in the reader's language.
    """

    event: int
    kind: str
    best: str
    lines: tuple[str, ...]


def file_notes(book: Book) -> tuple[FileNote, ...]:
    """The comments in the file of a book, event by event."""
    return tuple(
        FileNote(seq, (_("From the file: %(text)s", text=one.comment),))
        for seq, one in sorted(book.annotations.items())
        if one.comment
    )


def file_verdicts(book: Book) -> tuple[FileVerdict, ...]:
    """The analyses in the file of a book, decision by decision."""
    found = other_findings(book)
    if found is None:
        return ()
    return tuple(
        FileVerdict(one.event, one.kind, one.best.text, (verdict_text(found.program, one), equities_text(one, SHOWN)))
        for one in found.verdicts
    )


def file_lines(book: Book, event: int) -> tuple[str, ...]:
    """All that the file says of one event."""
    near = {
        seq: one for seq, one in book.annotations.items() if abs(seq - event) <= 1
    }  # as far away as a verdict stands in files
    short = replace(book, annotations=near)
    notes = (one.lines for one in file_notes(short) if one.seq == event)
    verdicts = (one.lines for one in file_verdicts(short) if one.event == event)
    return tuple(chain.from_iterable((*notes, *verdicts)))
