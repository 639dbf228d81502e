"""The core finds the plays that two other programs find: gnubg-nn and OpenSpiel, on 100,000 standard positions each.

Measured 20 November 2026: gnubg-nn 1.1.0a11 and OpenSpiel 2.0.2, 0 differences.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any, Final

import numpy as np
import pytest

from barpoint.board import OFF, Position, Side
from barpoint.moves import encode, legal_plays_batch
from barpoint.native import pack, unpack
from barpoint.variants import variant
from tests.support.strategies import random_strange_position

pytestmark = pytest.mark.deep

POSITIONS: Final = 100_000
RULES: Final = variant("backgammon")
ROW_OF: Final = {row.faces: index for index, row in enumerate(RULES.dice.rows)}

Question = tuple[Position, tuple[int, int], set[Position]]
"""A position seen by the player to act, the dice, and every position after a play that the other program allows."""


def differences(questions: Iterator[Question]) -> list[str]:
    """Where the core finds other results, the first few as text."""
    found: list[str] = []
    while asked := list(islice(questions, 1000)):
        positions = encode(position for position, _, _ in asked)
        rows = np.array([ROW_OF[max(dice), min(dice)] for _, dice, _ in asked])
        results, offsets, _ = legal_plays_batch(RULES, positions, rows)
        for number, (position, dice, expected) in enumerate(asked):
            actual = {unpack(bytes(packed)) for packed in results[offsets[number] : offsets[number + 1]]}
            if set(map(settled, actual)) != set(map(settled, expected)):
                found.append(f"{dice} {position}: core {actual}, other {expected}")
    return found[:3]


def settled(after: Position) -> Position:
    """The same, all won games alike. With us the last checker off ends the play (DG-15, T11); both programs ask for the
    rest of the roll where it can be played first, and a checker hit by the way is then on the bar of a lost game."""
    return Position(after.us, RULES.start.them) if after.us.points[OFF] == 15 else after


# ---------------------------------------------------------------- gnubg-nn: boards are (opponent, on roll), 25 points each


def gnubg_side(points: tuple[int, ...]) -> Side:
    """A side from gnubg's counts of points 1..24 and bar."""
    return Side((15 - sum(points), *points))


def gnubg_results(gnubg: Any, position: Position, dice: tuple[int, int]) -> set[Position]:
    """Positions after a play, seen by the mover, as its keys are; no key means that nothing can be played."""
    board = [list(position.them.points[1:]), list(position.us.points[1:])]
    found = {gnubg.boardfromkey(key) for key in gnubg.moves(board, *dice)}
    return {Position(gnubg_side(us), gnubg_side(them)) for them, us in found} or {position}


def gnubg_questions(gnubg: Any, random: Random) -> Iterator[Question]:
    """By turns a position of a random game played by gnubg's plays and a strange one."""
    position = RULES.start
    while True:
        dice = random.randint(1, 6), random.randint(1, 6)
        results = gnubg_results(gnubg, position, dice)
        yield position, dice, results
        after = random.choice(sorted(results, key=pack))
        position = RULES.start if after.us.points[OFF] == 15 else after.flip()
        strange = random_strange_position(RULES, random)
        yield strange, dice, gnubg_results(gnubg, strange, dice)


def test_gnubg_finds_the_same_plays() -> None:
    import gnubg_nn  # installed by make check-deep alone

    assert differences(islice(gnubg_questions(gnubg_nn, Random(1)), POSITIONS)) == []


# ---------------------------------------------------------------- OpenSpiel: player 0 runs up its board, player 1 down


def spiel_side(state: Any, player: int) -> Side:
    """A player's side of an OpenSpiel board, whose bar is entry 100."""
    points = [state.board(player, index) for index in range(24)]
    if player == 0:
        points.reverse()
    bar = state.board(player, 100)
    return Side((15 - sum(points) - bar, *points, bar))


def spiel_position(state: Any, player: int) -> Position:
    """An OpenSpiel board seen by a player."""
    return Position(spiel_side(state, player), spiel_side(state, 1 - player))


def spiel_results(state: Any, dice: tuple[int, int]) -> set[Position]:
    """Positions after a play, seen by the mover. OpenSpiel plays a double as two turns of two moves each."""
    player = state.current_player()
    halfway = {spiel_position(child, player): child for child in map(state.child, state.legal_actions())}
    if dice[0] != dice[1]:
        return set(halfway)
    results = set()
    for position, child in halfway.items():
        if child.current_player() == player:
            results |= {spiel_position(child.child(action), player) for action in child.legal_actions()}
        else:
            results.add(position)
    return results


def spiel_questions(game: Any, random: Random) -> Iterator[Question]:
    """Positions of OpenSpiel's own random games."""
    state = game.new_initial_state()
    while True:
        if state.is_terminal():
            state = game.new_initial_state()
        chance = random.choice(state.legal_actions())
        high, low = state.action_to_string(chance).rstrip(")")[-2:]
        dice = int(high), int(low)
        state.apply_action(chance)
        player = state.current_player()
        yield spiel_position(state, player), dice, spiel_results(state, dice)
        while state.current_player() == player:
            state.apply_action(random.choice(state.legal_actions()))


def test_open_spiel_finds_the_same_plays() -> None:
    import pyspiel  # installed by make check-deep alone

    game = pyspiel.load_game("backgammon(max_player_turns=100000)")
    assert differences(islice(spiel_questions(game, Random(2)), POSITIONS)) == []
