"""What two files say about the same match, in one book: the events and terms of the first, the comments and analyses of both."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace
from typing import Final

from barpoint.game import Event, Next, Opening
from barpoint.match import Match
from barpoint.record.annotation import Annotation, Annotations
from barpoint.record.book import Book
from barpoint.record.digest import counted_events

_BEFORE: Final = Next | Opening
"""Events that belong to what follows them: a tied opening roll, the beginning of a game."""


def merged_notes(book: Book, other: Book) -> Book:
    """A book with what another one says about its events. Both are of the same match, so that their digests are the same.

    Comments are joined; of the analyses of one decision that of the other book stays. Where both programs have found something that
    stays, both are named.
    """
    notes, new = dict(book.annotations), set[tuple[int, bool]]()
    for number, found in numbered_alike(other.annotations, other.match, book.match):
        notes[number] = _both(notes.get(number, Annotation()), found)
        new |= _judged({number: found})
    program = book.program
    if new:
        program = _programs(program, other.program) if _judged(book.annotations) - new else other.program
    return replace(book, annotations=notes, program=program)


def numbered_alike(notes: Annotations, match: Match, other: Match) -> list[tuple[int, Annotation]]:
    """Annotations of a match by the numbers of the same events in another one with the same digest; of an event that the other one does not
    have, the comment at the one beside it. Two may have the same number.
    """
    counted, others = counted_events(match), counted_events(other)
    assert len(counted) == len(others), "the digests are the same"
    found = []
    for number, one in sorted(notes.items()):
        at = bisect_left(counted, number)
        if at < len(counted) and counted[at] == number:
            found.append((others[at], one))
        elif same := _same_between(match.events, number, counted, other.events, others, at):
            found.append((same, one))
        elif one.comment and other.events:
            found.append((_beside(match.events[number - 1], others, at), Annotation(one.comment)))
    return found


def _same_between(
    events: tuple[Event, ...],
    number: int,
    counted: tuple[int, ...],
    other: tuple[Event, ...],
    others: tuple[int, ...],
    at: int,
) -> int:
    """The number in the other match of an event that does not count; 0 for none. at: how many that count stand before it."""
    kind, first = type(events[number - 1]), counted[at - 1] if at else 0
    begin, end = others[at - 1] if at else 0, others[at] if at < len(others) else len(other) + 1
    before = sum(type(event) is kind for event in events[first : number - 1])
    alike = [one for one in range(begin + 1, end) if type(other[one - 1]) is kind]
    return alike[before] if before < len(alike) else 0


def _beside(event: Event, others: tuple[int, ...], at: int) -> int:
    """The number of the event that stands where one is missing. at: how many of the others stand before it."""
    if not others:
        return 1
    follows = at == 0 or (isinstance(event, _BEFORE) and at < len(others))
    return others[at] if follows else others[at - 1]


def _both(one: Annotation, other: Annotation) -> Annotation:
    """What both say of the same event; nothing twice."""
    said = f"\n{other.comment.strip()}\n" in f"\n{one.comment}\n"
    joined = one if said or not other.comment else one.with_comment(other.comment)
    return replace(joined, plays=other.plays or one.plays, cube=other.cube or one.cube)


def _judged(notes: Annotations) -> set[tuple[int, bool]]:
    """What has been analysed: the numbers of events, each with whether it is the cube or the play."""
    plays = {(number, False) for number, one in notes.items() if one.plays}
    return plays | {(number, True) for number, one in notes.items() if one.cube}


def _programs(one: str, other: str) -> str:
    return one if other in one else f"{one}, {other}" if one else other
