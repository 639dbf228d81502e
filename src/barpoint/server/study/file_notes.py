"""What the file of an imported match says about its events, or a text about its position, in sentences for pages."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

from msgspec import Struct

from barpoint.analysis.findings import OtherOption
from barpoint.analysis.other_verdicts import equities_text, lines_on, other_findings, verdict_on, verdict_text
from barpoint.language import _
from barpoint.record import Book
from barpoint.record.annotation import AnnotatedPosition
from barpoint.record.text_annotations import format_annotated
from barpoint.rules import Rules

SHOWN = 3
"""Plays of a decision that are shown, besides the one that was made."""

SHOWN_OF_POSITION = 5
"""Plays that are shown of a single position."""

MAX_SUMMARY = 160
"""Characters of a comment where a line is all that is shown of a position."""


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


class OtherShown(Struct, frozen=True, omit_defaults=True):
    """What another program says of one decision. lines: in the reader's language, the comment of a file among them. options, cube: as in
    `OtherVerdict`, to stand beside ours.
    """

    program: str = ""
    lines: tuple[str, ...] = ()
    options: tuple[OtherOption, ...] = ()
    cube: tuple[float, ...] = ()


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


def said_of_event(book: Book, event: int) -> OtherShown:
    """All that the file says of one event."""
    near = {
        seq: one for seq, one in book.annotations.items() if abs(seq - event) <= 1
    }  # as far away as a verdict stands in files
    short = replace(book, annotations=near)
    notes = (one.lines for one in file_notes(short) if one.seq == event)
    verdicts = (one.lines for one in file_verdicts(short) if one.event == event)
    found = other_findings(short)
    verdict = next((one for one in found.verdicts if one.event == event), None) if found else None
    lines = tuple(chain.from_iterable((*notes, *verdicts)))
    return OtherShown(book.program, lines, verdict.options, verdict.cube) if verdict else OtherShown(lines=lines)


def said_of_position(what: AnnotatedPosition, rules: Rules) -> OtherShown | None:
    """All that a text or file says of the decision in its position; None for nothing."""
    lines, verdict = position_lines(what, rules), verdict_on(what, rules)
    if verdict is None:
        return OtherShown(lines=lines) if lines else None
    return OtherShown(what.program, lines, verdict.options, verdict.cube)


def position_lines(what: AnnotatedPosition, rules: Rules) -> tuple[str, ...]:
    """The comment of a position that was read, and what another program found there, in the reader's language."""
    said = what.annotation.comment
    comment = (_("From the file: %(text)s", text=said),) if said else ()
    return (*comment, *lines_on(what, rules, SHOWN_OF_POSITION))


def position_summary(what: AnnotatedPosition, rules: Rules) -> str:
    """What another program finds best in a position that was read, or else the beginning of its comment; "" where nothing is said."""
    if found := lines_on(what, rules, SHOWN_OF_POSITION):
        return found[0]
    return " ".join(what.annotation.comment.split())[:MAX_SUMMARY]


def shown_text(what: AnnotatedPosition) -> str:
    """A position as a text that `parse_annotated` reads, with what pages show of its analysis: some plays, no chances, the comment. FormatError."""
    return format_annotated(what.shortened(SHOWN_OF_POSITION))
