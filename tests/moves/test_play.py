"""Legal plays of backgammon: the worked positions of rulings 6.5, its figures, and refusals."""

import csv
import pickle
import re
from copy import deepcopy
from pathlib import Path

import numpy as np
import pytest

from barpoint.board import Position, Side
from barpoint.error import ArgumentError, FormatError, IllegalMove, PositionError, RollError
from barpoint.moves import Turn, find_play, legal_plays, parse_play
from barpoint.variants import variant
from tests.support.positions import from_xgid, place, texts

BACKGAMMON = variant()

WORKED = {
    "T01": ("21", "13", (5, 3), ["21/16"]),
    "T02": ("21 10", "13 7 2", (5, 3), ["21/18 10/5"]),
    "T03": ("5 4", "24", (5, 3), ["5/2 4/off", "5/off 4/1"]),
    "T04": ("6 4", "24", (5, 2), ["6/1 4/2", "6/off"]),
    "T05": ("bar(2) 13(5) 8(3) 6(5)", "24 19 12", (6, 4), ["bar/21"]),
    "T06": ("bar 8", "18 6", (5, 2), ["bar/23 8/3"]),
    "T07": ("24 13", "16 9 8", (4, 4), ["24/20"]),
    "T08": ("bar(2) 24", "19 16", (3, 3), ["bar/22(2) 24/18"]),
    "T09": ("7 6(2) 5(2)", "24", (6, 1), ["7/1 5/4", "7/1 6/5", "7/off"]),
    "T10": ("bar 6(2) 5(2)", "24 23 22 21 20(1)", (5, 1), ["bar/20* 5/4", "bar/20* 6/5", "bar/20*/19"]),
    "T11": ("3", "24", (6, 5), ["3/off"]),
    "T13": (
        "8 6(2)",
        "24 20 5(1)",
        (3, 1),
        ["6/2", "6/5* 6/3", "6/5*/2", "8/4", "8/5* 6/5", "8/5*/4", "8/7 6/3"],
    ),
    "T14": ("bar 13(5) 8(3) 6(5)", "24 19 12 1", (6, 6), ["(no play)"]),
    "T15": ("24", "19 18", (6, 5), ["(no play)"]),
    "T16": ("24", "18", (6, 5), ["24/13"]),
    "T17": ("10 6(3)", "24 9 5 4", (6, 1), ["(no play)"]),
    "T18": ("15 14", "11 9 8", (6, 4), ["14/4"]),
    "T19": ("6(15)", "24", (6, 6), ["6/off(4)"]),
    "T20": ("bar 20", "22 19", (6, 3), ["(no play)"]),
    "T21": ("6(2) 5 1(3)", "3 24(1)", (3, 2), ["5/off", "6/1", "6/4 5/2"]),
    "T22": ("2(2)", "24", (1, 1), ["2/off(2)"]),
    "T23": ("16 4", "24 15 10", (6, 1), ["4/3"]),
    "T24": ("24(2) 1", "18", (6, 5), ["24/13"]),
}

"""us, them, roll, plays. T04's 6/4 4/off is written as what it is for one checker: 6/off."""


@pytest.mark.parametrize("case", WORKED)
def test_the_worked_positions_have_exactly_the_plays_that_the_rules_say(case):
    us, them, faces, expected = WORKED[case]
    assert texts(BACKGAMMON, place(us, them), *faces) == sorted(expected)


def test_t12_a_larger_number_may_not_bear_off_below_the_highest_checker():
    (play,) = legal_plays(BACKGAMMON, place("6 2", "24"), (4, 3))
    assert play.result.us == Side.of({0: 14, 2: 1})


def test_the_thousand_stored_positions_have_the_stored_numbers_of_results_and_moves():
    with (Path(__file__).parents[1] / "data").joinpath("movegen_vectors.csv").open() as file:
        rows = list(csv.DictReader(file))
    found = []
    for row in rows:
        plays = legal_plays(BACKGAMMON, from_xgid(row["xgid"]), tuple(map(int, row["roll"])))
        found.append({**row, "distinct_results": str(len(plays)), "steps_used": str(len(plays[0].moves))})
    assert (len(rows), found) == (1000, rows)


DISTINCT = {
    "backgammon": "42 75 73 52 4 11 15 16 17 14 18 17 8 8 9 9 10 14 14 14 7",
    "nackgammon": "70 103 101 25 17 3 23 22 27 15 17 17 12 16 17 11 10 13 13 8 7",
    "hypergammon": "7 11 15 15 15 12 6 7 8 7 8 9 7 8 9 9 7 8 9 9 9",
    "longgammon": "5 5 5 5 5 4 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2",
}
"""Rulings 9.2: results of 11 22 33 44 55 66, then of 21 31 32 41 ... 65, from the start."""


@pytest.mark.parametrize("name", DISTINCT)
def test_each_first_roll_has_the_stored_number_of_results(name):
    rules = variant(name)
    rolls = [(n, n) for n in range(1, 7)] + [(high, low) for high in range(2, 7) for low in range(1, high)]
    assert [len(legal_plays(rules, rules.start, faces)) for faces in rolls] == list(map(int, DISTINCT[name].split()))


def test_a_play_shows_its_result_to_the_mover_and_to_the_next_side():
    play = next(play for play in legal_plays(BACKGAMMON, BACKGAMMON.start, (3, 1)) if str(play) == "8/5 6/5")
    assert play.moves == ((8, 5, 3), (6, 5, 1))
    assert play.result == Position(Side.of({24: 2, 13: 5, 8: 2, 6: 4, 5: 2}), BACKGAMMON.start.them)
    assert (play.next, play.again) == (play.result.flip(), False)


def test_the_order_of_the_faces_changes_nothing():
    start = BACKGAMMON.start
    assert legal_plays(BACKGAMMON, start, (1, 3)) == legal_plays(BACKGAMMON, start, (3, 1))


def test_a_last_checker_off_with_either_number_is_one_play_but_not_where_one_way_hits():
    assert texts(BACKGAMMON, place("6", "24"), 6, 5) == ["6/off"]
    assert texts(BACKGAMMON, place("6", "24 1(1)"), 6, 5) == ["6/1*/off", "6/off"]


def test_two_checkers_that_either_number_bears_off_leave_in_one_way():
    assert texts(BACKGAMMON, place("4 2(3) 1", "24"), 6, 5) == ["4/off 2/off"]


@pytest.mark.parametrize("faces", [(7, 1), (0, 3), (3,), (3, 3, 3), (6, 5, 4)])
def test_faces_these_dice_do_not_show_are_refused(faces):
    with pytest.raises(RollError, match="no roll shows"):
        legal_plays(BACKGAMMON, BACKGAMMON.start, faces)


@pytest.mark.parametrize(
    ("name", "faces", "example"),
    [
        ("backgammon", "31", "(3, 1)"),
        ("backgammon", 31, "(3, 1)"),
        ("duodecagammon", 11, "(11,)"),
        ("backgammon", None, ""),
        ("backgammon", (3.0, 1), "(3, 1)"),
        ("backgammon", ["3", "1"], "(3, 1)"),
        ("backgammon", ("a", 1), "(3, 1)"),
        ("duodecagammon", (11.0,), "(11,)"),
    ],
)
def test_what_are_no_faces_are_refused_with_an_example(name, faces, example):
    rules = variant(name)
    with pytest.raises(RollError, match=re.escape(f"{faces!r} are no faces; a roll is written as in {example}")):
        legal_plays(rules, rules.start, faces)
    with pytest.raises(RollError, match="are no faces"):
        parse_play(rules, rules.start, faces, "8/5 6/5")


def test_faces_are_integers_in_any_sequence_or_array():
    rules = variant("backgammon")
    for faces in ([3, 1], np.array([3, 1]), np.array([1, 3], np.int8), (np.int64(3), 1)):
        assert legal_plays(rules, rules.start, faces) == legal_plays(rules, rules.start, (3, 1))
        assert str(parse_play(rules, rules.start, faces, "8/5 6/5")) == "8/5 6/5"


def test_no_faces_are_refused_with_an_example():
    with pytest.raises(RollError, match=r"a roll is needed, such as \(6, 6\)"):
        legal_plays(BACKGAMMON, BACKGAMMON.start, ())


def test_a_position_the_rules_do_not_allow_is_refused():
    with pytest.raises(PositionError, match="add up to 14; these rules have 15"):
        legal_plays(BACKGAMMON, Position(Side.of({6: 14}), BACKGAMMON.start.them), (3, 1))


def test_faces_may_come_in_any_sequence():
    start = BACKGAMMON.start
    assert legal_plays(BACKGAMMON, start, [1, 3]) == legal_plays(BACKGAMMON, start, (3, 1))
    assert Turn(BACKGAMMON, start, [3, 1]) == Turn(BACKGAMMON, start, (3, 1))
    assert parse_play(BACKGAMMON, start, [3, 1], "8/5 6/5") == parse_play(BACKGAMMON, start, (3, 1), "8/5 6/5")
    moves = ((8, 5, 3), (6, 5, 1))
    assert find_play(BACKGAMMON, start, [1, 3], moves) == find_play(BACKGAMMON, start, (3, 1), moves)


@pytest.mark.parametrize("copied", [deepcopy, lambda plays: pickle.loads(pickle.dumps(plays))])
def test_plays_are_copied_and_pickled(copied):
    plays = legal_plays(BACKGAMMON, BACKGAMMON.start, (3, 1))
    assert copied(plays) == plays
    assert copied(plays[2]) == plays[2]


def test_plays_are_one_where_their_moves_lead_to_the_same_position():
    start, plays = BACKGAMMON.start, legal_plays(BACKGAMMON, BACKGAMMON.start, (3, 1))
    other = Turn(BACKGAMMON, start, (3, 1)).move(6, 5).move(8, 5).play()
    listed = plays[plays.index(other)]
    assert other.moves != listed.moves
    assert (other, hash(other)) == (listed, hash(listed))
    assert plays.index("6/5 8/5") == plays.index(other.result) == plays.index(other)
    assert plays.find("8/5 6/5") is not listed == plays.find("8/5 6/5")
    assert [wanted in plays for wanted in (other, "8/5 6/5", other.result, "9/2", "?", start, 3)] == [True] * 3 + [
        False
    ] * 4
    assert (plays.count("8/5 6/5"), plays.count("9/2")) == (1, 0)
    assert "31: 8/5 6/5" in plays
    assert not any(f"{roll}: 8/5 6/5" in plays for roll in (99, 41))


def test_of_thousands_of_plays_the_nearest_are_not_looked_for():
    rules = variant("acey-deucey")
    spread = Side.of(dict.fromkeys(range(1, 16), 1))
    position = Position(spread, Side.of(dict.fromkeys(range(1, 9), 1) | {0: 7}))
    plays = legal_plays(rules, position, (2, 1))
    assert len(plays) > 200
    with pytest.raises(IllegalMove, match=r"^bar/1 is no legal play of 2-1$"):
        parse_play(rules, position, (2, 1), "bar/1")


@pytest.mark.parametrize(
    ("wanted", "error"),
    [("9/2", IllegalMove), (BACKGAMMON.start, IllegalMove), ("?", FormatError), (3, ArgumentError)],
)
def test_what_is_not_among_the_plays_is_not_found(wanted, error):
    plays = legal_plays(BACKGAMMON, BACKGAMMON.start, (3, 1))
    with pytest.raises(error):
        plays.find(wanted)
    with pytest.raises(ValueError if error is IllegalMove else error, match=r"\w"):
        plays.index(wanted)
