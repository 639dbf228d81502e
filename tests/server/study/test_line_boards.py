"""A match entered at the board, line by line: the lines are those of the match, and only the board of the line counts."""

from __future__ import annotations

import pytest

from barpoint.game import Event, PlayMade, Roll
from barpoint.match import Match
from barpoint.record import Book
from barpoint.record.turn_lines import lines_of, read_lines
from barpoint.server.study.line_boards import MAX_KEPT, STEP, Entry, LineBoard, LineBoards
from barpoint.server.study.recordings import Recording, of_book
from tests.record.test_random_matches import MATCHES, random_match
from tests.support.recorded import played

PLAYERS = ("Anna", "Ben")
SHARED = LineBoards()
TURNS = ["opening 3-1", "Anna: 8/5 6/5", "Ben: 64 24/14", "Anna: 52 13/8 13/11", "Ben: double", "Anna: pass"]


def recording(match: Match) -> Recording:
    return of_book(str(match.terms), Book(match, PLAYERS), 0)


def of_lines(lines: list[str], **terms: bool) -> Recording:
    begun = Match.start(length=3, **terms)  # type: ignore[arg-type]
    return recording(read_lines(begun, lines, PLAYERS, {}).match)


@pytest.mark.parametrize("number", range(MATCHES))
def test_a_random_match_that_is_entered_event_by_event_has_its_lines(number: int) -> None:
    match = random_match(number)
    empty, boards = recording(Match.start(rules=match.rules, terms=match.terms)), LineBoards()
    lines, at = list[str](), 0
    for event in match.events:
        found = boards.at(empty, 0, lines, at, Entry(event))
        lines[found.at : found.at + 1], at = found.written, found.line
    assert lines == [line.text for line in lines_of(match, PLAYERS)]


def at(of: Recording, lines: list[str], line: int, event: Event | None = None) -> LineBoard:
    """What is kept of questions before changes no answer."""
    found = LineBoards().at(of, 0, lines, line, Entry(event))
    again = SHARED.at(of, 0, lines, line, Entry(event))
    assert plain(again) == plain(found)
    return found


def plain(found: LineBoard) -> tuple[object, ...]:
    return found.at, found.written, found.line, found.shown, found.roll, found.wrong and tuple(map(str, found.wrong))


def faces(found: LineBoard) -> tuple[int, ...]:
    return found.shown.dice.faces if found.shown.dice else ()


def test_a_line_is_shown_with_its_roll_which_can_be_entered_again_and_a_play_takes_the_place_of_the_old_one() -> None:
    of = of_lines(TURNS)
    shown = at(of, TURNS, 2)
    assert (faces(shown), shown.shown.to_act) == ((6, 4), "far")
    assert shown.roll == at(of, [*TURNS[:2], ""], 2).shown.roll != shown.shown.roll
    rolled = at(of, TURNS, 2, Roll(1, (2, 1)))
    assert (rolled.written, rolled.line, rolled.wrong) == (("Ben: 21",), 2, None)
    played = at(of, [*TURNS[:2], "Ben: 21", *TURNS[3:]], 2, PlayMade(1, ((13, 11, 2), (6, 5, 1))))
    assert (played.written, played.line, played.wrong) == (("Ben: 21 13/11 6/5",), 3, None)
    assert faces(played) == (5, 2), "the next line is due"


def test_what_follows_and_is_not_possible_any_more_is_told_and_so_is_what_stands_before() -> None:
    of = of_lines(TURNS)
    changed = at(of, TURNS, 2, PlayMade(1, ((24, 18, 6), (13, 9, 4))))
    assert (changed.written, changed.wrong) == (("Ben: 64 24/18 13/9",), None)
    taken = at(of, TURNS, 4, Roll(1, (6, 6)))
    assert (taken.written, taken.wrong) == (("Ben: 66",), None), "it waits for the play"
    made = [*TURNS[:4], "Ben: 66", *TURNS[5:]]
    after = at(of, made, 4, PlayMade(1, ()))
    assert after.written == ("Ben: 66 (no play)",)
    assert after.wrong
    assert after.wrong[0] == "Anna: pass"
    before = at(of, [*TURNS[:2], "Ben: 62 24/14", *TURNS[3:]], 5)
    assert (before.line, before.wrong and before.wrong[0]) == (2, "Ben: 62 24/14")
    assert faces(before) == (6, 2)
    entered = at(of, [*TURNS[:2], "Ben: 62 24/14", *TURNS[3:]], 4, Roll(1, (6, 6)))
    assert plain(entered) == plain(before), "nothing is entered at another line than it was meant for"


def test_lines_that_have_been_read_are_read_again_only_from_a_change_on() -> None:
    match = played("backgammon", 5, 3, events=150)
    of, lines, last = recording(match), [line.text for line in lines_of(match, PLAYERS)], Entry()
    count = len(lines)
    assert count > STEP, "there are marks between its lines"
    boards = LineBoards()
    assert boards.unread(of, 0, lines, count, last) == len(match.events) + count
    for line in (count, 3, STEP, STEP + 1, count, 0):
        assert plain(boards.at(of, 0, lines, line, last)) == plain(LineBoards().at(of, 0, lines, line, last))
    assert boards.unread(of, 0, lines, count, last) == 0
    changed = [*lines[:5], "", *lines[5:]]
    assert boards.unread(of, 0, changed, count + 1, last) == count + 1 - 5
    assert boards.unread(of, 0, changed, 5, Entry(PlayMade(0, ()))) == count + 1 - 5, "what follows"
    for text in (changed, [*lines[:5], "what?", *lines[6:]], lines, [*lines, "what?"], lines[:7]):
        for line in (len(text), STEP + 1, 6):
            assert plain(boards.at(of, 0, text, line, last)) == plain(LineBoards().at(of, 0, text, line, last))
    for first in range(1, MAX_KEPT + 1):
        boards.at(of, first, [], 0, last)
    assert boards.unread(of, 0, lines, 0, last) == len(match.events), "it was kept, and is no more"
    assert boards.unread(of, 1, lines, 0, last) == 0


@pytest.mark.parametrize("manual", [True, False])
def test_any_checker_goes_anywhere_only_where_the_record_may_hold_plays_against_the_rules(manual: bool) -> None:
    turn = at(of_lines(TURNS, manual=manual), TURNS, 1).shown.turn
    assert turn is not None
    assert bool(turn.free) == manual
