"""Hard families of positions: what belongs to each, and positions of them from games that the net plays against itself."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from barpoint.board import BAR, Position, Side
from barpoint.engine import Engine
from barpoint.moves import outcome
from barpoint.variants import variant
from benchmarks.judged.place import CHECKERS, Counts, made_points, random_side, side_of_prime

MIN_ROLLS: Final = 3  # of own play between a constructed position and the one that is taken
MAX_ROLLS: Final = 60

Draw = Callable[[random.Random], tuple[Side, Side]]


@dataclass(frozen=True, slots=True)
class Family:
    """test: whether (holder, other side) belong to it; the holder is the side that holds the anchors, the prime, the crashed board.

    draw: a position, holder first, from which games often come to one; both may stand on one point.
    """

    test: Callable[[Side, Side], bool]
    draw: Draw


def _back(side: Side) -> int:
    """Checkers in the other side's home board and on the bar."""
    return sum(side.points[19:])


def _borne_in(side: Side) -> bool:
    """Whether all checkers but those in the other's home board are at home or off."""
    return not any(side.points[7:19])


def _anchors(side: Side) -> int:
    return made_points(side, 19, 24)


def _back_game(holder: Side, other: Side) -> bool:
    return _anchors(holder) >= 2 and _back(holder) < 8 and holder.pips > other.pips + 30 and other.points[0] == 0


def _massive_back_game(holder: Side, other: Side) -> bool:
    return _anchors(holder) >= 2 and _back(holder) >= 8 and holder.pips > other.pips + 60


def _containment(holder: Side, other: Side) -> bool:
    return (
        other.points[0] >= 4 and other.rearmost > 18 and made_points(holder, 2, 12) >= 3 and not _snake(holder, other)
    )


def _snake(holder: Side, other: Side) -> bool:
    """The other side has one checker left outside its home; many of ours are still to come round behind it."""
    outside = sum(other.points[7:])
    return outside == 1 and other.rearmost > 18 and sum(holder.points[13:]) >= 6


def _crashed(holder: Side, other: Side) -> bool:
    return sum(holder.points[1:4]) >= 7 and holder.points[0] == 0 and _anchors(holder) == 1 and not _borne_in(other)


def _deep_prime(holder: Side, other: Side) -> bool:
    """Five points of the home board are made, a checker of the other side is behind them, and one of ours is not home."""
    for first in (1, 2):
        behind = other.points[BAR] + sum(other.points[BAR - point] for point in range(1, first))
        if made_points(holder, first, first + 4) == 5 and behind and holder.rearmost > 6:
            return True
    return False


def _draw_back_game(dice: random.Random) -> tuple[Side, Side]:
    low, high = sorted(dice.sample(range(19, 25), 2))
    return random_side(dice, {low: 2, high: dice.choice((2, 2, 3))}, range(3, 13)), random_side(dice, {}, range(3, 15))


def _draw_massive(dice: random.Random) -> tuple[Side, Side]:
    held: Counts = dict.fromkeys(dice.sample(range(19, 25), dice.choice((2, 3, 3))), 2)
    while sum(held.values()) < dice.randint(8, 11):
        held[dice.choice(list(held))] += 1
    return random_side(dice, held, range(6, 19)), random_side(dice, {}, range(2, 12))


def _draw_containment(dice: random.Random) -> tuple[Side, Side]:
    off, first = dice.randint(4, 13), dice.randint(3, 7)
    prime = dict.fromkeys(range(first, first + dice.randint(3, 6)), 2)
    other = Side.of({0: off, dice.choice((25, 24, 23)): 1, dice.randint(1, 3): CHECKERS - 1 - off})
    return random_side(dice, prime, range(1, 16)), other


def _draw_snake(dice: random.Random) -> tuple[Side, Side]:
    off = dice.choice((0, 0, 2, 5, 8, 11, 13))
    other = Side.of({0: off, dice.choice((25, 25, 24, 23, 22)): 1, dice.randint(1, 3): CHECKERS - 1 - off})
    return random_side(dice, {}, range(12, 22)), other


def _draw_crashed(dice: random.Random) -> tuple[Side, Side]:
    us = random_side(dice, {1: 3, 2: 3, 3: dice.randint(1, 2), dice.randint(19, 24): 2}, range(2, 9))
    return us, random_side(dice, {}, range(2, 13))


def _draw_deep_prime(dice: random.Random) -> tuple[Side, Side]:
    return side_of_prime(dice, dice.choice((1, 2, 2)), range(1, 20)), random_side(
        dice, {dice.choice((24, 25, 25)): 1}, range(1, 15)
    )


FAMILIES: Final[dict[str, Family]] = {
    "back game": Family(_back_game, _draw_back_game),
    "massive back game": Family(_massive_back_game, _draw_massive),
    "containment": Family(_containment, _draw_containment),
    "snake": Family(_snake, _draw_snake),
    "crashed board": Family(_crashed, _draw_crashed),
    "deep prime": Family(_deep_prime, _draw_deep_prime),
}


def holder_of(family: str, position: Position) -> str | None:
    """ "us" or "them", the side that the family is about; None where the position does not belong to it."""
    test = FAMILIES[family].test
    if position.us.rearmost + position.them.rearmost <= BAR:
        return None
    return "us" if test(position.us, position.them) else "them" if test(position.them, position.us) else None


def constructed(family: str, dice: random.Random) -> Position:
    """A legal position from which games often come to one of the family."""
    while True:
        sides = FAMILIES[family].draw(dice)
        us, them = sides if dice.random() < 0.5 else sides[::-1]
        apart = all(not (us.points[point] and them.points[BAR - point]) for point in range(1, BAR))
        entered = not (us.points[BAR] and made_points(them, 1, 6) == 6) and not (
            them.points[BAR] and made_points(us, 1, 6) == 6
        )
        if apart and entered:
            return Position(us, them)


def family_position(family: str, seed: int, number: int) -> Position:
    """Position `number` of a family: one of a game of the net alone that comes to it, after MIN_ROLLS rolls or more.

    The same arguments give the same position, wherever it is asked for.
    """
    engine, rules = Engine("backgammon"), variant("backgammon")
    weights = [row.weight for row in rules.dice.rows]
    dice = random.Random(f"{family} {seed} {number}")
    while True:
        position, found = constructed(family, dice), list[Position]()
        for played in range(MAX_ROLLS):
            if played >= MIN_ROLLS and holder_of(family, position):
                found.append(position)
            faces = dice.choices(rules.dice.rows, weights)[0].faces
            position = engine.rank(position, faces)[0].play.next
            if outcome(rules, position) is not None:
                break
        if found:
            return dice.choice(found)
