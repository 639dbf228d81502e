"""Errors of the nets in exact endgames: python -m benchmarks.exact [POSITIONS]

Races of one to six checkers a side, all home, from two-sided databases with every token state; and whole games of one
or two checkers a side, solved here. The benchmark compares values of the net alone with the exact ones; in play the
engine uses the databases instead.
"""

from __future__ import annotations

import sys
from collections import Counter

import numpy as np
import numpy.typing as npt

from barpoint.board import Position, Side
from barpoint.chances import equities
from barpoint.engine import contact
from barpoint.engine.net import find_net, load
from barpoint.native import core, core_rules, pack
from barpoint.rules import Rules
from barpoint.variants import variant
from benchmarks.head_to_head import spread

RACES = (
    "backgammon",
    "roll-over",
    "cancelgammon",
    "duodecagammon",
    "roll-over+duodecagammon",
    "cancelgammon+duodecagammon",
)
GAMES = (
    ("hypergammon(checkers=2)", 2),
    ("roll-over+hypergammon(checkers=1)", 1),
    ("cancelgammon+hypergammon(checkers=1)", 1),
)
"""Rules, and the checkers of a side."""

MAX_ON_BOARD = 6
CHECKERS = 15


def races(count: int, seed: int) -> list[Position]:
    """Positions of one to six checkers a side on the points of its home."""
    random = np.random.default_rng(seed)

    def side() -> Side:
        points = random.integers(1, 7, random.integers(1, MAX_ON_BOARD + 1)).tolist()
        return Side.of({**Counter(points), 0: CHECKERS - len(points)})

    return [Position(side(), side()) for _ in range(count)]


def games(count: int, checkers: int, seed: int) -> list[Position]:
    """Positions of `checkers` checkers a side, each anywhere on the board, the sides never on one point."""
    random = np.random.default_rng(seed)
    found = list[Position]()
    while len(found) < count:
        us, them = random.integers(1, 25, (2, checkers)).tolist()
        if not {25 - point for point in us} & set(them):
            found.append(Position(Side.of(Counter(us)), Side.of(Counter(them))))
    return found


def array(positions: list[Position]) -> npt.NDArray[np.uint8]:
    """[positions, 64] packed."""
    return np.frombuffer(b"".join(map(pack, positions)), np.uint8).reshape(-1, 64)


def judged(rules: Rules, searcher: core.Searcher, positions: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64]:
    """[positions, heads] points a game."""
    found = searcher.evaluate(positions, 0).astype(float)
    return equities(found.reshape(-1, found.shape[-1]), rules.scoring.payments).reshape(found.shape[:-1])


def compare(name: str, net: npt.NDArray[np.float64], exact: npt.NDArray[np.float64]) -> None:
    """Prints the results of one game, by token state if it has tokens."""
    apart = np.abs(net - exact)
    for head, state in enumerate(("none", "own", "other", "both")[: apart.shape[1]]):
        mean, error = spread(apart[:, head].tolist())
        note = f", tokens: {state}" if apart.shape[1] > 1 else ""
        print(f"{name}{note}: off by {mean:.4f} +- {error:.4f} points, {apart[:, head].max():.3f} at most", flush=True)


def main(count: int = 2000) -> None:
    """Prints all results."""
    for name in RACES:
        rules, packed = variant(name), array(races(count, 1))
        net = load(find_net(rules))
        compare(
            name,
            *(judged(rules, core.Searcher(core_rules(rules), net, tables=tables), packed) for tables in (False, True)),
        )
    for name, checkers in GAMES:
        rules, packed = variant(name), array(games(count, checkers, 1))
        made = contact.solver(rules, checkers)
        contact.solve(made)
        found = judged(rules, core.Searcher(core_rules(rules), load(find_net(rules))), packed)
        states = range(found.shape[1])
        compare(
            name, found, np.array([[made.equities(each.tobytes(), state)[0] for state in states] for each in packed])
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
