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


def rare_positions(count: int, seed: int) -> npt.NDArray[np.uint8]:
    """[count, 64] packed positions of two sides of 15 checkers that move against each other."""
    rng = np.random.default_rng(seed)
    found = list[bytes]()
    kinds, shares = zip(*KINDS.items(), strict=True)
    while len(found) < count:
        one, other = kinds[rng.choice(len(kinds), p=shares)](rng)
        if (one[1:25] * other[24:0:-1]).any() or not (_fifteen(one) and _fifteen(other)):
            continue  # both sides on one point, or too many checkers
        sides = [Side(tuple(int(n) for n in side)) for side in (one, other)]
        rng.shuffle(sides)
        found.append(pack(Position(*sides)))
    return np.frombuffer(b"".join(found), np.uint8).reshape(count, 64).copy()


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


def _contained(rng: np.random.Generator) -> tuple[CheckersByPlace, CheckersByPlace]:
    """One side has borne off many checkers, and has one or two left behind a block."""
    left = int(rng.integers(1, 3))
    off = int(rng.integers(3, CHECKERS - left + 1))
    runner = _scattered(rng, CHECKERS - left - off, 1, 6) + _scattered(rng, left, 17, 25)
    runner[0] = off
    return runner, _prime(rng, 0)


def _back_game(rng: np.random.Generator) -> tuple[CheckersByPlace, CheckersByPlace]:
    """Two points deep in the other's home board, and the rest in front of it."""
    side = np.zeros(26, int)
    for point in rng.choice(np.arange(19, 25), 2, replace=False):
        side[point] = rng.integers(2, 4)
    side += _scattered(rng, CHECKERS - int(side.sum()), 2, 12)
    return side, _scattered(rng, CHECKERS, 1, int(rng.integers(7, 15)))


def _deep_anchor(rng: np.random.Generator) -> tuple[CheckersByPlace, CheckersByPlace]:
    """One point held while the other side bears in or off; the home board may have crashed."""
    side = np.zeros(26, int)
    side[rng.integers(20, 25)] = rng.integers(2, 5)
    side += _scattered(rng, CHECKERS - int(side.sum()), 1, int(rng.integers(4, 9)))
    off = int(rng.integers(0, 10))
    other = _scattered(rng, CHECKERS - off, 1, int(rng.integers(6, 9)))
    other[0] = off
    return side, other


def _primes(rng: np.random.Generator) -> tuple[CheckersByPlace, CheckersByPlace]:
    """A block against a block, with checkers caught behind both."""
    return _prime(rng, int(rng.integers(1, 4))), _prime(rng, int(rng.integers(1, 4)))


KINDS: Final[dict[Callable[[np.random.Generator], tuple[CheckersByPlace, CheckersByPlace]], float]] = {
    _contained: 0.35,
    _back_game: 0.3,
    _deep_anchor: 0.2,
    _primes: 0.15,
}
"""The kinds of rare positions and their weights."""
