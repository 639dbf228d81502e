"""The reference positions: their lines, what is right in them, and which are found near a position."""

from collections import Counter

import pytest

from barpoint.analysis.decision_table import shape_of
from barpoint.analysis.findings import STAGES
from barpoint.analysis.phases import OPENING_TURNS, phase_of
from barpoint.analysis.reference import (
    ReferenceCollection,
    ReferencePosition,
    ReferenceSettings,
    format_reference,
    parse_reference,
    reference_collection,
)
from barpoint.error import FormatError
from barpoint.moves import check_position, legal_plays
from barpoint.record import parse_position
from barpoint.variants import variant

RULES = variant()
SETTINGS = ReferenceSettings("", 324, 8, 11)
BLITZ = parse_position("HM/BgCGG5xwDQA")
PLAY = ReferencePosition(
    "blitz", BLITZ, (4, 2), "them", (("bar/21 10/8", 0.2668, 0.0058), ("bar/21 8/6", 0.2394, 0.0055))
)
START = ReferencePosition("opening", RULES.start, (3, 1), None, (("8/5 6/5", 0.24, 0.003),))


def cube(no_double: float, take: float, owner: str | None = None) -> ReferencePosition:
    choices = (("no double", no_double, 0.005), ("double/take", take, 0.009))
    return ReferencePosition("prime", BLITZ, (), owner, choices)  # type: ignore[arg-type]


@pytest.mark.parametrize("line", [PLAY, START, cube(0.9, 1.1), cube(0.9, 0.8, "us")], ids=lambda line: line.stage)
def test_a_line_reads_back_as_it_was_written(line: ReferencePosition) -> None:
    assert parse_reference(format_reference(line)) == line


@pytest.mark.parametrize(
    "text",
    [
        "",
        format_reference(PLAY).replace("blitz", "storm"),
        format_reference(PLAY).replace("them", "nobody"),
        format_reference(PLAY).replace("\t42\t", "\t423\t"),
        format_reference(PLAY).replace("HM/B", "####"),
        format_reference(PLAY).replace("=2668", "=0.2668"),
        format_reference(PLAY).partition("\tbar")[0],
    ],
    ids=["empty", "stage", "owner", "roll", "position", "number", "no plays"],
)
def test_a_text_that_is_no_line_is_refused(text: str) -> None:
    with pytest.raises(FormatError, match="no line of the reference positions"):
        parse_reference(text)


@pytest.mark.parametrize(
    ("no_double", "take", "best", "equity"),
    [
        (0.5, 0.4, "no double", 0.5),
        (0.5, 0.6, "double/take", 0.6),
        (0.9, 1.1, "double/pass", 1.0),
        (1.2, 1.3, "too good", 1.2),
    ],
)
def test_the_right_cube_action_follows_from_the_equities(
    no_double: float, take: float, best: str, equity: float
) -> None:
    found = cube(no_double, take)
    assert (found.best, found.equity) == (best, equity)


def test_the_nearest_of_the_same_class_are_found_where_only_the_start_differs() -> None:
    collection = ReferenceCollection(SETTINGS, (PLAY, START, cube(0.5, 0.6)))
    found = collection.nearest(BLITZ, 9)
    assert [(one.faces, pips) for one, pips in found] == [((4, 2), 0), ((), 0)]
    assert [one.stage for one, _pips in collection.nearest(RULES.start, 9)] == ["opening"]
    for name, covered in (("backgammon", True), ("nackgammon", True), ("roll-over", False), ("hypergammon", False)):
        assert collection.covers(variant(name)) is covered, name


def test_every_decision_of_the_collection_is_legal_and_in_order() -> None:
    collection = reference_collection()
    assert collection.settings.games > 0
    assert len({(one.position, one.faces, one.owner) for one in collection.positions}) == len(collection.positions)
    for one in collection.positions:
        check_position(RULES, one.position)
        turn = 1 if one.stage == "opening" else OPENING_TURNS + 1
        assert phase_of(RULES, one.position, turn) == one.stage or STAGES[shape_of(RULES, one.position)] == one.stage
        if one.faces:
            legal = {str(play) for play in legal_plays(RULES, one.position, one.faces)}
            assert one.best in legal, format_reference(one)
            assert one.best_play(RULES).result in {play.result for play in legal_plays(RULES, one.position, one.faces)}
            assert len(one.choices) > 1 or one.choices[0][2] >= 0
        else:
            assert [text for text, _equity, _error in one.choices] == ["no double", "double/take"]
            assert one.owner in (None, "us")
        assert all(0 <= error < 0.05 for _text, _equity, error in one.choices), format_reference(one)


def test_the_collection_holds_plays_and_cube_actions_of_every_stage() -> None:
    counted = Counter((one.stage, bool(one.faces)) for one in reference_collection().positions)
    assert len(reference_collection().positions) >= 900
    assert {stage for stage, play in counted if play} == set(STAGES)
    assert {stage for stage, play in counted if not play} == set(STAGES)


def test_what_is_asked_of_the_collection_has_one_best_play() -> None:
    problems = reference_collection().problems
    assert len(problems) > 500
    for one in problems:
        assert all(equity < one.equity for _text, equity, _error in one.choices[1:]), format_reference(one)
