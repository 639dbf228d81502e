"""A match entered at the board, line by line: the lines are those of the match, and only the board of the line counts."""

from __future__ import annotations

import pytest

from barpoint.game import Event, PlayMade, Roll
from barpoint.match import Match
from barpoint.record import Book
from barpoint.record.turn_lines import lines_of, read_lines
from barpoint.server.study.line_boards import Entry, LineBoard, LineBoards
from barpoint.server.study.recordings import Recording, of_book
from tests.record.test_random_matches import MATCHES, random_match

PLAYERS = ("Anna", "Ben")
TURNS = ["opening 3-1", "Anna: 8/5 6/5", "Ben: 64 24/14", "Anna: 52 13/8 13/11", "Ben: double", "Anna: pass"]


def recording(match: Match) -> Recording:
    return of_book("review", Book(match, PLAYERS), 0)


def of_lines(lines: list[str], **terms: bool) -> Recording:
    begun = Match.start(length=3, **terms)  # type: ignore[arg-type]
    return recording(read_lines(begun, lines, PLAYERS, begun).match)


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
    return LineBoards().at(of, 0, lines, line, Entry(event))


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


@pytest.mark.parametrize("manual", [True, False])
def test_any_checker_goes_anywhere_only_where_the_record_may_hold_plays_against_the_rules(manual: bool) -> None:
    turn = at(of_lines(TURNS, manual=manual), TURNS, 1).shown.turn
    assert turn is not None
    assert bool(turn.free) == manual
