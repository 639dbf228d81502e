"""Rolls as table rows, and streams of numbers to roll them with.

A row says everything a roll means; no other module knows how a kind of dice works.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import permutations
from random import Random
from typing import Final, Literal

from barpoint.error import whole_number

NUMBERS: Final = 252
"""A source of dice gives numbers from 0 to one less: 252 = 7 x 36 = 21 x 12 = 42 x 6."""

MAX_NUMBERS: Final = 6
"""Of one roll."""

DiceKind = Literal["2d6", "1d12", "3d6"]
"""Two dice, one with twelve sides, three dice."""

Combination = tuple[int, ...]
"""The numbers of one way to use a roll, in no particular order of play."""

Stage = tuple[Combination, ...]
"""Alternatives of which one is played."""


@dataclass(frozen=True, slots=True)
class DiceRow:
    """One row of a table of rolls.

    faces: what the dice show, highest first; (9,) for one die with twelve sides.
    weight: chances of this roll out of the table's total.
    stages: done in turn; the next one begins only when the one before was played completely.
    again: the player rolls again when every stage was played completely, unless a roll follows that is not rolled (`FollowUps`).
    """

    faces: tuple[int, ...]
    weight: int
    stages: tuple[Stage, ...]
    again: bool = False


def _two_dice_row(high: int, low: int) -> DiceRow:
    numbers = (high,) * 4 if high == low else (high, low)
    return DiceRow((high, low), 1 if high == low else 2, ((numbers,),))


TWO_DICE: Final = tuple(_two_dice_row(high, low) for high in range(1, 7) for low in range(1, high + 1))
"""Two dice: 21 rows, total weight 36."""


def _three_dice_row(*faces: int) -> DiceRow:
    return DiceRow(faces, len(set(permutations(faces))), ((faces,),))


THREE_DICE: Final = tuple(
    _three_dice_row(high, middle, low)
    for high in range(1, 7)
    for middle in range(1, high + 1)
    for low in range(1, middle + 1)
)
"""Three dice, of which each is played once, equal ones too: 56 rows, total weight 216 (rulings 4.12)."""

_SPLITS: Final[tuple[Stage, ...]] = (
    ((1,),),
    ((1, 1),),
    ((2, 1), (1, 1, 1)),
    ((3, 1), (2, 2)),
    ((4, 1), (3, 2)),
    ((5, 1), (4, 2), (2, 2, 2)),
    ((6, 1), (5, 2), (4, 3)),
    ((6, 2), (5, 3), (4, 4)),
    ((6, 3), (5, 4), (3, 3, 3)),
    ((6, 4), (5, 5)),
    ((6, 5),),
    ((6, 6), (4, 4, 4)),
)


def twelve_sided(include_3_3: bool = False) -> tuple[DiceRow, ...]:
    """One die with twelve sides: 12 rows of weight 1 (S1-3); with 3+3 for a roll of 6 where asked for (D-9)."""
    splits = list(_SPLITS)
    if include_3_3:
        splits[5] = ((5, 1), (4, 2), (3, 3), (2, 2, 2))
    return tuple(DiceRow((face,), 1, (stage,)) for face, stage in enumerate(splits, start=1))


def two_dice_with_2_1_bonus() -> tuple[DiceRow, ...]:
    """Two dice; a 2-1 earns a double of the player's choice, and then another roll (rulings 4.2)."""
    doubles: Stage = tuple((number,) * 4 for number in range(1, 7))
    return tuple(
        DiceRow(row.faces, row.weight, (*row.stages, doubles), again=True) if row.faces == (2, 1) else row
        for row in TWO_DICE
    )


def two_dice_that_roll_again() -> tuple[DiceRow, ...]:
    """Two dice; also every double earns another roll (rulings 4.3)."""
    return tuple(replace(row, again=True) if row.faces[0] == row.faces[1] else row for row in two_dice_with_2_1_bonus())


def rising_doubles() -> tuple[tuple[Combination, tuple[int, ...]], ...]:
    """Each double below 6-6 as it is played, and the next higher one (rulings 4.10)."""
    return tuple(((number,) * 4, (number + 1,) * 2) for number in range(1, 6))


def complementary_doubles() -> tuple[tuple[Combination, tuple[int, ...]], ...]:
    """Each double as it is played, and the one that makes seven with it (rulings 4.3)."""
    return tuple(((number,) * 4, (7 - number,) * 2) for number in range(1, 7))


def row_index(rows: tuple[DiceRow, ...], faces: tuple[int, ...]) -> int:
    """The row that these faces show, in any order; ValueError names the faces when there is none."""
    wanted = tuple(sorted(faces, reverse=True))
    for index, row in enumerate(rows):
        if row.faces == wanted:
            return index
    raise ValueError(f"no roll shows {'-'.join(map(str, faces))}")


def seeded(seed: int) -> Iterator[int]:
    """An endless stream of numbers 0 <= n < 252 from a seed.

    For simulations and tests; a server draws its numbers elsewhere. ArgumentError for a seed that is no whole number.
    """
    random = Random(whole_number("seed", seed))
    return iter(lambda: random.randrange(NUMBERS), None)


def numbers_for(rows: tuple[DiceRow, ...]) -> int:
    """How many numbers 0 <= n < 252 make one roll: as few as let every row come exactly by its weight, six at most.

    Total weights with a prime factor that 252 does not have take six; a row's chance is then off by less than 1e-8.
    """
    total = sum(row.weight for row in rows)
    return next((count for count in range(1, MAX_NUMBERS) if NUMBERS**count % total == 0), MAX_NUMBERS)


def roll(rows: tuple[DiceRow, ...], numbers: Sequence[int]) -> tuple[int, ...]:
    """The faces that numbers 0 <= n < 252 roll, each row by its weight; faces highest first.

    numbers: as many as `numbers_for` says, read as the digits of one number to the base 252.
    """
    point = reduce(lambda above, number: above * NUMBERS + number, numbers) % sum(row.weight for row in rows)
    for row in rows:
        point -= row.weight
        if point < 0:
            return row.faces
    raise AssertionError("weights cover every number")


def roll_one(sides: int, number: int) -> int:
    """The face 1..sides that a number 0 <= number < 252 rolls on one die."""
    return number % sides + 1
