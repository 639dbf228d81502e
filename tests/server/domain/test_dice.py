"""Dice from committed seeds: known answers, separate domains, and fair faces."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from itertools import islice

import pytest

from barpoint.dice import TWO_DICE, twelve_sided
from barpoint.server.domain.dice import FAIR_LIMIT, SeededDice, Seeds, new_server_seed, numbers

SEEDS = Seeds("abcdefghjkmn", bytes(range(32)), ("client a", "client b"))


def test_the_formula_is_the_one_that_is_published() -> None:
    """A second implementation, written only from the text of the formula."""
    message = b"bgdice/1|abcdefghjkmn|2|7|client a|client b|0"
    block = hmac.new(bytes(range(32)), message, hashlib.sha256).digest()
    expected = [byte for byte in block if byte < 252]
    assert list(islice(numbers(SEEDS, "bgdice/1", 2, 7), len(expected))) == expected


def test_known_answers() -> None:
    assert SEEDS.commitment == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    assert list(islice(numbers(SEEDS, "bgdice/1", 1, 1), 6)) == [167, 233, 246, 66, 87, 156]
    dice = SeededDice()
    assert [dice.roll(SEEDS, 1, number, TWO_DICE) for number in range(1, 6)] == [
        (5, 4),
        (4, 1),
        (3, 2),
        (6, 4),
        (4, 1),
    ]
    assert dice.opening(SEEDS, 1, 1, 6) == (5, 6)


def test_a_block_that_is_used_up_is_followed_by_the_next() -> None:
    first = list(islice(numbers(SEEDS, "bgdice/1", 1, 1), 200))
    assert max(first) < FAIR_LIMIT
    assert len(set(first)) > 50


def test_the_same_roll_has_the_same_faces_and_every_other_one_its_own() -> None:
    dice = SeededDice()
    places = [(game, number) for game in range(1, 8) for number in range(1, 8)]
    rolls = [dice.roll(SEEDS, game, number, TWO_DICE) for game, number in places]
    assert rolls == [dice.roll(SEEDS, game, number, TWO_DICE) for game, number in places]
    streams = {tuple(islice(numbers(SEEDS, "bgdice/1", game, number), 8)) for game, number in places}
    streams |= {tuple(islice(numbers(SEEDS, "bgdice/1/opening", game, number), 8)) for game, number in places}
    assert len(streams) == 2 * len(places), "openings have a domain of their own"


@pytest.mark.parametrize(
    "other",
    [
        Seeds("another match", SEEDS.server, SEEDS.clients),
        Seeds(SEEDS.match_id, bytes(32), SEEDS.clients),
        Seeds(SEEDS.match_id, SEEDS.server, ("client b", "client a")),
    ],
)
def test_every_ingredient_matters(other: Seeds) -> None:
    assert list(islice(numbers(SEEDS, "bgdice/1", 1, 1), 16)) != list(islice(numbers(other, "bgdice/1", 1, 1), 16))


def test_faces_are_as_frequent_as_they_should_be() -> None:
    """Chi-square with a fixed seed: 20 and 11 degrees of freedom, limits at one in a million."""
    dice, count = SeededDice(), 20_000
    for rows, limit in ((TWO_DICE, 65.4), (twelve_sided(), 48.6)):
        seen = Counter(dice.roll(SEEDS, 1, number, rows) for number in range(1, count + 1))
        total = sum(row.weight for row in rows)
        wanted = {row.faces: count * row.weight / total for row in rows}
        assert sum((seen[faces] - hoped) ** 2 / hoped for faces, hoped in wanted.items()) < limit


def test_server_seeds_are_long_and_never_the_same() -> None:
    seeds = {new_server_seed() for _ in range(50)}
    assert len(seeds) == 50
    assert {len(seed) for seed in seeds} == {32}
