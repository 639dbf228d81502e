"""Names, facts, comments and analyses in our own log, under `notes`: what `match/log.py` carries without reading it."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from barpoint.error import FormatError
from barpoint.game import Event, PlayMade
from barpoint.match import read_log, write_log
from barpoint.record.annotation import MAX_COMMENT, MAX_PLAYS, Annotation, Annotations
from barpoint.record.book import DEFAULT_NAMES, Book


class Notes(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a book says beyond its events; as in `Book`."""

    annotations: Annotations = {}
    program: str = ""
    players: tuple[str, str] = DEFAULT_NAMES
    facts: dict[str, str] = {}


class _Noted(msgspec.Struct, frozen=True):
    """The part of a log that this module reads."""

    notes: Notes = Notes()


def book_log(book: Book, max_plays: int = MAX_PLAYS) -> bytes:
    """The log of a book, with all that `Book` holds but its oddities; of each decision at most so many plays, and the one that was made."""
    events = book.match.events
    kept = {
        number: _shorter(one, events[number - 1], max_plays)
        for number, one in book.annotations.items()
        if 0 < number <= len(events)
    }
    notes = Notes(kept, book.program, book.players, book.facts)
    return write_log(book.match, b"" if notes == Notes() else msgspec.json.encode(notes))


def _shorter(one: Annotation, event: Event, max_plays: int) -> Annotation:
    made = [move[:2] for move in event.moves] if isinstance(event, PlayMade) else None
    others = (play for play in one.plays[max_plays:] if made is not None and play.leads_where(made))
    return replace(one, plays=(*one.plays[:max_plays], *others))


def parse_book_log(data: bytes | str, *, audit: bool = False) -> Book:
    """The book of a log; FormatError for anything else. audit: as in `read_log`."""
    match = read_log(data, audit=audit)
    try:
        notes = msgspec.json.decode(data, type=_Noted).notes
    except (msgspec.DecodeError, RecursionError) as error:
        raise FormatError("notes in a log: %(error)s", error=error) from None
    last = len(match.events)
    kept = {number: _cut(one) for number, one in notes.annotations.items() if 1 <= number <= last}
    return Book(match, notes.players, notes.facts, annotations=kept, program=notes.program[:80])


def _cut(one: Annotation) -> Annotation:
    return replace(one, comment=one.comment[:MAX_COMMENT], plays=one.plays[:MAX_PLAYS])
