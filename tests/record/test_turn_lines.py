"""A match as lines to correct: they are read back as they were, and up to the first that is not possible."""

from __future__ import annotations

import pytest

from barpoint.match import Match
from barpoint.record.turn_lines import ReadLines, line_names, lines_of, made_in, read_lines
from tests.record.test_random_matches import MATCHES, random_match, told

PLAYERS = ("Anna", "Ben")
TURNS = ("opening 3-1", "Anna: 8/5 6/5", "Ben: 64 24/18 13/9", "Anna: 52 13/11 13/8", "Ben: double", "Anna: pass")


def read(*lines: str, **terms: bool) -> ReadLines:
    begun = Match.start(length=5, **terms)  # type: ignore[arg-type]
    return read_lines(begun, lines, PLAYERS, {})


@pytest.mark.parametrize("number", range(MATCHES))
def test_the_lines_of_a_random_match_tell_the_same_match(number: int) -> None:
    match = random_match(number)
    lines = [line.text for line in lines_of(match, PLAYERS)]
    again = read_lines(Match.start(rules=match.rules, terms=match.terms), lines, PLAYERS, made_in(match))
    assert (again.line, str(again.why or "")) == (None, "")
    assert told(again.match) == told(match)


def test_a_turn_is_a_line_and_everything_else_has_its_own() -> None:
    found = read(*TURNS).match
    assert found.score == (0, 1)
    assert tuple(line.text for line in lines_of(found, PLAYERS)) == TURNS
    assert [line.first for line in lines_of(found, PLAYERS)] == [0, 1, 2, 4, 6, 7]


def test_the_first_line_that_is_not_possible_is_told_and_those_before_it_stand() -> None:
    corrected = read(TURNS[0], TURNS[1], "Ben: 62 24/18 13/9", *TURNS[3:])
    said = "24/18 13/9 is no legal play of 6-2; the nearest of 14 legal plays: 24/18 13/11, 24/18 8/6, 24/18 6/4"
    assert (corrected.line, str(corrected.why)) == (2, said)
    assert len(corrected.match.events) == 2
    missing = read(*TURNS[:2], *TURNS[3:])
    assert (missing.line, str(missing.why)) == (2, "it is the turn of Ben")


def test_empty_lines_say_nothing() -> None:
    assert read("", *TURNS[:3], "  ", *TURNS[3:], "") == read(*TURNS)
    assert read(*TURNS[:2], "", "Ben: 62 24/14").line == 3


def test_a_line_without_a_name_is_for_whoever_is_on_turn() -> None:
    assert read(*(line.split(": ")[-1] for line in TURNS)).match == read(*TURNS).match


@pytest.mark.parametrize(("terms", "line"), [({"manual": True}, None), ({"transcript": True}, None), ({}, 1)])
def test_a_play_against_the_rules_is_said_to_be_one_and_stands_where_records_may_hold_them(
    terms: dict[str, bool], line: int | None
) -> None:
    assert read("opening 3-1", "Anna: 8/5 7/5").line == 1
    assert read("opening 3-1", "Anna: 8/5 8/2", **terms).line == 1
    found = read("opening 3-1", "Anna: 8/5 8/2 illegal", **terms)
    assert found.line == line
    if line is None:
        assert lines_of(found.match, PLAYERS)[1].text == "Anna: 8/5 8/2 illegal"


@pytest.mark.parametrize("wrong", ["Anna: dobule", "Anna: 8/5 6/5 what", "opening 7-x", "Carl: 31", "\0", "void 3"])
def test_a_line_that_is_no_notation_is_refused_with_a_reason(wrong: str) -> None:
    found = read("opening 3-1", wrong)
    assert found.line == 1
    assert str(found.why)


def test_players_of_the_same_name_are_told_apart() -> None:
    assert line_names(("Anna", "anna")) == ("Anna 1", "anna 2")
    assert line_names(("A: B", "")) == ("A B", "2")
