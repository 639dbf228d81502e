"""What cube decisions lose in races with all checkers home: python -m benchmarks.races [COUNT] [MAX PLIES]

COUNT races of seven to ten checkers a side against a two-sided table of ten checkers (2 GB, made here), and a quarter as many of
eleven to fifteen against cubeful rollouts to the table of six that play has too, until doubling is clear by four standard errors or each equity known to
0.002. In neither does the engine ask a table for the value with the cube. They come from races played by a search of one ply. For money, the cube centred, without the Jacoby rule; taken
are close decisions, in which doubling or taking is within 0.15 points of the other choice. Printed are mean loss and the largest.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from barpoint.board import Position, Side
from barpoint.engine import Engine, bearoff
from barpoint.record.position_id import format_position
from barpoint.variants import variant
from benchmarks.judged.judge import SETTLED, is_close
from benchmarks.judged.place import CHECKERS
from benchmarks.loss import cube_losses, shown
from benchmarks.peer.player import Own

TABLE: Final = bearoff.MAX_TWO_SIDED
KNOWN: Final = bearoff.DEFAULT_CHECKERS
"""Checkers a side of the table that the engine asks in play."""

Judged = tuple[Position, float, float]
"""A race, and the equities of no double and double/take."""


def on_board(side: Side) -> int:
    """Checkers not yet borne off."""
    return CHECKERS - side.points[0]


def close_races(fewest: int, most: int, seed: int) -> Iterator[Position]:
    """Races in which each side has so many checkers, one of a race, played and found close by a search of one ply."""
    dice, rough = random.Random(seed), Engine("backgammon", plies=1)
    rules = rough.rules
    weights = [row.weight for row in rules.dice.rows]
    while True:
        position, seen = Position(_home(dice), _home(dice)), list[Position]()
        while min(on_board(position.us), on_board(position.them)) >= fewest:
            if max(on_board(position.us), on_board(position.them)) <= most:
                seen.append(position)
            faces = dice.choices(rules.dice.rows, weights)[0].faces
            position = rough.rank(position, faces, limit=1)[0].play.next
        dice.shuffle(seen)
        yield from islice((each for each in seen if is_close(rough.cube(each))), 1)


def _home(dice: random.Random) -> Side:
    points = dice.choices(range(1, 7), (2, 3, 4, 5, 6, 6), k=CHECKERS)
    return Side.of({point: points.count(point) for point in set(points)})


def by_table(races: Sequence[Position]) -> list[Judged]:
    """Exact."""
    table = bearoff.build(variant("backgammon"), TABLE)
    found = [(each, table.race(each)) for each in races]
    return [(each, race.roll_centred, race.double_take) for each, race in found]


def by_rollouts(races: Sequence[Position]) -> list[Judged]:
    """Judged by rollouts, cube decisions in them by one ply."""
    engine, found = Engine("backgammon"), list[Judged]()
    for number, each in enumerate(races):
        rolled = engine.rollout_cube(each, **SETTLED, cube_plies=1, seed=number + 1)
        found.append((each, rolled.no_double.equity.mean, rolled.double_take.equity.mean))
    return found


def report(title: str, judged: Sequence[Judged], max_plies: int) -> None:
    """Prints a line for each depth."""
    print(f"{title}: {len(judged)} close decisions, each of doubling and of taking; millipoints")
    for plies in range(max_plies + 1):
        player = Own(plies)
        losses = [cube_losses(stay, take, player.cube(position)) for position, stay, take in judged]
        worst = max(range(len(losses)), key=lambda i: max(losses[i]))
        flat = [loss for both in losses for loss in both]
        print(
            f"Barpoint {plies}-ply {shown(flat)}, largest {1000 * max(losses[worst]):.1f} in {format_position(judged[worst][0])}",
            flush=True,
        )


def main(count: int = 400, max_plies: int = 2) -> None:
    """Prints both comparisons."""

    def taken(fewest: int, most: int, number: int) -> list[Position]:
        return [race for race, _ in zip(close_races(fewest, most, 1), range(number), strict=False)]

    report(f"{KNOWN + 1} to {TABLE} checkers", by_table(taken(KNOWN + 1, TABLE, count)), max_plies)
    report(f"{TABLE + 1} to {CHECKERS} checkers", by_rollouts(taken(TABLE + 1, CHECKERS, count // 4)), max_plies)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
