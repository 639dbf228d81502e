"""Plays as text and back (rulings 7.7)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from barpoint.error import FormatError, IllegalMove
from barpoint.moves import format_play, legal_plays, parse_play
from barpoint.variants import variant
from tests.support.positions import place
from tests.support.strategies import rows_of, strange_positions

BACKGAMMON = variant()
GAMES = [variant(name) for name in ("backgammon", "hypergammon", "duodecagammon", "plakoto", "fevga")]


def read(text, us, them, faces):
    return str(parse_play(BACKGAMMON, place(us, them), faces, text))


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.name)
@settings(max_examples=60)
@given(data=st.data())
def test_every_play_is_read_back_from_its_notation(rules, data):
    position, row = data.draw(strange_positions(rules)), data.draw(rows_of(rules))
    plays = legal_plays(rules, position, row.faces)
    play = plays[data.draw(st.integers(0, len(plays) - 1))]
    assert parse_play(rules, position, row.faces, format_play(play)).result == play.result


def test_a_play_of_the_hand_and_a_double_is_read_back():
    rules = variant("acey-deucey")
    position = place("hand(2) 24 13(3) 6(9)", "20 5 hand(11)", rules)
    for play in legal_plays(rules, position, (2, 1))[::150]:
        assert parse_play(rules, position, (2, 1), str(play)).result == play.result


@pytest.mark.parametrize(
    ("us", "them", "faces", "text"),
    [
        ("24 13(5)", "18(1) 1", (6, 5), "24/18*/13"),
        ("bar(2) 6(5)", "1", (5, 5), "bar/20(2) 20/15(2)"),
        ("13(2) 8(2)", "2(1) 24", (6, 6), "13/7(2) 8/2*(2)"),
        ("6(3)", "24", (6, 5), "6/1 6/off"),
    ],
)
def test_notation_has_hits_repeats_bar_and_off(us, them, faces, text):
    shown = {"bar(2) 6(5)": "bar/15(2)"}.get(us, text)
    assert read(text, us, them, faces) == shown


@pytest.mark.parametrize("text", ["25/20*/19", "BAR/20/19", "b/20*/19", "25/19", "bar/20*/19,", " bar/20 20/19 "])
def test_the_bar_is_read_in_many_spellings(text):
    assert read(text, "bar 6(2) 5(2)", "24 23 22 21 20(1)", (5, 1)) == "bar/20*/19"


@pytest.mark.parametrize("text", ["6/off 5/0", "6/O 5/-", "6/0, 5/o", "5/off 6/off"])
def test_borne_off_is_read_in_many_spellings(text):
    assert read(text, "6 5", "24", (6, 5)) == "6/off 5/off"


@pytest.mark.parametrize("text", ["", "(no play)", "No Play", "Cannot Move", "Can't move", "Can’t move", "dance"])
def test_no_play_is_read_in_many_spellings(text):
    assert read(text, "24", "19 18", (6, 5)) == "(no play)"


@pytest.mark.parametrize("text", ["31: 8/5 6/5", " 3-1:8-5 6-5", "13: 6-5, 8-5"])
def test_the_roll_before_a_play_and_dashes_between_points_are_read(text):
    assert str(parse_play(BACKGAMMON, BACKGAMMON.start, (3, 1), text)) == "8/5 6/5"
    with pytest.raises(IllegalMove, match="is no legal play of 6-5"):
        parse_play(BACKGAMMON, BACKGAMMON.start, (6, 5), text)
    assert str(parse_play(BACKGAMMON, place("6(2)", "24"), (6, 5), "6-off 6-1")) == "6/1 6/off"


def test_of_two_ways_that_differ_in_a_hit_the_stars_choose():
    assert read("13/8", "13", "11(1) 24", (3, 2)) == "13/8"
    assert read("13/11*/8", "13", "11(1) 24", (3, 2)) == "13/11*/8"
    assert read("13/8*", "13", "8(1) 24", (3, 2)) == "13/8*"


def test_a_star_behind_a_path_is_of_what_is_hit_on_it():
    assert read("24/21*", "24", "22(1)", (2, 1)) == "24/22*/21"
    assert read("24/21", "24", "22(1)", (2, 1)) == "24/21"
    assert read("24/21*", "24", "9(1)", (2, 1)) == "24/21"


def test_a_way_that_can_only_hit_is_read_without_its_star():
    assert read("24/13", "24", "19 18(1)", (6, 5)) == "24/18*/13"


def test_two_hits_to_choose_from_without_a_star_are_refused():
    with pytest.raises(IllegalMove, match="write the points between"):
        read("13/8", "13", "11(1) 10(1)", (3, 2))


@pytest.mark.parametrize(
    "text",
    [
        "x",
        "8",
        "8/",
        "/5",
        "8/5/",
        "5/8",
        "8/5(0)",
        "8/5(12)",
        "8//5",
        "27/20",
        "8/٣",
        "8/5 6/5 *",
        "8/5(2",
        "8/5" * 99,
    ],
)
def test_what_is_no_notation_is_refused(text):
    with pytest.raises(FormatError):
        parse_play(BACKGAMMON, BACKGAMMON.start, (3, 1), text)


@pytest.mark.parametrize("text", ["", "8/5", "8/4 6/5", "8/5(2)", "24/22", "8/5(9) 6/5(9) 13/10(9)", "hand/24"])
def test_what_is_no_legal_play_is_refused(text):
    with pytest.raises((IllegalMove, FormatError)):
        parse_play(BACKGAMMON, BACKGAMMON.start, (3, 1), text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("8/5", "^the play is not finished: a 1 can still be played$"),
        ("8/4 6/5", "^8/4 6/5 is no legal play of 3-1; the nearest of 16 legal plays: 8/5 6/5, "),
    ],
)
def test_what_is_no_legal_play_is_told_with_what_is_near(text, says):
    with pytest.raises(IllegalMove, match=says):
        parse_play("backgammon", variant().start, (3, 1), text)
    with pytest.raises(IllegalMove, match=f"^{text} is no legal play of 3-1$"):
        parse_play("backgammon", variant().start, (3, 1), text, hint=False)
