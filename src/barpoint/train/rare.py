"""Rare positions, which games of two good players seldom reach; some self-play games start there to teach the nets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

from barpoint.board import Position, Side
from barpoint.native import pack

CHECKERS: Final = 15

CheckersByPlace = npt.NDArray[np.int_]
"""[26] checkers of one side on its own path: 0 borne off, 25 the bar."""

Sides = tuple[CheckersByPlace, CheckersByPlace]
RareKind = Callable[[np.random.Generator], Sides]


def rare_positions(count: int, seed: int) -> npt.NDArray[np.uint8]:
    """[count, 64] packed positions of two sides of 15 checkers that move against each other."""
    rng = np.random.default_rng(seed)
    found = list[bytes]()
    kinds, shares = zip(*KINDS.items(), strict=True)
    for _ in range(count):
        sides = [Side(tuple(int(n) for n in side)) for side in _drawn(kinds[rng.choice(len(kinds), p=shares)], rng)]
        rng.shuffle(sides)
        found.append(pack(Position(*sides)))
    return np.frombuffer(b"".join(found), np.uint8).reshape(count, 64).copy()


def _drawn(kind: RareKind, rng: np.random.Generator) -> Sides:
    """A position of the kind: no point with checkers of both sides, no side with too many."""
    while True:
        one, other = kind(rng)
        if not (one[1:25] * other[24:0:-1]).any() and _fifteen(one) and _fifteen(other):
            return one, other


def _fifteen(side: CheckersByPlace) -> bool:
    return int(side.sum()) == CHECKERS and bool(side.min() >= 0) and side[0] < CHECKERS


def _scattered(rng: np.random.Generator, count: int, low: int, high: int) -> CheckersByPlace:
    """This many checkers on points low..high, with random preferences among the points."""
    side = np.zeros(26, int)
    if count > 0:
        liked = rng.dirichlet(np.full(high - low + 1, 0.7))
        side[low : high + 1] = rng.multinomial(count, liked)
    return side


def _prime(rng: np.random.Generator, behind: int) -> CheckersByPlace:
    """A block of 4 to 6 points, the other checkers near it, and some left behind."""
    length = int(rng.integers(4, 7))
    first = int(rng.integers(2, 9))
    side = _scattered(rng, CHECKERS - 2 * length - behind, max(1, first - 2), min(18, first + length + 3))
    side[first : first + length] += 2
    return side + _scattered(rng, behind, 19, 25)


def _contained(rng: np.random.Generator) -> Sides:
    """One side has borne off many checkers, and has one or two left behind a block."""
    left = int(rng.integers(1, 3))
    off = int(rng.integers(3, CHECKERS - left + 1))
    runner = _scattered(rng, CHECKERS - left - off, 1, 6) + _scattered(rng, left, 17, 25)
    runner[0] = off
    return runner, _prime(rng, 0)


def _back_game(rng: np.random.Generator) -> Sides:
    """Two points deep in the other's home board, and the rest in front of it."""
    side = np.zeros(26, int)
    for point in rng.choice(np.arange(19, 25), 2, replace=False):
        side[point] = rng.integers(2, 4)
    side += _scattered(rng, CHECKERS - int(side.sum()), 2, 12)
    return side, _scattered(rng, CHECKERS, 1, int(rng.integers(7, 15)))


def _deep_anchor(rng: np.random.Generator) -> Sides:
    """One point held while the other side bears in or off; the home board may have crashed."""
    side = np.zeros(26, int)
    side[rng.integers(20, 25)] = rng.integers(2, 5)
    side += _scattered(rng, CHECKERS - int(side.sum()), 1, int(rng.integers(4, 9)))
    off = int(rng.integers(0, 10))
    other = _scattered(rng, CHECKERS - off, 1, int(rng.integers(6, 9)))
    other[0] = off
    return side, other


def _primes(rng: np.random.Generator) -> Sides:
    """A block against a block, with checkers caught behind both."""
    return _prime(rng, int(rng.integers(1, 4))), _prime(rng, int(rng.integers(1, 4)))


def _massive_back_game(rng: np.random.Generator) -> Sides:
    """Eight to eleven checkers on two or three points deep in the other's home board, the rest on the way round."""
    side = np.zeros(26, int)
    held = rng.choice(np.arange(19, 25), int(rng.integers(2, 4)), replace=False)
    side[held] = 2 + rng.multinomial(int(rng.integers(8, 12)) - 2 * len(held), np.full(len(held), 1 / len(held)))
    side += _scattered(rng, CHECKERS - int(side.sum()), int(rng.integers(3, 10)), 18)
    return side, _scattered(rng, CHECKERS, 1, int(rng.integers(7, 15)))


def _snake(rng: np.random.Generator) -> Sides:
    """One last checker of the other side to be contained by checkers that mostly have to come round behind it."""
    low = int(rng.integers(6, 15))
    off = int(rng.choice((0, 0, 0, 2, 5, 8, 11, 13)))
    other = _scattered(rng, CHECKERS - 1 - off, 1, int(rng.integers(3, 7)))
    other[int(rng.integers(21, 26))] += 1
    other[0] = off
    return _scattered(rng, CHECKERS, low, int(rng.integers(low + 4, 25))), other


def _crashed_board(rng: np.random.Generator) -> Sides:
    """An anchor is held while most other checkers are out of play on the lowest points."""
    side = _scattered(rng, int(rng.integers(7, 11)), 1, 3)
    side[int(rng.integers(19, 25))] += int(rng.integers(2, 4))
    side += _scattered(rng, CHECKERS - int(side.sum()), 4, 9)
    return side, _scattered(rng, CHECKERS, 1, int(rng.integers(7, 14)))


def _deep_prime(rng: np.random.Generator) -> Sides:
    """Five of the six lowest points are made with one or two checkers behind them, while others still come home."""
    first = int(rng.integers(1, 3))
    side = _scattered(rng, 5, 1, 19)
    side[first : first + 5] += 2
    behind = int(rng.integers(1, 3))
    return side, _scattered(rng, behind, 26 - first, 25) + _scattered(rng, CHECKERS - behind, 1, 14)


KINDS: Final[dict[RareKind, float]] = {
    _contained: 0.2,
    _back_game: 0.2,
    _deep_anchor: 0.1,
    _primes: 0.1,
    _massive_back_game: 0.15,
    _snake: 0.12,
    _crashed_board: 0.07,
    _deep_prime: 0.06,
}
"""The kinds of rare positions and their weights."""
