"""Axes and their composition; the catalogue (rulings 4) and the one spelling of every name."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from barpoint.error import ArgumentError, BarpointError, UnknownVariant, VariantsClash
from barpoint.rules import Dice, FirstRoll, Meeting, Obligation, Setup
from barpoint.variants import variant, variants

PIPS = {
    "backgammon": 167,
    "nackgammon": 194,
    "hypergammon": 69,
    "longgammon": 360,
    "acey-deucey": 375,
    "european-acey-deucey": 375,
    "tabula": 375,
}


@pytest.mark.parametrize(("name", "pips"), PIPS.items())
def test_the_start_has_the_pips_of_the_rules_text(name: str, pips: int):
    assert variant(name).start.us.pips == pips
    assert variant(name).start.us == variant(name).start.them


@pytest.mark.parametrize("checkers", [1, 2, 3, 4, 5])
def test_hypergammon_has_one_to_five_checkers_from_the_24_point_down(checkers: int):
    side = variant("hypergammon", checkers=checkers).start.us
    assert [point for point in range(25) if side.points[point]] == list(range(25 - checkers, 25))


def test_variants_are_keys_of_sets():
    assert set(variants()) == {*variants()}
    assert len(set(variants())) == len(variants())


def test_a_variant_without_differences_is_backgammon():
    assert variant() == variant("standard") == variant("Backgammon")


def test_parts_are_named_in_catalogue_order_whatever_order_they_come_in():
    assert variant("nackgammon+roll-over").name == "roll-over+nackgammon"
    assert variant("Nack + RollOver") == variant("roll-over+nackgammon")


def test_an_option_has_one_spelling():
    rules = variant("duodecagammon", include_3_3=True)
    assert rules.name == "duodecagammon(include_3_3)"
    assert variant(rules.name) == variant("duodecagammon(include_3_3=true)") == rules


def test_rules_show_themselves_by_the_name_that_gets_them_again():
    assert repr(variant("nack+rollover")) == "variant('roll-over+nackgammon')"


def test_an_option_at_its_default_is_left_out_of_the_name():
    assert variant("hypergammon(checkers=3)").name == "hypergammon"
    assert variant("roll-over(early_call)").name == "roll-over"


def test_an_option_goes_to_the_part_that_has_it():
    assert variant("roll-over+duodecagammon", per_option=True).name == "roll-over+duodecagammon(per_option)"
    assert variant("roll-over+duodecagammon", per_option=True).dice.obligation is Obligation.PER_OPTION


def test_a_value_of_an_option_may_be_of_numpy():
    assert variant("hypergammon", checkers=np.int64(4)) == variant("hypergammon(checkers=4)")
    for said in (False, True):
        assert variant("duodecagammon", include_3_3=np.bool_(said)) == variant("duodecagammon", include_3_3=said)
    assert variant("duodecagammon", include_3_3=np.bool_(True)).name == "duodecagammon(include_3_3)"


@pytest.mark.parametrize(
    ("name", "said", "shown"),
    [
        ("hypergammon", {"checkers": np.bool_(True)}, "true; allowed: 3, 1, 2, 4, 5"),
        ("hypergammon", {"checkers": np.float64(4)}, "4.0; allowed: 3, 1, 2, 4, 5"),
        ("hypergammon", {"checkers": np.array([4, 2])}, r"\[4, 2\]; allowed: 3, 1, 2, 4, 5"),
        ("hypergammon", {"checkers": "4"}, "'4'; allowed: 3, 1, 2, 4, 5"),
        ("duodecagammon", {"include_3_3": np.int64(1)}, "1; allowed: false, true"),
    ],
)
def test_a_value_that_an_option_does_not_take_is_refused_as_what_it_is(name: str, said: dict[str, Any], shown: str):
    with pytest.raises(UnknownVariant, match=f"{next(iter(said))} is {shown}"):
        variant(name, **said)


@pytest.mark.parametrize(("one", "other"), list(combinations([entry.name for entry in variants()], 2)))
def test_two_variants_compose_or_say_which_axis_they_clash_on(one: str, other: str):
    try:
        rules = variant(f"{one}+{other}")
    except VariantsClash as clash:
        assert one in str(clash)  # noqa: PT017 - both outcomes are meant
        assert other in str(clash)  # noqa: PT017
    else:
        assert variant(f"{other}+{one}") == rules
        assert variant(rules.name) == rules


@pytest.mark.parametrize(
    "name", ["nackgammon+hypergammon", "roll-over+cancelgammon", "acey-deucey+duodecagammon", "plakoto+fevga"]
)
def test_variants_that_set_one_axis_differently_are_refused(name: str):
    with pytest.raises(VariantsClash, match="choose one"):
        variant(name)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("gamon", "no variant is called 'gamon'"),
        ("backgamon", "did you mean backgammon"),
        ("", "not a variant"),
        ("roll-over+", "not a variant"),
        ("roll-over+roll-over", "twice"),
        ("duodecagammon(include_4_4)", "its options: include_3_3"),
        ("hypergammon(checkers=9)", "allowed: 3, 1, 2, 4, 5"),
        ("hypergammon(checkers)", "checkers is true"),
        ("hypergammon(checkers=x)", "no value"),
        ("duodecagammon(include_3_3=1)", "allowed: false, true"),
        ("a" * 1000, "1000 characters"),
    ],
)
def test_a_name_that_means_nothing_is_refused_with_what_is_known(name: str, says: str):
    with pytest.raises(UnknownVariant, match=says.replace("(", r"\(")):
        variant(name)


def test_an_option_that_no_part_has_is_refused():
    with pytest.raises(BarpointError, match="checkers"):
        variant("roll-over", checkers=3)


def test_the_profiles_of_the_two_reroll_games_are_those_of_the_rules_text():
    """Rulings 2.6."""
    roll_over, cancel = variant("roll-over").rerolls, variant("cancelgammon").rerolls
    assert (roll_over.own, roll_over.other, roll_over.opening_cancellable, roll_over.double_after_cancel) == (
        True,
        True,
        True,
        False,
    )
    assert (cancel.own, cancel.other, cancel.opening_cancellable, cancel.double_after_cancel) == (
        False,
        True,
        False,
        True,
    )


def test_the_starter_of_duodecagammon_rolls_again_unless_told_otherwise():
    """DG-1."""
    assert variant("duodecagammon").opening.first_roll is FirstRoll.AGAIN
    told = variant("duodecagammon(opening_uses_winning_number)")
    assert told.opening.first_roll is FirstRoll.OWN_NUMBER


@pytest.mark.parametrize("meeting", Meeting)
def test_meeting_the_other_side_and_back_is_the_same_point(meeting: Meeting):
    assert [meeting.other(meeting.other(point)) for point in range(1, 25)] == list(range(1, 25))


def test_the_other_sides_start_lies_on_ones_own_12_point_in_far_corner_games():
    """Rulings 4.7."""
    assert Meeting.FAR_CORNER.other(24) == 12


@pytest.mark.parametrize(
    ("name", "levels"),
    [("backgammon", 3), ("portes", 2), ("plakoto", 2), ("moultezim", 2), ("misere", 1), ("acey-deucey", 1)],
)
def test_kinds_of_win_that_pay_differently_are_levels(name: str, levels: int) -> None:
    assert variant(name).scoring.levels == levels


def test_a_start_takes_its_checkers_by_point_too() -> None:
    pairs = Setup(((24, 2), (6, 3)), 1)
    assert Setup({24: 2, 6: 3}, 1) == Setup.of({24: 2, 6: 3}, hand=1) == pairs  # type: ignore[arg-type]
    assert hash(Setup.of({24: 2, 6: 3}, 1)) == hash(pairs)


def test_values_of_axes_of_another_kind_are_refused() -> None:
    for make, said in (
        (lambda: Setup(8), r"points is 8 \(int\); allowed: tuple, Mapping"),  # type: ignore[arg-type]
        (lambda: Setup.of([(24, 2)]), "checkers is"),  # type: ignore[arg-type]
        (lambda: Dice(8), r"rows is 8 \(int\); allowed: tuple"),  # type: ignore[arg-type]
        (lambda: Dice((8,)), r"a row is 8 \(int\); allowed: DiceRow"),  # type: ignore[arg-type]
    ):
        with pytest.raises(ArgumentError, match=said):
            make()
