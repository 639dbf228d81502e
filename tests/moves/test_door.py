"""The door for positions somebody set up, and the end of a game (D-1, 4.2, 4.7)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from barpoint.board import Position, Side
from barpoint.error import PositionError
from barpoint.language import in_language
from barpoint.moves import check_position, outcome
from barpoint.moves.complaint import TEXTS, position_error
from barpoint.variants import variant, variants
from tests.support.positions import place
from tests.support.strategies import strange_positions

BACKGAMMON = variant()
OTHER = Side.of({24: 2, 13: 5, 8: 3, 6: 5})

IMPOSSIBLE = {
    "our checkers add up to 14": Position(Side.of({6: 14}), OTHER),
    "their checkers add up to 16": Position(OTHER, Side.of({6: 16})),
    "our hand holds checkers": Position(Side.of({6: 14}, hand=1), OTHER),
    "both sides stand on our point 1": Position(Side.of({1: 15}), OTHER),
    "our checker on point 6 cannot be pinned": Position(Side.of({6: 15}, pinned=1 << 6), OTHER),
    "cannot be pinned": Position(Side.of({6: 15}, pinned=1 << 31), OTHER),
    "both sides have borne off": Position(Side.of({0: 15}), Side.of({0: 15})),
}


@pytest.mark.parametrize("said", IMPOSSIBLE)
def test_a_position_the_rules_do_not_allow_is_refused_with_what_is_wrong(said):
    with pytest.raises(PositionError, match=said):
        check_position(BACKGAMMON, IMPOSSIBLE[said])


@pytest.mark.parametrize("said", IMPOSSIBLE)
def test_what_is_wrong_is_said_in_other_languages_too(said):
    with pytest.raises(PositionError) as refused:
        check_position(BACKGAMMON, IMPOSSIBLE[said])
    assert refused.value.text in TEXTS
    with in_language("de"):
        assert said not in refused.value.translated()


def test_every_complaint_of_the_core_is_a_text_with_places_for_its_numbers():
    for text in TEXTS:
        said = text % {"count": 14, "checkers": 15, "point": 7, "most": 3}
        error = position_error(said)
        assert error.text == text
        assert str(error) == said
    assert str(position_error("something else")) == "something else"


def test_a_side_has_twenty_six_counts():
    with pytest.raises(PositionError, match="3 counts of a side; it has 26"):
        Side((5, 5, 5))


@pytest.mark.parametrize("count", [-1, 256, 1.0, "a", None])
def test_counts_that_are_no_numbers_of_checkers_are_refused(count):
    with pytest.raises(PositionError, match=r"points of a side are .*; allowed: 26 whole numbers from 0 to 255"):
        Side((count,) * 26)


@pytest.mark.parametrize(
    "rules", [variant(entry.name) for entry in variants() if not entry.is_sequence], ids=lambda rules: rules.name
)
def test_every_start_is_allowed_and_its_game_is_not_over(rules):
    check_position(rules, rules.start)
    assert outcome(rules, rules.start) is None


def test_plakoto_allows_a_pin_with_its_captor_only():
    rules = variant("plakoto")
    check_position(rules, place("5 24(12)", "5(1) 1(14)", rules, pins_them=(5,)))
    with pytest.raises(PositionError, match="both sides stand"):
        check_position(rules, place("5 24(12)", "5(1) 1(14)", rules))
    with pytest.raises(PositionError, match=r"both checkers .* pinned"):
        check_position(rules, place("5 24(12)", "5(1) 1(14)", rules, pins_us=(5,), pins_them=(5,)))
    with pytest.raises(PositionError, match="bar holds checkers"):
        check_position(rules, place("bar 24(12)", "1(14)", rules))


def test_fevga_refuses_a_start_quarter_held_whole():
    rules = variant("fevga")
    whole = Side.of({24: 9, 23: 1, 22: 1, 21: 1, 20: 1, 19: 1, 3: 1})
    with pytest.raises(PositionError, match="start quarter"):
        check_position(rules, Position(whole, rules.start.us))


def ended(us, them, rules=BACKGAMMON):
    found = outcome(rules, place(us, them, rules))
    return found and (found.winner, found.level, found.points)


def test_the_first_to_bear_off_all_wins_single_gammon_or_backgammon():
    assert ended("", "1(14)") == (1, 1, 1)
    assert ended("", "24(15)") == (1, 2, 2)
    assert ended("", "24(14) 6(1)") == (1, 3, 3)
    assert ended("", "24(14) bar(1)") == (1, 3, 3)
    assert ended("6(15)", "") == (-1, 2, 2)
    assert ended("6(14) 18", "") == (-1, 2, 2)
    assert ended("6(14) 19", "") == (-1, 3, 3)
    assert ended("6(14)", "") == (-1, 1, 1)


def test_d1_a_loser_wholly_at_home_loses_no_backgammon():
    assert ended("", "19(15)") == (1, 2, 2)


def test_acey_deucey_pays_a_point_for_every_checker_left():
    rules = variant("acey-deucey")
    assert ended("", "24(5)", rules) == (1, 1, 5)
    assert ended("hand(15)", "", rules) == (-1, 1, 15)


def test_plakoto_has_no_backgammon():
    assert ended("", "6(15)", variant("plakoto")) == (1, 2, 2)


def test_where_the_last_off_wins_the_first_loses_single():
    assert ended("", "1(15)", variant("misere")) == (-1, 1, 1)
    assert ended("", "24(15)", variant("misere")) == (-1, 1, 1)


@given(position=strange_positions(BACKGAMMON))
def test_the_end_of_a_game_is_the_same_seen_from_the_other_side(position):
    off = Position(position.us, Side.of({0: 15}))
    found, flipped = outcome(BACKGAMMON, off), outcome(BACKGAMMON, off.flip())
    assert (found.winner, found.points) == (-flipped.winner, flipped.points)


def refusal(*sides: tuple[Any, ...]) -> str | None:
    try:
        check_position(BACKGAMMON, Position(*(Side(*numbers) for numbers in sides)))
    except PositionError as found:
        return str(found)
    return None


@given(data=st.data())
def test_no_set_up_side_makes_the_door_do_anything_but_accept_or_refuse(data):
    counts = st.integers(0, 255) | st.integers(0, 3)
    hands = st.integers(-1, 300) | st.integers(0, 3)
    side = st.tuples(st.lists(counts, min_size=26, max_size=26), hands, st.integers(-1, 2**33) | st.just(0))
    assert refusal(data.draw(side), data.draw(side)) != ""
