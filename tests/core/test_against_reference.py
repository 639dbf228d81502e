"""The compiled core and the readable reference find the same plays, turns and endings, in every game of the family."""

from __future__ import annotations

import gc
import math
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from random import Random
from typing import Final

import numpy as np
import pytest

from barpoint.board import OFF, Position, Side
from barpoint.dice import DiceRow
from barpoint.moves import Turn, check_position, encode, legal_plays, legal_plays_batch, outcome
from barpoint.native import pack, unpack
from barpoint.rules import Rules
from tests.reference import reference_outcome, reference_plays, reference_turn
from tests.reference.turn import reference_undos
from tests.support.compositions import BEYOND, compositions, play_axes
from tests.support.deep import DEEP
from tests.support.strategies import game_positions, owed_row, random_row, random_strange_position

PART: Final = 300
"""So many positions are compared at once."""

PARTS: Final = 2 if DEEP else 1
"""Compared for every variant, half from random games and half strange ones."""

DEEP_PARTS: Final = 10
"""In `make check-deep` a million more for each, in so many parts."""

COMPOSED: Final = 60 if DEEP else 30
"""Compared for each of the compositions, where options differ, and of the rules beyond the catalogue."""

TURNS: Final = 25 if DEEP else 12
"""Turns walked through move by move."""

_alike: dict[Rules, list[Rules]] = {}
for _rules in sorted(
    (each for each in compositions() if not each.sequence.games), key=lambda rules: (len(rules.name), rules.name)
):
    _alike.setdefault(play_axes(_rules), []).append(_rules)

FAMILIES: Final = {family[0].name: family for family in _alike.values()}
"""Rules that differ in nothing but dice rolled again, cube and opening, by one name of each such set."""

FAMILIES.update({name: [rules] for name, rules in BEYOND.items()})

Question = tuple[Position, DiceRow, set[tuple[Position, bool]]]


@pytest.fixture(scope="module", params=FAMILIES)
def family(request: pytest.FixtureRequest) -> str:
    """A name in FAMILIES. All tests of a family follow each other, so that they share what the reference finds."""
    name: str = request.param
    return name


@pytest.fixture(scope="module")
def known(family: str) -> list[Question]:
    """The first part of what the reference finds."""
    with without_collector():
        return list(islice(questions(FAMILIES[family][0], 1), COMPOSED if is_composed(family) else PART))


def is_composed(family: str) -> bool:
    """Whether these are not the plain rules of a game of the catalogue."""
    return family in BEYOND or "(" in family or "+" in family


def affordable_row(rules: Rules, random: Random) -> DiceRow:
    """A roll; with many checkers those of many stages, which take the reference a second, come up less often."""
    row = random_row(rules, random)
    if len(row.stages) > 1 and rules.checkers > 5 and random.randrange(40):
        return affordable_row(rules, random)
    return row


def questions(rules: Rules, seed: int) -> Iterator[Question]:
    """Positions with a roll and what the reference finds: by turns from a random game and strange ones."""
    random = Random(seed)
    games = game_positions(rules, random, affordable_row)
    while True:
        yield next(games)
        position = random_strange_position(rules, random)
        row = owed_row(rules, position) or affordable_row(rules, random)
        yield position, row, reference_plays(rules, position, row.faces)


def differences(family: list[Rules], found: list[Question]) -> Iterator[str]:
    """What the core says otherwise; under the family's other rules it must say the very same as under the first."""
    positions = encode(position for position, _, _ in found)
    index = {row: number for number, row in enumerate(family[0].dice.rows)}
    rows = np.array([index[row] for _, row, _ in found])
    results, offsets, again = answer = legal_plays_batch(family[0], positions, rows)
    for rules in family[1:]:
        same = legal_plays_batch(rules, positions, rows)
        if not all(np.array_equal(one, other) for one, other in zip(same, answer, strict=True)):
            yield f"{rules.name} and {family[0].name} differ, though by no axis that decides a move"
    for number, (position, row, plays) in enumerate(found):
        span = slice(offsets[number], offsets[number + 1])
        actual = list(zip(map(bytes, results[span]), again[span].tolist(), strict=True))
        expected = {(pack(after), rolls_again) for after, rolls_again in plays}
        if set(actual) != expected or len(actual) != len(expected):
            yield describe(family[0], position, row, actual, expected)


def describe(
    rules: Rules, position: Position, row: DiceRow, actual: list[tuple[bytes, bool]], expected: set[tuple[bytes, bool]]
) -> str:
    """A difference as a case to write down."""
    surplus = [(unpack(after), again) for after, again in sorted(set(actual) - expected)]
    missing = [(unpack(after), again) for after, again in sorted(expected - set(actual))]
    twice = len(actual) - len(set(actual))
    return f"{rules.name} {row.faces} {position}\n core alone: {surplus}\n reference alone: {missing}\n twice: {twice}"


@contextmanager
def without_collector() -> Iterator[None]:
    """The reference leaves no cycles behind; looking for them among its many small values took half of its time."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def assert_same_plays(family: str, found: list[Question]) -> None:
    assert "\n".join(islice(differences(FAMILIES[family], found), 3)) == ""


def assert_same_in_parts(family: str, seed: int, parts: int) -> None:
    remaining = questions(FAMILIES[family][0], seed)
    with without_collector():
        for _ in range(parts):
            assert_same_plays(family, list(islice(remaining, PART)))


def test_the_core_finds_the_plays_of_the_reference(family: str, known: list[Question]) -> None:
    assert_same_plays(family, known)
    if not is_composed(family):
        assert_same_in_parts(family, 2, PARTS - 1)


@pytest.mark.deep
@pytest.mark.parametrize("part", range(3, 3 + DEEP_PARTS))
def test_the_core_finds_the_plays_of_the_reference_on_a_million_positions(family: str, part: int) -> None:
    assert_same_in_parts(family, part, math.ceil(1_000_000 / DEEP_PARTS / PART))


def test_single_plays_are_those_of_the_batch_and_their_moves_lead_to_their_results(
    family: str, known: list[Question]
) -> None:
    rules = FAMILIES[family][0]
    for position, row, plays in known[:TURNS]:
        if len(plays) < 2000:
            found = legal_plays(rules, position, row.faces)
            assert {(play.result, play.again) for play in found} == plays
            for play in found[:: max(1, len(found) // 5)]:
                turn = Turn(rules, position, row.faces, play.moves)
                assert turn.may_commit
                assert turn.position == play.result
                assert play.next == (play.result if play.again else play.result.flip())


def test_a_turn_offers_the_moves_and_undos_of_the_reference_at_every_step(family: str, known: list[Question]) -> None:
    rules, random = FAMILIES[family][0], Random(1002)
    for position, row, plays in known[-TURNS:]:
        if len(plays) > 2000:
            continue
        turn = Turn(rules, position, row.faces)
        while True:
            expected = reference_turn(rules, position, row.faces, turn.made)
            moves = turn.next_moves()
            assert len(set(moves)) == len(moves)
            assert set(moves) == expected.next_moves
            assert turn.may_commit == expected.may_commit
            assert bool(turn.why_not) != turn.may_commit
            undos = reference_undos(rules, position, row.faces, turn.made)
            assert set(turn.undo_sources()) == undos
            if turn.may_commit and (not moves or random.random() < 0.3):
                break
            if undos and random.random() < 0.3:
                gone = random.choice(sorted(undos))
                rest = turn.undo(gone)
                assert sorted((*rest.made, gone)) == sorted(turn.made)
                assert rest.position == Turn(rules, position, row.faces, rest.made).position
            turn = turn.move(*random.choice(sorted(moves)))
        play = turn.play()
        assert (play.result, play.again) in plays


def packed(end: tuple[Position, bool]) -> tuple[bytes, bool]:
    """What ends of plays are sorted by."""
    position, again = end
    return pack(position), again


def test_the_core_sees_the_endings_of_the_reference(family: str, known: list[Question]) -> None:
    rules, random = FAMILIES[family][0], Random(1004)
    ended = 0
    for position, _, plays in known:
        afters = random.sample(sorted(plays, key=packed), min(3, len(plays))) if len(plays) < 2000 else []
        candidates = [position, position.flip(), *(after for after, _ in afters)]
        if not position.us.pinned | position.them.pinned:  # taking captors away would leave captives behind
            won = Position(Side.of({OFF: rules.checkers}), position.them)
            candidates += [won, won.flip()]
        for candidate in candidates:
            expected = reference_outcome(rules, candidate)
            actual = outcome(rules, candidate)
            ended += expected is not None
            winner = {"us": 1, "them": -1, None: 0}
            assert (actual and (actual.winner, actual.points)) == (expected and (winner[expected[0]], expected[1]))
    assert ended


def test_every_position_of_a_game_passes_the_door(family: str, known: list[Question]) -> None:
    rules = FAMILIES[family][0]
    for position, _, plays in known:
        check_position(rules, position)
        for after, again in islice(plays, 5):
            check_position(rules, after if again else after.flip())
