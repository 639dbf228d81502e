"""Matches to write in the formats of other programs, and the expected result of reading them back."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

from barpoint import dice
from barpoint.driver import play_match
from barpoint.match import Match
from barpoint.record import Book
from tests.support.games import AnythingAllowed


def played(name: str, length: int, seed: int, events: int = 2000, **options: bool | int) -> Match:
    """A match between two random players, aborted after this many events."""
    match = Match.start(length=length, rules=name, **options)
    states = play_match(match, AnythingAllowed(seed), AnythingAllowed(seed + 1000), dice=dice.seeded(seed))
    return list(islice(states, events))[-1]


def comes_back(book: Book, write: Callable[[Book], str], read: Callable[[str], Book]) -> None:
    """Checks that a written match reads back with everything the format can express, and is written again the same."""
    text, match = write(book), book.match
    back = read(text)
    assert (back.players, back.facts) == (book.players, book.facts)
    assert (back.match.rules, back.match.terms) == (match.rules, match.terms)
    assert (back.match.score, back.match.winner) == (match.score, match.winner)
    assert back.match.game.seen_by(0) == match.game.seen_by(0)
    assert back.match.game.tokens == match.game.tokens
    assert write(back) == text
