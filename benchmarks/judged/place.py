"""Positions for decisions, by kind: from games, and from games that start in constructed positions of that kind."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Final

from barpoint.board import BAR, Position, Side
from barpoint.engine import Engine
from barpoint.moves import outcome
from barpoint.variants import variant

Counts = dict[int, int]

CHECKERS: Final = 15
HOME: Final = 6
MAX_ROLLS: Final = 300


def made_points(side: Side, first: int, last: int) -> int:
    """Points with two or more checkers of the side."""
    return sum(side.points[point] >= 2 for point in range(first, last + 1))


def _contact(position: Position) -> bool:
    return position.us.rearmost + position.them.rearmost > BAR


def _prime(side: Side, other: Side) -> bool:
    """Whether five points in a row are made, with a checker behind them."""
    for first in range(2, 9):
        if (
            made_points(side, first, first + 4) == 5
            and any(other.points[BAR - point] for point in range(1, first)) | other.points[BAR]
        ):
            return True
    return False


def _blitz(side: Side, other: Side) -> bool:
    """Whether the other side has been hit and holds nothing in our home while ten of our checkers are near."""
    anchor = any(other.points[BAR - point] >= 2 for point in range(1, HOME + 1))
    return bool(other.points[BAR]) and not anchor and sum(side.points[1:12]) >= 10 and made_points(side, 1, 6) >= 2


def _either(test: Callable[[Side, Side], bool]) -> Callable[[Position], bool]:
    return lambda position: (
        _contact(position) and (test(position.us, position.them) or test(position.them, position.us))
    )


KINDS: Final[dict[str, Callable[[Position], bool]]] = {
    "game": lambda position: True,
    "blitz": _either(_blitz),
    "prime": _either(_prime),
    "back game": _either(lambda side, other: made_points(side, 19, 24) >= 2),
    "containment": _either(
        lambda side, other: (
            other.points[0] >= 4 and (other.points[BAR] > 0 or other.rearmost > 18) and made_points(side, 2, 12) >= 3
        )
    ),
    "crashed": _either(lambda side, other: sum(side.points[1:4]) >= 7 and side.points[0] == 0 and side.rearmost > 12),
    "race": lambda position: not _contact(position) and (position.us.rearmost > HOME or position.them.rearmost > HOME),
    "bear-off": lambda position: (
        not _contact(position) and position.us.rearmost <= HOME and position.them.rearmost <= HOME
    ),
}
"""The test of each kind; "game" accepts every position."""


def _scatter(dice: random.Random, counts: Counts, points: range, left: int) -> None:
    """Adds this many checkers to these points, mostly in pairs."""
    while left:
        size = min(left, dice.choice((1, 2, 2, 2, 3)))
        point = dice.choice(points)
        counts[point] = counts.get(point, 0) + size
        left -= size


def random_side(dice: random.Random, fixed: Counts, points: range) -> Side:
    """A side with these checkers, the others at random on these points."""
    counts = dict(fixed)
    _scatter(dice, counts, points, CHECKERS - sum(counts.values()))
    return Side.of(counts)


def side_of_prime(dice: random.Random, first: int, points: range) -> Side:
    """A side with five points in a row made, the first of them this, the other checkers at random on these points."""
    return random_side(dice, dict.fromkeys(range(first, first + 5), 2), points)


def _start(kind: str, dice: random.Random) -> tuple[Side, Side]:
    """The side the kind is about, and the other; they may overlap."""
    if kind == "back game":
        low, high = sorted(dice.sample(range(19, 25), 2))
        return random_side(dice, {low: 2, high: dice.choice((2, 2, 3))}, range(3, 14)), random_side(
            dice, {}, range(3, 15)
        )
    if kind == "containment":
        off = dice.randint(4, 13)
        prime = dice.randint(3, 7)
        us = random_side(dice, dict.fromkeys(range(prime, prime + dice.randint(3, 6)), 2), range(1, 16))
        return us, Side.of({0: off, dice.choice((25, 24, 23)): 1, dice.randint(1, 3): 14 - off})
    if kind == "crashed":
        us = random_side(dice, {1: 3, 2: 3, 3: dice.randint(1, 2), dice.randint(18, 24): 2}, range(2, 14))
        return us, random_side(dice, {}, range(2, 13))
    if kind == "prime":
        first = dice.randint(2, 7)
        return side_of_prime(dice, first, range(1, 20)), random_side(dice, {dice.choice((24, 25)): 2}, range(3, 15))
    if kind == "blitz":
        return random_side(dice, {6: 3, 5: 2, 8: 2}, range(3, 14)), random_side(
            dice, {25: dice.choice((1, 1, 2)), 24: 1}, range(5, 14)
        )
    return random_side(dice, {}, range(1, 13)), random_side(dice, {}, range(1, 13))


def beginning(kind: str, dice: random.Random) -> Position:
    """A start for games that lead to positions of the kind."""
    if kind == "game":
        return variant("backgammon").start
    while True:
        sides = _start(kind, dice)
        us, them = sides if dice.random() < 0.5 else sides[::-1]
        stand_apart = all(not (us.points[point] and them.points[BAR - point]) for point in range(1, BAR))
        if stand_apart and (us.points[BAR] == 0 or made_points(them, 1, 6) < 6):
            return Position(us, them)


def decisions(kind: str, seed: int) -> Iterator[tuple[Position, tuple[int, ...]]]:
    """An endless stream of positions of the kind, each with a roll: few from each game of the net against itself."""
    engine, rules = Engine("backgammon"), variant("backgammon")
    weights = [row.weight for row in rules.dice.rows]
    game = 0
    while True:
        dice = random.Random(f"{kind} {seed} {game}")
        game += 1
        position = beginning(kind, dice)
        for number in range(MAX_ROLLS):
            row = dice.choices(rules.dice.rows, weights)[0]
            ranked = engine.rank(position, row.faces)
            wanted = 0.12 if kind == "game" else 0.3
            if (number > 1 or kind == "game") and KINDS[kind](position) and dice.random() < wanted:
                yield position, row.faces
            position = ranked[0].play.next
            if outcome(rules, position) is not None:
                break
