"""A match has one digest, whatever file it is read from; another match has another one."""

from dataclasses import replace
from itertools import islice

import pytest

from barpoint import dice
from barpoint.driver import play_match
from barpoint.error import FormatError
from barpoint.game import (
    Abort,
    Accept,
    Double,
    Event,
    Next,
    Opening,
    Pass,
    PlayMade,
    Reject,
    Resign,
    Roll,
    Settle,
    Take,
)
from barpoint.match import Match
from barpoint.record import Book, format_book, match_digest, parse_book
from barpoint.record.annotation import Annotation
from barpoint.record.digest import counted_events
from tests.support.games import AnythingAllowed

PLAYERS = ("Anna", "Ben")
TEXT = """\
 3 point match

 Game 1
 Anna : 0                        Ben : 0
  1) 31: 8/5 6/5                 64: 24/14
  2)  Doubles => 2                Takes
  3) 21: 13/11 6/5               66: 24/18(2) 13/7(2)
  4) 65: 24/13                   Resigns
      Wins 2 points
"""


def digest(text: str) -> str:
    book = parse_book(text.encode(), ".mat")
    return match_digest(book.match, book.players)


def played(*events: Event, length: int = 3, **options: bool | int) -> str:
    match = Match.start(length, **options)
    for event in events:
        match = match.apply(event)
    return match_digest(match, PLAYERS)


@pytest.mark.parametrize("suffix", [".mat", ".sgf", ".xg"])
@pytest.mark.parametrize("name", ["backgammon", "nackgammon", "hypergammon", "plakoto", "acey-deucey", "roll-over"])
@pytest.mark.parametrize("length", [0, 3])
def test_every_format_of_a_match_has_the_same_digest(name: str, length: int, suffix: str) -> None:
    players = AnythingAllowed(1), AnythingAllowed(2)
    match = list(islice(play_match(Match.start(length, name), *players, dice=dice.seeded(3)), 150))[-1]
    try:
        back = parse_book(format_book(Book(match, PLAYERS), suffix), suffix)
    except FormatError:
        assert suffix == ".xg"  # it holds backgammon of fifteen checkers alone
        assert name != "backgammon"
        return
    assert match_digest(back.match, back.players) == match_digest(match, PLAYERS)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("8/5 6/5", "6/5 8/5"),
        ("24/14", "24/18 18/14"),
        (" 31:", " 13:"),
        ("Anna ", "ANNA  "),
        (" 3 point", '; [EventDate "2026.05.03"]\n 3 point'),
        ("Resigns\n", "Resigns\n; a comment\n"),
    ],
)
def test_what_is_only_written_otherwise_does_not_count(before: str, after: str) -> None:
    assert TEXT.replace(before, after) != TEXT
    assert digest(TEXT.replace(before, after)) == digest(TEXT)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Anna", "Cleo"),
        (" 3 point", " 5 point"),
        ("Anna : 0 ", "Anna : 1 "),
        ("8/5 6/5", "13/10 6/5"),
        ("31: 8/5 6/5", "42: 8/4 6/4"),
        ("Doubles => 2                Takes\n  3)", "\n  3)"),
        ("Resigns\n      Wins 2", "Resigns\n      Wins 4"),
    ],
)
def test_what_makes_another_match_counts(before: str, after: str) -> None:
    assert TEXT.replace(before, after) != TEXT
    assert digest(TEXT.replace(before, after)) != digest(TEXT)


def test_notes_do_not_count() -> None:
    book = parse_book(TEXT.encode(), ".mat")
    noted = replace(book, annotations={2: Annotation(comment="well played")}, facts={"Event": "Monte Carlo"})
    back = parse_book(format_book(noted, ".sgf"), ".sgf")
    assert back.annotations
    assert match_digest(back.match, back.players) == digest(TEXT)


PLAY = PlayMade(0, ((8, 5, 3), (6, 5, 1)))


def test_terms_that_formats_leave_out_do_not_count() -> None:
    assert played(Opening((3, 1)), PLAY, holland=True) == played(Opening((3, 1)), PLAY)
    money = played(Opening((3, 1)), PLAY, length=0)
    assert played(Opening((3, 1)), PLAY, length=0, jacoby=True, beavers=1, stake=25) == money
    assert played(Opening((3, 1)), PLAY, length=1) != money


def test_ties_before_the_start_and_rejected_resignations_do_not_count() -> None:
    once = played(Opening((3, 1)), PLAY)
    assert played(Opening((4, 4)), Opening((3, 1)), PLAY) == once
    assert played(Opening((3, 1)), PLAY, Resign(1, 1), Reject(0)) == once
    assert played(Opening((1, 3))) != played(Opening((3, 1)))


def test_the_end_of_a_session_does_not_count() -> None:
    passed = Opening((3, 1)), PLAY, Double(1), Pass(0)
    assert played(*passed, Abort(), length=0) == played(*passed, length=0)
    assert played(*passed[:3], Take(0), length=0) != played(*passed[:3], length=0)


def test_players_may_change_their_seats() -> None:
    moves = PLAY.moves
    first = Match.start(3).apply(Opening((3, 1))).apply(PlayMade(0, moves)).apply(Roll(1, (6, 4)))
    other = Match.start(3).apply(Opening((1, 3))).apply(PlayMade(1, moves)).apply(Roll(0, (6, 4)))
    assert match_digest(first, PLAYERS) == match_digest(other, ("Ben", "Anna"))
    assert match_digest(first, PLAYERS) != match_digest(other, PLAYERS)


def test_the_events_that_count_are_as_many_in_every_match_with_the_same_digest() -> None:
    match = parse_book(TEXT.encode(), ".mat").match
    tied = Match.start(rules=match.rules, terms=match.terms).apply(Opening((4, 4)))
    for event in match.events:
        tied = tied.apply(event)
    assert match_digest(tied, PLAYERS) == match_digest(match, PLAYERS)
    assert counted_events(tied) == tuple(number + 1 for number in counted_events(match))
    left_out = {type(event) for number, event in enumerate(match.events, 1) if number not in counted_events(match)}
    assert left_out <= {Next, Resign, Accept, Settle}
    assert len(counted_events(match)) > len(match.events) // 2
