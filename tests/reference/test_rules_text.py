"""The reference against every case and count that docs/rulings.md gives."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from barpoint.board import Position
from barpoint.rules import Rules
from barpoint.variants import variant
from tests.reference import reference_plays, row_of
from tests.reference.notation import carry_out, place, read_board
from tests.reference.play import Roll, branches

BACKGAMMON = variant()
GLOBAL = variant("duodecagammon")
PER_OPTION = variant("duodecagammon(per_option)")
VECTORS = Path(__file__).parents[1] / "data" / "movegen_vectors.csv"

# rulings 6.5: our checkers, theirs, roll, all legal plays
BACKGAMMON_CASES = {
    "T01": ("21", "13", (5, 3), ["21/16"]),
    "T02": ("21 10", "13 7 2", (5, 3), ["21/18 10/5"]),
    "T03": ("5 4", "24", (5, 3), ["5/off 4/1", "5/2 4/off"]),
    "T04": ("6 4", "24", (5, 2), ["6/1 4/2", "6/4 4/off"]),
    "T05": ("bar(2) 13(5) 8(3) 6(5)", "24 19 12", (6, 4), ["bar/21"]),
    "T06": ("bar 8", "18 6", (5, 2), ["bar/23 8/3"]),
    "T07": ("24 13", "16 9 8", (4, 4), ["24/20"]),
    "T08": ("bar(2) 24", "19 16", (3, 3), ["bar/22(2) 24/18"]),
    "T09": ("7 6(2) 5(2)", "24", (6, 1), ["7/off", "7/1 6/5", "7/1 5/4"]),
    "T10": ("bar 6(2) 5(2)", "24 23 22 21 20(1)", (5, 1), ["bar/20*/19", "bar/20* 6/5", "bar/20* 5/4"]),
    "T11": ("3", "24", (6, 5), ["3/off"]),
    "T12": ("6 2", "24", (4, 3), ["6/2 2/off"]),
    "T13": (
        "8 6(2)",
        "24 20 5(1)",
        (3, 1),
        ["6/2", "6/5*/2", "6/5* 6/3", "8/4", "8/5*/4", "8/5* 6/5", "8/7 6/3"],
    ),
    "T14": ("bar 13(5) 8(3) 6(5)", "24 19 12 1", (6, 6), [""]),
    "T15": ("24", "19 18", (6, 5), [""]),
    "T16": ("24", "18", (6, 5), ["24/13"]),
    "T17": ("10 6(3)", "24 9 5 4", (6, 1), [""]),
    "T18": ("15 14", "11 9 8", (6, 4), ["14/4"]),
    "T19": ("6(15)", "24", (6, 6), ["6/off(4)"]),
    "T20": ("bar 20", "22 19", (6, 3), [""]),
    "T21": ("6(2) 5 1(3)", "3 24(1)", (3, 2), ["6/1", "6/4 5/2", "5/off"]),
    "T22": ("2(2)", "24", (1, 1), ["2/off(2)"]),
    "T23": ("16 4", "24 15 10", (6, 1), ["4/3"]),
    "T24": ("24(2) 1", "18", (6, 5), ["24/13"]),
}

# rulings 3.4: the same, and the plays of a player who may choose any option
DUODECAGAMMON_CASES = {
    "DC1": ("21", "13", 8, ["21/15"], ["21/16", "21/17"]),
    "DC2": ("21", "13 15", 8, ["21/16"], ["21/17", "21/19"]),
    "DC3": ("21 3(2)", "12 18", 9, ["21/15"], ["", "21/16"]),
    "DC4": ("15 8", "2 6 9 12", 9, ["15/10 8/4", "15/11 8/3"], ["8/5"]),
    "DC5": ("bar 13(2)", "19 20 21", 9, ["bar/16", "bar/22 13/7", "bar/22 13/10(2)"], [""]),
    "DC6": (
        "6 3(3)",
        "24",
        9,
        ["3/off(3)", "6/off 3/off", "6/3 3/off", "6/2 3/off", "6/1 3/off"],
        [],
    ),
    "DC7": ("bar(2)", "22", 6, ["bar/24 bar/20", "bar/23 bar/21"], []),
    "DC8": ("bar", "24", 1, [""], []),
    "DC9": ("bar 6(2)", "23", 1, ["bar/24"], []),
    "DC10": ("13", "7 9", 12, [""], []),
    "DC11": ("13", "7 5", 12, ["13/9"], [""]),
    "DC12": ("20 13", "14 7 5", 12, ["20/8", "20/12 13/9"], [""]),
}

# rulings 9.2: distinct results per roll from the start position
DISTINCT = {
    "backgammon": "11:42 22:75 33:73 44:52 55:4 66:11 21:15 31:16 32:17 41:14 42:18 43:17 51:8 52:8 53:9 54:9 61:10 62:14 "
    "63:14 64:14 65:7",
    "nackgammon": "11:70 22:103 33:101 44:25 55:17 66:3 21:23 31:22 32:27 41:15 42:17 43:17 51:12 52:16 53:17 54:11 61:10 "
    "62:13 63:13 64:8 65:7",
    "hypergammon": "11:7 22:11 33:15 44:15 55:15 66:12 21:6 31:7 32:8 41:7 42:8 43:9 51:7 52:8 53:9 54:9 61:7 62:8 63:9 "
    "64:9 65:9",
    "longgammon": "11:5 22:5 33:5 44:5 55:5 66:4 21:2 31:2 32:2 41:2 42:2 43:2 51:2 52:2 53:2 54:2 61:2 62:2 63:2 64:2 65:2",
}


def results(rules: Rules, position: Position, faces: tuple[int, ...]) -> set[Position]:
    return {after for after, _ in reference_plays(rules, position, faces)}


@pytest.mark.parametrize("case", BACKGAMMON_CASES)
def test_the_positions_of_6_5_have_the_plays_given_there(case: str) -> None:
    ours, theirs, faces, plays = BACKGAMMON_CASES[case]
    position = place(ours, theirs)
    assert results(BACKGAMMON, position, faces) == {carry_out(position, play) for play in plays}
    assert results(BACKGAMMON, position, faces[::-1]) == {carry_out(position, play) for play in plays}


@pytest.mark.parametrize("case", DUODECAGAMMON_CASES)
def test_the_positions_of_3_4_have_the_plays_given_there_in_both_modes(case: str) -> None:
    ours, theirs, face, plays, more = DUODECAGAMMON_CASES[case]
    position = place(ours, theirs)
    over_all = {carry_out(position, play) for play in plays}
    assert results(GLOBAL, position, (face,)) == over_all
    assert results(PER_OPTION, position, (face,)) == over_all | {carry_out(position, play) for play in more}


@pytest.mark.parametrize("name", DISTINCT)
def test_the_start_has_as_many_distinct_results_as_9_2_says(name: str) -> None:
    rules = variant(name)
    counts = {
        tuple(map(int, faces)): int(count) for faces, count in (word.split(":") for word in DISTINCT[name].split())
    }
    assert {faces: len(results(rules, rules.start, faces)) for faces in counts} == counts


@pytest.mark.parametrize("rules", [GLOBAL, PER_OPTION], ids=lambda rules: rules.name)
def test_the_start_of_duodecagammon_has_as_many_distinct_results_as_3_2_says(rules: Rules) -> None:
    counts = [3, 9, 24, 25, 28, 38, 31, 30, 39, 16, 7, 33]
    assert [len(results(rules, rules.start, (face,))) for face in range(1, 13)] == counts
    assert len(results(variant("duodecagammon(include_3_3)"), rules.start, (6,))) == 47


def test_shots_on_an_open_board_are_those_of_3_2() -> None:
    with_die = [7, 7, 6, 8, 7, 7, 1, 2, 1, 1, 1, 1] + [0] * 11
    with_dice = [11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3, 0, 0, 1, 1, 0, 1, 0, 1, 0, 0, 0]  # and the 24 from the bar
    for rules, shots in ((GLOBAL, with_die), (BACKGAMMON, with_dice)):
        assert [shooting_rolls(rules, distance) for distance in range(1, 24)] == shots
    bar_to_ace = place("bar", "1(1)")
    assert sum(row.weight for row in BACKGAMMON.dice.rows if can_hit(BACKGAMMON, bar_to_ace, row.faces)) == 1


def shooting_rolls(rules: Rules, distance: int) -> int:
    """The number of rolls, of all, that let a checker on 24 hit a blot at this distance."""
    position = place("24", f"{24 - distance}(1)")
    return sum(row.weight for row in rules.dice.rows if can_hit(rules, position, row.faces))


def can_hit(rules: Rules, position: Position, faces: tuple[int, ...]) -> bool:
    return any(after.them.points[25] for after in results(rules, position, faces))


def test_entering_against_closed_points_succeeds_as_often_as_3_2_says() -> None:
    only_open = {1: 7, 2: 6, 3: 5, 4: 7, 5: 6, 6: 6}
    for point, rolls in only_open.items():
        closed = " ".join(str(25 - other) for other in range(1, 7) if other != point)
        position = place("bar", closed)
        entering = [row for row in GLOBAL.dice.rows if results(GLOBAL, position, row.faces) != {position}]
        assert len(entering) == rolls
    position = place("bar", "24 22 20")
    assert (
        sum(row.weight for row in BACKGAMMON.dice.rows if results(BACKGAMMON, position, row.faces) != {position}) == 27
    )


def test_the_thousand_recorded_positions_have_as_many_results_and_moves() -> None:
    """Rulings 6.5, data/movegen_vectors.csv."""
    with VECTORS.open(encoding="ascii", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert len(rows) == 1000
    for row in rows:
        position, faces = read_board(row["xgid"]), tuple(map(int, row["roll"]))
        assert len(results(BACKGAMMON, position, faces)) == int(row["distinct_results"]), row
        (branch,) = branches(BACKGAMMON, position, row_of(BACKGAMMON, faces).stages[0], Roll(position, faces))
        longest = max(len(branch.root.left) - len(end.left) for end in branch.ends)
        assert longest == int(row["steps_used"]), row
