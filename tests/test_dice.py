"""Tables of rolls (rulings 3.1, 3.2, 4.2, 9.3) and the numbers that roll them."""

from fractions import Fraction
from itertools import islice, product

import pytest

from barpoint.dice import (
    THREE_DICE,
    TWO_DICE,
    DiceRow,
    numbers_for,
    roll,
    roll_one,
    row_index,
    seeded,
    twelve_sided,
    two_dice_that_roll_again,
    two_dice_with_2_1_bonus,
)
from barpoint.error import ArgumentError

TABLES = {
    "two dice": TWO_DICE,
    "twelve sides": twelve_sided(),
    "three dice": THREE_DICE,
    "acey-deucey": two_dice_with_2_1_bonus(),
    "european acey-deucey": two_dice_that_roll_again(),
}


def mean_and_variance(rows: tuple[DiceRow, ...]) -> tuple[Fraction, Fraction]:
    total = sum(row.weight for row in rows)
    pips = [(sum(row.stages[0][0]), Fraction(row.weight, total)) for row in rows]
    mean = sum(p * w for p, w in pips)
    return mean, sum(w * (p - mean) ** 2 for p, w in pips)


def test_two_dice_have_21_rows_and_a_mean_of_49_sixths():
    assert len(TWO_DICE) == 21
    assert sum(row.weight for row in TWO_DICE) == 36
    assert mean_and_variance(TWO_DICE) == (Fraction(49, 6), Fraction(665, 36))


def test_the_twelve_sided_die_has_25_options_each_adding_up_to_the_roll():
    rows = twelve_sided()
    assert sum(len(row.stages[0]) for row in rows) == 25
    assert all(sum(option) == row.faces[0] for row in rows for option in row.stages[0])
    assert mean_and_variance(rows) == (Fraction(13, 2), Fraction(143, 12))


def test_no_option_of_the_twelve_sided_die_uses_a_number_over_six():
    assert {number for row in twelve_sided() for option in row.stages[0] for number in option} == set(range(1, 7))


def test_three_and_three_is_an_option_of_six_only_where_asked_for():
    assert (3, 3) not in twelve_sided()[5].stages[0]
    assert (3, 3) in twelve_sided(include_3_3=True)[5].stages[0]
    assert sum(len(row.stages[0]) for row in twelve_sided(include_3_3=True)) == 26


def test_triples_exist_for_3_6_9_and_12_alone():
    triples = {row.faces[0] for row in twelve_sided() for option in row.stages[0] if len(option) == 3}
    assert triples == {3, 6, 9, 12}


def test_acey_deucey_differs_from_two_dice_in_one_roll_alone():
    changed = [row for row, plain in zip(two_dice_with_2_1_bonus(), TWO_DICE, strict=True) if row != plain]
    (row,) = changed
    assert row.faces == (2, 1)
    assert row.again
    assert row.stages == (((2, 1),), tuple((n, n, n, n) for n in range(1, 7)))


@pytest.mark.parametrize("name", TABLES)
def test_all_numbers_together_roll_every_row_by_its_weight(name: str):
    rows = TABLES[name]
    drawn = numbers_for(rows)
    unit = 252**drawn // sum(row.weight for row in rows)
    counts = dict.fromkeys((row.faces for row in rows), 0)
    for numbers in product(range(252), repeat=drawn):
        counts[roll(rows, numbers)] += 1
    assert counts == {row.faces: row.weight * unit for row in rows}


@pytest.mark.parametrize(("weight", "drawn"), [(1, 1), (36, 1), (252, 1), (216, 2), (343, 3), (5, 6), (11 * 36, 6)])
def test_a_roll_takes_as_many_numbers_as_make_it_fair(weight: int, drawn: int):
    assert numbers_for((DiceRow((1,), weight, (((1,),),)),)) == drawn


def test_a_die_that_252_does_not_divide_is_fair_to_the_eighth_place():
    rows = tuple(DiceRow((face,), 1, (((1,),),)) for face in range(1, 6))
    assert [roll(rows, (0, 0, 0, 0, 0, number)) for number in range(5)] == [(1,), (2,), (3,), (4,), (5,)]
    assert roll(rows, (251,) * 6) == ((252**6 - 1) % 5 + 1,)


def test_one_die_shows_every_face_equally_often():
    assert sorted(roll_one(6, number) for number in range(252)) == sorted(list(range(1, 7)) * 42)
    assert sorted(roll_one(12, number) for number in range(252)) == sorted(list(range(1, 13)) * 21)


def test_faces_are_found_in_either_order():
    assert TWO_DICE[row_index(TWO_DICE, (1, 3))].faces == (3, 1)
    assert row_index(TWO_DICE, (3, 1)) == row_index(TWO_DICE, (1, 3))


@pytest.mark.parametrize("faces", [(7, 1), (0, 0), (3,), (1, 2, 3), ()])
def test_faces_that_no_row_shows_are_refused(faces: tuple[int, ...]):
    with pytest.raises(ValueError, match="no roll shows"):
        row_index(TWO_DICE, faces)


def test_the_same_seed_gives_the_same_numbers_and_another_seed_others():
    first = list(islice(seeded(7), 50))
    assert first == list(islice(seeded(7), 50))
    assert first != list(islice(seeded(8), 50))
    assert all(0 <= number < 252 for number in first)


@pytest.mark.parametrize("seed", ["x", None, 1.5])
def test_a_seed_is_a_whole_number(seed):
    with pytest.raises(ArgumentError, match=r"seed is .*; allowed: int$"):
        seeded(seed)
