"""Two files of the same match in one book: the events of the first, what both say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest

from barpoint.error import FormatError
from barpoint.game import Accept, Event, Next, Opening, Resign, Roll
from barpoint.match import Match
from barpoint.record import Book, format_book, match_digest, parse_book, parse_mat
from barpoint.record.annotation import Annotation, EvaluatedCube, EvaluatedPlay
from barpoint.record.digest import counted_events
from barpoint.record.merged_notes import merged_notes
from tests.record.test_mat import MATCH
from tests.support.recorded import played

BOOK = parse_mat(MATCH)
PLAY, OTHER_PLAY = EvaluatedPlay(((8, 5), (6, 5)), 0.1), EvaluatedPlay(((24, 23), (13, 10)), -0.1)
CUBE = EvaluatedCube(0.5, 0.4, 1.0)


def said(book: Book, notes: dict[int, Annotation | str], program: str = "") -> Book:
    found = {number: Annotation(one) if isinstance(one, str) else one for number, one in notes.items()}
    return replace(book, annotations=found, program=program)


def with_a_tie(book: Book) -> Book:
    """The same match with a tied opening roll in front."""
    match = Match.start(rules=book.match.rules, terms=book.match.terms).apply(Opening((4, 4)))
    for event in book.match.events:
        match = match.apply(event)
    tied = replace(book, match=match)
    assert match_digest(tied.match, tied.players) == match_digest(book.match, book.players)
    return tied


def ended(*events: Event) -> Match:
    match = Match.start(3)
    for event in events:
        match = match.apply(event)
    return match


def test_notes_follow_their_events_past_a_tie_that_only_one_file_has() -> None:
    tied = with_a_tie(BOOK)
    rolls = [number for number, event in enumerate(BOOK.match.events, start=1) if isinstance(event, Roll)]
    notes: dict[int, Annotation | str] = {number: f"roll {number}" for number in rolls}
    assert merged_notes(BOOK, said(tied, {number + 1: one for number, one in notes.items()})) == said(BOOK, notes)
    back = merged_notes(tied, said(BOOK, notes))
    assert back == said(tied, {number + 1: one for number, one in notes.items()})


def test_a_comment_on_an_event_that_the_first_file_lacks_stands_beside_it() -> None:
    tied = with_a_tie(BOOK)
    merged = merged_notes(BOOK, said(tied, {1: "What a start", 2: "31"}))
    assert merged.annotations == {1: Annotation("What a start\n31")}
    assert merged.match == BOOK.match


def test_a_comment_on_a_resignation_stands_at_the_same_one_or_at_what_came_before() -> None:
    begun, more = (Opening((6, 1)), Resign(0, 1), Accept(1)), (Next(), Opening((2, 2)), Opening((5, 2)))
    long, short = Book(ended(*begun, *more)), Book(ended(*begun, Next(), Opening((5, 2))))
    assert match_digest(long.match, long.players) == match_digest(short.match, short.players)
    noted = said(long, {2: "Enough", 3: "Yes", 4: "Again", 5: "A tie", 6: "52"})
    assert merged_notes(short, noted) == said(short, {2: "Enough", 3: "Yes", 4: "Again", 5: "A tie\n52"})


def test_comments_are_joined_and_none_is_said_twice() -> None:
    first, second = said(BOOK, {2: "Clear", 3: "Bold"}), said(BOOK, {2: "Was it?", 4: "Lucky"})
    merged = merged_notes(first, second)
    assert merged == said(BOOK, {2: "Clear\nWas it?", 3: "Bold", 4: "Lucky"})
    for again in (first, second, merged):
        assert merged_notes(merged, again) == merged
    assert merged_notes(said(BOOK, {2: "not good"}), said(BOOK, {2: "good"})) == said(BOOK, {2: "not good\ngood"})


def test_an_analysis_takes_the_place_of_another_only_where_there_is_one() -> None:
    first = said(BOOK, {2: Annotation("Clear", (OTHER_PLAY,), CUBE), 4: Annotation(plays=(OTHER_PLAY,))}, "GNU")
    merged = merged_notes(first, said(BOOK, {2: Annotation(plays=(PLAY,))}, "XG"))
    assert merged.annotations == {2: Annotation("Clear", (PLAY,), CUBE), 4: Annotation(plays=(OTHER_PLAY,))}


@pytest.mark.parametrize(
    ("notes", "others", "program"),
    [
        ([2], [4], "GNU, XG"),
        ([2], [2, 4], "XG"),
        ([2], [], "GNU"),
        ([], [2], "XG"),
    ],
)
def test_the_programs_are_named_whose_analyses_stay(notes: Sequence[int], others: Sequence[int], program: str) -> None:
    judged = Annotation(plays=(PLAY,))
    first, second = (
        said(BOOK, dict.fromkeys(notes, judged), "GNU"),
        said(BOOK, dict.fromkeys(others, judged), "XG"),
    )
    merged = merged_notes(first, second)
    assert merged.program == program
    assert merged_notes(merged, second).program == program


def test_events_and_terms_and_names_and_facts_of_the_first_stay_though_the_other_has_the_seats_the_other_way_round() -> (
    None
):
    first = Match.start(0, jacoby=True).apply(Opening((6, 1)))
    second = Match.start(0, jacoby=False, beavers=2).apply(Opening((3, 3))).apply(Opening((1, 6)))
    book, other = Book(first, ("Anna", "Ben")), Book(second, ("ben", "anna"), {"Event": "Club"})
    assert match_digest(first, book.players) == match_digest(second, other.players)
    assert merged_notes(book, said(other, {2: "Well"})) == said(book, {1: "Well"})


@pytest.mark.parametrize("suffix", [".mat", ".sgf", ".xg"])
@pytest.mark.parametrize("name", ["backgammon", "roll-over", "acey-deucey"])
@pytest.mark.parametrize("length", [0, 3])
def test_notes_of_a_file_stand_at_the_same_events_whatever_its_format(name: str, length: int, suffix: str) -> None:
    match = played(name, length, seed=4, events=200)
    try:
        back = parse_book(format_book(Book(match), suffix), suffix).match
    except FormatError:
        assert (name, suffix) != ("backgammon", ".xg")
        return
    notes: dict[int, Annotation | str] = {number: f"<{number}>" for number in range(1, len(back.events) + 1)}
    merged = merged_notes(Book(match), said(Book(back), notes))
    found = re.findall("<[0-9]+>", "\n".join(one.comment for _, one in sorted(merged.annotations.items())))
    assert sorted(found) == sorted(map(str, notes.values()))
    for ours, theirs in zip(counted_events(match), counted_events(back), strict=True):
        assert f"<{theirs}>" in merged.annotations[ours].comment
